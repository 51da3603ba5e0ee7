import DeadzoneBase

/// A strategy that the command line adds to every scenario, beside the scenario's own strategies: `--with`.
package struct AddedStrategy: Hashable, Sendable {
    /// Name in the results, given as `NAME=STRATEGY`. `nil` takes the name of the strategy.
    package let name: String?
    /// Name of a strategy or a preset, or the file of a preset or a scenario.
    package let source: String
    /// The text on the command line.
    package let text: String

    package init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        (name, source) = parts.count == 2 ? (parts[0], parts[1]) : (nil, text)
    }

    /// `true` if the source is a file that does not have the suffix of a YAML file.
    package var isUnmarkedFile = false

    /// `true` if the source is a file, not the name of a strategy.
    package var isFile: Bool { isUnmarkedFile || source.hasSuffix(".yaml") || source.hasSuffix(".yml") }

    /// Position of what the command line adds. It is in no file.
    static let mark = SourceMark(line: 0, column: 0, file: -1)
}

/// A strategy that `--with` adds under another name than its own, because the scenario already has a strategy with that
/// name.
package struct RenamedStrategy: Hashable, Sendable {
    /// The text of `--with` on the command line.
    package let added: String
    package let original: String
    package let name: String

    /// A sentence that names both.
    package var note: String {
        "\(quote(original)) of `--with \(visible(added, atMost: 60))` runs as \(quote(name)), because the scenario already "
            + "has a strategy \(quote(original)); `--with NAME=\(visible(added, atMost: 60))` chooses another name"
    }
}

/// Adds strategies of the command line to the document of a scenario, before its matrix is expanded. They become part
/// of the resolved scenario, so a saved result needs no other file.
struct StrategyAdder {
    private static let key = "strategies"
    /// Keys that name the strategy or the preset under the other settings.
    private static let baseKeys = ["strategy", "preset"]

    let opened: OpenedFiles
    var faults: Faults
    /// Names of the added strategies, in order.
    private(set) var names: [String] = []
    /// The source on the command line, by name. Strategies of a scenario file have none.
    private(set) var sources: [String: String] = [:]
    private(set) var renamed: [RenamedStrategy] = []

    /// The document with the strategies added after its own.
    mutating func extended(_ document: Node, with added: [AddedStrategy]) -> Node {
        guard !added.isEmpty else { return document }
        var entries = document.entries ?? []
        let place = entries.firstIndex { $0.key == Self.key }
        let own = place.map { entries[$0].value }
        // Another value than a map is a fault that the reader of strategies reports.
        guard own?.entries != nil || own == nil else { return document }
        var named = own?.entries ?? []
        for strategy in added {
            for entry in self.entries(of: strategy) {
                guard let name = freeName(for: entry.key, of: strategy, among: named.map(\.key)) else { continue }
                named.append(Node.MapEntry(key: name, keyMark: entry.keyMark, value: entry.value))
                names.append(name)
                if entry.keyMark == AddedStrategy.mark { sources[name] = strategy.source }
            }
        }
        let strategies = Node(.map(named), at: own?.mark ?? AddedStrategy.mark, width: own?.width ?? 1)
        if let place {
            entries[place].value = strategies
        } else {
            entries.append(Node.MapEntry(key: Self.key, keyMark: AddedStrategy.mark, value: strategies))
        }
        var whole = document
        whole.content = .map(entries)
        return whole
    }

    /// The name of an added strategy. If it is taken, the name of the file goes before it. A name that the user chose
    /// is not changed: if it is taken, that is a fault.
    private mutating func freeName(for name: String, of added: AddedStrategy, among taken: [String]) -> String? {
        guard taken.contains(name) else { return name }
        guard added.name == nil else {
            note(
                .duplicateKey, "`--with` adds a strategy \(quote(name)), but the scenario already has one",
                "NAME=STRATEGY gives it another name: --with 'own=\(visible(added.source, atMost: 60))'")
            return nil
        }
        let prefix = added.isFile ? Self.baseName(of: added.source) : "added"
        // The base name of a preset file is its own name.
        let first = prefix == name ? "file \(name)" : "\(prefix) \(name)"
        var (free, number) = (first, 2)
        while taken.contains(free) {
            free = "\(first) \(number)"
            number += 1
        }
        renamed.append(RenamedStrategy(added: added.text, original: name, name: free))
        return free
    }

