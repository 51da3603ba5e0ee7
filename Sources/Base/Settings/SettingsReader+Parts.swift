/// Settings that are themselves maps or lists of settings.
extension SettingsReader {
    /// Reads an optional map.
    public mutating func section<Value>(
        _ key: String, _ help: String = "", read: (inout SettingsReader) -> Value
    ) -> Value? {
        if isDescribing {
            let (value, shape) = describePart(key, read)
            describe(key, help) { shape }
            return value
        }
        return node(key).map { readSection(key, $0, owner: "`\(key)`", read) }
    }

    /// Reads a map in which every setting has a default. A missing map is read as an empty one.
    /// - Parameter main: The setting that the help proposes for a plain value in the place of the map.
    public mutating func group<Value>(
        _ key: String, _ help: String = "", main: String? = nil, read: (inout SettingsReader) -> Value
    ) -> Value {
        if isDescribing {
            let (value, shape) = describePart(key, read)
            describe(key, help) { shape }
            return value
        }
        var found = node(key) ?? Node(.map([]), at: mark)
        if let main, let value = found.scalar, !found.isEmpty {
            var fault = found.wrongType("a map")
            fault.help = "write `\(key): {\(main): \(visible(value, atMost: 40))}`"
            faults.note(fault)
            found = Node(.map([]), at: found.mark, width: found.width)
        }
        return readSection(key, found, owner: "`\(key)`", read)
    }

    /// Reads a plain value, or a map if a plain value is not enough: `delay: 40ms` or `delay: {uniform: [30ms, 50ms]}`.
    public mutating func either<Value: Sendable>(
        _ key: String, _ help: String = "", plain: ValueFormat<Value>, map read: (inout SettingsReader) -> Value
    ) -> Value? {
        if isDescribing {
            let (_, shape) = describePart(key, read)
            describe(key, help) { .either([plain.shape(), shape]) }
            return nil
        }
        guard let found = node(key) else { return nil }
        if found.entries != nil { return readSection(key, found, owner: "`\(key)`", read) }
        let value = plain.read(found, &faults)
        if let value { resolve(key, to: plain.write(value)) }
        return value
    }

    /// Reads a list of plain values. A single value must be written as a list too.
    public mutating func list<Value>(
        _ key: String, of form: ValueFormat<Value>, counts: ClosedRange<Int> = 0 ... .max, _ help: String = ""
    ) -> [Value]? {
        describe(key, help) { .list(form.shape(), counts: counts) }
        guard let found = node(key) else { return nil }
        guard let items = items(of: found, counts: counts) else { return nil }
        let values = items.compactMap { form.read($0, &faults) }
        resolve(key, to: .list(values.map(form.write)))
        return values
    }

    /// Reads a list of maps. `read` gets the index of each item.
    public mutating func list<Value>(
        _ key: String, counts: ClosedRange<Int> = 0 ... .max, _ help: String = "",
        read: (inout SettingsReader, _ index: Int) -> Value
    ) -> [Value]? {
        if isDescribing {
            let (_, shape) = describePart(key) { read(&$0, 0) }
            describe(key, help) { .list(shape, counts: counts) }
            return nil
        }
        guard let found = node(key), let items = items(of: found, counts: counts) else { return nil }
        var values: [Value] = []
        var resolved: [Node] = []
        for (index, item) in items.enumerated() {
            values.append(child(item, owner: "an entry of `\(key)`", resolved: &resolved) { read(&$0, index) })
        }
        resolve(key, to: .list(resolved))
        return values
    }

