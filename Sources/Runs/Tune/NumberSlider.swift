package import DeadzoneBase
package import DeadzoneScenarios

/// A number of a strategy, with the values that may stand in its place. An editor shows it as a slider, and replaces
/// only the number's own columns.
package struct NumberSlider: Sendable {
    /// Most values of one slider.
    private static let maximumStops = 81

    package let strategy: String
    /// Keys from the strategy to the setting: `keepalive.interval`.
    package let name: String
    package let mark: SourceMark
    /// Number of columns of the number; 0 if the text does not contain it.
    package let width: Int
    /// The text around a number that only a preset or a default gives: writing it there adds the setting. `nil` if the
    /// text contains the number.
    package let insertion: NumberInsertion?
    /// Round values around the present one, a decade each way or up to the bounds of the setting. The lowest is first.
    package let stops: [String]
    /// Index of the present value.
    package let position: Int

    /// The sliders of all numbers of the strategies that the text names. Those of one strategy have the order of its
    /// settings, whether the text contains them or not. Strategies of other files have none.
    /// - Parameters:
    ///   - text: the scenario's own text.
    ///   - names: the strategies that get sliders; `nil` for all.
    ///   - isStopped: `true` if the sliders are no longer needed; the list is then incomplete.
    package static func all(
        of text: [UInt8], _ scenario: Scenario, _ vocabulary: Vocabulary, strategies names: Set<String>? = nil,
        isStopped: () -> Bool = { false }
    ) -> [NumberSlider] {
        guard let strategies = compose(text).node?["strategies"] else { return [] }
        let writer = NumberWriter(text)
        var (written, added): ([(order: Int, slider: NumberSlider)], [(order: Int, slider: NumberSlider)]) = ([], [])
        var marks: Set<SourceMark> = []
        for named in scenario.strategies {
            guard let node = strategies[named.name] else { continue }
            // Strategies may share a map or a number through an alias, which stands before the map that names it.
            let isOwn = marks.insert(node.mark).inserted && node.mark > strategies.mark
            let numbers = plainNumbers(in: node, below: []).filter { marks.insert($0.node.mark).inserted }
            if let names, !names.contains(named.name) { continue }
            let strategy = TunableStrategy(named, in: scenario, vocabulary)
            let values = strategy.plainValues
            for (path, node) in numbers {
                guard let text = node.scalar,
                    let slider = NumberSlider(text, node.mark, node.width, nil, path, strategy)
                else { continue }
                written.append((values.firstIndex { $0.path.starts(with: path) } ?? values.count, slider))
            }
            guard isOwn else { continue }
            for (order, value) in values.enumerated() where !isStopped() {
                guard let (mark, insertion) = writer.place(for: value.path, in: node),
                    strategy.faults([value]).isEmpty,
                    let slider = NumberSlider(value.value, mark, 0, insertion, value.path, strategy)
                else { continue }
                added.append((order, slider))
            }
        }
        let order = scenario.strategies.map(\.name)
        func rank(_ one: (order: Int, slider: NumberSlider)) -> (Int, Int) {
            (order.firstIndex(of: one.slider.strategy) ?? 0, one.order)
        }
        return (written + added).sorted { rank($0) < rank($1) }.map(\.slider)
    }

    /// All unquoted values below a node that begin with a digit.
    private static func plainNumbers(in node: Node, below path: [String]) -> [(path: [String], node: Node)] {
        if case .scalar(let text, quoted: false) = node.content {
            return path.isEmpty || text.first.map { "0"..."9" ~= $0 } != true ? [] : [(path, node)]
        }
        return (node.entries ?? []).flatMap { plainNumbers(in: $0.value, below: path + [$0.key]) }
    }

    private init?(
        _ text: String, _ mark: SourceMark, _ width: Int, _ insertion: NumberInsertion?, _ path: [String],
        _ strategy: TunableStrategy
    ) {
        guard text.first.map({ "0"..."9" ~= $0 }) == true,
            let setting = TuneSpaceBuilder(strategy: strategy).decade(around: path, text, isRequested: insertion == nil)
        else { return nil }
        let stops = setting.stops(atMost: Self.maximumStops)
        let notation = NumberNotation(of: text, accepting: strategy.shapes(of: path))
        guard stops.count > 1, let notation, let number = notation.number(of: text),
            let position = stops.firstIndex(where: { notation.number(of: $0) == number })
        else { return nil }
        self.strategy = strategy.name
        name = path.joined(separator: ".")
        (self.mark, self.width, self.insertion, self.stops, self.position) = (mark, width, insertion, stops, position)
    }
}

/// The text before and after a number that is added to a map.
package struct NumberInsertion: Hashable, Sendable {
    package let before: String
    package let after: String
}

/// Finds the place in a scenario's text at which a setting can be added. The rest of the text stays as it is.
private struct NumberWriter {
    /// Characters of each line. Columns count them from 1.
    private let lines: [[Unicode.Scalar]]

    init(_ text: [UInt8]) {
        lines = text.split(separator: 10, omittingEmptySubsequences: false).map {
            Array(String(decoding: $0, as: UTF8.self).unicodeScalars)
        }
    }

    /// - Parameter map: the map of the strategy in the text.
    /// - Returns: `nil` if the text contains the setting, or has no place that is certain.
    func place(for path: [String], in map: Node) -> (SourceMark, NumberInsertion)? {
        var (map, rest) = (map, path[...])
        while rest.count > 1, let inner = rest.first.flatMap({ map[$0] }) {
            // An alias stands before the map that names it.
            guard inner.entries != nil, inner.mark > map.mark else { return nil }
            (map, rest) = (inner, rest.dropFirst())
        }
        guard let key = rest.first, map[key] == nil, let entry = neighbour(in: map) else { return nil }
        let line = lines[entry.value.mark.line - 1]
        let inner = rest.joined(separator: ": {") + ": "
        let after = String(repeating: "}", count: rest.count - 1)
        guard isFlow(map) else {
            guard line.last != "\r" else { return nil }
            let indent = String(repeating: " ", count: entry.keyMark.column - 1)
            return (
                SourceMark(line: entry.keyMark.line, column: line.count + 1),
                NumberInsertion(before: "\n" + indent + inner, after: after)
            )
        }
        let end = SourceMark(line: entry.value.mark.line, column: entry.value.mark.column + entry.value.width)
        return (end, NumberInsertion(before: ", " + inner, after: after))
    }

    /// The entry after which a new one is written: the name of the strategy, or another plain value on one line.
    private func neighbour(in map: Node) -> Node.MapEntry? {
        let plain = (map.entries ?? []).filter { entry in
            guard case .scalar(_, quoted: false) = entry.value.content, !entry.value.isEmpty else { return false }
            return entry.keyMark >= map.mark && entry.value.mark.file == 0
                && entry.value.mark.line == entry.keyMark.line && lines.indices.contains(entry.keyMark.line - 1)
        }
        return plain.first { ["strategy", "preset"].contains($0.key) } ?? plain.first
    }

    private func isFlow(_ map: Node) -> Bool {
        let line = lines.indices.contains(map.mark.line - 1) ? lines[map.mark.line - 1] : []
        return line.indices.contains(map.mark.column - 1) && line[map.mark.column - 1] == "{"
    }
}
