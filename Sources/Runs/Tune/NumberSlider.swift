package import DeadzoneBase
package import DeadzoneScenarios

/// A number that a scenario's text gives to a strategy, with the values that may stand in its place. An editor shows it
/// as a slider, and replaces only the number's own columns.
package struct NumberSlider: Sendable {
    /// Most values of one slider.
    private static let maximumStops = 81
    /// Most sliders of one scenario. More do not fit on a page.
    private static let maximumCount = 64

    package let strategy: String
    /// Keys from the strategy to the setting: `keepalive.interval`.
    package let name: String
    package let mark: SourceMark
    /// Number of columns of the number.
    package let width: Int
    /// Round values around the present one, a decade each way or up to the bounds of the setting. The lowest is first.
    package let stops: [String]
    /// Index of the present value.
    package let position: Int

    /// The sliders of all numbers of the strategies, in the order of the text. Numbers of presets and of other files are
    /// not in the text, so they have none.
    /// - Parameter text: the scenario's own text.
    package static func all(of text: [UInt8], _ scenario: Scenario, _ vocabulary: Vocabulary) -> [NumberSlider] {
        guard let strategies = compose(text).node?["strategies"] else { return [] }
        var sliders: [NumberSlider] = []
        for named in scenario.strategies {
            let numbers = strategies[named.name].map { plainNumbers(in: $0, below: []) } ?? []
            // Strategies may share a number through an alias.
            let own = numbers.filter { number in !sliders.contains { $0.mark == number.node.mark } }
            guard !own.isEmpty else { continue }
            let strategy = TunableStrategy(named, in: scenario, vocabulary)
            for (path, node) in own where sliders.count < maximumCount {
                if let slider = NumberSlider(node, at: path, of: strategy) { sliders.append(slider) }
            }
        }
        return sliders.sorted { $0.mark < $1.mark }
    }

    /// All unquoted values below a node that begin with a digit.
    private static func plainNumbers(in node: Node, below path: [String]) -> [(path: [String], node: Node)] {
        if case .scalar(let text, quoted: false) = node.content {
            return path.isEmpty || text.first.map { "0"..."9" ~= $0 } != true ? [] : [(path, node)]
        }
        return (node.entries ?? []).flatMap { plainNumbers(in: $0.value, below: path + [$0.key]) }
    }

    private init?(_ node: Node, at path: [String], of strategy: TunableStrategy) {
        guard let text = node.scalar,
            let setting = TuneSpaceBuilder(strategy: strategy).decade(around: path, text, isRequested: true)
        else { return nil }
        let stops = setting.stops(atMost: Self.maximumStops)
        let notation = NumberNotation(of: text, accepting: strategy.shapes(of: path))
        guard stops.count > 1, let notation, let number = notation.number(of: text),
            let position = stops.firstIndex(where: { notation.number(of: $0) == number })
        else { return nil }
        self.strategy = strategy.name
        name = path.joined(separator: ".")
        (mark, width, self.stops, self.position) = (node.mark, node.width, stops, position)
    }
}
