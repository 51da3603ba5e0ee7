import DeadzonePrimitives
@testable import DeadzoneTransport
import Testing

@Suite struct QUICTests {
    private func ms(_ count: Int64) -> TimeSpan { .milliseconds(count) }
    private func at(_ milliseconds: Int64) -> Instant { .zero + ms(milliseconds) }

    private let rules = TCPRules(kernel: .quic, framing: Framing(.http3, .tls13, .up), idle: .seconds(30))

    /// Broken: the first probe of a connection of which nothing is known: 333 + 4 · 166.5 = 999 ms, with 25 ms of acknowledgement
    /// delay after the handshake; then twice as long each, for ever.
    @Test func probesAtDoublingIntervals() {
        #expect(Kernel.quic.probeTimeout(inHandshake: true) == ms(999) && Kernel.quic.probeTimeout() == ms(1_024))
        var timer = RetryTimer()
        timer.arm(at: .zero, isLone: true, rules)
        var fired: [Int64] = []
        var goesOn = true
        for _ in 0..<6 {
            fired.append(timer.deadline.nanoseconds / 1_000_000)
            goesOn = timer.expire(at: timer.deadline, rules) == .repeat && goesOn
        }
        #expect(fired == [1_024, 3_072, 7_168, 15_360, 31_744, 64_512])
        for _ in 0..<20 { goesOn = timer.expire(at: timer.deadline, rules) == .repeat && goesOn }
        #expect(goesOn)
        timer.restart(at: .zero, inFlight: true, rules)
        #expect(timer.deadline == at(1_024) && timer.inVain == 0)
    }

    /// Broken: a library that waits as long as another.
    @Test(
        arguments: [
            (.standard, 999, 10_000), (.quicGo, 200, 5_000), (.aioquic, 200, 60_000), (.quiche, 999, 30_000),
        ] as [(QUICLibrary, Int64, Int64)])
    func librariesWait(library: QUICLibrary, first: Int64, limit: Int64) {
        let kernel = Kernel.quic(library)
        #expect(kernel.probeTimeout(inHandshake: true) == ms(first) && kernel.connectPatience == ms(limit))
    }

    /// Broken: what round trips teach. The figures of ns-3's `src/internet/test/rtt-test.cc`: (1000, 500), (1025, 425), and
    /// (1009.375, 350).
    @Test(
        arguments: [
            ([1_000], 1_000_000, 500_000), ([1_000, 1_200], 1_025_000, 425_000),
            ([1_000, 1_200, 900], 1_009_375, 350_000),
        ] as [([Int64], Int64, Int64)])
    func learnsTheRoundTrip(_ trips: [Int64], _ smoothed: Int64, _ variation: Int64) {
        var trip = RoundTrip()
        for sample in trips { trip.measure(ms(sample)) }
        #expect(Kernel.quic.probeTimeout(trip) == .microseconds(smoothed + 4 * variation) + ms(25))
    }

    /// Broken: a connection of a steady path probes at once: the least is a millisecond beside the round trip and the delay.
    @Test func knowsAFloor() {
        var trip = RoundTrip()
        for _ in 0..<200 { trip.measure(ms(40)) }
        #expect(ms(66) <= Kernel.quic.probeTimeout(trip) && Kernel.quic.probeTimeout(trip) <= ms(67))
    }

    /// Broken: Initials that nobody answers: again after 999 ms, doubled, and given up after 10 s.
    @Test func givesAHandshakeUp() {
        var end = TCPEnd()
        var out = Departures()
        end.connect(at: .zero, rules, &out)
        #expect(out.count == 1 && out[0].bytes == 1_228)
        var sent: [Int64] = []
        while true {
            let now = end.deadline
            var more = Departures()
            guard end.expire(at: now, rules, &more) else {
                #expect(now == at(10_000))
                break
            }
            sent.append(now.nanoseconds / 1_000_000)
        }
        #expect(sent == [999, 2_997, 6_993])
    }

