import DeadzoneBase
import DeadzoneTransport

/// Retries of sends that find no buffer space. Programs poll for space at a fixed interval.
///
/// After every poll has failed once since the phone's last activity, further polls would fail as well. These retries
/// are then parked, and resumed at their regular poll times after the next activity.
extension PhoneSimulation {
    /// Interval at which programs retry a send that found no buffer space.
    private static let retryInterval = TimeSpan.milliseconds(100)

    /// Resumes the parked retries. Called after every activity on the phone, because it may have freed buffer space.
    /// - Parameter isLate: `true` if the activity ranks after packets in the order of events at one instant. A retry
    ///   scheduled for this very instant has then already run.
    @inline(__always)
    mutating func noteActivity(isLate: Bool = false, _ context: inout WorkerContext) {
        lastActivityAt = now
        if !parkedRetries.isEmpty { resumeRetries(isLate: isLate, &context) }
    }

    private mutating func resumeRetries(isLate: Bool, _ context: inout WorkerContext) {
        let moment = isLate ? now + .nanoseconds(1) : now
        while !parkedRetries.isEmpty {
            var retry = context.packets.removeFirst(&parkedRetries)
            let missed = max((moment - retry.at).nanoseconds, 0) + Self.retryInterval.nanoseconds - 1
            retry.at += Self.retryInterval * (missed / Self.retryInterval.nanoseconds)
            context.packets.insert(retry, into: &packetsInFlight)
        }
    }

    mutating func parkRetries(_ context: inout WorkerContext) {
        guard lastActivityAt + Self.retryInterval < now else { return }
        // Retries that are due at this very instant run first. This keeps the parked list in poll order.
        while let retry = context.packets.removeFirst(
            from: &packetsInFlight, where: { $0.location.isRetry && now < $0.at })
        {
            context.packets.insert(retry, into: &parkedRetries)
        }
    }

    /// Lets the app's library try again to send a call that found no buffer space.
    mutating func retryCall(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        let isInVain = callPhoneEnd(&context) {
            $0.retryCall(flight.packet.first, Int(flight.slot), generation: flight.generation, at: $1, &$2)
        }
        switch isInVain {
        case true: parkRetries(&context)
        case false: noteActivity(isLate: true, &context)
        case nil: break
        }
    }
}
