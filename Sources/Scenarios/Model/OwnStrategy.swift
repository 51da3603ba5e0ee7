import DeadzoneClient
import DeadzonePrimitives
import DeadzoneSettings

/// What one group of a population runs, whichever of the compared strategies a run is of.
struct OwnStrategy {
    static let key = "strategy"

    let contender: Contender
    /// With its name; reads back as the same.
    let resolved: Node
}

extension Presets {
    /// The groups of a population, with all that their own strategies take from presets, or from `strategies:` of the scenario.
    mutating func spelledOut(inGroups population: Node, beside strategies: Node?) -> Node {
        guard var groups = population.entries else { return population }
        for index in groups.indices where !groups[index].key.hasPrefix("x-") {
            guard var own = groups[index].value.entries,
                let place = own.firstIndex(where: { $0.key == OwnStrategy.key })
            else { continue }
            own[place].value = spelledOut(own: own[place].value, strategies?.entries ?? [])
            groups[index].value.content = .map(own)
        }
        var whole = population
        whole.content = .map(groups)
        return whole
    }

    /// A map with a name.
    private mutating func spelledOut(own written: Node, _ compared: [Node.Entry]) -> Node {
        guard !written.isEmpty else { return written }
        guard let name = written.scalar else {
            guard let entries = written.entries, written["name"] == nil,
                let word = written["strategy"] ?? written["preset"], word.scalar != nil
            else { return spelledOut(written, chain: []) }
            var named = written
            named.content = .map(entries + [.init(key: "name", keyMark: word.mark, value: word)])
            return spelledOut(named, chain: [])
        }
        if let known = compared.first(where: { $0.key == name && !name.hasPrefix("x-") }) {
            var named = known.value
            guard let entries = named.entries else { return written }
            named.content = .map(
                entries.filter { $0.key != "name" } + [.init(key: "name", keyMark: written.mark, value: written)])
            return spelledOut(named, chain: [])
        }
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        if !names.contains(name), !name.hasSuffix(".yaml"), !name.hasSuffix(".yml") {
            faults.note(
                written.unknown("strategy", name, among: compared.map(\.key) + names, .unknownStrategy))
            return Node(.scalar("", quoted: true), at: written.mark, width: written.width)
        }
        let entries = ["strategy", "name"].map { Node.Entry(key: $0, keyMark: written.mark, value: written) }
        return spelledOut(Node(.map(entries), at: written.mark, width: written.width), chain: [])
    }
}

extension SettingsReader {
    /// `strategy: ably` of a group, or a map as under `strategies`. Whoever reads a file has spelled it out before.
    mutating func ownStrategy(_ vocabulary: Vocabulary) -> OwnStrategy? {
        let help = "what these phones run whatever is compared: a name, or a map as under `strategies`"
        if isDescribing {
            var settings = SettingsReader.describing("`\(OwnStrategy.key)`")
            _ = settings.namedContender(vocabulary)
            let words = vocabulary.strategyVariants.flatMap {
                [Shape.Word(name: $0.name, about: $0.about)] + $0.presets()
            }
            // A text may be a name of the scenario's own.
            return custom(OwnStrategy.key, help) { .either([.word(words), .text, settings.shape]) }.flatMap { _ in nil }
        }
        guard let node = custom(OwnStrategy.key, help, shape: { .anything }), !node.isUnknown else { return nil }
        guard node.entries != nil else {
            note(
                node.isEmpty
                    ? node.fault(.noValue, "a value is missing", label: "expected the name of a strategy, or a map")
                    : node.wrongType("the name of a strategy, or a map"))
            return nil
        }
        let (contender, resolved) = read(node, of: "strategy \(node["name"]?.scalar.map(quote) ?? "of a group")") {
            $0.namedContender(vocabulary)
        }
        return contender.map { OwnStrategy(contender: $0, resolved: resolved) }
    }

    private mutating func namedContender(_ vocabulary: Vocabulary) -> Contender? {
        let name = value("name", Form<String>.text, "what reports call it; by default as it is written") ?? ""
        leaveUnsaid(["name"])
        let contender = contender(name, vocabulary)
        if contender != nil { resolve("name", to: .text(name)) }
        return contender
    }
}

extension Node {
    /// What stands where a name was that nothing has, and that was told of.
    fileprivate var isUnknown: Bool {
        if case .scalar("", true) = content { true } else { false }
    }
}
