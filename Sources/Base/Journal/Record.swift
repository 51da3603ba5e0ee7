/// One event of a simulation in the journal, stored in 24 plain bytes. Metrics are computed from records only.
@usableFromInline package struct Record: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline package let at: Instant
    /// Index of the phone.
    @usableFromInline package let phone: UInt32
    @usableFromInline package let kind: RecordKind
    /// Meaning depends on `kind`.
    @usableFromInline package let tag: UInt16
    /// Meaning depends on `kind`.
    @usableFromInline package let value: Int64

    @inlinable package init(at: Instant, phone: UInt32, kind: RecordKind, tag: UInt16 = 0, value: Int64 = 0) {
        self.at = at
        self.phone = phone
        self.kind = kind
        self.tag = tag
        self.value = value
    }
}
