import DeadzonePrimitives

/// A radio that looks for a network in vain: scan, rest, scan, with rests that double.
///
///     no coverage ──▶ scanning ⇄ resting ── coverage ──▶ over: its machine begins anew, idle
///
/// Where the diagram lies: a network that is there again is found at once, not at the next scan.
///
/// No standard says how often a phone scans while it is out of service (3GPP TS 36.304 clause 5.2.3.1 leaves it to the
/// maker); that it backs off to save power is common practice. Powers and times are assumptions of the profiles.
struct Search: Sendable, BitwiseCopyable {
    /// 0 when it is over. At odd steps it scans, at even ones it rests.
    private var step: UInt8 = 0

    var isOn: Bool { step > 0 }

    mutating func end() { step = 0 }

    mutating func begin(_ meter: inout Meter, _ law: SearchLaw, at now: Instant) -> Residency? {
        step = 1
        return scan(&meter, law, at: now)
    }

    mutating func advance(_ meter: inout Meter, _ law: SearchLaw) -> Residency? {
        let now = meter.next
        guard step % 2 == 1 else {
            step = min(step + 1, 2 * SearchLaw.mostDoublings + 1)
            return scan(&meter, law, at: now)
        }
        meter.next = now + law.rest(afterScans: step / 2)
        step += 1
        return meter.enter(.unassociated, for: .search, at: now)
    }

    private func scan(_ meter: inout Meter, _ law: SearchLaw, at now: Instant) -> Residency? {
        meter.next = now + law.scan
        return meter.enter(.search, for: .search, at: now)
    }
}
