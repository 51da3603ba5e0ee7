/// The kind, tag and value of a journal record, before the journal adds the time and the phone.
public struct JournalEntry: Hashable, Sendable, BitwiseCopyable {
    public let kind: RecordKind
    public let tag: UInt16
    public let value: Int64

    /// Creates an entry of a kind that has no tag.
    @inlinable public init(_ kind: RecordKind, value: Int64 = 0) {
        self.kind = kind
        tag = 0
        self.value = value
    }

    init(_ kind: RecordKind, tag: UInt16, value: Int64) {
        self.kind = kind
        self.tag = tag
        self.value = value
    }

    @inlinable public init<Tag>(_ tagged: TaggedKind<Tag>, _ tag: Tag, value: Int64 = 0) {
        kind = tagged.kind
        self.tag = tag.bits
        self.value = value
    }
}

/// An effect type (requests of a component to its driver) that can also carry journal entries.
public protocol JournalingEffect: BitwiseCopyable {
    static func note(_ note: JournalEntry) -> Self
}

extension EffectQueue where Effect: JournalingEffect {
    @inlinable public mutating func note(_ kind: RecordKind, value: Int64 = 0) {
        append(.note(JournalEntry(kind, value: value)))
    }

    @inlinable public mutating func note<Tag>(_ tagged: TaggedKind<Tag>, _ tag: Tag, value: Int64 = 0) {
        append(.note(JournalEntry(tagged, tag, value: value)))
    }
}
