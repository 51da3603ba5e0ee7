import DeadzonePrimitives
@testable import DeadzoneTransport
import Testing

/// An end whose first segment is not acknowledged, as far as its first timeout and what it does of it.
private struct Doubter: ~Copyable {
    let rules = TCPRules(framing: Framing(.webSocket, .none, .up))
    let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .test))
    var end = TCPEnd()
    var now = Instant.zero + .milliseconds(50)

    /// - Parameter track: Messages join each other; calls are runs of their own.
    init(_ segments: UInt32, of track: Track) {
        var out = Departures()
        end.connect(at: .zero, rules, &out)
        _ = end.established(
            by: Packet(.helloReply, cause: .connect, bytes: 60, stamp: now, answering: out[0]), at: now, rules)
        for item in 0..<segments {
            // Calls that do not follow each other.
            let isTaken = end.write(track, track == .call ? 2 * item : item, bytes: 1_448, cause: .payload, rules)
            #expect(isTaken)
            var more = Departures()
            end.flush(at: now, rules, sizes, &more)
        }
    }

    mutating func loseTheFirst() {
        var repeated = Departures()
        while !(0..<repeated.count).contains(where: { repeated[$0].cause == .retransmit && repeated[$0].offset == 0 }) {
            now = end.deadline
            repeated = Departures()
            _ = end.expire(at: now, rules, &repeated)
        }
    }

    /// What it sends once the other end has so many segments, and answers what left then.
    mutating func acknowledge(_ segments: UInt64, _ echo: Instant) -> [Packet] {
        now += .milliseconds(50)
        var ack = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: now)
        (ack.received, ack.echo) = (segments * 1_448, echo)
        var out = Departures()
        _ = end.receive(ack, at: now, rules, sizes)
        end.flush(at: now, rules, sizes, &out)
        return (0..<out.count).map { out[$0] }
    }
}

/// Whether a timeout was right (RFC 5682).
@Suite struct DoubtTests {
    /// Broken: a timeout that is held to be right whatever came of it. The first segment is lost, the others are late: one is repeated,
    /// and none of the others.
    @Test func aDelayThatLooksLikeALossIsUndone() {
        var doubter = Doubter(14, of: .message)
        doubter.loseTheFirst()
        let fresh = doubter.acknowledge(1, doubter.now)
        #expect(!fresh.isEmpty && fresh.allSatisfy { $0.cause == .payload }, "\(fresh.map(\.offset))")
        let after = doubter.acknowledge(3, doubter.now)
        #expect(after.allSatisfy { $0.cause == .payload }, "\(after.map(\.offset))")
        #expect(doubter.end.doubt == .none && doubter.end.window >= TCPEnd.firstWindow)
    }

    /// Broken: a peer that is said not to read while segments are on their way that were sent only to ask. It reads; it is the path that
    /// has lost something.
    @Test func whoAsksIsNotHeldBack() {
        var doubter = Doubter(14, of: .message)
        doubter.loseTheFirst()
        _ = doubter.acknowledge(1, doubter.now)
        let (doubt, isHeldBack, isBehind) = (
            doubter.end.doubt, doubter.end.isHeldBack, doubter.end.highest < doubter.end.written
        )
        #expect(doubt == .asking && isBehind && !isHeldBack)
    }

    /// Broken: an end that wants to ask by something new, cannot, and does nothing for ever. As many calls as may be under way at once, and
    /// one that waits for them: what was lost is repeated at once.
    @Test func whoCannotAskRepeats() {
        var doubter = Doubter(UInt32(RunQueue.sentLimit) + 1, of: .call)
        let reached = doubter.end.highest
        #expect(reached == UInt64(RunQueue.sentLimit) * 1_448 && reached < doubter.end.written)
        doubter.loseTheFirst()
        // A part of the first call: none is done with, so nothing new may leave.
        doubter.now += .milliseconds(50)
        var ack = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: doubter.now)
        (ack.received, ack.echo) = (1_000, doubter.now)
        _ = doubter.end.receive(ack, at: doubter.now, doubter.rules, doubter.sizes)
        #expect(doubter.end.doubt == .asking)
        var out = Departures()
        doubter.end.flush(at: doubter.now, doubter.rules, doubter.sizes, &out)
        let isRepeated = out.count > 0 && out[0].cause == .retransmit && out[0].offset == 1_000
        #expect(isRepeated && doubter.end.doubt == .none, "\(out.count) packets")
        var time = doubter.now
        for _ in 0..<20 where doubter.end.hasUnacknowledged {
            time += .milliseconds(10)
            var more = Departures()
            doubter.end.flush(at: time, doubter.rules, doubter.sizes, &more)
        }
        // To look again puts no timeout off.
        #expect(doubter.end.deadline < doubter.now + .seconds(2))
    }
}
