import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing

@testable import DeadzoneSimulator

/// Frames that an app and its library send on a connection, and their results.
@Suite struct SendingTests {
    /// Broken: a snapshot is requested on a connection that is opening or closed, or not on an open one.
    @Test func onlyAnOpenConnectionRequestsASnapshot() {
        for transport in [Transport.webSocket, Transport(.longPolling), .datagram] {
            let bench = PhoneEndBench()
            func isRequested() -> Bool { bench.act { phone, _, _, _, _ in phone.requestSnapshot(0) } }
            bench.connect(transport)
            #expect(!isRequested(), "\(transport.kind) is opening")
            bench.open(transport)
            #expect(isRequested() == (transport.kind != .datagram), "\(transport.kind) is open")
            bench.act { $0.close(0, isDone: true, at: $2, $3, &$4) }
            #expect(!isRequested(), "\(transport.kind) is closed")
        }
    }

    /// Broken: a client without flow control sends window updates, which cost energy.
    @Test func onlyWindowsHaveUpdates() {
        var updates = 0
        for kind in Transport.TransportKind.allCases where kind != .datagram {
            for holdsCredit in [false, true] {
                let bench = PhoneEndBench(holdsCredit: holdsCredit)
                bench.open(Transport(kind))
                for frame in [FrameKind.snapshot, .answer] {
                    let range = FrameRange(first: 0, last: 1, bytes: 1 << 22, kind: frame, cause: .payload)
                    bench.act { phone, permissions, _, _, _ in phone.didConsume(range, 0, permissions) }
                }
                let hasWindow = kind == .http2 || kind == .grpc || holdsCredit && kind != .quic
                let frames = bench.frames()
                #expect(hasWindow || frames.isEmpty, "\(kind) \(holdsCredit): \(frames)")
                updates += frames.count
            }
        }
        #expect(updates > 0)
    }

    private static let slot = ConnectionSlot(0)
    private static let calling = Traffic(calls: .every(.seconds(1), bytes: 300))

    /// Broken: a pong is counted for another ping than its own.
    @Test func pongsBelongToTheirPings() {
        let harness = PhoneEndHarness()
        harness.open()
        harness.act { $0.ping(0, at: .zero, &$3) }
        harness.setTime(.zero + .seconds(2))
        harness.act { $0.ping(0, at: .zero + .seconds(2), &$3) }
        harness.setTime(.zero + .seconds(3))
        harness.exchangePackets()
        harness.send(.pong, 0)
        harness.send(.pong, 1)
        let spans = harness.events.compactMap { if case .pong(_, let span) = $0 { span } else { nil } }
        #expect(spans == [.seconds(3), .seconds(1)] && harness.count(.pinged) == 2 && harness.count(.ponged) == 2)
    }

    /// Broken: a full send buffer accepts pings, is not reported as full, or is reported as full although it is not.
    @Test func aFullBufferTakesNoPing() {
        var transport = Transport(.webSocket)
        transport.sendBuffer = 3_000
        // XNU counts the buffer in bytes.
        let harness = PhoneEndHarness(Traffic(up: .every(.seconds(1), bytes: 3_000)), kernel: .xnu)
        harness.open(transport)
        harness.act { $0.send(0..<30, 0, at: .zero, &$3) }
        #expect(harness.events.last == .stalled(Self.slot) && harness.count(.socketFilled) == 1)
        harness.act { $0.ping(0, at: .zero, &$3) }
        #expect(harness.count(.pinged) == 0)
        harness.exchangePackets()
        #expect(harness.events.contains(.writable(Self.slot)) && harness.count(.socketStalled) == 1)
        harness.act { $0.ping(0, at: .zero, &$3) }
        #expect(harness.count(.pinged) == 1)
    }

    /// Broken: pings of the server stay unanswered after the app runs again, or are answered while it sleeps.
    @Test func aSleepingAppAnswersLater() {
        let harness = PhoneEndHarness()
        harness.open()
        harness.runs = false
        let before = harness.peer.expected
        harness.send(.ping, 0)
        harness.send(.ping, 1)
        let beats = harness.otherEffects.count { if case .heartbeat = $0 { true } else { false } }
        #expect(beats == 2 && harness.peer.expected == before, "only its kernel answers")
        harness.runs = true
        harness.act { $0.catchUp(at: .zero, &$3) }
        harness.exchangePackets()
        #expect(before < harness.peer.expected, "two pongs")
    }

    /// Broken: a call is answered twice, never, or by an answer on another connection.
    @Test func aCallIsOpenUntilItIsAnswered() {
        let harness = PhoneEndHarness(Self.calling)
        harness.open(Transport(.http2))
        harness.act { $0.addCall(at: .zero, &$3) }
        let request = harness.phone.nextCall()
        #expect(request == .wantsToCall(Message(index: 0, bytes: 300)) && harness.phone.nextCall() == nil)
        for _ in 0..<2 { harness.act { $0.sendCall(0, 0, at: .zero, &$3) } }
        #expect(harness.count(.callRepeated) == 1 && harness.phone.calls.isOpen(0))
        harness.exchangePackets()
        harness.send(.answer, 0)
        #expect(harness.events.last == .answered(Self.slot, call: 0) && harness.phone.calls.openCount == 0)
        harness.send(.answer, 0)
        #expect(harness.count(.answered) == 1 && harness.count(.answerUnused) == 1)
    }

