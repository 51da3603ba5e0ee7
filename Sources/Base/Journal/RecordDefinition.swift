/// The definition of one kind of journal record: its name, tag, value and meaning. Event lines, aggregation, stories
/// and the page of events are generated from these rows.
@usableFromInline package struct RecordDefinition: Sendable {
    package let kind: RecordKind
    /// Name in event lines, which scripts read: never rename it.
    package let name: String
    /// Key of the tag in an event line; `nil` if the line omits the tag.
    package let tagKey: String?
    package let value: RecordValueKind
    package let meaning: String
    private let tag: (any RecordTag.Type)?

    init(_ kind: RecordKind, _ name: String, _ value: RecordValueKind, _ meaning: String) {
        self.kind = kind
        self.name = name
        tagKey = nil
        self.value = value
        self.meaning = meaning
        tag = nil
    }

    init<Tag>(_ tagged: TaggedKind<Tag>, _ name: String, tag key: String?, _ value: RecordValueKind, _ meaning: String)
    {
        kind = tagged.kind
        self.name = name
        tagKey = key
        self.value = value
        self.meaning = meaning
        tag = Tag.self
    }

    /// The meaning of the number in a journal record, such as a duration or a byte count. The raw value is its key in
    /// event lines, with the unit.
    package enum RecordValueKind: String, Sendable {
        /// The tag contains all information.
        case nothing = ""
        /// `span`: duration of a period that ends now. `after`: time since another event.
        case span = "span_ns"
        case after = "after_ns"
        case roundTrip = "round_trip_ns"
        case bytes = "bytes"
        case count = "count"
        /// Index or number of an object.
        case message = "message"
        case connection = "connection"
        case call = "call"
        case stream = "stream"
        case cursor = "cursor"
        case events = "events"
        /// Written as the interface's name.
        case interface = "interface"
        /// 1 or 0.
        case tookEffect = "took_effect"
        /// A `MessageLoss`, written as several fields.
        case loss = "count, message, reason, place, change"

        /// `true` if event lines contain the value as a number.
        package var isNumber: Bool { self != .nothing && !isNamed }
        fileprivate var isNamed: Bool { self == .interface || self == .tookEffect || self == .loss }
    }

    @usableFromInline package enum FieldValue: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case flag(Bool)
    }

    /// Every valid tag of this kind if the list is short, otherwise empty.
    package var tags: [UInt16] { tag?.candidateBits.filter(isValidTag) ?? [] }

    /// `false` only for tags that no simulation writes.
    package func isValidTag(_ bits: UInt16) -> Bool { tag.map { $0.init(bits: bits) != nil } ?? true }

    fileprivate func emitTag(_ bits: UInt16, _ emit: (String, FieldValue) -> Void) {
        guard let key = tagKey else { return }
        if let tag = tag?.init(bits: bits) { tag.emitFields(key, emit) } else { emit(key, .number(Int64(bits))) }
    }

    fileprivate func emitValue(_ value: Int64, _ emit: (String, FieldValue) -> Void) {
        switch self.value {
        case .nothing, .loss: break
        case .interface:
            let interface = UInt8(exactly: value).flatMap(Interface.init(rawValue:))
            emit(self.value.rawValue, interface.map { .text($0.name) } ?? .number(value))
        case .tookEffect: emit(self.value.rawValue, .flag(value != 0))
        default: emit(self.value.rawValue, .number(value))
        }
    }
}

extension RecordKind {
    package var definition: RecordDefinition { RecordDefinition.row(of: self) }

    /// `true` if event lines contain a name or a boolean instead of the numeric value.
    package var valueHasName: Bool { RecordDefinition.valueHasName[Int(rawValue)] }
}

extension Record {
    /// Emits the value and the tag as named fields, without time, phone and kind. A tag that has no meaning is emitted
    /// as its number.
    package func emitFields(_ emit: (_ key: String, RecordDefinition.FieldValue) -> Void) {
        if kind.isLoss { return MessageLoss.emitFields(tag: tag, value: value, emit) }
        let fact = kind.definition
        fact.emitValue(value, emit)
        fact.emitTag(tag, emit)
    }

    /// The decoded tag; `nil` if the record has another kind or the tag has no meaning.
    @inlinable package func tag<Tag>(of tagged: TaggedKind<Tag>) -> Tag? { kind == tagged.kind ? Tag(bits: tag) : nil }
}

extension RecordDefinition {
    package static let all: [RecordDefinition] =
        [
            radio, messages, connections, phone, calls, servers, powerSaving, flow, delivery, credentials, refusals,
            pushes, subscriptions, tunnel, presence, paths, herds, waits,
        ]
        .flatMap(\.self)

    /// Index of each kind's row in `all`, by raw value; -1 if there is none.
    private static let rowIndices: [Int] = {
        var rowIndices = Array(repeating: -1, count: 256)
        for (place, fact) in all.enumerated() { rowIndices[Int(fact.kind.rawValue)] = place }
        return rowIndices
    }()

    fileprivate static func row(of kind: RecordKind) -> RecordDefinition { all[rowIndices[Int(kind.rawValue)]] }

    fileprivate static let valueHasName = rowIndices.map { $0 >= 0 && all[$0].value.isNamed }

    /// All definitions as a Markdown table: the fields of event lines and the numbers of kinds and tags.
    package static var page: String {
        let rows = all.map { fact in
            let keys = fact.value == .loss ? MessageLoss.keys : fact.keys
            return "| \(fact.kind.rawValue) | `\(fact.name)` | \(keys.map { "`\($0)`" }.joined(separator: ", ")) "
                + "| \(words(of: fact).map { "`\($0)`" }.joined(separator: ", ")) | \(fact.meaning) |\n"
        }
        return "| number | event | keys | tag values | meaning |\n|--:|---|---|---|---|\n" + rows.joined()
    }

    private var keys: [String] { [tagKey, value == .nothing ? nil : value.rawValue].compactMap(\.self) }

    private static func words(of fact: RecordDefinition) -> [String] {
        if fact.value == .loss { return LossCause.allCases.dropFirst().map(\.name) }
        if fact.kind == .silent || fact.kind == .presenceAway { return LossCause.silenceCauses.map(\.name) }
        return fact.tags.compactMap { bits in
            var word: String?
            fact.emitTag(bits) { if case .text(let text) = $1 { word = text } }
            return word
        }
    }
}
