import DeadzoneBase
import Testing
@testable import DeadzoneTransport

@Suite struct QUICTests {
    private func ms(_ count: Int64) -> TimeSpan { .milliseconds(count) }
    private func at(_ milliseconds: Int64) -> Instant { .zero + ms(milliseconds) }

    private let rules = TCPRules(kernel: .quic, framing: Framing(.http3, .tls13, .up), idle: .seconds(30))

    /// Broken: the first probe of a connection without a measured round trip. It is sent after 333 + 4 · 166.5 = 999
    /// ms, with 25 ms of acknowledgement delay after the handshake. Then each interval is twice as long, without a
    /// limit.
    @Test func probesAtDoublingIntervals() {
        #expect(Kernel.quic.probeTimeout(inHandshake: true) == ms(999) && Kernel.quic.probeTimeout() == ms(1_024))
        var timer = RetransmissionTimer()
        timer.arm(at: .zero, isSingleSegment: true, rules)
        var fired: [Int64] = []
        var goesOn = true
        for _ in 0..<6 {
            fired.append(timer.deadline.nanoseconds / 1_000_000)
            goesOn = timer.expire(at: timer.deadline, rules) == .retransmit && goesOn
        }
        #expect(fired == [1_024, 3_072, 7_168, 15_360, 31_744, 64_512])
        for _ in 0..<20 { goesOn = timer.expire(at: timer.deadline, rules) == .retransmit && goesOn }
        #expect(goesOn)
        timer.restart(at: .zero, inFlight: true, rules)
        #expect(timer.deadline == at(1_024) && timer.timeouts == 0)
    }

    /// Broken: a library uses the timeouts of another one.
    @Test(
        arguments: [
            (.standard, 999, 10_000), (.quicGo, 200, 5_000), (.aioquic, 200, 60_000), (.quiche, 999, 30_000),
        ] as [(QUICLibrary, Int64, Int64)])
    func librariesHaveTheirTimeouts(library: QUICLibrary, first: Int64, limit: Int64) {
        let kernel = Kernel.quic(library)
        #expect(kernel.probeTimeout(inHandshake: true) == ms(first) && kernel.connectTimeout == ms(limit))
    }

    /// Broken: the round trip estimate. The values are from ns-3's `src/internet/test/rtt-test.cc`: (1000, 500),
    /// (1025, 425), and (1009.375, 350).
    @Test(
        arguments: [
            ([1_000], 1_000_000, 500_000), ([1_000, 1_200], 1_025_000, 425_000),
            ([1_000, 1_200, 900], 1_009_375, 350_000),
        ] as [([Int64], Int64, Int64)])
    func learnsTheRoundTrip(_ trips: [Int64], _ smoothed: Int64, _ variation: Int64) {
        var trip = RoundTripEstimator()
        for sample in trips { trip.measure(ms(sample)) }
        #expect(Kernel.quic.probeTimeout(trip) == .microseconds(smoothed + 4 * variation) + ms(25))
    }

    /// Broken: a connection on a steady path probes at once. The minimum is a millisecond besides the round trip and
    /// the acknowledgement delay.
    @Test func hasAMinimumTimeout() {
        var trip = RoundTripEstimator()
        for _ in 0..<200 { trip.measure(ms(40)) }
        #expect(ms(66) <= Kernel.quic.probeTimeout(trip) && Kernel.quic.probeTimeout(trip) <= ms(67))
    }

    /// Broken: unanswered Initials are not retransmitted after 999 ms with doubling, or not given up after 10 s.
    @Test func abandonsAHandshake() {
        var end = TCPEnd()
        var out = OutgoingPackets()
        end.connect(at: .zero, rules, &out)
        #expect(out.count == 1 && out[0].bytes == 1_228)
        var sent: [Int64] = []
        while true {
            let now = end.deadline
            var more = OutgoingPackets()
            guard end.expire(at: now, rules, &more) else {
                #expect(now == at(10_000))
                break
            }
            sent.append(now.nanoseconds / 1_000_000)
        }
        #expect(sent == [999, 2_997, 6_993])
    }

