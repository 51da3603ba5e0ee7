/// Reads one map of a user's document. One call per setting is at once its parser, its default, its fault with line and
/// column, its help text, its JSON Schema and its line in the canonical text:
///
///     let ping = settings.span("ping", default: .seconds(45), "how long the line may be silent")
///
/// Reading never stops: a fault is noted and the default takes the value's place, so that all faults of a file are
/// reported together. Without a document (`describing()`) the same calls only describe what they would read.
public struct SettingsReader: Sendable {
    /// The map, as it stands in the file.
    let node: Node
    /// What the map belongs to, as a user would say: "strategy patient".
    public let owner: String
    public let isDescribing: Bool
    public internal(set) var faults: Faults
    /// Every setting that was asked for, in the order of asking.
    var fields: [Field] = []
    var variants: MapShape.Variants?
    var free: Shape?
    private var known: [String] = []
    /// What was read, defaults filled in.
    private var resolvedEntries: [Node.Entry] = []

    /// Reads a map; anything else is a fault, and then every setting has its default.
    public init(_ node: Node, of owner: String, faults: Faults = Faults()) {
        self.owner = owner
        self.faults = faults
        isDescribing = false
        if node.entries != nil {
            self.node = node
        } else {
            self.faults.note(
                node.isEmpty
                    ? node.fault(
                        .noValue, "\(owner) is empty", label: "expected a map",
                        help: "write {} for nothing but defaults") : node.wrongType("a map"))
            self.node = Node(.map([]), at: node.mark, width: node.width)
        }
    }

    private init(describing owner: String) {
        self.owner = owner
        node = .map([])
        faults = Faults()
        isDescribing = true
    }

    /// A reader without a document.
    public static func describing(_ owner: String) -> SettingsReader { SettingsReader(describing: owner) }

    /// Where the map begins.
    public var mark: Mark { node.mark }

    /// What was read so far, sorted by key, defaults filled in: the canonical form.
    public var resolved: Node { .map(resolvedEntries.sorted { $0.key < $1.key }) }

    /// What may be written here.
    public var shape: Shape { .map(MapShape(fields: fields, free: free, variants: variants)) }

    /// Notes the keys that no one asked for. Call it when everything has been read.
    public mutating func finish() {
        guard free == nil || isDescribing else { return }
        for entry in node.entries ?? [] where !entry.key.hasPrefix("x-") && !known.contains(entry.key) {
            if faults.isFull {
                faults.countUnread(1)
                continue
            }
            let near = suggestion(for: entry.key, among: known)
            faults.note(
                Fault(
                    .unknownKey, at: entry.keyMark, width: max(1, entry.key.unicodeScalars.count),
                    "unknown setting \(quote(entry.key))",
                    label: near.map { "did you mean `\($0)`?" } ?? "not known here",
                    help: known.isEmpty
                        ? "\(owner) takes no settings" : "\(owner) takes \(known.joined(separator: ", "))"))
        }
    }

    /// Notes a fault that the reader itself cannot see, such as two settings that contradict each other.
    public mutating func note(_ fault: Fault) { faults.note(fault) }

    /// A setting that the caller reads by itself, with `parse` and `read`, and then resolves.
    public mutating func custom(
        _ key: String, _ help: String = "", isRequired: Bool = false, shape: () -> Shape
    ) -> Node? {
        describe(key, help, isRequired: isRequired, shape: shape)
        return node(key)
    }

    /// Reads a value that stands somewhere inside a custom setting.
    public mutating func parse<Value>(_ node: Node, _ form: Form<Value>) -> Value? { form.read(node, &faults) }

    /// Reads a map that stands somewhere inside a custom setting, or that was made of several.
    public mutating func read<Value>(
        _ node: Node, of owner: String, _ body: (inout SettingsReader) -> Value
    ) -> (value: Value, resolved: Node) {
        var resolved: [Node] = []
        let value = child(node, owner: owner, resolved: &resolved, body)
        return (value, resolved[0])
    }

