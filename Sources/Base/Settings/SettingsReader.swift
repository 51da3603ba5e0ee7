/// Reads the settings in one map of a user's YAML file and collects all errors in it. One call per setting is at once
/// its parser, its default, its fault with line and column, its help text, its JSON Schema and its line in the
/// canonical text:
///
///     let ping = settings.span("ping", default: .seconds(45), "how long the line may be silent")
///
/// Reading never stops: a fault is noted and the default takes the value's place, so that all faults of a file are
/// reported together. Without a document (`describing()`) the same calls only describe what they would read.
public struct SettingsReader: Sendable {
    /// The map as written in the file.
    let node: Node
    /// The owner of the map as a message names it: "strategy patient".
    package let owner: String
    public let isDescribing: Bool
    /// Time of day at the start of the scenario, which nested maps inherit.
    package var startOfDay = StartOfDay.notGiven
    public internal(set) var faults: Faults
    /// All settings that were described, in reading order.
    var fields: [Field] = []
    var variants: MapShape.Variants?
    var userKeyShape: Shape?
    private var known: [String] = []
    /// The values read, with defaults filled in.
    private var resolvedEntries: [Node.MapEntry] = []

    /// Reads a map. Any other node is a fault, and every setting then has its default.
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

    /// A reader without a document. It only describes the settings.
    public static func describing(_ owner: String) -> SettingsReader { SettingsReader(describing: owner) }

    /// Position of the beginning of the map.
    public var mark: SourceMark { node.mark }

    /// The canonical form: all values read until now, with defaults filled in, sorted by key.
    package var resolved: Node { .map(resolvedEntries.sorted { $0.key < $1.key }) }

    /// The shape of this map, as described by the calls until now.
    package var shape: Shape { .map(MapShape(fields: fields, userKeyShape: userKeyShape, variants: variants)) }

    /// Notes a fault for every key that was not read. Call it after all settings are read.
    public mutating func finish() {
        guard userKeyShape == nil || isDescribing else { return }
        for entry in node.entries ?? [] where !entry.key.hasPrefix("x-") && !known.contains(entry.key) {
            if faults.isFull {
                faults.countWithoutStoring(1)
                continue
            }
            let near = suggestion(for: entry.key, among: known)
            var fault = Fault(
                .unknownKey, at: entry.keyMark, width: max(1, entry.key.unicodeScalars.count),
                "unknown setting \(quote(entry.key))",
                label: near.map { "did you mean `\($0)`?" } ?? "not known here",
                help: known.isEmpty
                    ? "\(owner) takes no settings" : "\(owner) takes \(known.joined(separator: ", "))")
            fault.replacement = near
            faults.note(fault)
        }
    }

    /// Notes a fault that the reader cannot detect itself, such as two settings that contradict each other.
    public mutating func note(_ fault: Fault) { faults.note(fault) }

    /// Returns the node of a setting that the caller reads itself, with `parse` and `read`, and then resolves.
    public mutating func custom(
        _ key: String, _ help: String = "", isRequired: Bool = false, shape: () -> Shape
    ) -> Node? {
        describe(key, help, isRequired: isRequired, shape: shape)
        return node(key)
    }

    /// Reads a value inside a custom setting.
    public mutating func parse<Value>(_ node: Node, _ form: ValueFormat<Value>) -> Value? { form.read(node, &faults) }

    /// Reads a map inside a custom setting, or a map that was combined from several.
    public mutating func read<Value>(
        _ node: Node, of owner: String, _ body: (inout SettingsReader) -> Value
    ) -> (value: Value, resolved: Node) {
        var resolved: [Node] = []
        let value = child(node, owner: owner, resolved: &resolved, body)
        return (value, resolved[0])
    }

    /// Notes a fault for a key that has a meaning only together with another key.
    public mutating func refuse(_ key: String, without other: String) {
        guard has(key) else { return }
        known.append(key)
        let width = key.unicodeScalars.count
        note(
            Fault(
                .contradiction, at: mark(of: key), width: width, "`\(key)` without `\(other)`",
                label: "belongs to `\(other)`"))
    }

    /// Notes a fault for a key that has a meaning only together with one of several other keys.
    public mutating func refuse(_ key: String, withoutAnyOf others: [String]) {
        guard others.count > 1 else { return others.forEach { refuse(key, without: $0) } }
        let names = others.map { "`\($0)`" }
        refuse(
            [key], "without \(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])",
            label: "belongs to one of them")
    }

