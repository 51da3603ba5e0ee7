public import DeadzonePrimitives

/// What a record says, before whoever keeps the journal adds when and of which phone.
public struct Note: Hashable, Sendable, BitwiseCopyable {
    public let kind: Kind
    public let tag: UInt16
    public let value: Int64

    /// Of a kind whose tag says nothing.
    @inlinable public init(_ kind: Kind, value: Int64 = 0) {
        self.kind = kind
        tag = 0
        self.value = value
    }

    @inlinable public init<Tag>(_ tagged: Tagged<Tag>, _ tag: Tag, value: Int64 = 0) {
        kind = tagged.kind
        self.tag = tag.bits
        self.value = value
    }
}

/// What can hold a note among other things that a value asks for.
public protocol Noting: BitwiseCopyable {
    static func note(_ note: Note) -> Self
}

extension Steps where Step: Noting {
    @inlinable public mutating func note(_ kind: Kind, value: Int64 = 0) { append(.note(Note(kind, value: value))) }

    @inlinable public mutating func note<Tag>(_ tagged: Tagged<Tag>, _ tag: Tag, value: Int64 = 0) {
        append(.note(Note(tagged, tag, value: value)))
    }
}
