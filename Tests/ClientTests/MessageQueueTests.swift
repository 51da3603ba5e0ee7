import DeadzoneBase
import DeadzoneClient
import Testing

/// A send queue on a phone of its own: its input events and the resulting actions.
@Suite struct MessageQueueTests {
    /// Broken: the buffer for the time without a connection has no bound, or stays full after it was emptied. The
    /// messages have 100 bytes.
    @Test(arguments: [(350, 3), (300, 3), (99, 0), (10_000, 5)] as [(UInt64, UInt32)])
    func holdsTheSetBytesWithoutAConnection(bytes: UInt64, held: UInt32) {
        var queue = MessageQueue(.memory)
        queue.removal = .sent
        queue.boundBytes = bytes
        var phone = QueueHarness(queue)
        for round in 0..<3 as Range<UInt32> {
            let actions = phone.wants(5)
            let refused = actions.count { if case .refuse = $0 { true } else { false } }
            #expect(refused == 5 - Int(held))
            let sent = phone.opened().reduce(UInt32(0)) { sum, action in
                if case .send(_, let from, let upTo) = action { return sum + upTo.position - from.position }
                return sum
            }
            #expect(sent == held, "round \(round)")
            _ = phone.confirmed(round * 15 + held)
            // With a connection, nothing is refused.
            #expect(!phone.wants(10, isOpen: true).contains { if case .refuse = $0 { true } else { false } })
            _ = phone.confirmed((round + 1) * 15)
        }
    }

    private struct QueueHarness {
        let queue: MessageQueue
        var state = MessageQueue.State()
        var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
        let connection = ConnectionSlot(0)

        init(_ queue: MessageQueue) { self.queue = queue }

        mutating func wants(_ count: Int, isOpen: Bool = false) -> [Action] {
            var actions: [Action] = []
            let (queue, connection) = (queue, connection)
            for _ in 0..<count {
                let index = session.produced.position
                session.produced = Cursor(index + 1)
                actions += collect {
                    queue.enqueue(
                        Message(index: index, bytes: 100), over: isOpen ? connection : nil, &$0.state, &$0.session, &$1)
                }
            }
            return actions
        }

        mutating func collect(_ body: (inout QueueHarness, inout Outbox) -> Void) -> [Action] {
            var out = Outbox()
            body(&self, &out)
            // Skips the actions that store messages for the next process; they are not part of the queue's order.
            return (0..<out.count).map { out[$0] }.filter { if case .storeOutgoing = $0 { false } else { true } }
        }

        mutating func opened(done: Cursor? = nil) -> [Action] {
            collect { $0.queue.opened($0.connection, done: done, &$0.state, &$0.session, &$1) }
        }

        mutating func confirmed(_ end: UInt32) -> [Action] {
            session.acknowledged = Cursor(end)
            return collect { $0.queue.confirmed($0.connection, &$0.state, $0.session, &$1) }
        }
    }

    private static func bounded(_ overflow: MessageQueue.QueueOverflow, _ bound: UInt32 = 1_000) -> MessageQueue {
        var queue = MessageQueue(.stored)
        queue.bound = bound
        queue.overflow = overflow
        return queue
    }

    private static let connection = ConnectionSlot(0)

    /// Broken: the queue does not drain in order from the first unconfirmed message.
    @Test func drainsInOrder() {
        var phone = QueueHarness(MessageQueue(.stored))
        #expect(phone.wants(5) == [])
        #expect(phone.opened() == [.send(Self.connection, from: Cursor(0), upTo: Cursor(5))])
        #expect(phone.wants(1, isOpen: true) == [.send(Self.connection, from: Cursor(5), upTo: Cursor(6))])
        #expect(phone.confirmed(4) == [])
        #expect(phone.opened() == [.send(Self.connection, from: Cursor(4), upTo: Cursor(6))])
    }

    /// Broken: each message begins the time of its batch anew, so that a steady stream is sent by count only.
    @Test func aBatchCountsItsTimeFromTheFirstMessage() {
        var queue = MessageQueue(.stored)
        queue.batch = .init(every: 3, within: .minutes(1), slot: TimerSlot(10))
        var phone = QueueHarness(queue)
        #expect(phone.opened() == [])
        #expect(phone.wants(1, isOpen: true) == [])
        phone.session.now = .zero + .seconds(30)
        #expect(phone.wants(1, isOpen: true) == [] && queue.isHolding(phone.session))
        #expect(phone.session.timers[TimerSlot(10)].at == .zero + .minutes(1))
        #expect(phone.wants(1, isOpen: true) == [.send(Self.connection, from: Cursor(0), upTo: Cursor(3))])
        #expect(!queue.isHolding(phone.session))
    }