    /// Reads a map from names that the user chooses to maps. `keepsOrder` keeps the file's order in the canonical text
    /// (for example the order of a report). Otherwise the canonical text is sorted by name.
    package mutating func namedSections<Value>(
        _ key: String, noun: String, keepsOrder: Bool = false, atMost limit: Int = 100, _ help: String = "",
        read: (Node.MapEntry, inout SettingsReader) -> Value
    ) -> [(name: String, value: Value)]? {
        if isDescribing {
            let any = Node.MapEntry(key: noun, value: .map([]))
            let (_, shape) = describePart(key) { read(any, &$0) }
            describe(key, help) { .map(MapShape(userKeyShape: shape)) }
            return nil
        }
        guard let found = node(key), let entries = entries(of: found) else { return nil }
        guard entries.count <= limit else {
            faults.note(found.fault(.wrongCount, "\(entries.count) entries", label: "at most \(limit)"))
            return nil
        }
        var values: [(name: String, value: Value)] = []
        var resolved: [Node.MapEntry] = []
        for entry in entries {
            var nodes: [Node] = []
            let value = child(entry.value, owner: "\(noun) \(quote(entry.key))", resolved: &nodes) { read(entry, &$0) }
            values.append((entry.key, value))
            resolved.append(Node.MapEntry(key: entry.key, value: nodes[0]))
        }
        resolve(key, to: .map(keepsOrder ? resolved : resolved.sorted { $0.key < $1.key }))
        return values
    }

    /// Reads a map, or a list of such maps.
    package mutating func oneOrMany<Value>(
        _ key: String, counts: ClosedRange<Int>, _ help: String = "", read: (inout SettingsReader) -> Value
    ) -> [Value]? {
        if isDescribing {
            let (value, shape) = describePart(key, read)
            describe(key, help) { .either([shape, .list(shape, counts: counts)]) }
            return [value]
        }
        guard peek(key)?.items != nil else { return section(key, help, read: read).map { [$0] } }
        return list(key, counts: counts, help) { settings, _ in read(&settings) }
    }

    /// Describes further keys of this map, which the user chooses and the caller reads one by one.
    package mutating func describeUserKeys(_ shape: () -> Shape) { if isDescribing { userKeyShape = shape() } }

    /// Reads all keys of this map as names that the user chooses, each with a plain value.
    package mutating func userKeys<Value>(
        of form: ValueFormat<Value>, atMost limit: Int = 1_000,
        check: (Node.MapEntry, inout Faults) -> Bool = { _, _ in true }
    ) -> [(name: String, mark: SourceMark, value: Value)] {
        userKeyShape = form.shape()
        guard entries.count <= limit else {
            faults.note(node.fault(.wrongCount, "\(entries.count) entries", label: "at most \(limit)"))
            return []
        }
        var values: [(name: String, mark: SourceMark, value: Value)] = []
        for entry in entries where check(entry, &faults) {
            guard let value = form.read(entry.value, &faults) else { continue }
            values.append((entry.key, entry.keyMark, value))
            resolve(entry.key, to: form.write(value))
        }
        return values
    }

    /// Reads a word that decides which further settings this map has. `file` is the shape of a file name that is also
    /// allowed; such a name was replaced by the file's content before the map is read here.
    package mutating func variant<Value>(
        _ key: String, or synonym: String? = nil, of variants: some Collection<SettingVariant<Value>>,
        file: Shape? = nil,
        unknown code: FaultCode = .unknownWord, noun: String, _ help: String = ""
    ) -> (name: String, value: Value)? {
        func names() -> [String] { variants.flatMap { [$0.name] + $0.presets().map(\.name) } }
        let keys = [key] + (synonym.map { [$0] } ?? [])
        if isDescribing {
            describeVariants(keys, variants, file, noun, help)
            return nil
        }
        let present = keys.filter(has)
        let found = keys.compactMap { node($0) }
        guard let found = found.first else {
            noteMissing(key, expected: "the name of a \(noun): \(names().joined(separator: ", "))")
            suppressUnknownKeys()
            return nil
        }
        if present.count > 1 {
            note(
                Fault(
                    .contradiction, at: mark(of: keys[1]), width: keys[1].utf8.count, "`\(keys[0])` and `\(keys[1])`",
                    label: "one of them is enough"))
        }
        guard let (text, _) = found.scalar("the name of a \(noun)", &faults) else {
            suppressUnknownKeys()
            return nil
        }
        let named = variants.first { $0.name == text }
        guard let variant = named ?? variants.first(where: { $0.presets().contains { $0.name == text } }) else {
            // A file that could not replace its name has a fault already.
            let isUnreadFile = file != nil && (text.hasSuffix(".yaml") || text.hasSuffix(".yml"))
            if !isUnreadFile { faults.note(found.unknown(noun, text, among: names(), code)) }
            suppressUnknownKeys()
            return nil
        }
        resolve(key, to: .text(text))
        return (text, variant.read(&self))
    }