    /// A key that means something only beside another one.
    public mutating func refuse(_ key: String, without other: String) {
        guard has(key) else { return }
        known.append(key)
        let width = key.unicodeScalars.count
        note(
            Fault(
                .contradiction, at: mark(of: key), width: width, "`\(key)` without `\(other)`",
                label: "belongs to `\(other)`"))
    }

    /// Settings that would change nothing beside the others, and so are not read: `why` says beside which.
    public mutating func refuse(_ keys: [String], _ why: String, label: String) {
        for key in keys where has(key) {
            known.append(key)
            note(
                Fault(
                    .contradiction, at: mark(of: key), width: key.unicodeScalars.count, "`\(key)` \(why)",
                    label: label))
        }
    }

    mutating func node(_ key: String) -> Node? {
        known.append(key)
        return node[key]
    }

    /// Where a setting stands: its key, or the map where it is missing.
    public func mark(of key: String) -> Mark { node.entries?.first { $0.key == key }?.keyMark ?? node.mark }

    public func has(_ key: String) -> Bool { node[key] != nil }

    /// Nothing stands here but these keys and the user's own.
    public func hasOnly(_ keys: [String]) -> Bool { entries.allSatisfy { keys.contains($0.key) } }

    /// What stands under a key, without reading it.
    public func peek(_ key: String) -> Node? { node[key] }

    /// The map as it was written, on one line.
    public var written: String { visible(flowText(node), atMost: 200) }

    /// The keys of the map, in the order of the file, without those that are the user's own.
    var entries: [Node.Entry] { (node.entries ?? []).filter { !$0.key.hasPrefix("x-") } }

    mutating func describe(
        _ key: String, _ help: String, isRequired: Bool = false, fallback: Node? = nil, shape: () -> Shape
    ) {
        guard isDescribing else { return }
        fields.append(
            Field(
                key: key, help: help, shape: shape(), isRequired: isRequired, fallback: fallback.map(flowText)))
    }

    /// Says what a key comes to; the last word counts.
    public mutating func resolve(_ key: String, to value: Node) {
        resolvedEntries.removeAll { $0.key == key }
        resolvedEntries.append(Node.Entry(key: key, value: value))
    }

    /// Says nothing of what these keys come to: beside other settings they mean nothing.
    public mutating func leaveUnsaid(_ keys: [String]) {
        resolvedEntries.removeAll { keys.contains($0.key) }
    }

    mutating func noteMissing(_ key: String, expected: String) {
        guard !isDescribing else { return }
        faults.note(
            Fault(
                .missing, at: node.mark, width: node.width, "`\(key)` is missing", label: "\(owner) needs `\(key)`",
                help: "`\(key)` is \(expected)"))
    }
}

extension SettingsReader {
    /// A setting with a default.
    public mutating func value<Value>(
        _ key: String, _ form: Form<Value>, default fallback: Value, _ help: String = ""
    ) -> Value {
        describe(key, help, fallback: form.write(fallback), shape: form.shape)
        let value = node(key).flatMap { form.read($0, &faults) } ?? fallback
        resolve(key, to: form.write(value))
        return value
    }

    /// A setting that may be left out.
    public mutating func value<Value>(_ key: String, _ form: Form<Value>, _ help: String = "") -> Value? {
        describe(key, help, shape: form.shape)
        let value = node(key).flatMap { form.read($0, &faults) }
        if let value { resolve(key, to: form.write(value)) }
        return value
    }

    /// A setting that must be there; `standIn` takes its place where it is not, so that reading goes on.
    public mutating func required<Value>(
        _ key: String, _ form: Form<Value>, standIn: Value, _ help: String = ""
    ) -> Value {
        describe(key, help, isRequired: true, shape: form.shape)
        guard let found = node(key) else {
            noteMissing(key, expected: form.expected)
            return standIn
        }
        let value = form.read(found, &faults) ?? standIn
        resolve(key, to: form.write(value))
        return value
    }
}
