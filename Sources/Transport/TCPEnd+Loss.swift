import DeadzoneBase

/// Loss detection and retransmission of a TCP end. The receiver reports which data it has beyond a gap (RFC 2018). If
/// data has arrived, the sender treats missing data that was sent before it as lost (RFC 8985; for QUIC RFC 9002 §6.1):
/// at once after three segments, else after a fraction of the round trip. If the end of the data stays unacknowledged,
/// the sender sends a probe. `Scoreboard.swift` lists the data in flight, `LossRecovery.swift` sets the pace of the
/// repair.
///
/// The time stamp that an acknowledgement echoes shows that an original has arrived, and that a retransmission was not
/// necessary. Then the window is restored: `TCPEnd+Undo.swift`.
///
/// Where this differs from real TCP: the report of a duplicate (RFC 2883) takes no bytes. QUIC reports all gaps in 32
/// ranges or more; here three, as TCP. A QUIC library learns nothing from packets that overtake each other, and XNU learns
/// the same as Linux.
extension TCPEnd {
    /// Number of received segments beyond a gap after which data counts as lost at once (`tcp_reordering`;
    /// kPacketThreshold in RFC 9002 §6.1.1).
    private static let reorderingThreshold = 3

    // MARK: Receiving

    /// Handles received stream bytes that are not simply the next ones. Returns `true` if they extend the data that is
    /// available in order.
    mutating func receiveOutOfOrder(_ packet: Packet) -> Bool {
        let end = packet.offset + UInt64(packet.length)
        guard packet.offset <= expected else {
            receivedBeyondGap.insert(packet.offset, end)
            return false
        }
        guard expected < end else {
            duplicates = UInt8(clamping: UInt32(duplicates) + min(packet.parts, packet.length))
            return false
        }
        expected = receivedBeyondGap.merge(upTo: end)
        return true
    }

    /// Writes the ranges beyond a gap into an acknowledgement. Each takes eight bytes of options (RFC 2018 §3).
    @inline(__always)
    func reportGaps(in packet: inout Packet) {
        (packet.offset, packet.length) = (0, 0)
        guard !receivedBeyondGap.isEmpty else { return }
        let report = receivedBeyondGap.report(from: expected)
        packet.selectiveAck = report
        packet.bytes += 4 + 8 * report.count
    }

    func segments(_ bytes: UInt64, _ rules: UnsafePointer<TCPRules>) -> UInt64 {
        (bytes + UInt64(rules.pointee.segment) - 1) / UInt64(rules.pointee.segment)
    }

    // MARK: Acknowledgements

    /// Handles an acknowledgement while data is missing, or one that reports missing data.
    mutating func acknowledgeWithGaps(
        _ packet: Packet, isAdvance: Bool, at now: Instant, _ rules: UnsafePointer<TCPRules>,
        _ sizes: borrowing MessageSizes
    ) {
        let segment = rules.pointee.segment
        scoreboard.begin(from: acknowledged, to: highestSent, at: now, segment: segment)
        var delivery = Scoreboard.ArrivalSummary(reportedEnd: scoreboard.reportedEnd)
        let isLate = timer.timeouts > 0 && packet.echo < timer.startedAt
        let beyond = delivery.reportedEnd - min(acknowledged, delivery.reportedEnd)
        record(packet, segment, at: now, &delivery)
        recordReordering(packet, delivery, at: now, rules)
        if isAdvance { advance(to: packet.received, rules, sizes) }
        if !congestion.isEmpty && delivery.segments > 0 {
            recordRoundTrip(of: packet, segments: UInt32(delivery.segments), at: now)
        }
        if scoreboard.recovery.phase == .timedOut {
            followTimeout(packet, isAdvance: isAdvance, isLate: isLate, delivery)
        }
        if scoreboard.recovery.phase == .recovering {
            followRecovery(packet, isAdvance: isAdvance, beyond: beyond, at: now, rules)
        }
        if isAdvance { restartTimer(at: now, rules) }
        let findsLoss = findLoss(answersProbe: congestion.answersTailProbe(packet), at: now, rules)
        if scoreboard.recovery.phase == .recovering {
            pace(delivered: delivery.segments, isAdvance: isAdvance, findsLoss: findsLoss, rules)
        } else if isAdvance || congestion.control?.pointee.reordering.growsBeyondGaps ?? false {
            growWindow(by: UInt32(delivery.segments), at: now)
        }
        endScoreboardIfComplete()
        // Without gaps, a probe is allowed again.
        if isAdvance && scoreboard.isEmpty { restartTimer(at: now, rules) }
    }

    private mutating func restartTimer(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        timer.restart(
            at: now, inFlight: acknowledged < highestSent, isSingleSegment: isSingleSegment(rules),
            allowsProbe: scoreboard.isEmpty, rules)
    }

