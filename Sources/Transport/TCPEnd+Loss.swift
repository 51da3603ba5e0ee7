import DeadzonePrimitives

/// What is lost, and how both ends come to know it: the receiver tells what it has beyond a hole (RFC 2018), the sender takes for lost
/// what was sent before something that arrived (RFC 8985; of QUIC RFC 9002 §6.1), and asks after a tail of which it hears nothing.
///
/// Where this lies: holes are counted, not listed, and lie in front of what arrived beyond them; nobody waits to see whether packets
/// overtook each other, as here none does; a window that was cut is cut at once (`tcp_cwnd_reduction` does it by and by). A timeout that
/// came too soon is undone: `TCPEnd+Doubt.swift`.
extension TCPEnd {
    struct Beyond: BitwiseCopyable, Sendable {
        /// From what is expected to the end of what is here; zero: there is no hole.
        var span: UInt32 = 0
        /// Segments of it that are not.
        var missing: UInt16 = 0
    }

    // MARK: Receiving

    /// Bytes of the other end's stream. Returns whether there is more in order than before.
    mutating func place(_ packet: Packet, _ rules: UnsafePointer<TCPRules>) -> Bool {
        let end = packet.offset + UInt64(packet.length)
        guard packet.offset <= expected else {
            widen(to: end + UInt64(packet.behind), from: packet.offset, more: packet.missing, rules)
            return false
        }
        let before = expected
        if expected < end { fill(to: end, rules) }
        if packet.behind > 0 && beyond.span == 0 && expected <= end {
            beyond = Beyond(span: packet.behind, missing: packet.missing)
        }
        return before < expected
    }

    /// Something from this offset on is here.
    private mutating func widen(to end: UInt64, from offset: UInt64, more: UInt16, _ rules: UnsafePointer<TCPRules>) {
        let known = expected + UInt64(beyond.span)
        guard known < end else { return }
        if known < offset { beyond.missing += UInt16(clamping: segments(offset - known, rules)) }
        beyond.missing += more
        beyond.span = UInt32(clamping: end - expected)
    }

    /// What begins where the hole does.
    private mutating func fill(to end: UInt64, _ rules: UnsafePointer<TCPRules>) {
        let filled = segments(end - expected, rules)
        let known = expected + UInt64(beyond.span)
        if UInt64(beyond.missing) <= filled || known <= end {
            expected = max(end, known)
            beyond = Beyond()
        } else {
            expected = end
            beyond.missing -= UInt16(filled)
            beyond.span = UInt32(known - end)
        }
    }

    func segments(_ bytes: UInt64, _ rules: UnsafePointer<TCPRules>) -> UInt64 {
        (bytes + UInt64(rules.pointee.segment) - 1) / UInt64(rules.pointee.segment)
    }

    // MARK: Sending

    /// The other end misses something, as a packet with something behind a hole says. If what it has was sent after the last repair,
    /// that is lost, too.
    mutating func hear(of packet: Packet, _ rules: UnsafePointer<TCPRules>) {
        if doubt == .asking { doubt = .none }
        guard packet.received == acknowledged, timer.inVain == 0,
            repaired < packet.received + UInt64(packet.behind)
        else { return }
        lost = packet.missing
    }

    /// Everything that the other end misses is repeated at once, and the window is cut (`bictcp_recalc_ssthresh`, RFC 9438 §4.6).
    mutating func repair(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures) {
        let end = min(acknowledged + UInt64(lost) * UInt64(rules.pointee.segment), highest)
        lost = 0
        guard acknowledged < end else { return }
        if repaired <= acknowledged {
            threshold = max(UInt16(UInt32(window) * 7 / 10), 2)
            window = threshold
        }
        let reached = nextByte
        nextByte = acknowledged
        send(.data, cause: .retransmit, upTo: end, at: now, rules, &out)
        nextByte = max(reached, nextByte)
        repaired = highest
        timer.restart(at: now, inFlight: true, asks: false, rules)
    }

    /// After a timeout everything counts for lost, and a segment leaves; the kernel packs together what is small.
    mutating func `repeat`(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures) {
        let inFlight = segments(nextByte - acknowledged, rules)
        if timer.inVain == 1 {
            (windowBefore, thresholdBefore) = (window, threshold)
            threshold = max(UInt16(clamping: inFlight / 2), 2)
        }
        doubt = rules.pointee.kernel.doubtsTimeouts ? .waiting : .none
        fresh = 0
        // QUIC takes a probe that is not answered for no loss, three for a path that is not there (RFC 9002 §7.6).
        if !rules.pointee.isQUIC { window = 1 } else if timer.inVain >= 3 { window = 2 }
        nextByte = acknowledged
        repaired = highest
        packetsOut = min(packetsOut, UInt16(clamping: segments(highest - acknowledged, rules)))
        let end = min(highest, acknowledged + UInt64(rules.pointee.segment))
        send(.data, cause: .retransmit, upTo: end, at: now, rules, &out)
    }

    /// A segment that is new, or the last one again (RFC 8985 §7.3).
    mutating func askAfterTail(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout Departures) {
        if highest <= nextByte, let (cause, end) = runs.stretch(from: nextByte) {
            return send(
                .data, cause: cause, upTo: min(end, nextByte + UInt64(rules.pointee.segment)), at: now, rules, &out)
        }
        nextByte = highest - min(UInt64(rules.pointee.segment), highest - acknowledged)
        send(.data, cause: .retransmit, upTo: highest, at: now, rules, &out)
    }
}
