package import DeadzoneBase

/// The allowed difference between a recorded time and a client's timer setting. A timer of a real program may be early
/// by rounding, and late on a loaded machine.
package enum MeasurementTolerance {
    package static let early = TimeSpan.milliseconds(30)
    package static let late = TimeSpan.milliseconds(150)

    /// `true` if a measured duration is consistent with these bounds.
    /// - Parameter timers: Number of timers that run one after the other in this time. Each may be late.
    package static func holds(_ span: TimeSpan, in bounds: ClosedRange<TimeSpan>, timers: Int64 = 1) -> Bool {
        bounds.lowerBound - early <= span && span <= bounds.upperBound + max(late * timers, bounds.upperBound / 100)
    }
}

/// The recorded wait between a failed attempt or lost connection and the next attempt, in seconds.
package struct RetryWait: Sendable {
    package enum WaitCause: Sendable { case refusal, silence, loss }

    package let after: WaitCause
    /// Time at which the wait ended.
    package let at: Instant
    /// Consecutive failed attempts before this one, since a connection or the beginning.
    package let failed: Int
    /// The side that ended the connection before this series of attempts; `nil` if no end was seen.
    package let lostBy: Recording.RecordedConnection.EndedBy?
    /// Time from the beginning of one attempt to the beginning of the next.
    package let fromBegin: Double
    /// Time from the end of the attempt or connection to the next attempt; from its beginning if no end was seen.
    package let fromEnd: Double
    /// Duration of an unanswered attempt; `nil` if the client was not seen to give it up.
    package let limit: Double?
    /// Time after the beginning at which the attempt still retransmitted.
    let stillTrying: Double
    /// Index of the previous wait in the same series.
    let before: Int?

    static let early = MeasurementTolerance.early.seconds
    static func late(_ span: Double) -> Double { max(MeasurementTolerance.late.seconds, span / 100) }
}

extension TimeSpan {
    var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension RetryWait {
    /// Returns all waits. Attempts that overlap an open connection are not retries and are omitted.
    package static func all(of recordings: [Recording]) -> [RetryWait] {
        var waits: [RetryWait] = []
        for recording in recordings {
            var failed = 0
            var lostBy: Recording.RecordedConnection.EndedBy?
            var before: Int?
            for (line, next) in zip(recording.connections, recording.connections.dropFirst()) {
                guard let wait = RetryWait(line, next, failed, lostBy, before) else {
                    (failed, lostBy, before) = (0, nil, nil)
                    continue
                }
                before = waits.count
                waits.append(wait)
                (failed, lostBy) = (wait.after == .loss ? 0 : failed + 1, wait.lostBy)
            }
        }
        return waits
    }

    private init?(
        _ line: Recording.RecordedConnection, _ next: Recording.RecordedConnection, _ failed: Int,
        _ lostBy: Recording.RecordedConnection.EndedBy?, _ before: Int?
    ) {
        let span = (next.beganAt - line.beganAt).seconds
        let end = line.endedAt.map { ($0 - line.beganAt).seconds }
        if line.openedAt != nil {
            // If no close was seen, the connection may still be open; a silent death has no observable time. Skip both.
            guard let end, end <= span else { return nil }
            after = .loss
            fromEnd = span - end
            limit = nil
        } else {
            after = line.ending == .refused && end.map { $0 <= span } ?? false ? .refusal : .silence
            let known = end.flatMap { $0 <= span ? $0 : nil }
            fromEnd = span - (known ?? 0)
            limit = after == .silence ? known : nil
        }
        at = next.beganAt
        self.failed = after == .loss ? 0 : failed
        self.lostBy = after == .loss ? line.ending : lostBy
        fromBegin = span
        stillTrying = after == .silence ? line.retransmittedAt.map { ($0 - line.beganAt).seconds } ?? 0 : 0
        self.before = after == .loss ? nil : before
    }
}
