import DeadzoneBase

/// Detects that a retransmission was not necessary: the data was only late, not lost. An acknowledgement echoes the
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
///
/// Fast recovery is undone in the same way if packets have only overtaken each other: `ReorderingMemory.swift`.
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

    /// Ends fast recovery when all data from before it is acknowledged. Data that was only late ends it, too, unless a
    /// retransmission is still in flight (`tcp_try_undo_partial`, `tcp_try_undo_recovery`).
    /// - Parameter beyond: Number of bytes that had arrived before, beyond the gap that may be filled now.
    mutating func followRecovery(
        _ packet: Packet, isAdvance: Bool, beyond: UInt64, at now: Instant, _ rules: UnsafePointer<TCPRules>
    ) {
        let repeatedAt = scoreboard.recovery.repeatedAt
        let isLate = isAdvance && repeatedAt != .never && packet.echo < repeatedAt && !rules.pointee.isQUIC
        if isLate {
            // Only part of what the repair began with tells about packets that overtake each other.
            if acknowledged < scoreboard.recovery.end { recordOvertaking(by: beyond, at: now, rules) }
            if !scoreboard.hasRepeatedInFlight { return undoRecovery() }
        }
        guard scoreboard.recovery.end <= acknowledged else { return }
        congestion.control?.pointee.reordering.recordRecovery()
        window = threshold
        scoreboard.replaceRecovery(with: LossRecovery())
    }

    /// Records that packets have overtaken each other, and adjusts the time that late data gets.
    mutating func recordReordering(
        _ packet: Packet, _ delivery: Scoreboard.ArrivalSummary, at now: Instant, _ rules: UnsafePointer<TCPRules>
    ) {
        if packet.reportsDuplicates { recordDuplicates(packet.number, rules) }
        guard !rules.pointee.isQUIC, delivery.segments > 0 else { return }
        if delivery.overtakenBy > 0 { recordOvertaking(by: delivery.overtakenBy, at: now, rules) }
        if packet.echo != .never { congestion.control?.pointee.reordering.adjust(sentAt: packet.echo, at: now) }
    }

    private mutating func recordOvertaking(by bytes: UInt64, at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        control(at: now).pointee.reordering.recordOvertaking(of: segments(bytes, rules))
    }

    /// Records that a retransmission was not necessary. A tail loss probe says nothing about packets that overtake each
    /// other.
    mutating func recordDuplicates(_ segments: UInt16, _ rules: UnsafePointer<TCPRules>) {
        guard let control = congestion.control, control.pointee.probedEnd == 0, !rules.pointee.isQUIC else { return }
        if control.pointee.reordering.recordDuplicates(segments) { undoRecovery() }
    }

    /// Undoes fast recovery, while it lasts or later.
    private mutating func undoRecovery() {
        guard let control = congestion.control else { return }
        let before = control.pointee.reordering.before
        control.pointee.reordering.forgetRecovery()
        window = max(window, before.window)
        threshold = max(threshold, before.threshold)
        guard scoreboard.recovery.phase == .recovering else { return }
        scoreboard.unmarkLost()
        scoreboard.replaceRecovery(with: LossRecovery())
    }

    /// Restores the window from before a timeout that was not necessary. Data in flight no longer counts as lost.
    private mutating func undoTimeout() {
        window = max(window, scoreboard.recovery.windowBefore)
        threshold = max(threshold, scoreboard.recovery.thresholdBefore)
        scoreboard.unmarkLost()
        scoreboard.recovery = LossRecovery()
    }
}
