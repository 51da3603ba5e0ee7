import DeadzonePrimitives

/// The part of every machine that looks for a network in vain: scan, rest, scan, with rests that double.
///
/// No standard says how often a phone scans while it is out of service (3GPP TS 36.304 clause 5.2.3.1 leaves it to the
/// maker); that it backs off to save power is common practice. Powers and times are assumptions of the profiles.
struct Search: Sendable, BitwiseCopyable {
    private var finishedScans: UInt8 = 0
    private var isScanning = false

    mutating func begin(_ meter: inout Meter, _ law: SearchLaw, at now: Instant) -> Residency? {
        finishedScans = 0
        return scan(&meter, law, at: now)
    }

    mutating func advance(_ meter: inout Meter, _ law: SearchLaw) -> Residency? {
        let now = meter.next
        guard isScanning else { return scan(&meter, law, at: now) }
        isScanning = false
        meter.next = now + law.rest(afterScans: finishedScans)
        finishedScans = min(finishedScans + 1, SearchLaw.mostDoublings)
        return meter.enter(.unassociated, for: .search, at: now)
    }

    private mutating func scan(_ meter: inout Meter, _ law: SearchLaw, at now: Instant) -> Residency? {
        isScanning = true
        meter.next = now + law.scan
        return meter.enter(.search, for: .search, at: now)
    }
}
