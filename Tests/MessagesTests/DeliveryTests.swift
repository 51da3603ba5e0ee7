import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePrimitives
import DeadzoneTestKit
import DeadzoneTransport
import Testing

/// One phone's messages by hand: one a second either way, a hundred bytes each.
private final class Book {
    private let said: UnsafeMutablePointer<Conversation>
    private let intake: UnsafeMutablePointer<Intake>
    private let consumer: UnsafeMutablePointer<Consumer>?
    var delivery: Delivery
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    var steps = Steps<DeliveryStep>()
    private(set) var notes: [Note] = []
    private(set) var taken: [UInt32] = []

    init(_ consumer: Consumer? = nil, _ rules: Intake = Intake(), leavesOut: Bool = false) {
        let stream = TrafficStream(gap: .constant(1_000_000_000), size: .constant(100), until: .zero + .hours(1))
        said = .allocate(capacity: 1)
        said.initialize(to: Conversation(Traffic(down: stream, up: stream), seed: 1))
        intake = .allocate(capacity: 1)
        intake.initialize(to: rules)
        self.consumer = consumer.map { consumer in
            let place = UnsafeMutablePointer<Consumer>.allocate(capacity: 1)
            place.initialize(to: consumer)
            return place
        }
        delivery = Delivery(said, intake, self.consumer.map { UnsafePointer($0) }, leavesOut: leavesOut)
    }

    deinit {
        said.deinitialize(count: 1).deallocate()
        intake.deinitialize(count: 1).deallocate()
        consumer?.deinitialize(count: 1).deallocate()
    }

    var seen: UInt32 { delivery.seen.index }
    var cursor: Cursor { session.cursor }
    var acknowledged: Cursor { session.acknowledged }
    var consumesAt: Instant { delivery.consumptionAt(session.now) }
    func leaveOut(_ messages: Range<UInt32>) -> Bool { delivery.leaveOut(messages) }

    func count(_ kind: Kind) -> Int64 {
        let ones: Set<Kind> = [.deliveredDown, .sentUp, .acknowledgedUp, .waitedDown, .waitedUp]
        return notes.filter { $0.kind == kind }.reduce(0) { $0 + (ones.contains(kind) ? 1 : $1.value) }
    }

    /// Notes what was asked for.
    func settle() {
        let asked = steps.begin()
        for index in asked {
            switch steps[index] {
            case .note(let note): notes.append(note)
            case .tookIn(let message): taken.append(message)
            }
        }
        steps.end(asked)
    }

    /// Messages come over a stream, and the strategy hands them over at once.
    func come(_ messages: Range<UInt32>, isShown: Bool = true) {
        let bytes = UInt32(messages.count) * 100
        delivery.receive(
            Run(first: messages.lowerBound, last: messages.upperBound, bytes: bytes, track: .message, cause: .payload),
            &session, &steps)
        settle()
        guard isShown else { return }
        delivery.handOver(upTo: Cursor(messages.upperBound), appRuns: true, &session, &steps)
        settle()
    }

    func finish(written: UInt32) {
        delivery.settleRepeated(&session, &steps)
        delivery.loseGap(&session, &steps)
        delivery.finishDown(written: written, unreachable: 0, inFlight: nil, &session, &steps)
        settle()
    }
}

