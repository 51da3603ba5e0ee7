import DeadzoneClient
import DeadzonePrimitives
import Testing

/// A queue on a phone of its own: what is asked of it, and what it answers.
@Suite struct SendQueueTests {
    /// Broken: a buffer for the time without a connection that has no end, or that stays full once it was emptied. Messages of
    /// 100 bytes.
    @Test(arguments: [(350, 3), (300, 3), (99, 0), (10_000, 5)] as [(UInt64, UInt32)])
    func holdsSoManyBytesWithoutAConnection(bytes: UInt64, held: UInt32) {
        var queue = SendQueue(.memory)
        queue.until = .sent
        queue.boundBytes = bytes
        var phone = Phone(queue)
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
            // With a connection nothing is refused.
            #expect(!phone.wants(10, isOpen: true).contains { if case .refuse = $0 { true } else { false } })
            _ = phone.confirmed((round + 1) * 15)
        }
    }

    private struct Phone {
        let queue: SendQueue
        var state = SendQueue.State()
        var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
        let line = ConnectionSlot(0)

        init(_ queue: SendQueue) { self.queue = queue }

        mutating func wants(_ count: Int, isOpen: Bool = false) -> [Action] {
            var actions: [Action] = []
            let (queue, line) = (queue, line)
            for _ in 0..<count {
                let index = session.produced.position
                session.produced = Cursor(index + 1)
                actions += collect {
                    queue.wants(
                        Message(index: index, bytes: 100), over: isOpen ? line : nil, &$0.state, $0.session, &$1)
                }
            }
            return actions
        }

        mutating func collect(_ body: (inout Phone, inout Outbox) -> Void) -> [Action] {
            var out = Outbox()
            body(&self, &out)
            // What is written down for the next process is not the queue's order.
            return (0..<out.count).map { out[$0] }.filter { if case .keep = $0 { false } else { true } }
        }

        mutating func opened(done: Cursor? = nil) -> [Action] {
            collect { $0.queue.opened($0.line, done: done, &$0.state, $0.session, &$1) }
        }

        mutating func confirmed(_ end: UInt32) -> [Action] {
            session.acknowledged = Cursor(end)
            return collect { $0.queue.confirmed($0.line, &$0.state, $0.session, &$1) }
        }
    }

    private static func bounded(_ overflow: SendQueue.Overflow, _ bound: UInt32 = 1_000) -> SendQueue {
        var queue = SendQueue(.stored)
        queue.bound = bound
        queue.overflow = overflow
        return queue
    }

    private static let line = ConnectionSlot(0)

    /// Broken: a queue that does not drain in order from the first that nobody has confirmed.
    @Test func drainsInOrder() {
        var phone = Phone(SendQueue(.stored))
        #expect(phone.wants(5) == [])
        #expect(phone.opened() == [.send(Self.line, from: Cursor(0), upTo: Cursor(5))])
        #expect(phone.wants(1, isOpen: true) == [.send(Self.line, from: Cursor(5), upTo: Cursor(6))])
        #expect(phone.confirmed(4) == [])
        #expect(phone.opened() == [.send(Self.line, from: Cursor(4), upTo: Cursor(6))])
    }

    /// Broken: the WebSocket article's overflow. The message that makes it 1,001 sends the older 500 away, and the user is told.
    @Test func halvesAtAThousand() {
        var phone = Phone(Self.bounded(.halve))
        #expect(phone.wants(1_000) == [])
        #expect(phone.wants(1) == [.evict(below: Cursor(500)), .markGap(.up)])
        // A sawtooth between 501 and 1,000.
        #expect(phone.wants(499) == [])
        #expect(phone.wants(1) == [.evict(below: Cursor(1_000)), .markGap(.up)])
        #expect(phone.opened() == [.send(Self.line, from: Cursor(1_000), upTo: Cursor(1_501))])
    }

    /// Broken: the other ways to overflow: the oldest goes, or the newest is not taken and leaves a hole that nothing is sent
    /// over before what lies in front of it is confirmed.
    @Test func overflowsAsItIsTold() {
        var oldest = Phone(Self.bounded(.dropOldest, 3))
        #expect(oldest.wants(5) == [.evict(below: Cursor(1)), .evict(below: Cursor(2))])
        #expect(oldest.opened() == [.send(Self.line, from: Cursor(2), upTo: Cursor(5))])

        var newest = Phone(Self.bounded(.refuse, 3))
        #expect(
            newest.wants(5) == [
                .refuse(from: Cursor(3), upTo: Cursor(4)), .refuse(from: Cursor(4), upTo: Cursor(5)),
            ])
        #expect(newest.opened() == [.send(Self.line, from: Cursor(0), upTo: Cursor(3))])
        #expect(newest.confirmed(2) == [])
        // Room again: taken, but behind the hole.
        #expect(newest.wants(1, isOpen: true) == [])
        #expect(newest.confirmed(3) == [.send(Self.line, from: Cursor(5), upTo: Cursor(6))])
        #expect(newest.wants(1, isOpen: true) == [.send(Self.line, from: Cursor(6), upTo: Cursor(7))])
    }

    /// Broken: what a process takes with it, and what it leaves behind.
    @Test(arguments: [SendQueue.Kept.nothing, .memory, .stored])
    func aProcessEnds(kept: SendQueue.Kept) {
        var phone = Phone(SendQueue(kept))
        _ = phone.wants(5)
        let started = phone.collect { $0.queue.started(&$0.state, &$0.session, &$1) }
        #expect(started == (kept == .stored ? [] : [.forget(below: Cursor(5))]))
        _ = phone.wants(1)
        let first: UInt32 = kept == .stored ? 0 : 5
        let opened: [Action] = kept == .nothing ? [] : [.send(Self.line, from: Cursor(first), upTo: Cursor(6))]
        #expect(phone.opened() == opened)
    }

    /// Broken: what is done with at hand-over comes again; and the number that the article's client discards by.
    @Test func whatIsDoneWithStaysAway() {
        var queue = SendQueue(.stored)
        queue.until = .sent
        var once = Phone(queue)
        _ = once.wants(2)
        #expect(once.opened() == [.send(Self.line, from: Cursor(0), upTo: Cursor(2)), .forget(below: Cursor(2))])
        #expect(once.opened() == [])

        // Another process finds its store without them.
        once.session.kept = Cursor(2)
        once.session.forgotten = Cursor(2)
        once.session.restart(keepsAlarms: false)
        #expect(once.collect { $0.queue.started(&$0.state, &$0.session, &$1) } == [])
        #expect(once.opened() == [])
        #expect(
            once.wants(1, isOpen: true) == [
                .send(Self.line, from: Cursor(2), upTo: Cursor(3)), .forget(below: Cursor(3)),
            ])

        var literal = Phone(SendQueue(.stored))
        _ = literal.wants(10)
        #expect(
            literal.opened(done: Cursor(7)) == [
                .forget(below: Cursor(7)), .send(Self.line, from: Cursor(7), upTo: Cursor(10)),
            ])
    }
}