    /// Enters the acknowledged data and the reported ranges into the scoreboard.
    private mutating func record(
        _ packet: Packet, _ segment: UInt32, at now: Instant, _ delivery: inout Scoreboard.ArrivalSummary
    ) {
        scoreboard.acknowledge(to: packet.received, echo: packet.echo, at: now, segment: segment, &delivery)
        guard packet.hasSelectiveAck else { return }
        let report = packet.selectiveAck
        for index in report.blocks.indices where report.blocks[index].length > 0 {
            let begin = packet.received + UInt64(report.blocks[index].begin)
            scoreboard.markReceived(
                from: begin, to: begin + UInt64(report.blocks[index].length), echo: packet.echo, at: now,
                segment: segment, &delivery)
        }
    }

    /// Discards the scoreboard if nothing is missing any more.
    private mutating func endScoreboardIfComplete() {
        guard !scoreboard.isEmpty else { return }
        let isOver =
            acknowledged == highestSent
            || scoreboard.recovery.phase == .watching && scoreboard.received == 0 && scoreboard.lost == 0
        if isOver { scoreboard.end() }
    }

    // MARK: Losses

    /// Time that data has to arrive after later data: a quarter of the shortest round trip, or more of them
    /// (`tcp_rack_reo_wnd`); for QUIC an eighth of a round trip (kTimeThreshold in RFC 9002 §6.1.2).
    private func patienceForReordered(_ rules: UnsafePointer<TCPRules>) -> TimeSpan {
        let smoothed = timer.estimator.smoothed
        let quarters = Int64(congestion.control?.pointee.reordering.quarters ?? 1)
        return min(timer.estimator.shortestRoundTrip / 4 * quarters, rules.pointee.isQUIC ? smoothed / 8 : smoothed)
    }

    /// Marks data as lost that was sent before data that has arrived, and begins the repair. Waits if the data may only
    /// be late. Data before a tail loss probe is older than that. Returns `true` if a loss was found.
    private mutating func findLoss(
        answersProbe: Bool, at now: Instant, _ rules: UnsafePointer<TCPRules>
    ) -> Bool {
        if congestion.control?.pointee.reordering.isSeen ?? false { return findLossPatiently(at: now, rules) }
        if scoreboard.recovery.phase == .watching && scoreboard.received < Self.reorderingThreshold && !answersProbe {
            if scoreboard.lost > 0 {
                beginRecovery(at: now, rules)
            } else if scoreboard.hasGapBeforeArrival {
                timer.waitForReordered(patienceForReordered(rules), at: now, rules)
            }
            return false
        }
        let (segments, includesRepeated, _) = scoreboard.markLost(at: now)
        beginRecoveryIfLost(includesRepeated: includesRepeated, at: now, rules)
        return segments > 0
    }

    /// As `findLoss` after packets have overtaken each other: all missing data has time to arrive.
    private mutating func findLossPatiently(at now: Instant, _ rules: UnsafePointer<TCPRules>) -> Bool {
        let (segments, includesRepeated, wait) = scoreboard.markLost(after: patienceForReordered(rules), at: now)
        beginRecoveryIfLost(includesRepeated: includesRepeated, at: now, rules)
        if wait > .zero { timer.waitForReordered(wait, at: now, rules) }
        return segments > 0
    }

    private mutating func beginRecoveryIfLost(
        includesRepeated: Bool, at now: Instant, _ rules: UnsafePointer<TCPRules>
    ) {
        let begins =
            scoreboard.recovery.phase == .watching
            ? scoreboard.lost > 0 : scoreboard.recovery.phase == .timedOut && includesRepeated
        if begins { beginRecovery(at: now, rules) }
    }

    /// Treats missing data as lost that has not arrived in the time that reordering takes, and repeats it at once: no
    /// other input causes a `flush` now.
    mutating func stopWaitingForReordered(
        at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets
    ) {
        timer.restart(at: now, inFlight: acknowledged < highestSent, allowsProbe: false, rules)
        guard !scoreboard.isEmpty else { return }
        let (segments, _, _) = scoreboard.markLost(at: now)
        guard segments > 0 else { return }
        if scoreboard.recovery.phase != .recovering {
            beginRecovery(at: now, rules)
            pace(delivered: 1, isAdvance: false, findsLoss: true, rules)
        }
        sendWithGaps(at: now, rules, &out)
    }

    /// Begins fast recovery.
    private mutating func beginRecovery(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        scoreboard.replaceRecovery(with: LossRecovery(recoveringUntil: highestSent, window: window))
        let thresholdBefore = threshold
        reduceThreshold(at: now)
        congestion.control?.pointee.reordering.beginRecovery(
            window: scoreboard.recovery.windowBefore, threshold: thresholdBefore)
        if rules.pointee.isQUIC { window = threshold }
    }

