/// One event of a simulation in the journal, stored in 24 plain bytes. Metrics are computed from records only, so a
/// saved trace gives the same numbers as the run that wrote it.
public struct Record: Hashable, Sendable, BitwiseCopyable {
    public let at: Instant
    /// Index of the phone.
    public let phone: UInt32
    public let kind: RecordKind
    /// Meaning depends on `kind`.
    public let tag: UInt16
    /// Meaning depends on `kind`.
    public let value: Int64

    @inlinable public init(at: Instant, phone: UInt32, kind: RecordKind, tag: UInt16 = 0, value: Int64 = 0) {
        self.at = at
        self.phone = phone
        self.kind = kind
        self.tag = tag
        self.value = value
    }
}
