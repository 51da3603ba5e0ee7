import DeadzoneBase
import Testing

@testable import DeadzoneTransport

/// The fast path for a packet that is the only one in flight.
@Suite struct SinglePacketTests {
    private let rules = TCPRules(framing: Framing(.webSocket, .tls13, .up))
    private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    private struct EndPair: ~Copyable {
        let sizes = MessageSizes(.constant(100), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var phone = TCPEnd()
        var server = TCPEnd()
    }

    /// Connects both ends at 80 ms, over a path of 40 ms.
    private func connect(_ pair: inout EndPair) {
        var out = OutgoingPackets()
        pair.phone.connect(at: .zero, rules, &out)
        pair.server.accept(out[0], at: at(40), rules, &out)
        let stands = pair.phone.established(by: out[1], at: at(80), rules)
        #expect(stands)
        for packet in flushed(&pair.phone, pair.sizes, at: at(80)) {
            _ = pair.server.receive(packet, at: at(120), rules, pair.sizes)
        }
    }

    private func flushed(_ end: inout TCPEnd, _ sizes: borrowing MessageSizes, at now: Instant) -> [Packet] {
        var out = OutgoingPackets()
        end.flush(at: now, rules, sizes, &out)
        return (0..<out.count).map { out[$0] }
    }

    /// Broken: a single message is never confirmed, or its timer keeps running afterwards. Or its frame range is
    /// dropped before the receiving program has read it, or kept after that. The program may read before or after the
    /// acknowledgement.
    @Test(arguments: [false, true])
    func oneMessageThereAndBack(readsFirst: Bool) throws {
        var pair = EndPair()
        connect(&pair)
        expectQuiet(pair.phone)
        for message in 0..<3 as Range<UInt32> {
            let now = at(1_000 * Int64(message + 1))
            pair.phone.offer(from: message, upTo: message + 1)
            let sent = flushed(&pair.phone, pair.sizes, at: now)
            let packet = try #require(sent.first)
            #expect(sent.count == 1 && packet.content == .data && packet.length == rules.framing.message(100))
            let deadline = pair.phone.deadline
            #expect(now < deadline && deadline < now + .seconds(1))
            let arrival = pair.server.receive(packet, at: now + .milliseconds(40), rules, pair.sizes)
            let confirmed = pair.phone.confirmed
            #expect(arrival.hasNewData && confirmed == message)
            if readsFirst {
                let read = pair.phone.take(upTo: pair.server.expected, rules, pair.sizes)
                #expect(read?.first == message && read?.last == message + 1)
            }
            let kept = pair.phone.queue.count
            #expect(kept == 1)
            for answer in flushed(&pair.server, pair.sizes, at: now + .milliseconds(40)) {
                let heard = pair.phone.receive(answer, at: now + .milliseconds(80), rules, pair.sizes)
                #expect(heard.confirmedMore)
            }
            expectQuiet(pair.phone)
            let (done, left) = (pair.phone.confirmed, pair.phone.queue.count)
            #expect(done == message + 1 && left == (readsFirst ? 0 : 1))
            let read = pair.phone.take(upTo: pair.server.expected, rules, pair.sizes)
            #expect(readsFirst ? read == nil : read?.first == message)
            let (end, trip) = (pair.phone.queue.count, pair.phone.timer.estimator.smoothed)
            #expect(end == 0 && trip == .milliseconds(80))
        }
    }

    /// Broken: a window that a timeout has reduced stays small for an end that sends one packet at a time.
    @Test func aReducedWindowGrowsAgain() throws {
        var pair = EndPair()
        connect(&pair)
        pair.phone.offer(from: 0, upTo: 1)
        _ = flushed(&pair.phone, pair.sizes, at: at(1_000))
        // A tail loss probe first, then a retransmission.
        var last: Packet?
        for _ in 0..<2 {
            var out = OutgoingPackets()
            let goesOn = pair.phone.expire(at: pair.phone.deadline, rules, &out)
            #expect(goesOn && out.count == 1)
            last = out[0]
        }
        let (repeated, cut) = (try #require(last), pair.phone.window)
        #expect(repeated.cause == .retransmit && cut == 1)
        let arrives = repeated.stamp + .milliseconds(40)
        _ = pair.server.receive(repeated, at: arrives, rules, pair.sizes)
        for answer in flushed(&pair.server, pair.sizes, at: arrives) {
            _ = pair.phone.receive(answer, at: arrives + .milliseconds(40), rules, pair.sizes)
        }
        let (window, confirmed) = (pair.phone.window, pair.phone.confirmed)
        #expect(window == 2 && confirmed == 1)
    }

    /// Broken: an acknowledgement of small packets, which are one frame range and less than a segment, never lets the
    /// window grow. Or the window grows although half of it was enough.
    @Test(arguments: [(5, false), (6, true)] as [(UInt32, Bool)])
    func aUsedWindowGrows(messages: UInt32, grows: Bool) {
        var pair = EndPair()
        connect(&pair)
        var sent = 0
        for message in 0..<messages {
            pair.phone.offer(from: message, upTo: message + 1)
            for packet in flushed(&pair.phone, pair.sizes, at: at(1_000)) {
                _ = pair.server.receive(packet, at: at(1_040), rules, pair.sizes)
                sent += 1
            }
        }
        let ranges = pair.phone.queue.count
        #expect(sent == Int(messages) && ranges == 1)
        for answer in flushed(&pair.server, pair.sizes, at: at(1_040)) {
            _ = pair.phone.receive(answer, at: at(1_080), rules, pair.sizes)
        }
        let (confirmed, window) = (pair.phone.confirmed, pair.phone.window)
        #expect(confirmed == messages && (window > 10) == grows, "\(window)")
    }

    private func expectQuiet(_ end: borrowing TCPEnd) {
        let (isAtRest, deadline, window, packets) = (end.isIdle, end.deadline, end.window, end.packetsOut)
        #expect(isAtRest && deadline == .never && window == 10 && packets == 0)
    }
}