    /// Broken: the overflow of the WebSocket article. The message that makes 1,001 evicts the older 500, and the user
    /// sees a gap.
    @Test func halvesAtAThousand() {
        var phone = QueueHarness(Self.bounded(.halve))
        #expect(phone.wants(1_000) == [])
        #expect(phone.wants(1) == [.evict(below: Cursor(500)), .markGap(.up)])
        // A sawtooth between 501 and 1,000.
        #expect(phone.wants(499) == [])
        #expect(phone.wants(1) == [.evict(below: Cursor(1_000)), .markGap(.up)])
        #expect(phone.opened() == [.send(Self.connection, from: Cursor(1_000), upTo: Cursor(1_501))])
    }

    /// Broken: the other overflow rules. Either the oldest message is dropped, or the newest is refused and leaves a
    /// gap in the numbering. Nothing after the gap is sent before everything in front of it is confirmed.
    @Test func overflowsAsSet() {
        var oldest = QueueHarness(Self.bounded(.dropOldest, 3))
        #expect(oldest.wants(5) == [.evict(below: Cursor(1)), .evict(below: Cursor(2))])
        #expect(oldest.opened() == [.send(Self.connection, from: Cursor(2), upTo: Cursor(5))])

        var newest = QueueHarness(Self.bounded(.refuse, 3))
        #expect(
            newest.wants(5) == [
                .refuse(from: Cursor(3), upTo: Cursor(4)), .refuse(from: Cursor(4), upTo: Cursor(5)),
            ])
        #expect(newest.opened() == [.send(Self.connection, from: Cursor(0), upTo: Cursor(3))])
        #expect(newest.confirmed(2) == [])
        // There is room again: the message is accepted, but behind the gap.
        #expect(newest.wants(1, isOpen: true) == [])
        #expect(newest.confirmed(3) == [.send(Self.connection, from: Cursor(5), upTo: Cursor(6))])
        #expect(newest.wants(1, isOpen: true) == [.send(Self.connection, from: Cursor(6), upTo: Cursor(7))])
    }

    /// Broken: messages that are lost with a process, and those that survive it.
    @Test(arguments: [MessageQueue.QueueRetention.nothing, .memory, .stored])
    func aProcessEnds(kept: MessageQueue.QueueRetention) {
        var phone = QueueHarness(MessageQueue(kept))
        _ = phone.wants(5)
        let started = phone.collect { $0.queue.started(&$0.state, &$0.session, &$1) }
        #expect(started == (kept == .stored ? [] : [.forget(below: Cursor(5))]))
        _ = phone.wants(1)
        let first: UInt32 = kept == .stored ? 0 : 5
        let opened: [Action] = kept == .nothing ? [] : [.send(Self.connection, from: Cursor(first), upTo: Cursor(6))]
        #expect(phone.opened() == opened)
    }

    /// Broken: with `until: sent`, a sent message is sent again. Or the client does not discard by the number that
    /// the server reports, as the article's client does.
    @Test func doneMessagesAreNotSentAgain() {
        var queue = MessageQueue(.stored)
        queue.removal = .sent
        var once = QueueHarness(queue)
        _ = once.wants(2)
        #expect(once.opened() == [.send(Self.connection, from: Cursor(0), upTo: Cursor(2)), .forget(below: Cursor(2))])
        #expect(once.opened() == [])

        // The next process loads its store without them.
        once.session.storedOutgoing = Cursor(2)
        once.session.forgotten = Cursor(2)
        once.session.restart(keepsAlarms: false)
        #expect(once.collect { $0.queue.started(&$0.state, &$0.session, &$1) } == [])
        #expect(once.opened() == [])
        #expect(
            once.wants(1, isOpen: true) == [
                .send(Self.connection, from: Cursor(2), upTo: Cursor(3)), .forget(below: Cursor(3)),
            ])

        var literal = QueueHarness(MessageQueue(.stored))
        _ = literal.wants(10)
        #expect(
            literal.opened(done: Cursor(7)) == [
                .forget(below: Cursor(7)), .send(Self.connection, from: Cursor(7), upTo: Cursor(10)),
            ])
    }
}
