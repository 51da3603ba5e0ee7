import DeadzoneBase

/// Retries of sends that find no buffer space. Programs poll for space at a fixed interval.
///
/// After every poll has failed once since the phone's last activity, further polls would fail as well. These retries
/// are then parked, and resumed at their regular poll times after the next activity.
extension PacketNetwork {
    /// Interval at which programs retry a send that found no buffer space.
    private static let retryInterval = TimeSpan.milliseconds(100)

    /// Resumes the parked retries. Called after every activity on the phone, because it may have freed buffer space.
    /// - Parameter isLate: `true` if the activity ranks after packets in the order of events at one instant. A retry
    ///   scheduled for this very instant has then already run.
    @inline(__always)
    mutating func noteActivity(isLate: Bool = false, at now: Instant, _ resources: inout PacketResources) {
        lastActivityAt = now
        if !parkedRetries.isEmpty { resumeRetries(isLate: isLate, at: now, &resources) }
    }

    /// Notes that a retry has run.
    /// - Parameter isInVain: `true` if it found no space, and nothing else has changed.
    mutating func endRetry(isInVain: Bool, at now: Instant, _ resources: inout PacketResources) {
        if isInVain {
            parkRetries(at: now, &resources)
        } else {
            noteActivity(isLate: true, at: now, &resources)
        }
    }

    private mutating func resumeRetries(isLate: Bool, at now: Instant, _ resources: inout PacketResources) {
        let moment = isLate ? now + .nanoseconds(1) : now
        while !parkedRetries.isEmpty {
            var retry = resources.pool.removeFirst(&parkedRetries)
            let missed = max((moment - retry.at).nanoseconds, 0) + Self.retryInterval.nanoseconds - 1
            retry.at += Self.retryInterval * (missed / Self.retryInterval.nanoseconds)
            insert(retry, &resources)
        }
    }

    /// Parks the retries, if nothing has happened on the phone since each of them failed.
    private mutating func parkRetries(at now: Instant, _ resources: inout PacketResources) {
        guard lastActivityAt + Self.retryInterval < now else { return }
        // Retries that are due at this very instant run first. This keeps the parked list in poll order.
        while let retry = resources.pool.removeFirst(
            from: &packetsInFlight, where: { $0.location.isRetry && now < $0.at })
        {
            resources.pool.insert(retry, into: &parkedRetries)
        }
    }
}
