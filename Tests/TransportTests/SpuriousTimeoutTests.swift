import DeadzoneBase
import Testing
@testable import DeadzoneTransport

/// An end with an unacknowledged first segment, up to its first timeout and the reaction to it.
private struct TimedOutEnd: ~Copyable {
    let rules = TCPRules(framing: Framing(.webSocket, .none, .up))
    let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .test))
    var end = TCPEnd()
    var now = Instant.zero + .milliseconds(50)

    /// - Parameter track: Messages are merged into one range; each call is a range of its own.
    init(_ segments: UInt32, of track: FrameKind, bytes: UInt32 = 1_448) {
        var out = OutgoingPackets()
        end.connect(at: .zero, rules, &out)
        _ = end.established(
            by: Packet(.helloReply, cause: .connect, bytes: 60, stamp: now, answering: out[0]), at: now, rules)
        for item in 0..<segments {
            // Call numbers are not consecutive.
            let isTaken = end.write(track, track == .call ? 2 * item : item, bytes: bytes, cause: .payload, rules)
            #expect(isTaken)
            var more = OutgoingPackets()
            end.flush(at: now, rules, sizes, &more)
        }
    }

    mutating func loseFirstSegment() {
        var repeated = OutgoingPackets()
        while !(0..<repeated.count).contains(where: { repeated[$0].cause == .retransmit && repeated[$0].offset == 0 }) {
            now = end.deadline
            repeated = OutgoingPackets()
            _ = end.expire(at: now, rules, &repeated)
        }
    }

    /// Packets that the end sends after an acknowledgement of `segments` segments. `echo` is the time stamp that the
    /// acknowledgement answers.
    mutating func acknowledge(_ segments: UInt64, _ echo: Instant) -> [Packet] {
        now += .milliseconds(50)
        var ack = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: now)
        (ack.received, ack.echo) = (segments * 1_448, echo)
        var out = OutgoingPackets()
        _ = end.receive(ack, at: now, rules, sizes)
        end.flush(at: now, rules, sizes, &out)
        return (0..<out.count).map { out[$0] }
    }
}

/// Detection of spurious timeouts (RFC 5682).
@Suite struct SpuriousTimeoutTests {
    /// Broken: a timeout counts as right in all cases. The first segment is lost, the others are only late: one is
    /// retransmitted, and none of the others.
    @Test func aDelayThatLooksLikeALossIsUndone() {
        var sender = TimedOutEnd(14, of: .message)
        sender.loseFirstSegment()
        let fresh = sender.acknowledge(1, sender.now)
        #expect(!fresh.isEmpty && fresh.allSatisfy { $0.cause == .payload }, "\(fresh.map(\.offset))")
        let after = sender.acknowledge(3, sender.now)
        #expect(after.allSatisfy { $0.cause == .payload }, "\(after.map(\.offset))")
        #expect(sender.end.scoreboard.recovery.timeoutCheck == .none && sender.end.window >= TCPEnd.firstWindow)
    }

    /// Broken: the receiver counts as not reading while probe segments are in flight. It does read; the path has lost
    /// a segment.
    @Test func probingIsNotBlockedByTheReceiver() {
        var sender = TimedOutEnd(14, of: .message)
        sender.loseFirstSegment()
        _ = sender.acknowledge(1, sender.now)
        let (doubt, isHeldBack, isBehind) = (
            sender.end.scoreboard.recovery.timeoutCheck, sender.end.isBlockedByReceiver,
            sender.end.highestSent < sender.end.written
        )
        #expect(doubt == .probing && isBehind && !isHeldBack)
    }

    /// Broken: an end that should probe with new data, but has none that it may send, waits for ever. As many calls
    /// are in flight as may be at once, and one more waits: the lost segment is retransmitted at once.
    @Test func retransmitsIfItCannotProbe() {
        var sender = TimedOutEnd(UInt32(FrameQueue.sentLimit) + 1, of: .call, bytes: 2_000)
        let reached = sender.end.highestSent
        #expect(reached == UInt64(FrameQueue.sentLimit) * 2_000 && reached < sender.end.written)
        sender.loseFirstSegment()
        // Part of the first call: no call is complete, so no new data may be sent.
        sender.now += .milliseconds(50)
        var ack = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: sender.now)
        (ack.received, ack.echo) = (1_448, sender.now)
        _ = sender.end.receive(ack, at: sender.now, sender.rules, sender.sizes)
        #expect(sender.end.scoreboard.recovery.timeoutCheck == .probing)
        var out = OutgoingPackets()
        sender.end.flush(at: sender.now, sender.rules, sender.sizes, &out)
        let isRepeated = out.count > 0 && out[0].cause == .retransmit && out[0].offset == 1_448
        #expect(isRepeated && sender.end.scoreboard.recovery.timeoutCheck == .none, "\(out.count) packets")
        var time = sender.now
        for _ in 0..<20 where sender.end.hasUnacknowledged {
            time += .milliseconds(10)
            var more = OutgoingPackets()
            sender.end.flush(at: time, sender.rules, sender.sizes, &more)
        }
        // Repeated flushes do not postpone the timeout.
        #expect(sender.end.deadline < sender.now + .seconds(2))
    }
}
