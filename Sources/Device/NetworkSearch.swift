import DeadzoneBase

/// State of a radio's search for a network while there is no coverage: scans and pauses in turn, with pauses that
/// double.
///
///     no coverage ──▶ scanning ⇄ resting ── coverage ──▶ over: its machine begins anew, idle
///
/// Where the diagram is inaccurate: a network that returns is found at once, not at the next scan.
///
/// No standard specifies how often a phone scans while it is out of service (3GPP TS 36.304 clause 5.2.3.1 leaves it to
/// the manufacturer). Backing off to save power is common practice. Powers and times are assumptions of the profiles.
struct NetworkSearch: Sendable, BitwiseCopyable {
    /// Number of the present step of the search, 0 if no search is on. At odd steps the radio scans, at even steps it
    /// pauses.
    private var step: UInt8 = 0

    var isOn: Bool { step > 0 }

    mutating func end() { step = 0 }

    mutating func begin(_ timer: inout StateTimer, _ timers: SearchTimers, at now: Instant) -> Residency? {
        step = 1
        return scan(&timer, timers, at: now)
    }

    mutating func advance(_ timer: inout StateTimer, _ timers: SearchTimers) -> Residency? {
        let now = timer.next
        guard step % 2 == 1 else {
            step = min(step + 1, 2 * SearchTimers.maxDoublings + 1)
            return scan(&timer, timers, at: now)
        }
        timer.next = now + timers.pause(afterScans: step / 2)
        step += 1
        return timer.enter(.unassociated, for: .search, at: now)
    }

    private func scan(_ timer: inout StateTimer, _ timers: SearchTimers, at now: Instant) -> Residency? {
        timer.next = now + timers.scan
        return timer.enter(.search, for: .search, at: now)
    }
}
