import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneTransport

@testable import DeadzoneSimulator

/// Steps that an attempt, a connection of another kind, or a closed connection does not take.
@Suite struct GuardTests {
    /// Broken: a slot with an ended connection is taken for one that was never used.
    @Test func onlyAnUnusedSlotIsUntouched() {
        let bench = PhoneEndBench()
        check((0..<2).allSatisfy { bench.phone[$0].isUntouched })
        bench.connect()
        check(!bench.phone[0].isUntouched && bench.phone[1].isUntouched)
        bench.receive(bench.packet(.reset))
        #expect(bench.phone[0].belief == .closed && bench.phone[0].tcp.phase == .closed)
        check(!bench.phone[0].isUntouched)
    }

    /// Broken: a name that is resolved after the client has closed its attempt opens a connection, or the limit of the
    /// set-up ends an attempt that is not connected yet.
    @Test func lateStepsOfAnAttemptDoNothing() {
        let bench = PhoneEndBench(resolver: Resolver())
        bench.connect()
        bench.act { $0.close(0, isDone: true, at: $2, $3, &$4) }
        let answer = bench.packet(.dnsResponse, number: Resolver.answer(with: 3))
        let lines = bench.taking {
            bench.act { phone, _, now, session, out in
                phone.receiveResolution(
                    answer, 0, generation: 1, over: .wifi, addressNumber: 1, at: now, session, &out)
            }
        }
        #expect(lines.isEmpty && bench.phone[0].belief == .closed && bench.phone.latestAddress == nil)
        let attempt = PhoneEndBench()
        attempt.connect()
        #expect(attempt.taking { attempt.act { $0.expireResolution(0, at: $2, $3, &$4) } }.isEmpty)
        #expect(attempt.phone[0].belief == .opening && attempt.phone[0].tcp.phase != .closed)
    }

    /// Broken: messages that were never handed over on this connection are sent again, or the wrong ones are.
    @Test func onlyMessagesOfTheConnectionAreSentAgain() {
        let bench = PhoneEndBench()
        func again(_ first: UInt32, _ end: UInt32) -> [String] {
            bench.act { $0.sendAgain(first, end, 0, at: $2, &$4) }
            return bench.frames()
        }
        bench.open(.datagram)
        #expect(again(0, 2).isEmpty)
        bench.open()
        #expect(again(0, 2).isEmpty, "no message was handed over")
        bench.send(0..<3)
        bench.settle()
        #expect(again(1, 3) == ["messagesAgain", "message 1..<3"])
    }

    /// Broken: a connection that is opening, or has no stream, sends requests to join; or a request has another size.
    @Test func onlyAnOpenStreamJoinsSubscriptions() {
        var policy = SubscriptionPolicy(slot: TimerSlot(0))
        policy.joinBytes = 50
        func join(_ bench: PhoneEndBench) -> (sent: [FrameRange], left: UInt64) {
            var state = ClientSubscriptions()
            state.ask(for: SubscriptionSet(upTo: 3), 0)
            bench.act { $0.sendJoins(&state, at: $2, &$4) }
            return (bench.ranges().filter { $0.kind == .subscription }, state.pendingJoins.bits)
        }
        let attempt = PhoneEndBench(subscriptions: policy)
        attempt.connect()
        attempt.receive(attempt.packet(.helloReply, echo: .zero))
        #expect(join(attempt) == ([], 0b111))
        let datagrams = PhoneEndBench(subscriptions: policy)
        datagrams.open(.datagram)
        #expect(join(datagrams) == ([], 0b111))
        let bench = PhoneEndBench(subscriptions: policy)
        bench.open()
        let (sent, left) = join(bench)
        #expect(sent.map(\.text) == ["subscription 0..<3"] && left == 0)
        #expect(sent.first?.bytes == 3 * bench.phone[0].upward.pointee.framing.message(50))
        #expect(sent.first?.cause == .resume)
    }