    private mutating func describeVariants<Value>(
        _ keys: [String], _ variants: some Collection<SettingVariant<Value>>, _ file: Shape?, _ noun: String,
        _ help: String
    ) {
        let words = Shape.word(variants.flatMap { [Shape.Keyword(name: $0.name, about: $0.about)] + $0.presets() })
        for key in keys {
            describe(key, help, isRequired: keys.count == 1) { file.map { .either([words, $0]) } ?? words }
        }
        self.variants = MapShape.Variants(
            key: keys[0], synonyms: Array(keys.dropFirst()),
            cases: variants.map { variant in
                var reader = SettingsReader.describing("\(noun) \(variant.name)")
                _ = variant.read(&reader)
                return .init(
                    name: variant.name, about: variant.about, presets: variant.presets().map(\.name),
                    fields: reader.fields)
            })
    }
}

extension Node {
    /// The fault for an unknown name, with the nearest known name as a suggestion.
    package func unknown(_ noun: String, _ text: String, among names: [String], _ code: FaultCode) -> Fault {
        let near = suggestion(for: text, among: names)
        var fault = fault(
            code, "unknown \(noun) \(quote(text))", label: near.map { "did you mean `\($0)`?" } ?? "not known here",
            help: names.isEmpty ? "none are known" : "known: \(names.joined(separator: ", "))")
        fault.replacement = near
        return fault
    }
}

/// One alternative form of a YAML map, selected by a word in the map, such as a strategy's name.
package struct SettingVariant<Value> {
    package var name: String
    package var about: String
    /// Other words that select the same settings with different values.
    package var presets: () -> [Shape.Keyword]
    package var read: (inout SettingsReader) -> Value

    package init(
        _ name: String, _ about: String, presets: @escaping () -> [Shape.Keyword] = { [] },
        read: @escaping (inout SettingsReader) -> Value
    ) {
        self.name = name
        self.about = about
        self.presets = presets
        self.read = read
    }
}

extension SettingsReader {
    /// Reads a nested map with its own reader, takes over its faults and resolves the key.
    private mutating func readSection<Value>(
        _ key: String, _ found: Node, owner: String, _ read: (inout SettingsReader) -> Value
    ) -> Value {
        var resolved: [Node] = []
        let value = child(found, owner: owner, resolved: &resolved, read)
        resolve(key, to: resolved[0])
        return value
    }

    mutating func child<Value>(
        _ found: Node, owner: String, resolved: inout [Node], _ read: (inout SettingsReader) -> Value
    ) -> Value {
        var reader = SettingsReader(found, of: owner, faults: faults)
        reader.startOfDay = startOfDay
        let value = read(&reader)
        reader.finish()
        faults = reader.faults
        resolved.append(reader.resolved)
        return value
    }

    private func describePart<Value>(
        _ key: String, _ read: (inout SettingsReader) -> Value
    ) -> (Value, Shape) {
        var reader = SettingsReader.describing("`\(key)`")
        let value = read(&reader)
        return (value, reader.shape)
    }

    private mutating func items(of found: Node, counts: ClosedRange<Int>) -> [Node]? {
        guard let items = found.items else {
            faults.note(found.wrongType("a list"))
            return nil
        }
        if !counts.contains(items.count) {
            let wanted =
                counts.upperBound == .max
                ? "at least \(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
            faults.note(found.fault(.wrongCount, "\(items.count) items", label: "expected \(wanted)"))
            return nil
        }
        return items
    }

    private mutating func entries(of found: Node) -> [Node.MapEntry]? {
        guard let entries = found.entries else {
            faults.note(
                found.isEmpty
                    ? found.fault(.noValue, "a value is missing", label: "expected a map") : found.wrongType("a map"))
            return nil
        }
        return entries.filter { !$0.key.hasPrefix("x-") }
    }

    /// Suppresses faults for unknown keys. Used when the variant is unknown, because then the valid keys are unknown
    /// too.
    private mutating func suppressUnknownKeys() { userKeyShape = userKeyShape ?? .anything }
}