    /// Broken: a call on a connection that received a GOAWAY is not reported as unprocessed.
    @Test func aDrainingConnectionTakesNoCall() {
        let harness = PhoneEndHarness(Self.calling)
        harness.open(Transport(.http2))
        for _ in 0..<2 { harness.act { $0.addCall(at: .zero, &$3) } }
        harness.act { $0.sendCall(0, 0, at: .zero, &$3) }
        harness.send(ControlFrame.goAway.kind, ControlFrame.goAway.item)
        let refusal = CallRefusal(.unavailable, isUnprocessed: true, isConnectionDraining: true)
        harness.act { $0.sendCall(1, 0, at: .zero, &$3) }
        #expect(harness.events.last == .rejected(Self.slot, call: 1, refusal))
        // The second GOAWAY names no stream: the server has not processed the first call either.
        harness.send(ControlFrame.finalGoAway.kind, ControlFrame.finalGoAway.item)
        #expect(harness.events.last == .rejected(Self.slot, call: 0, refusal) && harness.phone.calls.openCount == 2)
    }

    /// Broken: a call that finds no room is forgotten, sent twice, or retried on a connection that is gone.
    @Test func aCallWithoutRoomIsRetried() {
        var transport = Transport(.http2)
        transport.sendBuffer = 2_304
        let harness = PhoneEndHarness(Traffic(calls: .every(.seconds(1), bytes: 30_000)))
        harness.open(transport)
        let calls = 0..<4 as Range<UInt32>
        for _ in calls { harness.act { $0.addCall(at: .zero, &$3) } }
        for call in calls { harness.act { $0.sendCall(call, 0, at: .zero, &$3) } }
        let looks = harness.otherEffects.compactMap {
            if case .retryCall(let call, let at, _, _) = $0 { (call, at) } else { nil }
        }
        let first = looks.first?.0 ?? 0
        #expect(0 < first && looks.map(\.0) == Array(first..<4) && looks.first?.1 == .zero + .milliseconds(100))
        let generation = harness.phone[0].generation
        let inVain = harness.act { $0.retryCall(first, 0, generation: generation, at: .zero, &$3) }
        #expect(inVain == true)
        harness.exchangePackets()
        let asked = harness.act { $0.retryCall(first, 0, generation: generation, at: .zero, &$3) }
        #expect(asked == false)
        let gone = harness.act { $0.retryCall(first, 0, generation: generation &- 1, at: .zero, &$3) }
        #expect(gone == nil)
    }

    /// Broken: the calls of a process stay open for ever after it ends. Or calls fail that the process had not
    /// received yet.
    @Test func callsFailWithTheirProcess() {
        let harness = PhoneEndHarness(Self.calling)
        harness.act { $0.addCall(at: .zero, &$3) }
        _ = harness.phone.nextCall()
        harness.act { $0.addCall(at: .zero, &$3) }
        harness.act { $0.failCalls(at: .zero + .seconds(5), &$3) }
        #expect(harness.count(.callFailed) == 1 && harness.phone.calls.openCount == 1)
        #expect(harness.phone.nextCall() == .wantsToCall(Message(index: 1, bytes: 300)))
        harness.act { $0.endCallOutage(at: .zero + .seconds(9), &$3) }
        #expect(
            harness.entries.last { $0.kind == .callOutage }?.value == TimeSpan.seconds(8).nanoseconds,
            "since the app requested the call")
    }

    // Broken: messages that have arrived count as in flight, or those of a closed connection. Or a connection that
    // resumes as the last one did does not begin at the cursor.
    @Test func messagesInFlightAndTheNextRequest() {
        let bench = PhoneEndBench()
        bench.wait(.seconds(9))
        bench.open(resuming: .from(Cursor(0)))
        #expect(bench.phone.uplinkInFlight(0, arrived: 0) == 0)
        bench.send(0..<5)
        #expect(bench.phone.uplinkInFlight(0, arrived: 0) == 5 && bench.phone.uplinkInFlight(0, arrived: 3) == 2)
        #expect(bench.phone.uplinkInFlight(0, arrived: 7) == 0)
        bench.session.cursor = Cursor(4)
        #expect(bench.phone.nextRequest(0, bench.view) == .from(Cursor(4)))
        bench.act { $0.close(0, isDone: true, at: $2, $3, &$4) }
        #expect(bench.phone.uplinkInFlight(0, arrived: 0) == 0)
        bench.open(resuming: .snapshot)
        #expect(bench.phone.nextRequest(0, bench.view) == .snapshot)
    }
}
