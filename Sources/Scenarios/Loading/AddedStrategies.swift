import DeadzoneSettings

/// A strategy that the command line adds to every scenario, beside the scenario's own strategies: `--with`.
public struct AddedStrategy: Hashable, Sendable {
    /// Name in the results, given as `NAME=STRATEGY`. `nil` takes the name of the strategy.
    public let name: String?
    /// Name of a strategy or a preset, or the file of a preset or a scenario.
    public let source: String
    /// The text on the command line.
    public let text: String

    public init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        (name, source) = parts.count == 2 ? (parts[0], parts[1]) : (nil, text)
    }

    /// `true` if the source is a YAML file, not the name of a strategy.
    public var isFile: Bool { source.hasSuffix(".yaml") || source.hasSuffix(".yml") }

    /// Position of what the command line adds. It is in no file.
    static let mark = SourceMark(line: 0, column: 0, file: -1)
}

/// Adds strategies of the command line to the document of a scenario, before its matrix is expanded. They become part
/// of the resolved scenario, so a saved result needs no other file.
struct StrategyAdder {
    private static let key = "strategies"

    let opened: OpenedFiles
    var faults: Faults
    /// Names of the added strategies, in order.
    private(set) var names: [String] = []

    init(opened: OpenedFiles, faults: Faults) {
        self.opened = opened
        self.faults = faults
    }

    /// The document with the strategies added after its own.
    mutating func extended(_ document: Node, with added: [AddedStrategy]) -> Node {
        guard !added.isEmpty else { return document }
        var entries = document.entries ?? []
        let place = entries.firstIndex { $0.key == Self.key }
        let own = place.map { entries[$0].value }
        // Another value than a map is a fault that the reader of strategies reports.
        guard own?.entries != nil || own == nil else { return document }
        var named = own?.entries ?? []
        for entry in added.flatMap({ self.entries(of: $0) }) {
            if named.contains(where: { $0.key == entry.key }) {
                note(
                    .duplicateKey, "`--with` adds a strategy \(quote(entry.key)), but the scenario already has one",
                    "NAME=STRATEGY gives it another name: --with 'own=\(visible(entry.key, atMost: 60))'")
                continue
            }
            named.append(entry)
            names.append(entry.key)
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
            guard !keys.contains("strategy") else {
                return [entry(added.name ?? Self.baseName(of: added.source), added.source)]
            }
            return strategies(of: node, added)
        }
    }

    /// The strategies of another scenario file, with those that it extends.
    private mutating func strategies(of scenario: Node, _ added: AddedStrategy) -> [Node.MapEntry] {
        var extending = ExtendsResolver(opened: opened, faults: faults)
        let whole = extending.extended(scenario, chain: [added.source])
        faults = extending.faults
        guard !extending.isBroken else { return [] }
        let named = (whole[Self.key]?.entries ?? []).filter { !$0.key.hasPrefix("x-") }
        if named.isEmpty { noteNoStrategies(added) }
        guard let prefix = added.name else { return named }
        return named.map { Node.MapEntry(key: "\(prefix) \($0.key)", keyMark: $0.keyMark, value: $0.value) }
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
        return file.split(separator: ".").dropLast().joined(separator: ".")
    }

    private mutating func noteNoStrategies(_ added: AddedStrategy) {
        note(
            .missing, "\(quote(added.source)) contains no strategies",
            "`--with` takes a strategy, a preset file, or a scenario file with `strategies`")
    }

    private mutating func note(_ code: FaultCode, _ message: String, _ help: String) {
        faults.note(Fault(code, at: AddedStrategy.mark, message, help: help))
    }
}
