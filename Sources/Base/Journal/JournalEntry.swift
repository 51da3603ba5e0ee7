/// The kind, tag and value of a journal record, before the journal adds the time and the phone.
@usableFromInline package struct JournalEntry: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline package let kind: RecordKind
    @usableFromInline package let tag: UInt16
    @usableFromInline package let value: Int64

    /// Creates an entry of a kind that has no tag.
    @inlinable package init(_ kind: RecordKind, value: Int64 = 0) {
        self.kind = kind
        tag = 0
        self.value = value
    }

    init(_ kind: RecordKind, tag: UInt16, value: Int64) {
        self.kind = kind
        self.tag = tag
        self.value = value
    }

    @inlinable package init<Tag>(_ tagged: TaggedKind<Tag>, _ tag: Tag, value: Int64 = 0) {
        kind = tagged.kind
        self.tag = tag.bits
        self.value = value
    }
}

/// An effect type (requests of a component to its driver) that can also carry journal entries.
@usableFromInline package protocol JournalingEffect: BitwiseCopyable {
    static func note(_ note: JournalEntry) -> Self
}

extension EffectQueue where Effect: JournalingEffect {
    @inlinable package mutating func note(_ kind: RecordKind, value: Int64 = 0) {
        append(.note(JournalEntry(kind, value: value)))
    }

    @inlinable package mutating func note<Tag>(_ tagged: TaggedKind<Tag>, _ tag: Tag, value: Int64 = 0) {
        append(.note(JournalEntry(tagged, tag, value: value)))
    }
}