    /// Broken: a request is recorded as the first one twice, the client takes a subscription for joined that it asks for,
    /// an answer counts for another one, or a client that ignores ends notices one. Or frames on a connection that is not
    /// open count.
    @Test(arguments: [true, false])
    func theClientFollowsItsSubscriptions(ignoresEnds: Bool) {
        var policy = SubscriptionPolicy(slot: TimerSlot(0))
        if ignoresEnds { policy.onEnd = .ignore }
        let bench = PhoneEndBench(subscriptions: policy)
        var state = ClientSubscriptions()
        func join(_ bits: UInt64) -> [String] {
            let lines = bench.taking { bench.act { $0.join(SubscriptionSet(bits: bits), 0, &state, at: $2, &$4) } }
            bench.settle()
            return lines
        }
        func read(_ purpose: SubscriptionFrame.FramePurpose, _ numbers: Range<UInt8>) -> [String] {
            let first = SubscriptionFrame(purpose, numbers.lowerBound).item
            let frames = FrameRange(
                first: first, last: first + UInt32(numbers.count), bytes: 70, kind: .subscription, cause: .resume)
            return bench.taking { bench.act { $0.readSubscriptions(frames, 0, &state, &$4) } }
        }
        #expect(join(0b11).isEmpty && read(.joined, 0..<2).isEmpty && state.believed.isEmpty)
        bench.open()
        #expect(
            join(0b110) == ["subscriptionJoining 1", "subscriptionJoining 2", "subscriptionsChanged", "send data 0"])
        #expect(read(.joined, 1..<3) == ["subscriptionsChanged", "joined 0 110"] && state.believed.bits == 0b110)
        #expect(read(.join, 1..<3).isEmpty)
        #expect(read(.refused, 0..<1) == ["subscriptionsChanged", "refused 0 1"] && state.believed.bits == 0b110)
        #expect(read(.ended, 1..<2) == ["subscriptionsChanged", "ended 0 10"])
        #expect(state.believed.bits == (ignoresEnds ? 0b110 : 0b100))
        #expect(
            join(0b101) == ["subscriptionJoining 0", "subscriptionRejoining 2", "subscriptionsChanged", "send data 0"])
        #expect(state.believed.bits == (ignoresEnds ? 0b010 : 0) && state.pendingJoins.isEmpty)
    }

    /// Broken: a refusal confirms no earlier messages, messages that the app has not produced, or the same ones again.
    @Test func aRefusalConfirmsEarlierMessages() {
        let bench = PhoneEndBench()
        bench.open()
        bench.session.produced = Cursor(9)
        bench.session.acknowledged = Cursor(4)
        func refuse(_ frame: ControlFrame, _ arrived: UInt32) -> [String] {
            bench.taking { bench.read(frame, arrived: arrived) }
        }
        #expect(refuse(.messageRefused, 6) == ["confirmed 0 before 6", "refused 0 6 transient"])
        #expect(refuse(.messageRefusedPermanently, 4) == ["refused 0 4 permanent"])
        #expect(refuse(.messageLocked, 20) == ["confirmed 0 before 9", "refused 0 9 locked"])
    }

    /// Broken: a fresh session asks for a position, or another flight than that of the session carries the request.
    @Test(arguments: [ResumeRequest.fresh, .from(Cursor(37))])
    func onlyTheFlightOfAResumedSessionAsksForAPosition(resuming: ResumeRequest) {
        var streams = Traffic.everySecond
        streams.envelope = .json
        for kind in [Transport.TransportKind.webSocket, .http2, .grpc, .mqtt, .serverSentEvents] {
            let bench = PhoneEndBench(streams)
            bench.session.cursor = Cursor(37)
            bench.connect(Transport(kind), resuming: resuming)
            bench.receive(bench.packet(.helloReply, echo: .zero))
            let setup = bench.phone[0].setup
            for index in 0..<setup.sessionFlight { bench.readFlight(index) }
            let flights = bench.ranges().filter { $0.kind == .flight }
            #expect(flights.map(\.first) == Array(0...setup.sessionFlight), "\(kind)")
            for flight in flights {
                let asks = resuming != .fresh && flight.first == setup.sessionFlight
                #expect(flight.bytes == setup.flight(flight.first).up + (asks ? Envelope.json.request(37) : 0))
            }
        }
    }
}
