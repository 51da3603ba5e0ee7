public import DeadzonePrimitives

/// What happened in each minute, hashed, so that two runs can be told apart by the minute without keeping either. A minute's
/// hash is the sum of its records' hashes: it depends on what happened, when and on which phone, but not on the order in which
/// it was recorded, so a journal may be cut anywhere. Two runs that do the same things at the same instants in another order
/// have equal minutes and different digests.
public struct MinuteDigests: Recorder {
    /// A day has 1,440 minutes. Longer runs have longer ones.
    public static let most = 1_440

    /// How long a minute is: sixty seconds, or as many minutes as it takes.
    public let length: TimeSpan
    public private(set) var minutes: [UInt64]

    public init(until horizon: Instant) {
        let minute: Int64 = 60_000_000_000
        let span = max(1, horizon.nanoseconds)
        let count = span / minute + (span % minute == 0 ? 0 : 1)
        let length = (count + Int64(Self.most) - 1) / Int64(Self.most) * minute
        self.length = .nanoseconds(length)
        minutes = Array(repeating: 0, count: Int(span / length) + (span % length == 0 ? 0 : 1))
    }

    public mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch { minutes[minute(of: record.at)] &+= Digest.mix(Digest.seed, record) }
    }

    public mutating func merge(_ other: Self) {
        precondition(minutes.count == other.minutes.count, "minutes of runs of unequal length")
        for index in minutes.indices { minutes[index] &+= other.minutes[index] }
    }

    /// What is recorded at the horizon belongs to the last one.
    private func minute(of at: Instant) -> Int {
        min(max(0, Int(at.nanoseconds / length.nanoseconds)), minutes.count - 1)
    }
}
