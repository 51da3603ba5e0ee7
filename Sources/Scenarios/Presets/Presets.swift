import DeadzoneClient
import DeadzoneSettings

/// A preset is a strategy with its settings filled in, by name or in a file of the user's own:
///
///     version: 1
///     strategy: composed      # or another preset, which this one is laid over
///     about: …
///     backoff:
///       base: 1s              # where the number comes from
///
/// Whoever names one has its settings laid under their own, as `extends` does with files.
struct Presets {
    /// Nobody can say any more what a setting comes from in longer ones.
    private static let longestChain = 8

    let vocabulary: Vocabulary
    let opened: OpenedFiles
    var faults: Faults

    init(_ vocabulary: Vocabulary, _ opened: OpenedFiles, faults: Faults) {
        self.vocabulary = vocabulary
        self.opened = opened
        self.faults = faults
    }

    /// What may stand where a strategy is named, beside the names.
    static let fileShape = Shape.quantity(noun: "a preset file", example: "./mine.yaml", pattern: "\\.ya?ml$")

    /// The document with all that its strategies take from presets.
    mutating func spelledOut(in document: Node) -> Node {
        guard var entries = document.entries, let place = entries.firstIndex(where: { $0.key == "strategies" }),
            var named = entries[place].value.entries
        else { return document }
        for index in named.indices where !named[index].key.hasPrefix("x-") {
            named[index].value = spelledOut(named[index].value, chain: [])
        }
        entries[place].value.content = .map(named)
        var whole = document
        whole.content = .map(entries)
        return whole
    }

    /// What names no preset, or none that can be read, stays as it is: the reader of strategies has the last word.
    mutating func spelledOut(_ own: Node, chain: [String]) -> Node {
        let keys = ["strategy", "preset"].filter { own[$0] != nil }
        guard keys.count == 1, let word = own[keys[0]], let name = word.scalar,
            !vocabulary.strategies.contains(where: { $0.name == name }),
            let (text, path) = open(name, word)
        else { return own }
        let isCircle = chain.contains(path)
        guard !isCircle, chain.count < Self.longestChain else {
            let names = (chain + [path]).map { visible($0, atMost: 80) }.joined(separator: " is made of ")
            faults.note(
                isCircle
                    ? word.fault(.extendsCycle, "presets that are made of each other", help: names)
                    : word.fault(
                        .longChain, "a chain of more than \(Self.longestChain) presets, each made of the next",
                        help: names))
            return own
        }
        var reader = SettingsReader(text, of: "preset \(visible(name, atMost: 80))", faults: faults)
        let head = PresetHead(reading: &reader)
        faults = reader.faults
        if let strategy = head.strategy, let word = text["strategy"] { check(strategy, word) }
        let settings = Node(
            .map((text.entries ?? []).filter { $0.key == "strategy" || !PresetHead.keys.contains($0.key) }),
            at: text.mark)
        var upper = own
        upper.content = .map((own.entries ?? []).filter { $0.key != keys[0] })
        return laid(upper, over: spelledOut(settings, chain: chain + [path]))
    }

    /// The map of a preset, and what tells it from others.
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
                        help: "a name that ends in .yaml is a preset in a file beside the one that names it"))
                return nil
            }
        } else {
            return nil
        }
        faults.note(contentsOf: composition.faults)
        guard let node = composition.node else { return nil }
        guard node.entries != nil else {
            faults.note(node.wrongType("a map that begins with `strategy: composed`"))
            return nil
        }
        return (node, path)
    }

    /// Inside a preset nobody else looks at the name before it is gone.
    private mutating func check(_ name: String, _ word: Node) {
        let names = vocabulary.strategies.map(\.name) + vocabulary.presets.map(\.name)
        guard !names.contains(name), !name.hasSuffix(".yaml"), !name.hasSuffix(".yml") else { return }
        faults.note(word.unknown("strategy", name, among: names, .unknownStrategy))
    }
}