@Suite struct DeliveryTests {
    /// Broken: a message that is counted twice, or not at all. Whatever comes in whatever order, all that the server wrote are seen,
    /// lost or pending, and no message is two of these.
    @Test(arguments: [false, true])
    func everyMessageHasOneEnd(consumes: Bool) {
        var (losses, repeats) = (0, 0)
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let book = Book(consumes ? Consumer() : nil)
            var written: UInt32 = 0
            for _ in 0..<30 {
                book.session.now += .seconds(5)
                written += UInt32(dice.next().scaled(below: 5))
                let next = min(book.delivery.received, written)
                switch dice.next().scaled(below: 6) {
                case 0 where written > next:
                    // The server goes on later than it was asked to, and may say so.
                    let at = next + UInt32(dice.next().scaled(below: UInt64(written - next) + 1))
                    book.delivery.goOn(at: at, isGap: dice.next().scaled(below: 2) == 0, &book.session, &book.steps)
                    if dice.next().scaled(below: 2) == 0 {
                        book.delivery.noticeGap(.down, &book.session, &book.steps)
                    }
                case 1:
                    book.delivery.emptyBuffer(&book.session, &book.steps)
                    book.delivery.forgetShown(&book.session, &book.steps)
                case 2 where next > 0:
                    let from = UInt32(dice.next().scaled(below: UInt64(next)))
                    book.come(from..<next)
                default:
                    if written > next { book.come(next..<written, isShown: dice.next().scaled(below: 3) > 0) }
                }
                book.settle()
            }
            book.finish(written: written)
            let sum = book.count(.deliveredDown) + book.count(.lostDown) + book.count(.pendingDown)
            #expect(sum == Int64(written), "seed \(seed): \(sum) of \(written)")
            #expect(book.count(.waitedDown) == book.count(.pendingDown), "seed \(seed)")
            if book.count(.lostDown) > 0 { losses += 1 }
            if book.count(.suppressedDown) > 0 { repeats += 1 }
        }
        #expect(losses > 20 && repeats > 20, "\(losses), \(repeats)")
    }

    /// Broken: a gap that nobody knows of and that the books call noticed, or the other way round.
    @Test(arguments: [false, true])
    func aGapIsNoticedByWhoeverFindsIt(isNoticed: Bool) {
        let book = Book()
        book.come(0..<3)
        book.delivery.goOn(at: 7, isGap: true, &book.session, &book.steps)
        if isNoticed { book.delivery.noticeGap(.down, &book.session, &book.steps) }
        book.come(7..<9)
        #expect(book.count(.lostDown) == 4)
        #expect(book.count(.gapNoticed) == (isNoticed ? 4 : 0))
        #expect(book.count(.gapUnnoticed) == (isNoticed ? 0 : 4))
        #expect(book.cursor == Cursor(9))
    }

    /// Broken: a slow consumer that sees everything at once, or never.
    @Test func aConsumerTakesOneAfterTheOther() {
        let book = Book(Consumer(service: .constant(2_000_000_000)))
        book.come(0..<4)
        #expect(book.seen == 1 && book.taken == [0, 1, 2, 3])
        for seen in 2...4 as ClosedRange<UInt32> {
            let at = book.consumesAt
            let now = book.session.now
            #expect(at == now + .seconds(2))
            book.session.now = at
            book.delivery.advanceConsumption(appRuns: true, &book.session, &book.steps)
            #expect(book.seen == seen)
        }
        #expect(book.consumesAt == .never)
    }

    /// Broken: an app that does not run and sees something all the same.
    @Test func nobodySeesWhatComesWhileTheAppStandsStill() {
        let book = Book(Consumer())
        book.come(0..<2, isShown: false)
        book.delivery.handOver(upTo: Cursor(2), appRuns: false, &book.session, &book.steps)
        #expect(book.seen == 0)
        book.delivery.advanceConsumption(appRuns: true, &book.session, &book.steps)
        #expect(book.seen == 2)
    }

    /// Broken: a full buffer that drops the wrong end, or more than it has to.
    @Test(
        arguments: [(Intake.Overflow.dropOldest, [0, 3, 4]), (.dropLatest, [0, 1, 2])] as [(Intake.Overflow, [Int64])])
    func aFullBufferDropsOneEnd(_ overflow: Intake.Overflow, shown: [Int64]) {
        var rules = Intake()
        rules.buffer = Intake.Buffer(2, overflow)
        let book = Book(Consumer(service: .constant(1_000_000_000)), rules)
        book.come(0..<5)
        for _ in 0..<5 {
            book.session.now += .seconds(1)
            book.delivery.advanceConsumption(appRuns: true, &book.session, &book.steps)
        }
        book.finish(written: 5)
        // Message n was written at n + 1 s: how long it took says which it was.
        let seen = zip(0..., book.notes.filter { $0.kind == .deliveredDown }).map { turn, note in
            Int64(turn) - 1 - note.value / 1_000_000_000
        }
        #expect(seen == shown)
        #expect(book.count(.bufferDropped) == 2 && book.count(.lostDown) == 2)
    }

    /// Broken: a message of the app that is confirmed and was never said, or confirmed twice.
    @Test func whatWasLeftOutIsNotConfirmed() {
        let book = Book()
        for _ in 0..<6 { book.delivery.wantUp(&book.session, &book.steps) }
        let (first, second) = (book.leaveOut(2..<4), book.leaveOut(4..<5))
        #expect(first && !second)
        book.delivery.confirmUp(before: 6, &book.session, &book.steps)
        book.settle()
        #expect(book.count(.sentUp) == 6 && book.count(.acknowledgedUp) == 4)
        #expect(book.acknowledged == Cursor(6))
        let third = book.leaveOut(6..<7)
        #expect(third)
    }

    /// Broken: what a process had and never showed is a repeat to the next one, or what it showed is new.
    @Test func aNewProcessKnowsWhatWasShown() {
        let book = Book()
        book.come(0..<3)
        book.come(3..<5, isShown: false)
        book.delivery.emptyBuffer(&book.session, &book.steps)
        book.delivery.forgetShown(&book.session, &book.steps)
        book.settle()
        #expect(book.delivery.received == 3)
        book.come(3..<5)
        book.finish(written: 5)
        #expect(book.count(.deliveredDown) == 5 && book.count(.suppressedDown) == 0 && book.count(.lostDown) == 0)
    }
}