    /// The named strategies that one `--with` adds: one, or all strategies of a scenario file.
    private mutating func entries(of added: AddedStrategy) -> [Node.MapEntry] {
        guard added.isFile else { return [entry(added.name ?? added.source, added.source)] }
        switch opened.open(added.source) {
        case .failure(let trouble):
            note(.unknownStrategy, "cannot read \(quote(added.source)): \(trouble.message)", "")
            return []
        case .success(let composition):
            faults.note(contentsOf: composition.faults)
            guard let node = composition.node, let keys = node.entries?.map(\.key) else {
                if composition.faults.isEmpty { noteNoStrategies(added) }
                return []
            }
            if Self.baseKeys.contains(where: keys.contains) { return [preset(node, added)] }
            if keys.contains(Self.key) || keys.contains("extends") { return strategies(of: node, added) }
            let map = (node.entries ?? []).filter { $0.key != "version" }
            let isStrategies = map.contains { entry in Self.baseKeys.contains { entry.value[$0] != nil } }
            return named(isStrategies ? map : [], added)
        }
    }

    /// The strategies of another scenario file, with those that it extends.
    private mutating func strategies(of scenario: Node, _ added: AddedStrategy) -> [Node.MapEntry] {
        var extending = ExtendsResolver(opened: opened, faults: faults)
        let whole = extending.extended(scenario, chain: [added.source])
        faults = extending.faults
        guard !extending.isBroken else { return [] }
        return named(whole[Self.key]?.entries ?? [], added)
    }

    /// The entries of a map of strategies: `strategies:` of a scenario, or a file that contains the map alone.
    private mutating func named(_ entries: [Node.MapEntry], _ added: AddedStrategy) -> [Node.MapEntry] {
        let own = entries.filter { !$0.key.hasPrefix("x-") }
        if own.isEmpty { noteNoStrategies(added) }
        guard let prefix = added.name else { return own }
        return own.map { Node.MapEntry(key: "\(prefix) \($0.key)", keyMark: $0.keyMark, value: $0.value) }
    }

    /// A preset file as a strategy. Only a file with the suffix of a YAML file can be named in a scenario.
    private func preset(_ file: Node, _ added: AddedStrategy) -> Node.MapEntry {
        let name = added.name ?? Self.baseName(of: added.source)
        guard added.isUnmarkedFile else { return entry(name, added.source) }
        let keys = PresetMetadata.keys.filter { $0 != "strategy" }
        let settings = (file.entries ?? []).filter { !keys.contains($0.key) }
        return Node.MapEntry(key: name, keyMark: file.mark, value: Node(.map(settings), at: file.mark))
    }

    private func entry(_ name: String, _ source: String) -> Node.MapEntry {
        let word = Node(.scalar(source, quoted: true), at: AddedStrategy.mark)
        let settings = Node(
            .map([Node.MapEntry(key: "strategy", keyMark: AddedStrategy.mark, value: word)]), at: AddedStrategy.mark)
        return Node.MapEntry(key: name, keyMark: AddedStrategy.mark, value: settings)
    }

    /// The name of a file without its folder and suffix.
    private static func baseName(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let parts = file.split(separator: ".")
        return parts.count > 1 ? parts.dropLast().joined(separator: ".") : file
    }

    private mutating func noteNoStrategies(_ added: AddedStrategy) {
        note(
            .missing, "\(quote(added.source)) contains no strategies",
            "`--with` takes a strategy, a preset file, a scenario file with `strategies`, or a file with such a map")
    }

    private mutating func note(_ code: FaultCode, _ message: String, _ help: String) {
        faults.note(Fault(code, at: AddedStrategy.mark, message, help: help))
    }
}
