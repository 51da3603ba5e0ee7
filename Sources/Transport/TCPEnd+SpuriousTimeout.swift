import DeadzonePrimitives

/// Detects that a retransmission timeout was spurious: the data was only late, not lost. An acknowledgement echoes the
/// time stamp of the packet that it answers (RFC 3522). If that packet was sent before the first retransmission, the
/// path was only slow (`tcp_packet_delayed`, `tcp_try_undo_loss`). If the stamp is that of the retransmission, it says
/// nothing about the data after that segment. Then Linux sends new data before it retransmits more (RFC 5682 §3.1;
/// `tcp_process_loss`, measured on 6.18):
///
///     none ──timeout──▶ waiting ──part acknowledged, new data is there──▶ probing ──more acknowledged──▶ none, undone
///       ▲                 │                                                  │
///       └───all of it is──┴─────────the new data arrives after a gap─────────┘
///
/// If the new data arrives after a gap, the rest was lost and is retransmitted, one round trip later than without the
/// probe.
extension TCPEnd {
    @usableFromInline enum SpuriousTimeoutCheck: UInt8, BitwiseCopyable, Sendable {
        case none, waiting, probing
    }

    /// Updates the check for a spurious timeout after an acknowledgement of further data.
    mutating func checkTimeout(_ packet: Packet) {
        if timer.timeouts > 0 && packet.echo < timer.startedAt || timeoutCheck == .probing { return undoTimeout() }
        guard timeoutCheck == .waiting else { return }
        timeoutCheck = packet.received < recoveryPoint && highestSent < written ? .probing : .none
    }

    /// Restores the window from before a spurious timeout. Data in flight no longer counts as lost.
    private mutating func undoTimeout() {
        window = max(window, windowBeforeTimeout)
        threshold = max(threshold, thresholdBeforeTimeout)
        nextByte = highestSent
        recoveryPoint = acknowledged
        (probeBytes, timeoutCheck) = (0, .none)
    }

    /// Sends new data once, to test if the timeout was spurious: as much as the window allows, beyond the data that was
    /// sent before the timeout. Returns `false` if no new data can be sent; then the end retransmits without this test
    /// (RFC 5682 §2.1, step 2b).
    mutating func sendProbeData(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) -> Bool
    {
        guard probeBytes == 0 else { return true }
        let reached = highestSent
        nextByte = highestSent
        let end = min(written, highestSent + UInt64(window) * UInt64(rules.pointee.segment))
        while nextByte < end, out.count + 1 < OutgoingPackets.capacity,
            let (cause, last) = queue.sendableRange(from: nextByte)
        {
            send(.data, cause: cause, upTo: min(last, end), at: now, rules, &out)
        }
        nextByte = acknowledged
        guard highestSent > reached else { return false }
        probeBytes = UInt32(highestSent - reached)
        recoveryPoint = highestSent
        timer.restart(at: now, inFlight: true, allowsProbe: false, rules)
        return true
    }
}