    /// Notes a fault for settings that have no effect beside the others and are therefore not read. `why` completes the
    /// message.
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

    /// Reads some settings of this map by `read`. If the same settings of another map were read without a fault, and are
    /// equal, takes over that result instead.
    /// - Parameter last: The settings that were read last in this way, with their result.
    package mutating func part<Value>(_ last: inout ReadPart<Value>?, read: (inout SettingsReader) -> Value) -> Value {
        guard !isDescribing else { return read(&self) }
        if let last, isWritten(last.keys, as: last.written) {
            known += last.keys
            for entry in last.resolved { resolve(entry.key, to: entry.value) }
            return last.value
        }
        let (first, before) = (known.count, faults.found)
        let value = read(&self)
        let keys = Array(known[first...])
        last =
            faults.found > before
            ? nil
            : ReadPart(
                keys: keys, written: node, resolved: resolvedEntries.filter { keys.contains($0.key) }, value: value)
        return value
    }

    /// `true` if both maps have the same of these keys, with equal values.
    private func isWritten(_ keys: [String], as other: Node) -> Bool {
        for key in keys {
            switch (node[key], other[key]) {
            case (nil, nil): continue
            case (let own?, let other?) where own.isWritten(as: other): continue
            default: return false
            }
        }
        return true
    }

    /// Position of a setting's key, or of the map if the key is missing.
    public func mark(of key: String) -> SourceMark { node.entries?.first { $0.key == key }?.keyMark ?? node.mark }

    public func has(_ key: String) -> Bool { node[key] != nil }

    /// `true` if the map has only these keys and the user's own `x-` keys.
    package func hasOnly(_ keys: [String]) -> Bool { entries.allSatisfy { keys.contains($0.key) } }

    /// The node of a key, without reading it as a setting.
    public func peek(_ key: String) -> Node? { node[key] }

    /// The map as written, on one line, at most 200 characters.
    package var written: String { visible(flowText(node), atMost: 200) }

    /// The keys of the map in file order, without the user's own `x-` keys.
    package var keys: [String] { entries.map(\.key) }

    /// The entries of the map in file order, without the user's own `x-` keys.
    var entries: [Node.MapEntry] { (node.entries ?? []).filter { !$0.key.hasPrefix("x-") } }

    mutating func describe(
        _ key: String, _ help: String, isRequired: Bool = false, fallback: @autoclosure () -> Node? = nil,
        shape: () -> Shape
    ) {
        guard isDescribing else { return }
        fields.append(
            Field(
                key: key, help: help, shape: shape(), isRequired: isRequired, fallback: fallback().map(flowText)))
    }

    /// Sets the canonical value of a key. The last call for a key counts.
    package mutating func resolve(_ key: String, to value: Node) {
        resolvedEntries.removeAll { $0.key == key }
        resolvedEntries.append(Node.MapEntry(key: key, value: value))
    }

    /// Removes keys from the canonical text, because they have no meaning beside the other settings.
    package mutating func omitFromResolved(_ keys: [String]) {
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

/// Some settings of a map, and the value that was read from them.
package struct ReadPart<Value> {
    /// The settings, in reading order, also those that the map does not have.
    fileprivate let keys: [String]
    /// The map in which they stand.
    fileprivate let written: Node
    fileprivate let resolved: [Node.MapEntry]
    fileprivate let value: Value
}

extension SettingsReader {
    /// Reads a setting with a default.
    public mutating func value<Value>(
        _ key: String, _ form: ValueFormat<Value>, default fallback: Value, _ help: String = ""
    ) -> Value {
        describe(key, help, fallback: form.write(fallback), shape: form.shape)
        let value = node(key).flatMap { form.read($0, &faults) } ?? fallback
        resolve(key, to: form.write(value))
        return value
    }

    /// Reads an optional setting.
    public mutating func value<Value>(_ key: String, _ form: ValueFormat<Value>, _ help: String = "") -> Value? {
        describe(key, help, shape: form.shape)
        let value = node(key).flatMap { form.read($0, &faults) }
        if let value { resolve(key, to: form.write(value)) }
        return value
    }

    /// Reads a required setting. If it is missing, notes a fault and returns `standIn`, so that reading continues.
    public mutating func required<Value>(
        _ key: String, _ form: ValueFormat<Value>, standIn: Value, _ help: String = ""
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
