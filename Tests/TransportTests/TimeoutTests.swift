import DeadzoneBase
import Testing
@testable import DeadzoneTransport

/// Properties of every timeout, for any round trip.
@Suite struct TimeoutTests {
    /// Broken: the kernel's time limit differs. The kernel checks it only when a retransmission is due, and these are
    /// two minutes apart in the end. It gives up at the first one after the limit, counted from the first
    /// retransmission that is not a probe.
    @Test(arguments: [1, 20, 60, 100, 130, 170, 250, 400, 700] as [Int64])
    func givesUpAtTheFirstRetransmissionAfterItsLimit(roundTrip: Int64) throws {
        let rules = TCPRules(
            kernel: .linux(.before48, hertz: 1_000), framing: Framing(.webSocket, .none, .up), userTimeout: nil)
        let played = TimelineScript("0.000 connect\n0.000 answer \(roundTrip)\n1.000 write 100\n").play(rules)
        func times(_ what: String) -> [Double] {
            played.filter { $0.hasSuffix(what) }.compactMap { Double($0.prefix { $0 != " " }) }
        }
        let repeats = times("> repeat")
        let (last, end) = (try #require(repeats.last), try #require(times("fail").first))
        // The first one is a tail loss probe.
        #expect(last - repeats[1] < 924.6 && 924.6 <= end - repeats[1], "\(played)")
    }

    /// Broken: new data is sent along with retransmissions before any acknowledgement, or is not sent after one.
    @Test(arguments: [Kernel.linux, .xnu, .quic], [1, 3] as [UInt32])
    func nothingNewLeavesUntilARepeatIsAnswered(kernel: Kernel, segments: UInt32) {
        let framing = kernel.family == .quic ? Framing(.http3, .tls13, .up) : Framing(.webSocket, .none, .up)
        let rules = TCPRules(kernel: kernel, framing: framing)
        let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var end = TCPEnd()
        var out = OutgoingPackets()
        var now = Instant.zero + .milliseconds(50)
        end.connect(at: .zero, rules, &out)
        let reply = Packet(.helloReply, cause: .connect, bytes: 60, stamp: now, answering: out[0])
        var isTaken = end.established(by: reply, at: now, rules)
        isTaken = end.write(.control, 0, bytes: segments * rules.segment, cause: .payload, rules) && isTaken
        var flight = OutgoingPackets()
        end.flush(at: now, rules, sizes, &flight)
        let sent = end.highestSent
        for item in 1..<5 as Range<UInt32> {
            while end.timer.timeouts < item {
                now = end.deadline
                var more = OutgoingPackets()
                isTaken = end.expire(at: now, rules, &more) && isTaken
            }
            isTaken = end.write(.control, item, bytes: 100, cause: .payload, rules) && isTaken
            var more = OutgoingPackets()
            end.flush(at: now, rules, sizes, &more)
            let left = (0..<more.count).filter { more[$0].length > 0 }.count
            #expect(left == 0, "after \(item) timeouts")
        }
        var answer = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: now + .milliseconds(50))
        answer.received = sent
        _ = end.receive(answer, at: now + .milliseconds(50), rules, sizes)
        var more = OutgoingPackets()
        end.flush(at: now + .milliseconds(50), rules, sizes, &more)
        let news = (0..<more.count).filter { sent <= more[$0].offset && more[$0].length > 0 }.count
        #expect(isTaken && news > 0)
    }

    /// Broken: the time stamp echo is that of the last packet, not that of the one that waited longest (RFC 7323
    /// §4.3).
    @Test(arguments: [1, 2, 3, 7])
    func anAnswerToSeveralEchoesTheFirst(count: Int) {
        let rules = TCPRules(framing: Framing(.webSocket, .none, .up))
        let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var end = TCPEnd()
        var out = OutgoingPackets()
        end.connect(at: .zero, rules, &out)
        let reply = Packet(.helloReply, cause: .connect, bytes: 60, stamp: .zero, answering: out[0])
        let isOpen = end.established(by: reply, at: .zero + .milliseconds(1), rules)
        var first = OutgoingPackets()
        end.flush(at: .zero + .milliseconds(1), rules, sizes, &first)
        let now = Instant.zero + .seconds(1)
        for index in 0..<count {
            var data = Packet(.data, cause: .payload, bytes: 62, stamp: .zero + .milliseconds(Int64(900 + index)))
            (data.offset, data.length) = (UInt64(10 * index), 10)
            _ = end.receive(data, at: now, rules, sizes)
        }
        var answer = OutgoingPackets()
        end.flush(at: now, rules, sizes, &answer)
        #expect(isOpen && answer.count == 1 && answer[0].echo == .zero + .milliseconds(900))
        #expect(answer[0].received == UInt64(10 * count))
    }
}
