import DeadzoneBase

/// Fast path of a TCP end for the most common case: nothing is lost, nothing waits, and a single packet carries all of
/// one range. The result is the same as on the general path in `TCPEnd.swift`, where the steps are explained.
extension TCPEnd {
    /// `true` if all newly written data fits into one packet and nothing else is in flight. The output has room for the
    /// packet, because a flush begins with empty output.
    @inline(__always)
    func isSinglePacketWrite(_ rules: UnsafePointer<TCPRules>) -> Bool {
        highestSent == acknowledged && highestSent < written && written - highestSent <= UInt64(rules.pointee.segment)
            && queue.isOne && congestion.isEmpty && scoreboard.isEmpty && timer.deadline == .never
    }

    @inline(__always)
    mutating func sendSinglePacket(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) {
        send(.data, cause: queue.first.cause, from: highestSent, upTo: written, at: now, rules, &out)
        peakInFlight = 1
        timer.start(at: now, isSingleSegment: true, allowsProbe: true, rules)
    }

    /// `true` if an acknowledgement up to `offset` covers all data in flight, which is one range and less than a
    /// segment. Such an acknowledgement does not change the window.
    @inline(__always)
    func acknowledgesSinglePacket(_ offset: UInt64, _ rules: UnsafePointer<TCPRules>) -> Bool {
        offset - acknowledged < UInt64(rules.pointee.segment) && window < threshold && congestion.isEmpty
            && peakInFlight <= window / 2 && queue.isOne && acknowledgedPosition.offset == queue.start
            && queue.firstEnd == offset
    }

    @inline(__always)
    mutating func completeSinglePacket() {
        let frames = queue.first
        acknowledged = highestSent
        acknowledgedPosition = ItemBoundary(offset: highestSent, item: frames.last)
        if frames.kind == .message { confirmed = max(confirmed, frames.last) }
        if highestSent <= readPosition.offset { queue.clear() }
        packetsOut = 0
        timer.stop()
    }
}
