import DeadzonePrimitives

/// Loss detection and retransmission of a TCP end. The receiver reports which data it has beyond a gap (RFC 2018). If a
/// packet has arrived, the sender treats missing data that was sent before it as lost (RFC 8985; for QUIC RFC 9002
/// §6.1). If the end of the data stays unacknowledged, the sender sends a probe.
///
/// Where this differs from real TCP: gaps are counted and not listed, and are taken to lie directly before the data
/// that arrived beyond them. The sender does not wait for reordered packets, because packets are never reordered here.
/// The window is reduced at once (`tcp_cwnd_reduction` does it gradually). A spurious timeout is undone:
/// `TCPEnd+SpuriousTimeout.swift`.
extension TCPEnd {
    struct ReceiveGap: BitwiseCopyable, Sendable {
        /// Number of bytes from `expected` to the end of the received data. Zero if there is no gap.
        var span: UInt32 = 0
        /// Number of segments before the end of the received data that have not arrived.
        var missing: UInt16 = 0
    }

    // MARK: Receiving

    /// Handles received stream bytes that are not simply the next ones. Returns `true` if they extend the data that is
    /// available in order.
    mutating func receiveOutOfOrder(_ packet: Packet, _ rules: UnsafePointer<TCPRules>) -> Bool {
        let end = packet.offset + UInt64(packet.length)
        guard packet.offset <= expected else {
            extendGap(to: end + UInt64(packet.bytesBeyondGap), from: packet.offset, more: packet.missingSegments, rules)
            return false
        }
        let before = expected
        if expected < end { closeGap(to: end, rules) }
        if packet.bytesBeyondGap > 0 && receiveGap.span == 0 && expected <= end {
            receiveGap = ReceiveGap(span: packet.bytesBeyondGap, missing: packet.missingSegments)
        }
        return before < expected
    }

    /// Records data received beyond a gap. The data covers the bytes from `offset` to `end`.
    private mutating func extendGap(to end: UInt64, from offset: UInt64, more: UInt16, _ rules: UnsafePointer<TCPRules>)
    {
        let known = expected + UInt64(receiveGap.span)
        guard known < end else { return }
        if known < offset { receiveGap.missing += UInt16(clamping: segments(offset - known, rules)) }
        receiveGap.missing += more
        receiveGap.span = UInt32(clamping: end - expected)
    }

    /// Records received data that fills the gap from its beginning up to the offset `end`.
    private mutating func closeGap(to end: UInt64, _ rules: UnsafePointer<TCPRules>) {
        let filled = segments(end - expected, rules)
        let known = expected + UInt64(receiveGap.span)
        if UInt64(receiveGap.missing) <= filled || known <= end {
            expected = max(end, known)
            receiveGap = ReceiveGap()
        } else {
            expected = end
            receiveGap.missing -= UInt16(filled)
            receiveGap.span = UInt32(known - end)
        }
    }

    func segments(_ bytes: UInt64, _ rules: UnsafePointer<TCPRules>) -> UInt64 {
        (bytes + UInt64(rules.pointee.segment) - 1) / UInt64(rules.pointee.segment)
    }

    // MARK: Sending

    /// Records the missing segments that an acknowledgement reports. If segments were retransmitted already, a report
    /// counts only if it covers data that was sent after that: then the retransmission was lost as well.
    mutating func recordGap(of packet: Packet, _ rules: UnsafePointer<TCPRules>) {
        if timeoutCheck == .probing { timeoutCheck = .none }
        guard packet.received == acknowledged, timer.timeouts == 0,
            recoveryPoint < packet.received + UInt64(packet.bytesBeyondGap)
        else { return }
        lostSegments = packet.missingSegments
    }

    /// Retransmits at once everything that the other end reported as missing, and reduces the window
    /// (`bictcp_recalc_ssthresh`, RFC 9438 §4.6).
    mutating func retransmitLost(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) {
        let end = min(acknowledged + UInt64(lostSegments) * UInt64(rules.pointee.segment), highestSent)
        lostSegments = 0
        guard acknowledged < end else { return }
        if recoveryPoint <= acknowledged {
            threshold = max(UInt16(UInt32(window) * 7 / 10), 2)
            window = threshold
        }
        let reached = nextByte
        nextByte = acknowledged
        send(.data, cause: .retransmit, upTo: end, at: now, rules, &out)
        nextByte = max(reached, nextByte)
        recoveryPoint = highestSent
        timer.restart(at: now, inFlight: true, allowsProbe: false, rules)
    }

    /// Retransmits after a timeout: everything in flight counts as lost, and one segment is sent. That segment combines
    /// small items.
    mutating func retransmitAfterTimeout(
        at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets
    ) {
        let inFlight = segments(nextByte - acknowledged, rules)
        if timer.timeouts == 1 {
            (windowBeforeTimeout, thresholdBeforeTimeout) = (window, threshold)
            threshold = max(UInt16(clamping: inFlight / 2), 2)
        }
        timeoutCheck = rules.pointee.kernel.detectsSpuriousTimeouts ? .waiting : .none
        probeBytes = 0
        // QUIC does not take a single unanswered probe for a loss, but three of them for a lost path (RFC 9002 §7.6).
        if !rules.pointee.isQUIC { window = 1 } else if timer.timeouts >= 3 { window = 2 }
        nextByte = acknowledged
        recoveryPoint = highestSent
        packetsOut = min(packetsOut, UInt16(clamping: segments(highestSent - acknowledged, rules)))
        let end = min(highestSent, acknowledged + UInt64(rules.pointee.segment))
        send(.data, cause: .retransmit, upTo: end, at: now, rules, &out)
    }

    /// Sends a tail loss probe: a segment of new data or, if there is none, the last segment again (RFC 8985 §7.3).
    mutating func sendTailProbe(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) {
        if highestSent <= nextByte, let (cause, end) = queue.sendableRange(from: nextByte) {
            return send(
                .data, cause: cause, upTo: min(end, nextByte + UInt64(rules.pointee.segment)), at: now, rules, &out)
        }
        nextByte = highestSent - min(UInt64(rules.pointee.segment), highestSent - acknowledged)
        send(.data, cause: .retransmit, upTo: highestSent, at: now, rules, &out)
    }
}
