public import DeadzonePrimitives

/// One thing that happened, in 24 plain bytes. Metrics are folds of records and nothing else, so a saved trace gives the
/// numbers of the run that wrote it.
public struct Record: Hashable, Sendable, BitwiseCopyable {
    public let at: Instant
    /// The phone's index.
    public let lane: UInt32
    public let kind: Kind
    /// What `kind` says it is.
    public let tag: UInt16
    /// What `kind` says it is.
    public let value: Int64

    @inlinable public init(at: Instant, lane: UInt32, kind: Kind, tag: UInt16 = 0, value: Int64 = 0) {
        self.at = at
        self.lane = lane
        self.kind = kind
        self.tag = tag
        self.value = value
    }
}
