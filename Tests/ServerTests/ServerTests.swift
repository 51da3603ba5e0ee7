import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// The server without an engine: its effects for given packets and changes.
@Suite struct ServerTests {
    private static let messages = TrafficStream(
        gap: .constant(1_000_000_000), size: .constant(100), until: .zero + .hours(1))

    /// Broken: a session is not served, is served twice, or starts at another position than the server's.
    @Test(arguments: [Transport.TransportKind.webSocket, .http2, .mqtt, .serverSentEvents])
    func aSessionGetsNewMessages(_ kind: Transport.TransportKind) {
        let harness = ServerHarness(Traffic(down: Self.messages))
        harness.write()
        harness.open(Transport(kind))
        #expect(harness.isHeld && harness.isAttached)
        #expect(harness.resumedAt == 1, "a fresh session begins with new messages")
        harness.write()
        harness.flush()
        #expect(harness.readFrames.contains { $0.kind == .message && $0.first == 1 && $0.last == 2 })
    }

    /// Broken: a frozen program answers, or a thawed one has lost the packets that arrived meanwhile.
    @Test func aFrozenProgramAcknowledgesAndIsSilent() {
        let harness = ServerHarness(Traffic(up: Self.messages))
        harness.open()
        let (first, second) = (harness.change(.frozen), harness.change(.frozen))
        #expect(first && !second)
        harness.send(.message, 0)
        // The kernel has answered the packets of the connection setup, and may delay the next acknowledgement.
        harness.advance(.milliseconds(44))
        harness.expire()
        harness.flush()
        let isAcknowledged = !harness.client.hasUnacknowledged
        #expect(isAcknowledged, "the kernel still acknowledges")
        #expect(harness.count(.deliveredUp) == 0 && harness.arrived == 0)
        _ = harness.change(.thawed)
        #expect(harness.count(.deliveredUp) == 1 && harness.arrived == 1)
    }

    /// Broken: an acknowledgement leaves before an answer that was written earlier, because the answer is known only
    /// at the end of a sync window of 100 ms. Or the acknowledgement waits for an answer longer than its kernel
    /// would.
    @Test(arguments: [(10, [10]), (70, [40, 70]), (400, [40])] as [(Int64, [Int64])])
    func anAcknowledgementWaitsForTheWindowNotForTheAnswer(answer: Int64, leaves: [Int64]) {
        let harness = ServerHarness(Traffic(calls: Self.messages)) {
            ($0.faults.requestsPerSecond, $0.thinkTime) = (100, .zero)
        }
        harness.open(Transport(.http2))
        // It has just answered a packet, so its kernel expects another answer and delays the acknowledgement.
        harness.send(.call, 0)
        harness.advance(.milliseconds(1))
        harness.serve(at: harness.now - .milliseconds(1))
        harness.flush()
        harness.advance(.seconds(1))
        let (began, before) = (harness.now, harness.down.count)
        harness.send(.call, 1)
        #expect(harness.clusterRequests.count == 1 && harness.down.count == before)
        harness.advance(.milliseconds(100))
        #expect(began + .milliseconds(100) < harness.deadline, "no packet leaves before the sync window ends")
        harness.serve(at: began + .milliseconds(answer))
        let left = zip(harness.down, harness.departureTimes).dropFirst(before).map { ($0.0.content, $0.1 - began) }
        let isRight =
            left.count == leaves.count
            && zip(left, leaves).allSatisfy { (0...4).contains(($0.1 - .milliseconds($1)).nanoseconds / 1_000_000) }
        #expect(isRight, "\(left)")
        #expect(left.last.map { $0.0 == (leaves.last == answer ? .data : .acknowledgement) } ?? false, "\(left)")
        #expect(harness.down.last?.received == harness.down.map(\.received).max())
    }

    /// Broken: the connections of a process survive its end, or a server that is down accepts new ones.
    @Test func aServerThatIsDownResetsAndRefuses() {
        let harness = ServerHarness()
        harness.open()
        _ = harness.change(.down)
        #expect(harness.down.last?.content == .reset && !harness.isHeld)
        harness.open()
        #expect(harness.isClosed && !harness.isHeld)
        _ = harness.change(.up)
        harness.open()
        #expect(harness.isAttached)
    }

    /// Broken: a duplicate message counts as new on another connection, because each connection has its own memory.
    @Test func duplicatesAreRecognisedOnANewConnection() {
        let harness = ServerHarness(Traffic(up: Self.messages)) { $0.dedup = .set(window: 8) }
        harness.open()
        harness.send(.message, 0)
        harness.open()
        harness.send(.message, 0)
        #expect(harness.count(.deliveredUp) == 1 && harness.count(.suppressedUp) == 1)
        #expect(harness.count(.duplicatedUp) == 0)
    }

    /// Broken: a call is answered at once although the server has a processing time, or never.
    @Test func aCallIsAnsweredWhenItIsDone() {
        let harness = ServerHarness { $0.thinkTime = .milliseconds(250) }
        harness.open(Transport(.http2))
        harness.send(.call, 7)
        #expect(harness.count(.serverAsked) == 1)
        #expect(harness.deferredWork.map(\.matter) == [.answer(7)])
        #expect(harness.deferredWork.map(\.at) == [harness.now + .milliseconds(250)])
        #expect(!harness.readFrames.contains { $0.kind == .answer })
    }

    /// Broken: a silent session lasts longer than the idle limit, or ends before it. Or it ends without a close.
    @Test func silenceEndsASessionInOrder() {
        let harness = ServerHarness { $0.idleLimit = .seconds(30) }
        harness.open()
        #expect(harness.deadline == harness.now + .seconds(30))
        harness.advance(.seconds(30))
        harness.expire()
        #expect(harness.count(.serverExpired) == 1 && !harness.serves)
        harness.flush()
        #expect(harness.readFrames.contains { $0.kind == .finish })
    }

    /// Broken: a replaced connection costs the server no time, or is held for ever.
    @Test func aHalfOpenConnectionIsHeldUntilTheNextOne() {
        let harness = ServerHarness()
        harness.open()
        harness.advance(.minutes(5))
        harness.open()
        let held = harness.entries.filter { $0.kind == .serverHeld }.map(\.value)
        #expect(held == [TimeSpan.minutes(5).nanoseconds])
    }

    /// Broken: a server that refuses logins does not tell the client.
    @Test func aRefusedLoginIsReported() {
        let harness = ServerHarness()
        _ = harness.change(.refusingLogins)
        harness.open()
        harness.flush()
        #expect(!harness.isAttached && !harness.serves)
        #expect(harness.readFrames.contains { $0.kind == .control && ControlFrame(item: $0.first) == .loginRefused })
        #expect(harness.readFrames.last?.kind == .finish)
    }

    /// Broken: an expired session is resumed, or a session is forgotten before it expires.
    @Test(arguments: [(29, 1), (31, 3)] as [(Int64, UInt32)])
    func anExpiredSessionStartsAgain(away seconds: Int64, next: UInt32) {
        let harness = ServerHarness(Traffic(down: Self.messages)) { $0.session.window = .seconds(30) }
        harness.open()
        _ = harness.change(.down)
        _ = harness.change(.up)
        for _ in 0..<3 { harness.write() }
        harness.advance(.seconds(seconds))
        harness.open(resuming: .from(Cursor(1)))
        #expect(harness.resumedAt == next)
    }
}
