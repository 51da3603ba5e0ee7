import DeadzonePrimitives
@testable import DeadzoneTransport
import Testing

/// What holds of every timeout, whatever the round trip.
@Suite struct TimeoutTests {
    /// Broken: the patience of a kernel is another one. It looks only when a repeat is due, and those come two minutes apart in the end: it
    /// gives up at the first that comes when its patience is over, counted from the first repeat that is no probe.
    @Test(arguments: [1, 20, 60, 100, 130, 170, 250, 400, 700] as [Int64])
    func givesUpAtTheFirstRepeatBeyondItsPatience(roundTrip: Int64) throws {
        let rules = TCPRules(
            kernel: .linux(.before48, hertz: 1_000), framing: Framing(.webSocket, .none, .up), userTimeout: nil)
        let played = Script("0.000 connect\n0.000 answer \(roundTrip)\n1.000 write 100\n").play(rules)
        func times(_ what: String) -> [Double] {
            played.filter { $0.hasSuffix(what) }.compactMap { Double($0.prefix { $0 != " " }) }
        }
        let repeats = times("> repeat")
        let (last, end) = (try #require(repeats.last), try #require(times("fail").first))
        // The first is a tail loss probe.
        #expect(last - repeats[1] < 924.6 && 924.6 <= end - repeats[1], "\(played)")
    }

    /// Broken: what is new leaves beside what is repeated, before anybody has answered; or it does not leave after that.
    @Test(arguments: [Kernel.linux, .xnu, .quic], [1, 3] as [UInt32])
    func nothingNewLeavesUntilARepeatIsAnswered(kernel: Kernel, segments: UInt32) {
        let framing = kernel.family == .quic ? Framing(.http3, .tls13, .up) : Framing(.webSocket, .none, .up)
        let rules = TCPRules(kernel: kernel, framing: framing)
        let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var end = TCPEnd()
        var out = Departures()
        var now = Instant.zero + .milliseconds(50)
        end.connect(at: .zero, rules, &out)
        let reply = Packet(.helloReply, cause: .connect, bytes: 60, stamp: now, answering: out[0])
        var isTaken = end.established(by: reply, at: now, rules)
        isTaken = end.write(.control, 0, bytes: segments * rules.segment, cause: .payload, rules) && isTaken
        var flight = Departures()
        end.flush(at: now, rules, sizes, &flight)
        let sent = end.highest
        for item in 1..<5 as Range<UInt32> {
            while end.timer.inVain < item {
                now = end.deadline
                var more = Departures()
                isTaken = end.expire(at: now, rules, &more) && isTaken
            }
            isTaken = end.write(.control, item, bytes: 100, cause: .payload, rules) && isTaken
            var more = Departures()
            end.flush(at: now, rules, sizes, &more)
            let left = (0..<more.count).filter { more[$0].length > 0 }.count
            #expect(left == 0, "after \(item) timeouts")
        }
        var answer = Packet(.acknowledgement, cause: .ack, bytes: 52, stamp: now + .milliseconds(50))
        answer.received = sent
        _ = end.receive(answer, at: now + .milliseconds(50), rules, sizes)
        var more = Departures()
        end.flush(at: now + .milliseconds(50), rules, sizes, &more)
        let news = (0..<more.count).filter { sent <= more[$0].offset && more[$0].length > 0 }.count
        #expect(isTaken && news > 0)
    }

    /// Broken: the round trip is measured by what came last, not by what waited longest (RFC 7323 §4.3).
    @Test(arguments: [1, 2, 3, 7])
    func anAnswerToSeveralEchoesTheFirst(count: Int) {
        let rules = TCPRules(framing: Framing(.webSocket, .none, .up))
        let sizes = MessageSizes(.constant(0), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var end = TCPEnd()
        var out = Departures()
        end.connect(at: .zero, rules, &out)
        let reply = Packet(.helloReply, cause: .connect, bytes: 60, stamp: .zero, answering: out[0])
        let isOpen = end.established(by: reply, at: .zero + .milliseconds(1), rules)
        var first = Departures()
        end.flush(at: .zero + .milliseconds(1), rules, sizes, &first)
        let now = Instant.zero + .seconds(1)
        for index in 0..<count {
            var data = Packet(.data, cause: .payload, bytes: 62, stamp: .zero + .milliseconds(Int64(900 + index)))
            (data.offset, data.length) = (UInt64(10 * index), 10)
            _ = end.receive(data, at: now, rules, sizes)
        }
        var answer = Departures()
        end.flush(at: now, rules, sizes, &answer)
        #expect(isOpen && answer.count == 1 && answer[0].echo == .zero + .milliseconds(900))
        #expect(answer[0].received == UInt64(10 * count))
    }
}