    /// Broken: a connection that says nothing lives for ever, or one that sends into a black hole lives by its own probes.
    @Test(arguments: [false, true])
    func endsWhenIdle(_ isSending: Bool) {
        let sizes = MessageSizes(.constant(300), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var end = TCPEnd()
        var out = Departures()
        end.connect(at: .zero, rules, &out)
        let reply = Packet(.helloReply, cause: .connect, bytes: 1_228, stamp: at(50), answering: out[0])
        let isOpen = end.established(by: reply, at: at(100), rules)
        #expect(isOpen)
        var packets = 0
        if isSending {
            var more = Departures()
            end.offer(from: 0, upTo: 1)
            end.flush(at: at(10_000), rules, sizes, &more)
        }
        while true {
            let now = end.deadline
            var more = Departures()
            guard end.expire(at: now, rules, &more) else {
                #expect(now == at(isSending ? 40_000 : 30_100))
                break
            }
            packets += more.count
        }
        #expect(packets == (isSending ? 6 : 0))
    }

    /// Broken: an end that goes on with the window and the round trip of another path, or loses what was in flight there.
    @Test func sendsAgainOnAnotherPath() {
        let sizes = MessageSizes(.constant(300), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var end = TCPEnd()
        var out = Departures()
        end.connect(at: .zero, rules, &out)
        let reply = Packet(.helloReply, cause: .connect, bytes: 1_228, stamp: at(20), answering: out[0])
        _ = end.established(by: reply, at: at(40), rules)
        out = Departures()
        end.offer(from: 0, upTo: 2)
        end.flush(at: at(40), rules, sizes, &out)
        end.move(isProven: true)
        var again = Departures()
        end.flush(at: at(60), rules, sizes, &again)
        #expect(again.count == 1 && again[0].cause == .retransmit && again[0].offset == 0)
        #expect(end.timer.deadline == at(60 + 1_024))
    }

    struct Idle: Sendable {
        var own: Int64?
        var peer: Int64?
        var limit: Int64?
    }

    /// Broken: which of the two limits holds (RFC 9000 §10.1). Zero is none.
    @Test(
        arguments: [
            Idle(own: 30, peer: 60, limit: 30), Idle(own: 60, peer: 30, limit: 30), Idle(own: nil, peer: 30, limit: 30),
            Idle(own: 0, peer: 30, limit: 30), Idle(own: nil, peer: nil, limit: nil), Idle(own: 0, peer: 0, limit: nil),
        ])
    func takesTheSmallerIdleLimit(_ row: Idle) {
        let timer = QUICIdleTimer(row.own.map(TimeSpan.seconds), row.peer.map(TimeSpan.seconds))
        #expect(timer.limit == row.limit.map(TimeSpan.seconds))
        var used = timer
        used.received(at: .zero, probeTimeout: ms(100))
        #expect(used.deadline == (row.limit.map { .zero + .seconds($0) } ?? .never))
    }

    /// Broken: sending into nothing keeps a connection alive, or a slow path is cut off within three probe timeouts.
    @Test func countsIdleFromTheFirstSendAfterAnArrival() {
        var timer = QUICIdleTimer(.seconds(30), nil)
        timer.received(at: .zero, probeTimeout: ms(100))
        timer.sent(at: at(10_000), probeTimeout: ms(100))
        #expect(timer.deadline == at(40_000))
        timer.sent(at: at(20_000), probeTimeout: ms(100))
        #expect(timer.deadline == at(40_000))
        timer.received(at: at(21_000), probeTimeout: ms(100))
        #expect(timer.deadline == at(51_000))
        timer.sent(at: at(22_000), probeTimeout: .seconds(15))
        #expect(timer.deadline == at(22_000 + 45_000))
    }

    /// Broken: a path that is trusted unproven, or never given up: three times the larger probe timeout, at least 3.072 s.
    @Test func validatesAPath() {
        var path = QUICPath()
        #expect(path.state == .validated && path.allowance == .max)
        path.validate(at: .zero, probeTimeout: ms(100))
        #expect(path.deadline == at(3_072) && path.repeatAt == at(1_024))
        let goesOn = path.expire(at: path.repeatAt)
        #expect(goesOn && path.repeatAt == at(1_024 + 2_048))
        let proofs = [path.respond(to: 9), path.respond(to: 1)]
        #expect(proofs == [false, true])
        #expect(path.state == .validated && path.deadline == .never && path.repeatAt == .never)
        path.validate(at: at(5_000), probeTimeout: .seconds(2))
        #expect(path.deadline == at(11_000))
        let late = [path.respond(to: 1), path.expire(at: path.deadline)]
        #expect(late == [false, false] && path.state == .failed)
    }

    /// Broken: a server that sends more than three times what an unproven address has sent.
    @Test func amplifiesThreefoldAtMost() {
        var path = QUICPath()
        path.validate(at: .zero, probeTimeout: ms(100))
        #expect(path.allowance == 0)
        path.receive(bytes: 1_200)
        #expect(path.allowance == 3_600)
        path.send(bytes: 3_000)
        path.receive(bytes: 100)
        #expect(path.allowance == 900)
        path.send(bytes: 2_000)
        #expect(path.allowance == 0)
        let isProven = path.respond(to: 1)
        #expect(isProven && path.allowance == .max)
    }

    /// Broken: moving without an ID to move with (RFC 9000 §9.5).
    @Test func movesOnlyWithASpareID() {
        var spare = QUICSpareIDs()
        var none = QUICSpareIDs(activeLimit: 1)
        let first = [spare.take(), spare.take(), none.take()]
        spare.add()
        let second = spare.take()
        #expect(first == [true, false, false] && second)
    }

    /// Broken: bytes and round trips of setting up: one before the request, none with early data, Initials padded to 1,200 B, and
    /// no answer larger than three times what asked for it.
    @Test(
        arguments: [(.tls13, 0, 1_228, 3_619), (.tls13Resumed, 0, 1_228, 1_228), (.tls13Early, 0, 1_228, 1_228)]
            as [(Framing.Security, UInt32, UInt32, UInt32)])
    func setsUpInOneRoundTripOrNone(_ security: Framing.Security, _ awaited: UInt32, _ up: UInt32, _ down: UInt32) {
        let rules = TCPRules(kernel: .quic, framing: Framing(.http3, security, .up))
        let setup = Setup(.http3, security, isResuming: false)
        var end = TCPEnd()
        var out = Departures()
        end.connect(at: .zero, rules, &out)
        #expect(setup.awaited == awaited && rules.isEarly == (security == .tls13Early))
        #expect(out.count == (rules.isEarly ? 0 : 1) && (end.phase == .open) == rules.isEarly)
        #expect(QUICWire.initial == up && QUICWire.answer(security) == down && down <= 3 * up)
        if rules.isEarly { #expect(setup.flight(0).up >= 1_200) }
        #expect(QUICWire.packet == 55 && QUICWire.ping == 56)
    }
}
