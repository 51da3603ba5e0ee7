import DeadzoneBase
import DeadzoneDevice

/// Reads the numbers of a radio profile, each with its source. They are written as `{value: 265ms, source: timers,
/// trust: R, note: …}`, or just `265ms` in a user's file. A number that the profile leaves out is inherited from its
/// ancestors.
struct ProfileNumbers {
    var settings: SettingsReader
    private var ancestors: [SettingsReader]
    private var citations: [String: String] = [:]
    private(set) var provenance: [Provenance] = []

    /// Valid ranges for all radios. They keep every product within 64 bits.
    static let powers: ClosedRange<Int64> = 0...100_000_000
    static let cycles: ClosedRange<TimeSpan> = .milliseconds(1) ... .seconds(60)
    static let spans: ClosedRange<TimeSpan> = .zero ... .hours(1)
    static let scans: ClosedRange<TimeSpan> = .milliseconds(10) ... .hours(1)

    /// - Parameter ancestors: The inherited profiles, nearest first.
    init(_ settings: SettingsReader, ancestors: [SettingsReader]) {
        self.settings = settings
        self.ancestors = ancestors
        for index in self.ancestors.indices.reversed() { Self.cite(&self.ancestors[index], in: &citations) }
        Self.cite(&self.settings, in: &citations)
    }

    var isDescribing: Bool { settings.isDescribing }

    private static func cite(_ reader: inout SettingsReader, in citations: inout [String: String]) {
        let cited = reader.section("sources", "citations that the numbers refer to") { $0.userKeys(of: .text) }
        for citation in cited ?? [] { citations[citation.name] = citation.value }
    }

    func isInherited(_ key: String) -> Bool { ancestors.contains { $0.has(key) } }

    // MARK: One number

    mutating func span(_ key: String, in range: ClosedRange<TimeSpan> = spans, _ help: String) -> TimeSpan? {
        number(key, .span(in: range), help)
    }

    mutating func power(_ key: String, _ help: String) -> Int64? {
        number(key, .quantity(.power, in: Self.powers), help)
    }

    mutating func size(_ key: String, _ help: String) -> UInt32? {
        number(key, .quantity(.size, in: 0...1 << 30), help).map { UInt32($0) }
    }

    mutating func cost(_ key: String, _ help: String) -> BitCost? { number(key, .cost, help) }

    /// Reads a required number. If it is missing, notes a fault and returns `standIn`, so that reading continues.
    mutating func needed<Value>(
        _ key: String, standIn: Value, _ read: (inout ProfileNumbers, String) -> Value?
    ) -> Value {
        let faults = settings.faults.found
        if let value = read(&self, key) { return value }
        if !isDescribing, settings.faults.found == faults {
            settings.note(
                Fault(
                    .missing, at: settings.mark, "`\(key)` is missing", label: "\(settings.owner) needs `\(key)`",
                    help: "write a number with a unit, or {value: …, source: …, trust: A, note: …}"))
        }
        return standIn
    }

    /// Reads an optional number. The default is listed as an assumption.
    mutating func assumed<Value>(
        _ key: String, _ form: ValueFormat<Value>, _ fallback: Value, because note: String, _ help: String
    ) -> Value {
        if let value = number(key, form, help) { return value }
        provenance.append(
            Provenance(parameter: key, value: form.text(fallback), source: "", trust: .assumed, note: note))
        return fallback
    }

    mutating func number<Value>(_ key: String, _ form: ValueFormat<Value>, _ help: String) -> Value? {
        let faults = settings.faults.found
        if let written = Self.read(key, form, help, citations, &settings) { return keep(written) }
        if settings.has(key) || settings.faults.found > faults { return nil }
        for index in ancestors.indices where ancestors[index].has(key) {
            guard let written = Self.read(key, form, help, citations, &ancestors[index]) else { return nil }
            return keep(written)
        }
        return nil
    }

    private mutating func keep<Value>(_ written: Written<Value>) -> Value {
        provenance.append(written.row)
        return written.value
    }

    private struct Written<Value: Sendable>: Sendable {
        var value: Value
        var row: Provenance
    }

    private static func read<Value>(
        _ key: String, _ form: ValueFormat<Value>, _ help: String, _ citations: [String: String],
        _ settings: inout SettingsReader
    ) -> Written<Value>? {
        let found = settings.peek(key)
        let text = (found?["value"] ?? found).map(flowText) ?? ""
        let own = Provenance(parameter: key, value: text, source: "", trust: .user)
        let plain = form.map {
            Optional(Written(value: $0, row: own))
        } back: {
            $0!.value
        }
        let written = settings.either(key, help, plain: plain) { part -> Written<Value>? in
            var row = own
            let value = part.value("value", form, "the value")
            let source = part.text("source", "key of a citation in `sources`")
            row.trust = part.word("trust", of: Trust.words, default: .user, "trust level of the number")
            row.note = part.text("note", default: "", "remark about the number")
            if let source {
                row.source = citations[source] ?? source
                if citations[source] == nil {
                    part.note(
                        Node.text(source).unknown("source", source, among: citations.keys.sorted(), .unknownWord)
                            .at(part.mark(of: "source")))
                }
            }
            guard let value else {
                if !part.has("value"), !part.isDescribing {
                    part.note(Fault(.missing, at: part.mark, "`value` is missing", label: "expected \(form.expected)"))
                }
                return nil
            }
            return Written(value: value, row: row)
        }
        return written ?? nil
    }
}

extension ValueFormat {
    fileprivate func text(_ value: Value) -> String { write(value).scalar ?? "" }
}

extension Trust {
    static var words: [(String, Trust)] { allCases.map { ($0.rawValue, $0) } }
}
