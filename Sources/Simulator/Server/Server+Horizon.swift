import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The client's latest connection in a slot, at the horizon.
struct LatestConnection: BitwiseCopyable {
    /// The request with which it has resumed the session.
    let resuming: ResumeRequest
    /// The request with which a connection that resumes in the same way would begin now.
    let next: ResumeRequest
    /// `true` if the client believes it open, and it is not dead.
    let isAlive: Bool
}

/// The end of the run: the server's periods, and the messages that no client will get.
extension Server {
    /// Returns the number of messages that cannot reach the app, and the place at which they are lost: no connection
    /// carries them any more, and a new connection would not deliver them.
    /// - Parameters:
    ///   - known: The client has all messages below this index.
    ///   - latest: The client's latest connection in each slot; `nil` if it has had none there.
    mutating func unreachable(
        from known: UInt32, _ latest: (LatestConnection?, LatestConnection?), _ introduction: Introduction,
        at now: Instant
    ) -> (count: Int64, place: LossPlace) {
        guard known < written.index, latest.0 != nil || latest.1 != nil else { return (0, .sessionStart) }
        var reached = written.index
        for slot in Self.slots {
            guard let latest = slot == 0 ? latest.0 : latest.1 else { continue }
            guard !(ends[slot].isHeld && latest.isAlive),
                let next = resumePosition(for: latest.next, introduction, at: now)
            else { return (0, .sessionStart) }
            reached = min(reached, next)
        }
        let first = latest.0.map { lossPlace(of: $0.resuming, introduction, at: now) } ?? .sessionStart
        guard first == .sessionStart, let second = latest.1 else { return (Int64(max(reached, known) - known), first) }
        return (Int64(max(reached, known) - known), lossPlace(of: second.resuming, introduction, at: now))
    }

    /// The place at which messages are lost that the client's next session would skip.
    private func lossPlace(of resuming: ResumeRequest, _ introduction: Introduction, at now: Instant) -> LossPlace {
        switch resuming {
        case .fresh, .snapshot: return .sessionStart
        case .from:
            // A server that has forgotten the session, or counts its messages anew, cannot find the client's position.
            let isForgotten = !memory.isKnown(at: now) || memory.countsAnew(for: resuming, introduction)
            return isForgotten ? .serverSession : .serverHistory
        }
    }

    mutating func finish(at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        for slot in Self.slots where ends[slot].isHeld { recordHoldTime(slot, at: now, &out) }
        endHalfOpenConnection(at: now, &out)
        guard queue.peakBytes > 0 else { return }
        out.note(.serverQueuePeak, value: Int64(clamping: queue.peakBytes))
    }
}
