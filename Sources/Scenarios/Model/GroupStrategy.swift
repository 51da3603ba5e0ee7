import DeadzoneBase
import DeadzoneClient

/// A strategy that one group of phones always runs, while the other phones run the compared strategies.
struct GroupStrategy {
    static let key = "strategy"

    let namedStrategy: NamedStrategy
    /// Canonical settings with the name. They read back as the same strategy.
    let resolved: Node
}

extension PresetExpander {
    /// Expands the presets in the strategies of all groups. A group's strategy may also name an entry of the scenario's
    /// `strategies:`.
    mutating func expanded(inGroups population: Node, beside strategies: Node?) -> Node {
        guard var groups = population.entries else { return population }
        for index in groups.indices where !groups[index].key.hasPrefix("x-") {
            guard var own = groups[index].value.entries,
                let place = own.firstIndex(where: { $0.key == GroupStrategy.key })
            else { continue }
            own[place].value = expanded(own: own[place].value, strategies?.entries ?? [])
            groups[index].value.content = .map(own)
        }
        var whole = population
        whole.content = .map(groups)
        return whole
    }

    /// The strategy as a map with a name.
    private mutating func expanded(own written: Node, _ compared: [Node.MapEntry]) -> Node {
        guard !written.isEmpty else { return written }
        guard let name = written.scalar else {
            guard let entries = written.entries, written["name"] == nil,
                let word = written["strategy"] ?? written["preset"], word.scalar != nil
            else { return expanded(written, chain: []) }
            var named = written
            named.content = .map(entries + [.init(key: "name", keyMark: word.mark, value: word)])
            return expanded(named, chain: [])
        }
        if let known = compared.first(where: { $0.key == name && !name.hasPrefix("x-") }) {
            var named = known.value
            guard let entries = named.entries else { return written }
            named.content = .map(
                entries.filter { $0.key != "name" } + [.init(key: "name", keyMark: written.mark, value: written)])
            return expanded(named, chain: [])
        }
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        if !names.contains(name), !name.hasSuffix(".yaml"), !name.hasSuffix(".yml") {
            faults.note(
                written.unknown("strategy", name, among: compared.map(\.key) + names, .unknownStrategy))
            return Node(.scalar("", quoted: true), at: written.mark, width: written.width)
        }
        let entries = ["strategy", "name"].map { Node.MapEntry(key: $0, keyMark: written.mark, value: written) }
        return expanded(Node(.map(entries), at: written.mark, width: written.width), chain: [])
    }
}

extension SettingsReader {
    /// Reads a group's own strategy: `strategy: ably`, or a map as under `strategies`. Names were expanded to maps
    /// before.
    mutating func groupStrategy(_ vocabulary: Vocabulary) -> GroupStrategy? {
        let help = "strategy of these phones, whatever is compared: a name, or a map as under `strategies`"
        if isDescribing {
            var settings = SettingsReader.describing("`\(GroupStrategy.key)`")
            _ = settings.readNamedStrategy(vocabulary)
            let words = vocabulary.strategyVariants.flatMap {
                [Shape.Keyword(name: $0.name, about: $0.about)] + $0.presets()
            }
            // A text may also name an entry of the scenario's `strategies:`.
            return custom(GroupStrategy.key, help) { .either([.word(words), .text, settings.shape]) }.flatMap { _ in nil
            }
        }
        guard let node = custom(GroupStrategy.key, help, shape: { .anything }), !node.isUnknown else { return nil }
        guard node.entries != nil else {
            note(
                node.isEmpty
                    ? node.fault(.noValue, "a value is missing", label: "expected the name of a strategy, or a map")
                    : node.wrongType("the name of a strategy, or a map"))
            return nil
        }
        let (namedStrategy, resolved) = read(node, of: "strategy \(node["name"]?.scalar.map(quote) ?? "of a group")") {
            $0.readNamedStrategy(vocabulary)
        }
        return namedStrategy.map { GroupStrategy(namedStrategy: $0, resolved: resolved) }
    }

    private mutating func readNamedStrategy(_ vocabulary: Vocabulary) -> NamedStrategy? {
        let name = value("name", ValueFormat<String>.text, "name in reports; default: the name as written") ?? ""
        omitFromResolved(["name"])
        let namedStrategy = namedStrategy(name, vocabulary)
        if namedStrategy != nil { resolve("name", to: .text(name)) }
        return namedStrategy
    }
}

extension Node {
    /// `true` for the stand-in of an unknown name. Its fault was already noted.
    fileprivate var isUnknown: Bool {
        if case .scalar("", true) = content { true } else { false }
    }
}
