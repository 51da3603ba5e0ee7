/// One hash per simulated minute, to find the first minute in which two runs differ. Neither run needs to be stored. A
/// minute's hash is the sum of the hashes of its records. It depends on what happened, when and on which phone, but not
/// on recording order, so a journal may be split anywhere. Two runs that do the same things at the same instants in a
/// different order have equal minute hashes and different digests.
package struct MinuteDigests: Recorder, BinaryCodable {
    /// Maximum number of intervals: the 1,440 minutes of a day. Longer runs use longer intervals.
    package static let maxCount = 1_440

    /// Length of an interval: one minute, or a multiple of it for runs longer than a day.
    package let length: TimeSpan
    package private(set) var minutes: [UInt64]

    package init(until horizon: Instant) {
        let minute: Int64 = 60_000_000_000
        let span = max(1, horizon.nanoseconds)
        let count = span / minute + (span % minute == 0 ? 0 : 1)
        let length = (count + Int64(Self.maxCount) - 1) / Int64(Self.maxCount) * minute
        self.length = .nanoseconds(length)
        minutes = Array(repeating: 0, count: Int(span / length) + (span % length == 0 ? 0 : 1))
    }

    package mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch { minutes[minute(of: record.at)] &+= Digest.mix(Digest.seed, record) }
    }

    package mutating func merge(_ other: Self) {
        precondition(minutes.count == other.minutes.count, "the runs have different numbers of minutes")
        for index in minutes.indices { minutes[index] &+= other.minutes[index] }
    }

    package mutating func code(through coder: inout BinaryCoder) { coder.code(&minutes) }

    /// Index of the interval of an instant. The horizon itself belongs to the last interval.
    private func minute(of at: Instant) -> Int {
        min(max(0, Int(at.nanoseconds / length.nanoseconds)), minutes.count - 1)
    }
}