    /// Sets the window during fast recovery. A QUIC library need not spread the reduction over a round trip (RFC 9002
    /// §7.3.2).
    private mutating func pace(
        delivered: Int, isAdvance: Bool, findsLoss: Bool, _ rules: UnsafePointer<TCPRules>
    ) {
        guard delivered > 0, !rules.pointee.isQUIC else { return }
        let inFlight = scoreboard.inFlight
        let quota = scoreboard.recovery.quota(
            delivered: delivered, inFlight: inFlight, threshold: Int(threshold), isAdvance: isAdvance,
            findsLoss: findsLoss)
        window = UInt16(clamping: max(inFlight + quota, 1))
    }

    // MARK: Sending

    /// Sends while data is missing: first what is lost, then new data, as much as the window allows.
    mutating func sendWithGaps(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) {
        let segment = rules.pointee.segment
        if scoreboard.recovery.timeoutCheck == .probing {
            if sendNewWithGaps(at: now, rules, &out) { return }
            scoreboard.recovery.timeoutCheck = .none
        }
        while out.count + 1 < OutgoingPackets.capacity,
            let range = scoreboard.nextLost(
                limit: min(Int(window) - scoreboard.inFlight, Int(burstLimit(rules)) / Int(segment)), at: now,
                segment: segment)
        {
            send(.data, cause: .retransmit, from: range.lowerBound, upTo: range.upperBound, at: now, rules, &out)
            let segments = Scoreboard.segments(range.upperBound - range.lowerBound, segment)
            scoreboard.recovery.sent += Int(segments)
            scoreboard.recovery.repeatedAt = min(scoreboard.recovery.repeatedAt, now)
            if scoreboard.recovery.phase == .recovering {
                congestion.control?.pointee.reordering.recordRepeats(segments)
            }
            if range.lowerBound == acknowledged { timer.restart(at: now, inFlight: true, allowsProbe: false, rules) }
        }
        if scoreboard.lost == 0 { _ = sendNewWithGaps(at: now, rules, &out) }
    }

    /// Sends new data as the window allows. Returns `true` if there was any.
    private mutating func sendNewWithGaps(
        at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets
    ) -> Bool {
        let before = highestSent
        while highestSent < written, out.count + 1 < OutgoingPackets.capacity,
            let (cause, end) = queue.sendableRange(from: highestSent)
        {
            let quota = Int(window) - scoreboard.inFlight
            guard quota > 0 else { break }
            let limit = highestSent + min(UInt64(quota) * UInt64(rules.pointee.segment), burstLimit(rules))
            send(.data, cause: cause, from: highestSent, upTo: min(end, limit), at: now, rules, &out)
        }
        guard before < highestSent else { return false }
        scoreboard.recovery.sent += Int(Scoreboard.segments(highestSent - before, rules.pointee.segment))
        recordInFlight(at: now, rules)
        if timer.deadline == .never { timer.restart(at: now, inFlight: true, allowsProbe: false, rules) }
        return true
    }

    // MARK: Timeouts

    /// Retransmits after a timeout: everything in flight counts as lost, and one segment is sent. That segment combines
    /// small items.
    mutating func retransmitAfterTimeout(
        at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets
    ) {
        let segment = rules.pointee.segment
        scoreboard.begin(from: acknowledged, to: highestSent, at: now, segment: segment)
        let before = scoreboard.recovery
        var recovery = LossRecovery(phase: .timedOut, end: highestSent)
        let isNew =
            before.phase == .watching || before.end <= acknowledged || before.phase == .timedOut && timer.timeouts == 1
        if isNew {
            (recovery.windowBefore, recovery.thresholdBefore) = (window, threshold)
            reduceThreshold(at: now)
        } else {
            (recovery.windowBefore, recovery.thresholdBefore) = (before.windowBefore, before.thresholdBefore)
        }
        resetCongestion(at: now)
        congestion.control?.pointee.reordering.forgetRecovery()
        recovery.timeoutCheck = rules.pointee.kernel.detectsSpuriousTimeouts ? .waiting : .none
        scoreboard.markAllLost()
        scoreboard.recovery = recovery
        // QUIC does not take a single unanswered probe for a loss, but three of them for a lost path (RFC 9002 §7.6).
        if !rules.pointee.isQUIC { window = 1 } else if timer.timeouts >= 3 { window = 2 }
        mergeFirstBuffers(rules)
        guard let range = scoreboard.nextLost(limit: 1, at: now, segment: segment) else { return }
        send(.data, cause: .retransmit, from: range.lowerBound, upTo: range.upperBound, at: now, rules, &out)
    }

    /// Sends a tail loss probe: a segment of new data or, if there is none, the last segment again (RFC 8985 §7.3).
    mutating func sendTailProbe(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) {
        let segment = UInt64(rules.pointee.segment)
        if let (cause, end) = queue.sendableRange(from: highestSent) {
            recordTailProbe(isRepeated: false, at: now)
            return send(
                .data, cause: cause, from: highestSent, upTo: min(end, highestSent + segment), at: now, rules, &out)
        }
        let start = highestSent - min(segment, highestSent - acknowledged)
        send(.data, cause: .retransmit, from: start, upTo: highestSent, at: now, rules, &out)
        recordTailProbe(isRepeated: true, at: now)
    }
}
