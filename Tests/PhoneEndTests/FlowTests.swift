import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator
@testable import DeadzoneTransport

/// Window credit, stalls, receipts, pings, and what a sleeping app leaves for later.
@Suite struct FlowTests {
    private static let half = UInt32(HTTP2Window.initial) / 2

    /// Number of bytes on the stream of a message or answer of which HTTP/2 counts this part.
    private func size(_ bytes: UInt32, _ kind: FrameKind, _ bench: PhoneEndBench) -> UInt32 {
        let framing = bench.phone[0].downward.pointee.framing
        return bytes + (kind == .answer ? framing.exchange(0) : framing.message(0)) - HTTP2Wire.message
    }

    private func consume(_ kind: FrameKind, bytes: UInt32, _ bench: PhoneEndBench) {
        let range = FrameRange(first: 0, last: 1, bytes: size(bytes, kind, bench), kind: kind, cause: .payload)
        bench.act { phone, permissions, _, _, _ in phone.didConsume(range, 0, permissions) }
    }

    // MARK: Credit

    /// Broken: the credit granted differs from the bytes consumed, is granted at another threshold, or is granted
    /// twice to an app that slept. Frames arrive at random while the app sleeps and runs; the model counts bytes.
    @Test(arguments: [(false, true), (true, true), (true, false)])
    func creditIsGrantedOnce(holdsCredit: Bool, blocks: Bool) {
        var sleeps = 0
        seedSweep(40) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var intake = ReceivePolicy()
            intake.window = 40_000
            intake.blocksConnectionWindow = blocks
            let bench = PhoneEndBench(intake: intake, holdsCredit: holdsCredit)
            bench.open(Transport(.http2))
            var (ungranted, unread) = ((UInt32(0), UInt32(0)), (UInt32(0), UInt32(0)))
            func grant(_ connection: UInt32, _ stream: UInt32) -> [String] {
                ungranted.0 += connection
                ungranted.1 += stream
                var frames: [String] = []
                if connection > 0 || stream > 0 {
                    if ungranted.0 >= Self.half {
                        frames.append("connectionWindowUpdate(\(ungranted.0))")
                        ungranted.0 = 0
                    }
                    if ungranted.1 >= 20_000 {
                        frames.append("streamWindowUpdate(\(ungranted.1))")
                        ungranted.1 = 0
                    }
                }
                return frames
            }
            for _ in 0..<60 {
                let kind = [FrameKind.message, .answer, .snapshot][Int(dice.next().scaled(below: 3))]
                let bytes = UInt32(1 + dice.next().scaled(below: 15_000))
                var expected: [String] = []
                switch dice.next().scaled(below: 5) {
                case 0:
                    bench.permissions.runs.toggle()
                    guard bench.permissions.runs else { break }
                    if unread != (0, 0) { sleeps += 1 }
                    bench.act { $0.catchUp(at: $2, &$4) }
                    expected = grant(unread.0, unread.1)
                    unread = (0, 0)
                default:
                    consume(kind, bytes: bytes, bench)
                    let isHeld = kind == .message && holdsCredit
                    let (connection, stream) = (isHeld && blocks ? 0 : bytes, kind == .answer || isHeld ? 0 : bytes)
                    if isHeld || bench.permissions.runs {
                        expected = grant(connection, stream)
                    } else {
                        unread.0 += connection
                        unread.1 += stream
                    }
                }
                #expect(bench.frames() == expected, "seed \(seed)")
                bench.settle()
            }
        }
        #expect(sleeps > 20)
    }

    /// Broken: a message that the consumer has taken grants other bytes, to another window, or without a consumer.
    @Test func theConsumerGrantsItsMessages() {
        for blocks in [true, false] {
            var intake = ReceivePolicy()
            intake.window = 150
            intake.blocksConnectionWindow = blocks
            let bench = PhoneEndBench(intake: intake, holdsCredit: true)
            bench.open(Transport(.http2), 1)
            let windows = bench.phone[1].protocolState.consumedWindows
            bench.act { phone, _, _, _, _ in phone.grant(for: 4) }
            // A message of 100 bytes has a prefix of 5 bytes. 105 bytes are more than half of 150.
            #expect(bench.frames(1) == ["streamWindowUpdate(105)"])
            var model = windows
            _ = model.consume(connection: blocks ? 105 : 0, stream: 105)
            #expect(bench.phone[1].protocolState.consumedWindows.ungrantedBytes == model.ungrantedBytes)
            bench.act { $0.close(1, isDone: true, at: $2, $3, &$4) }
            bench.act { phone, _, _, _, _ in phone.grant(for: 5) }
            #expect(bench.frames(1).isEmpty)
        }
        let plain = PhoneEndBench()
        plain.open(Transport(.http2))
        for message in 0..<1_000 as Range<UInt32> { plain.act { phone, _, _, _, _ in phone.grant(for: message) } }
        #expect(plain.frames().isEmpty)
    }

    /// Broken: a transport has a window that has none, or the connection's window is smaller than HTTP/2 allows.
    @Test func windowsDependOnTransportAndConsumer() {
        for kind in Transport.TransportKind.allCases {
            for holdsCredit in [true, false] {
                for (bytes, connection) in [(1_000, 65_535), (65_535, 65_535), (65_536, 65_536)] as [(UInt32, Int64)] {
                    var intake = ReceivePolicy()
                    intake.window = bytes
                    let bench = PhoneEndBench(intake: intake, holdsCredit: holdsCredit)
                    bench.connect(Transport(kind))
                    let hasWindow =
                        kind == .http2 || kind == .grpc || (holdsCredit && kind != .quic && kind != .datagram)
                    let window = HTTP2SendWindows(
                        connection: HTTP2Window(connection), stream: HTTP2Window(Int64(bytes)))
                    #expect(bench.phone.window(0) == (hasWindow ? window : nil), "\(kind) \(holdsCredit)")
                }
            }
        }
    }

    /// Broken: a frame without flow control grants bytes, or an MQTT message is not confirmed.
    @Test func otherFramesGrantNothing() {
        let bench = PhoneEndBench()
        bench.open(Transport(.http2))
        for kind in FrameKind.allCases where ![.message, .answer, .snapshot].contains(kind) {
            consume(kind, bytes: 1 << 20, bench)
            #expect(bench.frames().isEmpty, "\(kind)")
        }
        let mqtt = PhoneEndBench()
        mqtt.open(Transport(.mqtt))
        let range = FrameRange(first: 3, last: 6, bytes: 300, kind: .message, cause: .payload)
        mqtt.act { phone, permissions, _, _, _ in phone.didConsume(range, 0, permissions) }
        let sent = mqtt.ranges()
        #expect(sent.map(\.text) == ["confirmation(1)"])
        #expect(sent.first?.bytes == 3 * mqtt.phone[0].upward.pointee.framing.confirmationBytes)
        let socket = PhoneEndBench()
        socket.open()
        socket.act { phone, permissions, _, _, _ in phone.didConsume(range, 0, permissions) }
        #expect(socket.frames().isEmpty)
    }

    /// Broken: a window update grows another window than its own.
    @Test func updatesGrowTheirWindow() {
        let bench = PhoneEndBench()
        bench.open(Transport(.http2))
        bench.read(.connectionWindowUpdate(1_000))
        bench.read(.streamWindowUpdate(300))
        #expect(bench.phone[0].tcp.sendWindows?.connection.bytes == 66_535)
        #expect(bench.phone[0].tcp.sendWindows?.stream.bytes == 65_835)
    }

    // MARK: Stalls

    /// Broken: a stall is counted as one of the buffer that is one of the window, or its time is another.
    @Test func aShutWindowIsNoFullBuffer() {
        let bench = PhoneEndBench(Traffic(up: .every(.seconds(1), bytes: 30_000)))
        bench.open(Transport(.http2))
        bench.send(0..<3)
        #expect(bench.phone[0].wasWaiting == false)
        bench.settle()
        bench.wait(.seconds(2))
        #expect(bench.taking { bench.send(3..<4) } == ["windowShut up 0", "stalled 0"])
        bench.wait(.seconds(3))
        bench.read(.streamWindowUpdate(100_000))
        #expect(bench.taking { bench.flush() }.isEmpty, "the connection's window is shut")
        bench.wait(.seconds(4))
        bench.read(.connectionWindowUpdate(100_000))
        let lines = bench.taking { bench.flush() }
        #expect(lines.last == "flowStalled up 7000000000" && lines.dropLast().allSatisfy { $0 == "send data 0" })
        #expect(bench.phone[0].windowClosedSince == .never && bench.phone[0].bufferFullSince == .never)
    }

    /// Broken: a full buffer is counted twice, or the end of the connection does not end the stall.
    @Test func aFullBufferStalls() {
        var transport = Transport(.webSocket)
        transport.sendBuffer = 1_000
        let bench = PhoneEndBench(Traffic(up: .every(.seconds(1), bytes: 800)))
        bench.open(transport)
        bench.send(0..<1)
        bench.wait(.seconds(1))
        #expect(bench.taking { bench.send(1..<2) } == ["socketFilled 0", "stalled 0"])
        #expect(bench.taking { bench.send(2..<3) }.isEmpty)
        bench.wait(.seconds(5))
        #expect(bench.taking { bench.act { $0.endStalls(0, at: $2, &$4) } } == ["socketStalled 5000000000"])
        #expect(bench.taking { bench.act { $0.endStalls(0, at: $2, &$4) } }.isEmpty)
    }

    // MARK: Pings

    /// Broken: a ping has another size, number or cause, is sent on a connection that is not open, or a full buffer
    /// takes it.
    @Test func pingsAreNumbered() {
        let bench = PhoneEndBench()
        #expect(bench.taking { bench.act { $0.ping(0, at: $2, &$4) } }.isEmpty)
        for (kind, cause) in [(Transport.TransportKind.webSocket, Cause.keepalive), (.polling, .poll)] {
            bench.open(Transport(kind))
            for number in 0..<2 as Range<UInt32> {
                #expect(bench.taking { bench.act { $0.ping(0, at: $2, &$4) } } == ["pinged 0", "send data 0"])
                let sent = bench.ranges()
                #expect(sent.map(\.text) == ["ping \(number)"] && sent.first?.cause == cause)
                #expect(sent.first?.bytes == bench.phone[0].upward.pointee.framing.ping)
                bench.settle()
            }
        }
        var transport = Transport(.webSocket)
        transport.sendBuffer = 150
        bench.open(transport)
        bench.send(0..<1)
        #expect(
            bench.taking { bench.act { $0.ping(0, at: $2, &$4) } } == ["stalled 0"] && bench.frames() == ["message 0"])
        #expect(bench.taking { bench.act { $0.ping(0, at: $2, &$4) } }.isEmpty)
    }

    /// Broken: a pong gives the time of another ping.
    @Test func aPongAnswersItsPing() {
        let bench = PhoneEndBench()
        bench.open()
        for second in [1, 2, 4] as [Int64] {
            bench.now = .zero + .seconds(second)
            bench.act { $0.ping(0, at: $2, &$4) }
        }
        bench.now = .zero + .seconds(5)
        #expect(bench.taking { bench.read(.pong, 0) } == ["ponged 4000000000", "pong 0 after 4000000000"])
        // More than two pings were pending: the time of the latest stands for the second.
        #expect(
            bench.taking { bench.read(.pong, 1, upTo: 3) }
                == ["ponged 1000000000", "ponged 1000000000", "pong 0 after 1000000000"])
        bench.act { $0.ping(0, at: $2, &$4) }
        bench.wait(.seconds(3))
        #expect(bench.taking { bench.read(.pong, 3) } == ["ponged 3000000000", "pong 0 after 3000000000"])
    }

    /// Broken: a ping of the server is answered by a sleeping app, never, or on a connection that is closed.
    @Test func aSleepingAppAnswersPingsLater() {
        let bench = PhoneEndBench()
        bench.open(.webSocket, 0)
        bench.open(.webSocket, 1)
        #expect(bench.taking { bench.read(.ping, 4, upTo: 6) } == ["heartbeat(slot: 0)"])
        #expect(bench.frames() == ["pong 4..<6"])
        bench.settle()
        bench.permissions.runs = false
        #expect(bench.taking { bench.read(.ping, 6) } == ["heartbeat(slot: 0)"])
        bench.read(.ping, 7, upTo: 9)
        bench.read(.ping, 1, 1)
        #expect(bench.frames().isEmpty)
        bench.permissions.runs = true
        bench.act { $0.close(1, isDone: true, at: $2, $3, &$4) }
        #expect(bench.taking { bench.act { $0.catchUp(at: $2, &$4) } } == ["send data 0"])
        #expect(bench.frames() == ["pong 6..<9"])
        #expect(bench.taking { bench.act { $0.catchUp(at: $2, &$4) } }.isEmpty)
    }

    // MARK: Receipts

    /// Broken: a receipt is sent twice, for another range, with another size, or on a connection that is not open.
    @Test func receiptsConfirmEachMessageOnce() {
        let bench = PhoneEndBench()
        func acknowledge(_ position: UInt32) -> [String] {
            bench.act { $0.acknowledge(0, upTo: position, at: $2, &$4) }
            return bench.ranges().map { "\($0.text) \($0.bytes)" }
        }
        #expect(acknowledge(3).isEmpty)
        bench.open()
        let bytes = bench.phone[0].upward.pointee.framing.message(8)
        bench.phone.beginReceipts(0, from: 2)
        #expect(acknowledge(2).isEmpty && acknowledge(3) == ["receipt 2 \(bytes)"])
        #expect(acknowledge(3).isEmpty && acknowledge(9) == ["receipt 3..<9 \(bytes)"])
        bench.open(.datagram)
        #expect(acknowledge(12).isEmpty)
    }

    /// Broken: a receipt of the server confirms messages that the app never produced, or that are confirmed already.
    @Test(
        arguments: [(3, []), (4, []), (5, ["confirmed 0 before 5"]), (9, ["confirmed 0 before 7"])]
            as [(UInt32, [String])])
    func aReceiptConfirmsProducedMessages(position: UInt32, requests: [String]) {
        let bench = PhoneEndBench(sendsReceipts: true)
        bench.open()
        bench.session.acknowledged = Cursor(4)
        bench.session.produced = Cursor(7)
        #expect(bench.taking { bench.read(.receipt, 0, upTo: position) } == requests)
    }

    // MARK: Other frames

    /// Broken: a frame of the server has the effect of another one.
    @Test func eachFrameHasItsEffect() {
        let bench = PhoneEndBench()
        bench.open(Transport(.longPolling))
        #expect(bench.taking { bench.read(.message, 2, upTo: 4) } == ["received 0 message 2..<4"])
        #expect(
            bench.taking { bench.read(.snapshot, 6, bytes: 900) } == ["snapshot 0 6", "told 0 up to 6 900"])
        #expect(bench.taking { bench.read(.heartbeat) } == ["heartbeat(slot: 0)"])
        _ = bench.frames()
        bench.read(.pollAnswer)
        #expect(bench.frames() == ["poll"])
        for frame in [ControlFrame.confirmation(2), .poll, .resync] {
            #expect(bench.taking { bench.read(frame) }.isEmpty)
        }
        for kind in [FrameKind.call, .flight, .refusal] { #expect(bench.taking { bench.read(kind, 0) }.isEmpty) }
        #expect(bench.frames().isEmpty)
        let asked = bench.act { phone, _, _, _, _ in phone.requestSnapshot(0) }
        #expect(asked && bench.frames() == ["resync"])
        bench.open(.datagram)
        let refused = bench.act { phone, _, _, _, _ in phone.requestSnapshot(0) }
        bench.act { $0.close(0, isDone: true, at: $2, $3, &$4) }
        let closed = bench.act { phone, _, _, _, _ in phone.requestSnapshot(0) }
        #expect(!refused && !closed)
    }

    /// Broken: the end of the stream is reported with another reason, or the app closes its side before it is told.
    @Test(
        arguments: [("ended", nil), ("denied", .loginRefused), ("completed", .streamCompleted)]
            as [(String, ControlFrame?)])
    func theEndOfTheStreamEndsTheConnection(reason: String, frame: ControlFrame?) {
        for runs in [true, false] {
            let bench = PhoneEndBench()
            bench.open()
            bench.permissions.runs = runs
            if let frame { #expect(bench.taking { bench.read(frame) }.isEmpty) }
            let lines = bench.taking { bench.read(FrameKind.finish, 5) }
            let told = [
                "believedClosed(slot: 0)", "closed \(reason) 1",
                "endedByServer(slot: 0, DeadzoneClient.CloseReason.\(reason))", "closed 0 \(reason)", "send reset 0",
            ]
            #expect(lines == ["died(slot: 0)"] + (runs ? told : ["died(slot: 0)"]))
            #expect(bench.phone.reads(0) == !runs)
            guard !runs else { continue }
            // An app that runs again gets the event and closes its side, like an app that never slept.
            #expect(bench.taking { bench.act { $0.reportPendingLosses(at: $2, &$4) } } == told)
            check(!bench.phone.reads(0))
        }
        let attempt = PhoneEndBench()
        attempt.connect()
        attempt.receive(attempt.packet(.helloReply, echo: .zero))
        #expect(attempt.taking { attempt.read(FrameKind.finish, 5) } == ["failed refused 1", "failed 0 refused"])
        check(!attempt.phone.reads(0))
    }

    /// Broken: a refused session is taken for the other kind, or ends in another way.
    @Test(arguments: [true, false])
    func aRefusedSessionEndsTheConnection(isPermanent: Bool) {
        let frame = isPermanent ? ControlFrame.sessionRefusedPermanently : .sessionRefused
        let rejected = "rejected 0" + (isPermanent ? " for good" : "")
        let attempt = PhoneEndBench()
        attempt.connect()
        attempt.receive(attempt.packet(.helloReply, echo: .zero))
        #expect(
            attempt.taking { attempt.read(frame) } == [rejected, "failed turned_away 1", "failed 0 sessionRefused"])
        for runs in [true, false] {
            let bench = PhoneEndBench()
            bench.open(Transport(.http2))
            bench.permissions.runs = runs
            let closed = [
                "believedClosed(slot: 0)", "closed ended 1", "endedByServer(slot: 0, DeadzoneClient.CloseReason.ended)",
                "closed 0 ended",
            ]
            #expect(
                bench.taking { bench.read(frame) } == [rejected, "died(slot: 0)"] + (runs ? closed : ["died(slot: 0)"]))
            #expect(bench.phone.reads(0) == !runs)
        }
    }

    // MARK: Gaps

    /// Broken: a message after a gap is sent as if it followed, or waits although it need not.
    @Test func gapsAreFoundBeforeTheyAreSent() {
        var transport = Transport(.webSocket)
        transport.sendBuffer = 150
        let bench = PhoneEndBench()
        bench.open(transport)
        func position(_ message: UInt32) -> String { "\(bench.phone.streamPosition(of: message, 0))" }
        #expect(position(3) == "first")
        bench.send(0..<1)
        #expect(position(0) == "next" && position(1) == "next")
        #expect(position(2) == "behind(Range(1..<2), isSettled: false)")
        bench.send(1..<2)
        #expect(position(3) == "noRoom", "a message waits for the buffer")
        bench.settle()
        #expect(position(5) == "behind(Range(2..<5), isSettled: true)")
        bench.phone.skip(0, to: 5)
        #expect(position(5) == "next")
        bench.send(5..<6)
        #expect(bench.frames() == ["message 5"])
    }
}

extension HTTP2ReceiveWindows {
    fileprivate var ungrantedBytes: [UInt32] {
        withUnsafeBytes(of: self) { Array($0.bindMemory(to: UInt32.self)) }
    }
}
