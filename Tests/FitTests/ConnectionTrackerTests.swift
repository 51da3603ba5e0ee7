import DeadzoneBase
import Testing

@testable import DeadzoneFit

/// Connections that are reconstructed from segments, around an outage.
struct ConnectionTrackerTests {
    private typealias Tracker = ConnectionTracker<Int>

    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

    /// A tracker with one open connection, and the next sequence number of the client.
    private struct Client {
        var tracker = Tracker()
        var next: UInt32 = 1

        init() {
            var syn = Tracker.Segment(isUp: true)
            syn.isSYN = true
            tracker.add(syn, of: 1, at: at(0))
            var answer = Tracker.Segment(isUp: false)
            (answer.isSYN, answer.isACK) = (true, true)
            tracker.add(answer, of: 1, at: at(0.1))
        }

        var line: Recording.RecordedConnection { tracker.connections[0].line }

        mutating func send(_ seconds: Double, isPing: Bool = false, containsPing: Bool = false, bytes: UInt32 = 10) {
            var segment = Tracker.Segment(isUp: true)
            (segment.carriesBytes, segment.isPing, segment.containsPing) = (true, isPing, containsPing)
            (segment.sequence, segment.length) = (next, bytes)
            next += bytes
            tracker.add(segment, of: 1, at: at(seconds))
        }

        mutating func sendAgain(_ seconds: Double) {
            var segment = Tracker.Segment(isUp: true)
            (segment.carriesBytes, segment.sequence, segment.length) = (true, next - 10, 10)
            tracker.add(segment, of: 1, at: at(seconds))
        }

        mutating func receive(_ seconds: Double, bytes: Bool = true) {
            var segment = Tracker.Segment(isUp: false)
            (segment.isACK, segment.carriesBytes, segment.acknowledgement) = (true, bytes, next)
            tracker.add(segment, of: 1, at: at(seconds))
        }

        /// Sends or receives a message of a WebSocket's handshake.
        mutating func shake(_ kind: WebSocketHandshake, isUp: Bool, _ seconds: Double) {
            var segment = Tracker.Segment(isUp: isUp)
            (segment.carriesBytes, segment.handshake, segment.length) = (true, kind, 100)
            if isUp {
                segment.sequence = next
                next += 100
            }
            tracker.add(segment, of: 1, at: at(seconds))
        }

        mutating func sendFIN(_ seconds: Double) {
            var segment = Tracker.Segment(isUp: true)
            (segment.isFIN, segment.sequence) = (true, next)
            tracker.add(segment, of: 1, at: at(seconds))
        }
    }

    @Test(arguments: [0.2, 1, 30])
    func aRepeatedAnswerDoesNotOpenAgain(_ seconds: Double) {
        // Broken: a server's answer that is retransmitted moves the time at which the connection opened.
        var client = Client()
        client.send(0.15)
        var answer = Tracker.Segment(isUp: false)
        (answer.isSYN, answer.isACK) = (true, true)
        client.tracker.add(answer, of: 1, at: Self.at(seconds))
        #expect(client.line.openedAt == Self.at(0.1))
    }

    @Test func aSYNBeginsAConnectionUnlessOneIsOpen() {
        // Broken: a SYN that is retransmitted begins a second connection, or a new connection from the port of an ended
        // one is left out, as after a refusal.
        enum Step { case answer, data, end, reset, closeByClient }
        let rows: [(steps: [Step], count: Int, isRepeated: Bool)] = [
            ([], 1, true), ([.answer], 1, false), ([.answer, .data], 1, false), ([.reset], 2, false),
            ([.closeByClient], 2, false), ([.answer, .end], 2, false), ([.answer, .data, .reset], 2, false),
            ([.answer, .data, .closeByClient], 2, false),
        ]
        for row in rows {
            var tracker = Tracker()
            var syn = Tracker.Segment(isUp: true)
            syn.isSYN = true
            tracker.add(syn, of: 1, at: Self.at(0))
            for (index, step) in row.steps.enumerated() {
                var segment = Tracker.Segment(isUp: false)
                (segment.isSYN, segment.isACK) = (step == .answer, step != .end)
                (segment.carriesBytes, segment.isFIN, segment.isRST) = (step == .data, step == .end, step == .reset)
                let moment = Self.at(Double(index + 1))
                if step == .closeByClient {
                    tracker.endByClient(1, at: moment)
                } else {
                    tracker.add(segment, of: 1, at: moment)
                }
            }
            tracker.add(syn, of: 1, at: Self.at(10))
            let lines = tracker.connections.map(\.line)
            #expect(lines.map(\.beganAt) == [0, 10].prefix(row.count).map(Self.at), "\(row)")
            #expect(lines[0].retransmittedAt == (row.isRepeated ? Self.at(10) : nil), "\(row)")
        }
    }

