package import DeadzoneBase

/// Iterates over the messages of one stream: holds the next message's index and time. Several walkers follow the same
/// stream independently: for messages written, delivered to the user, and known to have arrived. So a pending message
/// needs no memory: its time is computed again from the random numbers.
package struct TrafficWalker: BitwiseCopyable, Sendable {
    package private(set) var index: UInt32 = 0
    /// Index of the stream's current period; 0 is the first one, which the stream itself describes. Declared next to
    /// `index`, where it takes no additional space.
    private var period: UInt32 = 0
    /// Time of the next message; `.never` after the end of the stream.
    package private(set) var time: Instant

    package init(_ schedule: MessageSchedule?) {
        time = schedule?.stream.pointee.from ?? .never
        if let schedule { drawTime(schedule) }
    }

    package mutating func advance(_ schedule: MessageSchedule) {
        index += 1
        drawTime(schedule)
    }

    /// Returns the number under which the random values of this message are drawn, unique among parallel streams.
    static func drawAddress(of index: UInt32, streamIndex: UInt32) -> UInt64 {
        UInt64(streamIndex) << 32 | UInt64(index)
    }

    private mutating func drawTime(_ schedule: MessageSchedule) {
        let stream = schedule.stream
        guard stream.pointee.recordedTimes.isEmpty else {
            time = Int(index) < stream.pointee.recordedTimes.count ? stream.pointee.recordedTimes[Int(index)] : .never
            if stream.pointee.until <= time { time = .never }
            return
        }
        let randomBits = schedule.dice.at(Self.drawAddress(of: index, streamIndex: schedule.streamIndex))
        time += Self.gap(
            period == 0 ? stream.pointee.gap : stream.pointee.laterPeriods[Int(period) - 1].gap, randomBits)
        while (period == 0 ? stream.pointee.until : stream.pointee.laterPeriods[Int(period) - 1].until) <= time {
            guard Int(period) < stream.pointee.laterPeriods.count else { return time = .never }
            time =
                stream.pointee.laterPeriods[Int(period)].from
                + Self.gap(stream.pointee.laterPeriods[Int(period)].gap, randomBits)
            period += 1
        }
    }

    private static func gap(_ law: Distribution, _ randomBits: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: max(law.draw(randomBits), 1))
    }
}
