import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import Testing

/// The server without an engine: what it asks for, given what it hears.
@Suite struct ServerTests {
    private static let messages = TrafficStream(
        gap: .constant(1_000_000_000), size: .constant(100), until: .zero + .hours(1))

    /// Broken: a session that is not served, served twice, or begins elsewhere than where the server is.
    @Test(arguments: [Carrier.Kind.webSocket, .http2, .mqtt, .serverSentEvents])
    func aSessionStandsAndGetsWhatIsNew(_ kind: Carrier.Kind) {
        let meeting = Meeting(Traffic(down: Self.messages))
        meeting.write()
        meeting.open(Carrier(kind))
        #expect(meeting.isHeld && meeting.isAttached)
        #expect(meeting.resumedAt == 1, "a fresh session begins with what is new")
        meeting.write()
        meeting.flush()
        #expect(meeting.taken.contains { $0.track == .message && $0.first == 1 && $0.last == 2 })
    }

    /// Broken: a frozen program that answers, or a thawed one that forgets what came meanwhile.
    @Test func aFrozenProgramAcknowledgesAndIsSilent() {
        let meeting = Meeting(Traffic(up: Self.messages))
        meeting.open()
        let (first, second) = (meeting.change(.frozen), meeting.change(.frozen))
        #expect(first && !second)
        meeting.say(.message, 0)
        // It has answered what opened the connection, and might again.
        meeting.pass(.milliseconds(44))
        meeting.expire()
        meeting.flush()
        let isAcknowledged = !meeting.client.hasUnacknowledged
        #expect(isAcknowledged, "its kernel goes on")
        #expect(meeting.count(.deliveredUp) == 0 && meeting.arrived == 0)
        _ = meeting.change(.thawed)
        #expect(meeting.count(.deliveredUp) == 1 && meeting.arrived == 1)
    }

    /// Broken: an acknowledgement that leaves before an answer that was said earlier, where that is known only once a round of 100 ms is
    /// over; or one that waits for an answer longer than its kernel does.
    @Test(arguments: [(10, [10]), (70, [40, 70]), (400, [40])] as [(Int64, [Int64])])
    func anAcknowledgementWaitsForTheRoundNotForTheAnswer(answer: Int64, leaves: [Int64]) {
        let meeting = Meeting(Traffic(calls: Self.messages)) {
            ($0.troubles.requestsPerSecond, $0.think) = (100, .zero)
        }
        meeting.open(Carrier(.http2))
        // It answers what came a moment ago, and expects to do so again.
        meeting.say(.call, 0)
        meeting.pass(.milliseconds(1))
        meeting.serve(at: meeting.now - .milliseconds(1))
        meeting.flush()
        meeting.pass(.seconds(1))
        let (began, before) = (meeting.now, meeting.down.count)
        meeting.say(.call, 1)
        #expect(meeting.arrivals.count == 1 && meeting.down.count == before)
        meeting.pass(.milliseconds(100))
        #expect(began + .milliseconds(100) < meeting.deadline, "nothing leaves before the round is over")
        meeting.serve(at: began + .milliseconds(answer))
        let left = zip(meeting.down, meeting.leftAt).dropFirst(before).map { ($0.0.content, $0.1 - began) }
        let isRight =
            left.count == leaves.count
            && zip(left, leaves).allSatisfy { (0...4).contains(($0.1 - .milliseconds($1)).nanoseconds / 1_000_000) }
        #expect(isRight, "\(left)")
        #expect(left.last.map { $0.0 == (leaves.last == answer ? .data : .acknowledgement) } ?? false, "\(left)")
        #expect(meeting.down.last?.received == meeting.down.map(\.received).max())
    }

    /// Broken: a process that ends and leaves its connections standing, or one that is away and takes others.
    @Test func aServerThatIsDownResetsAndRefuses() {
        let meeting = Meeting()
        meeting.open()
        _ = meeting.change(.down)
        #expect(meeting.down.last?.content == .goodbye && !meeting.isHeld)
        meeting.open()
        #expect(meeting.isClosed && !meeting.isHeld)
        _ = meeting.change(.up)
        meeting.open()
        #expect(meeting.isAttached)
    }

    /// Broken: a message that is taken twice for new, or held back from the memory of another connection.
    @Test func whatCameBeforeIsKnownAgain() {
        let meeting = Meeting(Traffic(up: Self.messages)) { $0.dedup = .set(window: 8) }
        meeting.open()
        meeting.say(.message, 0)
        meeting.open()
        meeting.say(.message, 0)
        #expect(meeting.count(.deliveredUp) == 1 && meeting.count(.suppressedUp) == 1)
        #expect(meeting.count(.duplicatedUp) == 0)
    }

    /// Broken: a call that is answered at once by a server that takes its time, or never.
    @Test func aCallIsAnsweredWhenItIsDone() {
        let meeting = Meeting { $0.think = .milliseconds(250) }
        meeting.open(Carrier(.http2))
        meeting.say(.call, 7)
        #expect(meeting.count(.serverAsked) == 1)
        #expect(meeting.later.map(\.matter) == [.answer(7)])
        #expect(meeting.later.map(\.at) == [meeting.now + .milliseconds(250)])
        #expect(!meeting.taken.contains { $0.track == .answer })
    }

    /// Broken: silence that is borne for longer than the limit, or cut before it; and an end that says nothing.
    @Test func silenceEndsASessionInOrder() {
        let meeting = Meeting { $0.idleLimit = .seconds(30) }
        meeting.open()
        #expect(meeting.deadline == meeting.now + .seconds(30))
        meeting.pass(.seconds(30))
        meeting.expire()
        #expect(meeting.count(.serverExpired) == 1 && !meeting.serves)
        meeting.flush()
        #expect(meeting.taken.contains { $0.track == .finish })
    }

    /// Broken: a connection that is replaced and costs the server no time, or for ever.
    @Test func aGhostIsHeldUntilItsSuccessorComes() {
        let meeting = Meeting()
        meeting.open()
        meeting.pass(.minutes(5))
        meeting.open()
        let held = meeting.notes.filter { $0.kind == .serverHeld }.map(\.value)
        #expect(held == [TimeSpan.minutes(5).nanoseconds])
    }

    /// Broken: a server that knows nobody and says so to nobody.
    @Test func whoIsNotKnownHearsIt() {
        let meeting = Meeting()
        _ = meeting.change(.refusingLogins)
        meeting.open()
        meeting.flush()
        #expect(!meeting.isAttached && !meeting.serves)
        #expect(meeting.taken.contains { $0.track == .control && Word(item: $0.first) == .loginRefused })
        #expect(meeting.taken.last?.track == .finish)
    }

    /// Broken: a session that ended and is gone on with, or one that is forgotten before its time.
    @Test(arguments: [(29, 1), (31, 3)] as [(Int64, UInt32)])
    func aSessionThatEndedBeginsAnew(away seconds: Int64, next: UInt32) {
        let meeting = Meeting(Traffic(down: Self.messages)) { $0.session.window = .seconds(30) }
        meeting.open()
        _ = meeting.change(.down)
        _ = meeting.change(.up)
        for _ in 0..<3 { meeting.write() }
        meeting.pass(.seconds(seconds))
        meeting.open(resuming: .from(Cursor(1)))
        #expect(meeting.resumedAt == next)
    }
}
