import DeadzoneBase
import DeadzoneClient

/// Replaces the name of a strategy preset by the full settings of the preset. A preset is a strategy with its settings
/// filled in. It is selected by name, or it is a file of the user's own:
///
///     version: 1
///     strategy: composed      # or another preset, over which this one is merged
///     about: …
///     backoff:
///       base: 1s              # source of the number
///
/// The settings beside a preset's name are merged over the preset's settings, as `extends` does with files.
struct PresetExpander {
    /// Maximum number of presets in a chain. In longer chains the origin of a setting is hard to find.
    private static let longestChain = 8

    let vocabulary: Vocabulary
    let opened: OpenedFiles
    var faults: Faults

    init(_ vocabulary: Vocabulary, _ opened: OpenedFiles, faults: Faults) {
        self.vocabulary = vocabulary
        self.opened = opened
        self.faults = faults
    }

    /// Shape of a preset's file name, which is allowed where a strategy is named.
    static let fileShape = Shape.quantity(noun: "a preset file", example: "./mine.yaml", pattern: "\\.ya?ml$")

    /// The document with the presets of all its strategies expanded.
    mutating func expanded(in document: Node) -> Node {
        guard var entries = document.entries, let place = entries.firstIndex(where: { $0.key == "strategies" }),
            var named = entries[place].value.entries
        else { return document }
        for index in named.indices where !named[index].key.hasPrefix("x-") {
            named[index].value = expanded(named[index].value, chain: [])
        }
        entries[place].value.content = .map(named)
        var whole = document
        whole.content = .map(entries)
        return whole
    }

    /// Expands a preset into a strategy's settings. A name that is not a preset, or cannot be read, stays unchanged:
    /// the strategy reader checks it.
    mutating func expanded(_ own: Node, chain: [String]) -> Node {
        let keys = ["strategy", "preset"].filter { own[$0] != nil }
        guard keys.count == 1, let word = own[keys[0]], let name = word.scalar,
            !vocabulary.strategies.contains(where: { $0.name == name }),
            let (text, path) = open(name, word)
        else { return own }
        let isCircle = chain.contains(path)
        guard !isCircle, chain.count < Self.longestChain else {
            let names = (chain + [path]).map { visible($0, atMost: 80) }.joined(separator: " is based on ")
            faults.note(
                isCircle
                    ? word.fault(.extendsCycle, "presets that are based on each other", help: names)
                    : word.fault(
                        .longChain, "a chain of more than \(Self.longestChain) presets, each based on the next",
                        help: names))
            return own
        }
        var reader = SettingsReader(text, of: "preset \(visible(name, atMost: 80))", faults: faults)
        let head = PresetMetadata(reading: &reader)
        faults = reader.faults
        if let strategy = head.strategy, let word = text["strategy"] ?? text["preset"] { check(strategy, word) }
        let settings = Node(
            .map((text.entries ?? []).filter { $0.key == "strategy" || !PresetMetadata.keys.contains($0.key) }),
            at: text.mark)
        var upper = own
        upper.content = .map((own.entries ?? []).filter { $0.key != keys[0] })
        return overlaid(upper, over: expanded(settings, chain: chain + [path]))
    }

    /// The map of a preset, and the path that identifies it.
    private mutating func open(_ name: String, _ word: Node) -> (Node, path: String)? {
        let path: String
        let composition: Composition
        if let known = vocabulary.presets.first(where: { $0.name == name }) {
            path = "preset \(name)"
            composition = opened.compose(path, Array(known.text.utf8))
        } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
            path = opened.path(name, from: word.mark)
            switch opened.open(path) {
            case .success(let found): composition = found
            case .failure(let trouble):
                faults.note(
                    word.fault(
                        .unknownStrategy, "cannot read \(quote(path)): \(trouble.message)",
                        help: "a name that ends in .yaml is a preset file, relative to the file that names it"))
                return nil
            }
        } else {
            return nil
        }
        faults.note(contentsOf: composition.faults)
        guard let node = composition.node else { return nil }
        guard node.entries != nil else {
            // The file may be anything and must not be quoted.
            faults.note(
                word.fault(
                    .wrongType, "\(quote(name)) contains no preset", label: "expected a file with a map",
                    help: "it begins with `strategy: composed`"))
            return nil
        }
        if let fault = Self.fault(inScenario: node, word) {
            faults.note(fault)
            return nil
        }
        return (node, path)
    }

    /// The fault of a scenario, or a file of clients, that is named as a preset.
    private static func fault(inScenario node: Node, _ word: Node) -> Fault? {
        guard node["strategy"] == nil, node["preset"] == nil, let names = node["strategies"]?.entries?.map(\.key) else {
            return nil
        }
        let own = names.prefix(20).map { visible($0, atMost: 80) }.joined(separator: ", ")
        let isScenario = node["duration"] != nil
        return word.fault(
            .wrongType, "\(word.kind) is a \(isScenario ? "scenario" : "file of clients"), not a strategy",
            label: "expected a file that begins with `strategy:`",
            help: "its strategies: \(own); write one of them to a file of its own")
    }

    /// Notes a fault for an unknown strategy in a preset. It must be checked here, because the name is gone after
    /// expansion.
    private mutating func check(_ name: String, _ word: Node) {
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        guard !names.contains(name), !name.hasSuffix(".yaml"), !name.hasSuffix(".yml") else { return }
        faults.note(word.unknown("strategy", name, among: names, .unknownStrategy))
    }
}