    /// Broken: a connection without traffic never ends, or one that sends into a black hole is kept alive by its own
    /// probes.
    @Test(arguments: [false, true])
    func endsWhenIdle(_ isSending: Bool) {
        let sizes = MessageSizes(.constant(300), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var end = TCPEnd()
        var out = OutgoingPackets()
        end.connect(at: .zero, rules, &out)
        let reply = Packet(.helloReply, cause: .connect, bytes: 1_228, stamp: at(50), answering: out[0])
        let isOpen = end.established(by: reply, at: at(100), rules)
        #expect(isOpen)
        var packets = 0
        if isSending {
            var more = OutgoingPackets()
            end.offer(from: 0, upTo: 1)
            end.flush(at: at(10_000), rules, sizes, &more)
        }
        while true {
            let now = end.deadline
            var more = OutgoingPackets()
            guard end.expire(at: now, rules, &more) else {
                #expect(now == at(isSending ? 40_000 : 30_100))
                break
            }
            packets += more.count
        }
        #expect(packets == (isSending ? 6 : 0))
    }

    /// Broken: an end keeps the window and the round trip of the old path, or loses the data that was in flight
    /// there.
    @Test func sendsAgainOnAnotherPath() {
        let sizes = MessageSizes(.constant(300), dice: Dice(seed: 1, phone: PhoneID(0), purpose: .sizeUp))
        var end = TCPEnd()
        var out = OutgoingPackets()
        end.connect(at: .zero, rules, &out)
        let reply = Packet(.helloReply, cause: .connect, bytes: 1_228, stamp: at(20), answering: out[0])
        _ = end.established(by: reply, at: at(40), rules)
        out = OutgoingPackets()
        end.offer(from: 0, upTo: 2)
        end.flush(at: at(40), rules, sizes, &out)
        withUnsafePointer(to: rules) { end.changePath(isProven: true, at: at(50), $0) }
        var again = OutgoingPackets()
        end.flush(at: at(60), rules, sizes, &again)
        #expect(again.count == 1 && again[0].cause == .retransmit && again[0].offset == 0)
        #expect(end.timer.deadline == at(60 + 1_024))
    }

    struct IdleLimits: Sendable {
        var own: Int64?
        var peer: Int64?
        var limit: Int64?
    }

    /// Broken: the wrong one of the two idle limits applies (RFC 9000 §10.1). Zero means no limit.
    @Test(
        arguments: [
            IdleLimits(own: 30, peer: 60, limit: 30), IdleLimits(own: 60, peer: 30, limit: 30),
            IdleLimits(own: nil, peer: 30, limit: 30),
            IdleLimits(own: 0, peer: 30, limit: 30), IdleLimits(own: nil, peer: nil, limit: nil),
            IdleLimits(own: 0, peer: 0, limit: nil),
        ])
    func usesTheSmallerIdleLimit(_ row: IdleLimits) {
        let timer = QUICIdleTimer(row.own.map(TimeSpan.seconds), row.peer.map(TimeSpan.seconds))
        #expect(timer.limit == row.limit.map(TimeSpan.seconds))
        var used = timer
        used.received(at: .zero, probeTimeout: ms(100))
        #expect(used.deadline == (row.limit.map { .zero + .seconds($0) } ?? .never))
    }

    /// Broken: unanswered packets keep a connection alive, or a slow path is cut off within three probe timeouts.
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

    /// Broken: a path is trusted without validation, or its validation never ends. The limit is three times the
    /// larger probe timeout, at least 3.072 s.
    @Test func validatesAPath() {
        var path = QUICPath()
        #expect(path.state == .validated && path.allowance == .max)
        path.validate(at: .zero, probeTimeout: ms(100))
        #expect(path.deadline == at(3_072) && path.repeatAt == at(1_024))
        let goesOn = path.expire(at: path.repeatAt)
        #expect(goesOn && path.repeatAt == at(1_024 + 2_048))
        let proofs = [path.acceptResponse(to: 9), path.acceptResponse(to: 1)]
        #expect(proofs == [false, true])
        #expect(path.state == .validated && path.deadline == .never && path.repeatAt == .never)
        path.validate(at: at(5_000), probeTimeout: .seconds(2))
        #expect(path.deadline == at(11_000))
        let late = [path.acceptResponse(to: 1), path.expire(at: path.deadline)]
        #expect(late == [false, false] && path.state == .failed)
    }

    /// Broken: a server sends more than three times the bytes that it received from an unvalidated address.
    @Test func amplifiesThreefoldAtMost() {
        var path = QUICPath()
        path.validate(at: .zero, probeTimeout: ms(100))
        #expect(path.allowance == 0)
        path.countReceived(bytes: 1_200)
        #expect(path.allowance == 3_600)
        path.countSent(bytes: 3_000)
        path.countReceived(bytes: 100)
        #expect(path.allowance == 900)
        path.countSent(bytes: 2_000)
        #expect(path.allowance == 0)
        let isProven = path.acceptResponse(to: 1)
        #expect(isProven && path.allowance == .max)
    }

    /// Broken: a connection migrates without a spare connection ID (RFC 9000 §9.5).
    @Test func migratesOnlyWithASpareID() {
        var spare = QUICSpareIDs()
        var none = QUICSpareIDs(activeLimit: 1)
        let first = [spare.takeOne(), spare.takeOne(), none.takeOne()]
        spare.add()
        let second = spare.takeOne()
        #expect(first == [true, false, false] && second)
    }

    /// Broken: bytes and round trips of the setup. It takes one round trip before the request, none with early data.
    /// Initials are padded to 1,200 B, and no answer is larger than three times its request.
    @Test(
        arguments: [(.tls13, 0, 1_228, 3_619), (.tls13Resumed, 0, 1_228, 1_228), (.tls13Early, 0, 1_228, 1_228)]
            as [(Framing.TLSVariant, UInt32, UInt32, UInt32)])
    func setsUpInOneRoundTripOrNone(_ security: Framing.TLSVariant, _ awaited: UInt32, _ up: UInt32, _ down: UInt32) {
        let rules = TCPRules(kernel: .quic, framing: Framing(.http3, security, .up))
        let setup = ConnectionSetup(.http3, security, isResuming: false)
        var end = TCPEnd()
        var out = OutgoingPackets()
        end.connect(at: .zero, rules, &out)
        #expect(setup.awaitedFlights == awaited && rules.isEarly == (security == .tls13Early))
        #expect(out.count == (rules.isEarly ? 0 : 1) && (end.phase == .open) == rules.isEarly)
        #expect(QUICWire.initial == up && QUICWire.answer(security) == down && down <= 3 * up)
        if rules.isEarly { #expect(setup.flight(0).up >= 1_200) }
        #expect(QUICWire.packet == 55 && QUICWire.ping == 56)
    }
}
