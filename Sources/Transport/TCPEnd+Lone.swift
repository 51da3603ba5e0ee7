import DeadzonePrimitives

/// The short way. Most of the time nothing is lost, nothing waits, and one packet that carries all of one run is all there is. What
/// becomes of it is what the long way, in `TCPEnd.swift`, would make of it; there it is explained.
extension TCPEnd {
    /// What was written since is one packet, and nothing else is under way. There is a place for it: whoever flushes begins with none.
    @inline(__always)
    func isLoneWrite(_ rules: UnsafePointer<TCPRules>) -> Bool {
        highest == acknowledged && highest < written && written - highest <= UInt64(rules.pointee.segment)
            && runs.isOne && window <= Self.firstWindow && lost == 0 && doubt != .asking && fresh == 0
            && timer.deadline == .never
    }

    @inline(__always)
    mutating func sendLone(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures) {
        send(.data, cause: runs.first.cause, upTo: written, at: now, rules, &out)
        used = 1
        timer.begin(at: now, isLone: true, asks: repaired <= acknowledged, rules)
    }

    /// The other end has all that was written, which is one run and less than a segment; the window does not grow by it.
    @inline(__always)
    func settlesLone(_ offset: UInt64, _ rules: UnsafePointer<TCPRules>) -> Bool {
        offset - acknowledged < UInt64(rules.pointee.segment) && window < threshold
            && used <= window / 2 && runs.isOne && settled.offset == runs.start && runs.firstEnds == offset
    }

    @inline(__always)
    mutating func settleLone() {
        let run = runs.first
        acknowledged = highest
        nextByte = highest
        settled = Mark(offset: highest, item: run.last)
        if run.track == .message { confirmed = max(confirmed, run.last) }
        if highest <= taken.offset { runs.clear() }
        (packetsOut, fresh) = (0, 0)
        timer.stop()
    }
}