    @Test func aPingBehindRepeatedDataHasNoTime() {
        // Broken: a ping that left the kernel after an outage counts as sent then, so the interval is too long.
        var client = Client()
        client.send(1)
        client.receive(1.1)
        client.send(10, isPing: true)
        client.receive(10.1)
        client.send(12)
        for second in [12.3, 13, 15, 20] { client.sendAgain(second) }
        client.receive(20.1, bytes: false)
        client.send(20.101, containsPing: true)
        client.receive(20.2)
        client.send(20.21, isPing: true)
        client.receive(20.3)
        client.send(30, isPing: true)
        #expect(client.line.heartbeats.map(\.at) == [10, 20.101, 20.21, 30].map(Self.at))
        #expect(client.line.heartbeats.map(\.wasHeldBack) == [false, true, true, false])
        #expect(client.line.heartbeats.map(\.followsRepeats) == [false, true, true, true])
    }

    @Test func aFINBehindRepeatedDataIsNoEnd() {
        // Broken: the connection counts as closed when its FIN left the kernel, although the client closed it earlier.
        for isRepeating in [false, true] {
            var client = Client()
            client.send(1)
            client.receive(1.1)
            client.send(2)
            if isRepeating { client.sendAgain(3) } else { client.receive(2.1) }
            client.sendFIN(9)
            #expect(client.line.endedAt == (isRepeating ? nil : Self.at(9)))
            #expect(client.tracker.knowsEnd(of: 1) == !isRepeating)
        }
        var client = Client()
        client.tracker.endByClient(1, at: Self.at(4))
        client.sendFIN(9)
        #expect(client.line.endedAt == Self.at(4) && client.line.ending == .client)
    }

    @Test func theFirstUnansweredRequestIsKept() {
        // Broken: the time without an answer is counted from a later request, or from one that was answered.
        var client = Client()
        client.send(1)
        #expect(client.line.askedAt == Self.at(1))
        client.receive(1.5)
        #expect(client.line.askedAt == nil)
        client.send(2)
        client.receive(2.1, bytes: false)
        client.send(3)
        client.send(4, isPing: true)
        #expect(client.line.askedAt == Self.at(2))
    }

    @Test func pingsOfTheSetUpDoNotCount() {
        // Broken: a ping that belongs to a protocol's set-up, as in NATS, counts as the first of its interval.
        var client = Client()
        client.send(0.2)
        client.send(0.21, isPing: true)
        client.receive(0.4)
        client.send(5, isPing: true)
        #expect(client.line.heartbeats.map(\.at) == [Self.at(5)])
        var other = Client()
        other.send(0.15, isPing: true)
        other.receive(0.3)
        other.send(7, isPing: true)
        #expect(other.line.heartbeats.map(\.at) == [Self.at(7)])
    }

    @Test func anAttemptLastsUntilTheWebSocketIsAccepted() {
        // Broken: a WebSocket that the server refuses counts as a lost connection, and not as a failed attempt.
        typealias Ending = Recording.RecordedConnection.EndedBy
        let cases: [(answer: WebSocketHandshake?, isEndedByClient: Bool, isOpen: Bool, ending: Ending, at: Double)] = [
            (.accepted, false, true, .server, 5), (.accepted, true, true, .client, 5),
            (.refused, false, false, .refused, 0.3), (.refused, true, false, .refused, 0.3),
            (nil, false, false, .refused, 5), (nil, true, false, .client, 5),
        ]
        for (answer, isEndedByClient, isOpen, ending, second) in cases {
            var client = Client()
            client.shake(.request, isUp: true, 0.2)
            if let answer { client.shake(answer, isUp: false, 0.3) }
            var end = Tracker.Segment(isUp: isEndedByClient)
            (end.isFIN, end.sequence) = (true, client.next)
            client.tracker.add(end, of: 1, at: Self.at(5))
            #expect((client.line.openedAt != nil) == isOpen && client.line.ending == ending, "\(ending)")
            #expect(client.line.endedAt == Self.at(second))
        }
        // An answer without a request for a WebSocket, or a request of the server, changes nothing.
        for (kind, isUp) in [(WebSocketHandshake.refused, false), (.request, false), (.refused, true)] {
            var client = Client()
            client.shake(kind, isUp: isUp, 0.2)
            client.sendFIN(5)
            #expect(client.line.openedAt != nil && client.line.endedAt == Self.at(5) && client.line.ending == .client)
        }
        var closed = Client()
        closed.shake(.request, isUp: true, 0.2)
        closed.tracker.endByClient(1, at: Self.at(10))
        #expect(closed.line.openedAt == nil && closed.line.ending == .client)
    }
}
