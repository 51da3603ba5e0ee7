import DeadzoneBase

/// Detects that a retransmission timeout was spurious: the data was only late, not lost. An acknowledgement echoes the
/// time stamp of the packet that it answers (RFC 3522). If that packet was sent before the first retransmission, the
/// path was only slow (`tcp_packet_delayed`, `tcp_try_undo_loss`). If the stamp is that of the retransmission, it says
/// nothing about the data after that segment. Then Linux sends new data before it retransmits more (RFC 5682 §3.1;
/// `tcp_process_loss`, measured on 6.18):
///
///     none ──timeout──▶ waiting ──part acknowledged, new data is there──▶ probing ──original data arrives──▶ none, undone
///       ▲                 │                                                  │
///       └───all of it is──┴─────────the new data arrives after a gap─────────┘
///
/// If the new data arrives after a gap, the rest was lost and is retransmitted, one round trip later than without the
/// probe.
extension TCPEnd {
    /// Updates the repair after a timeout, and the check if that timeout was spurious.
    /// - Parameter isLate: `true` if the acknowledgement answers a packet from before the first retransmission.
    mutating func followTimeout(
        _ packet: Packet, isAdvance: Bool, isLate: Bool, _ delivery: Scoreboard.ArrivalSummary
    ) {
        let recovery = scoreboard.recovery
        let arrivedUnrepeated = delivery.includesOriginal && delivery.originalEnd <= recovery.end
        if isAdvance && isLate || recovery.timeoutCheck != .none && arrivedUnrepeated { return undoTimeout() }
        if recovery.timeoutCheck == .probing {
            if packet.hasSelectiveAck { scoreboard.recovery.timeoutCheck = .none }
        } else if recovery.timeoutCheck == .waiting && isAdvance {
            let isPart = acknowledged < recovery.end && highestSent < written
            scoreboard.recovery.timeoutCheck = isPart ? .probing : .none
            if isPart { scoreboard.recovery.end = highestSent }
        }
        if scoreboard.recovery.end <= acknowledged { scoreboard.recovery = LossRecovery() }
    }

    /// Restores the window from before a spurious timeout. Data in flight no longer counts as lost.
    private mutating func undoTimeout() {
        window = max(window, scoreboard.recovery.windowBefore)
        threshold = max(threshold, scoreboard.recovery.thresholdBefore)
        scoreboard.unmarkLost()
        scoreboard.recovery = LossRecovery()
    }
}
