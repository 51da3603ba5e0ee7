import DeadzonePrimitives

/// What the records of one kind say: the only place that says it. Event lines, folds, stories and the page of events are made
/// from these rows.
public struct Fact: Sendable {
    public let kind: Kind
    /// In event lines, which scripts read: never renamed.
    public let name: String
    /// Under which key an event line tells the tag; nil: it does not.
    public let tagKey: String?
    public let value: Value
    public let meaning: String
    private let tag: (any RecordTag.Type)?

    init(_ kind: Kind, _ name: String, _ value: Value, _ meaning: String) {
        self.kind = kind
        self.name = name
        tagKey = nil
        self.value = value
        self.meaning = meaning
        tag = nil
    }

    init<Tag>(_ tagged: Tagged<Tag>, _ name: String, tag key: String?, _ value: Value, _ meaning: String) {
        kind = tagged.kind
        self.name = name
        tagKey = key
        self.value = value
        self.meaning = meaning
        tag = Tag.self
    }

    /// What the value of a record is: its key in event lines, with the unit.
    public enum Value: String, Sendable {
        /// The tag says it all.
        case nothing = ""
        /// How long it was until now; so long after something else.
        case span = "span_ns"
        case after = "after_ns"
        case roundTrip = "round_trip_ns"
        case bytes = "bytes"
        case count = "count"
        /// Indices and numbers of something.
        case message = "message"
        case connection = "connection"
        case call = "call"
        case cursor = "cursor"
        case events = "events"
        /// Told by its name.
        case interface = "interface"
        /// 1 or 0.
        case tookEffect = "took_effect"

        /// It is told as it is.
        public var isNumber: Bool { self != .nothing && !isNamed }
        fileprivate var isNamed: Bool { self == .interface || self == .tookEffect }
    }

    public enum Word: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case flag(Bool)
    }

    /// Every tag that such a record can have, where they are few.
    public var tags: [UInt16] { tag?.few.filter(understands) ?? [] }

    /// False: only a damaged trace holds such a record.
    public func understands(_ bits: UInt16) -> Bool { tag.map { $0.init(bits: bits) != nil } ?? true }

    fileprivate func tellTag(_ bits: UInt16, _ say: (String, Word) -> Void) {
        guard let key = tagKey else { return }
        if let tag = tag?.init(bits: bits) { tag.tell(key, say) } else { say(key, .number(Int64(bits))) }
    }

    fileprivate func tellValue(_ value: Int64, _ say: (String, Word) -> Void) {
        switch self.value {
        case .nothing: break
        case .interface:
            let interface = UInt8(exactly: value).flatMap(Interface.init(rawValue:))
            say(self.value.rawValue, interface.map { .text($0.name) } ?? .number(value))
        case .tookEffect: say(self.value.rawValue, .flag(value != 0))
        default: say(self.value.rawValue, .number(value))
        }
    }
}

extension Kind {
    public var fact: Fact { Fact.row(of: self) }

    /// What a record says of its value is a word for it.
    public var namesValue: Bool { Fact.named[Int(rawValue)] }
}

extension Record {
    /// What it says beside when, of whom and what, in words. A tag that names nothing is told as its number.
    public func tell(_ say: (_ key: String, Fact.Word) -> Void) {
        let fact = kind.fact
        fact.tellValue(value, say)
        fact.tellTag(tag, say)
    }

    /// Nil: it is of another kind, or its tag names nothing.
    @inlinable public func tag<Tag>(of tagged: Tagged<Tag>) -> Tag? { kind == tagged.kind ? Tag(bits: tag) : nil }
}

extension Fact {
    public static let all: [Fact] =
        [radio, messages, connections, phone, calls, servers, flow, delivery, herds, waits].flatMap(\.self)

    /// Where in `all` the row of a kind is, by its raw value; -1 where there is none.
    private static let places: [Int] = {
        var places = Array(repeating: -1, count: 256)
        for (place, fact) in all.enumerated() { places[Int(fact.kind.rawValue)] = place }
        return places
    }()

    fileprivate static func row(of kind: Kind) -> Fact { all[places[Int(kind.rawValue)]] }

    fileprivate static let named = places.map { $0 >= 0 && all[$0].value.isNamed }

    /// All of them as a page: what an event line says, and what stands in a trace.
    public static var page: String {
        let rows = all.map { fact in
            let keys = [fact.tagKey, fact.value == .nothing ? nil : fact.value.rawValue].compactMap(\.self)
            return "| \(fact.kind.rawValue) | `\(fact.name)` | \(keys.map { "`\($0)`" }.joined(separator: ", ")) "
                + "| \(words(of: fact).map { "`\($0)`" }.joined(separator: ", ")) | \(fact.meaning) |\n"
        }
        return "| number | event | says | in words | meaning |\n|--:|---|---|---|---|\n" + rows.joined()
    }

    private static func words(of fact: Fact) -> [String] {
        fact.tags.compactMap { bits in
            var word: String?
            fact.tellTag(bits) { if case .text(let text) = $1 { word = text } }
            return word
        }
    }
}
