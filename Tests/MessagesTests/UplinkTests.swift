import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// The app's own messages: produced, confirmed, dropped from the queue, and open at the horizon.
@Suite struct UplinkTests {
    private func produced(_ count: Int) -> DeliveryHarness {
        let harness = DeliveryHarness(size: .uniform(1, 1_000))
        for _ in 0..<count { harness.delivery.produceUp(&harness.session, &harness.effects) }
        while harness.delivery.announceNext(&harness.session) != nil {}
        harness.drainEffects()
        harness.session.now = .zero + .seconds(100)
        return harness
    }

    private func values(_ harness: DeliveryHarness, _ kind: RecordKind) -> [Int64] {
        harness.entries.filter { $0.kind == kind }.map(\.amount)
    }

    /// Message n was produced n + 1 seconds after the start, so at 100 s its age identifies it.
    private func messages(_ harness: DeliveryHarness, _ kind: RecordKind) -> [Int64] {
        values(harness, kind).map { 99 - $0 / 1_000_000_000 }
    }

    @Test("Each message is announced once, in order, with its own size, after the app has produced it")
    func announcements() {
        let harness = DeliveryHarness(size: .uniform(1, 1_000))
        let early = harness.delivery.announceNext(&harness.session)
        #expect(early == nil && !harness.hasUnannounced && harness.session.produced == .start)
        for _ in 0..<3 { harness.delivery.produceUp(&harness.session, &harness.effects) }
        harness.drainEffects()
        #expect(values(harness, .sentUp) == [0, 1, 2])
        for index in 0..<3 as Range<UInt32> {
            #expect(harness.hasUnannounced && harness.session.produced == Cursor(index))
            let message = harness.delivery.announceNext(&harness.session)
            #expect(message == Message(index: index, bytes: harness.bytesUp(of: index)))
            #expect(harness.session.produced == Cursor(index + 1))
        }
        #expect(!harness.hasUnannounced)
    }

    @Test("A message is confirmed once, with the time since the app produced it")
    func confirmations() {
        let harness = produced(6)
        for end in [2, 1, 2, 5] as [UInt32] {
            harness.delivery.confirmUp(before: end, &harness.session, &harness.effects)
        }
        harness.drainEffects()
        #expect(messages(harness, .acknowledgedUp) == [0, 1, 2, 3, 4])
        #expect(harness.acknowledged == Cursor(5))
        harness.delivery.confirmUp(before: 3, &harness.session, &harness.effects)
        #expect(harness.acknowledged == Cursor(5))
        harness.delivery.skipUp(to: 6, &harness.session, &harness.effects)
        harness.delivery.confirmUp(before: 6, &harness.session, &harness.effects)
        harness.drainEffects()
        #expect(messages(harness, .acknowledgedUp) == [0, 1, 2, 3, 4] && harness.acknowledged == Cursor(6))
    }

    @Test("A skipped range is closed once its last message is confirmed, not earlier", arguments: 0...6 as ClosedRange)
    func skippedRanges(confirmed: UInt32) {
        let harness = produced(6)
        let isFirst = harness.leaveOut(2..<4)
        #expect(isFirst)
        harness.delivery.confirmUp(before: confirmed, &harness.session, &harness.effects)
        let isOpen = harness.leaveOut(5..<6)
        #expect(isOpen == (confirmed >= 4))
        harness.delivery.confirmUp(before: 6, &harness.session, &harness.effects)
        harness.drainEffects()
        let skipped: [Int64] = confirmed == 6 ? [2, 3] : confirmed >= 4 ? [2, 3, 5] : [2, 3]
        #expect(messages(harness, .acknowledgedUp) == (0..<6).filter { !skipped.contains($0) })
    }

    @Test("A gap of one connection ends where the next connection starts", arguments: 0...5 as ClosedRange)
    func gapOfAnEarlierConnection(first: UInt32) {
        let harness = produced(5)
        let isFirst = harness.leaveOut(1..<4)
        #expect(isFirst)
        harness.delivery.beginUp(at: first, &harness.session, &harness.effects)
        harness.delivery.confirmUp(before: 5, &harness.session, &harness.effects)
        harness.drainEffects()
        #expect(messages(harness, .acknowledgedUp) == (Int64(first)..<5).map { $0 })
    }

    @Test("Messages that a full queue drops are counted from the first one that the server can still get")
    func overflow() {
        let harness = produced(10)
        harness.session.acknowledged = Cursor(2)
        harness.delivery.evict(before: Cursor(2), &harness.session, &harness.effects)
        harness.delivery.evict(before: Cursor(5), &harness.session, &harness.effects)
        harness.delivery.evict(before: Cursor(5), &harness.session, &harness.effects)
        harness.delivery.evict(before: Cursor(6), &harness.session, &harness.effects)
        harness.drainEffects()
        #expect(values(harness, .queueOverflow) == [3, 1] && harness.session.forgotten == Cursor(6))
        // `arrived` or the forgotten position cut the range from below.
        harness.delivery.refuse(4, 6, arrived: 0, &harness.session, &harness.effects)
        harness.delivery.refuse(4, 7, arrived: 0, &harness.session, &harness.effects)
        harness.delivery.refuse(4, 9, arrived: 7, &harness.session, &harness.effects)
        harness.delivery.refuse(8, 9, arrived: 7, &harness.session, &harness.effects)
        harness.delivery.refuse(8, 8, arrived: 7, &harness.session, &harness.effects)
        harness.drainEffects()
        #expect(values(harness, .queueOverflow) == [3, 1, 1, 2, 1])
    }

    /// Messages lost at the horizon if the server has received none and none is in flight.
    private func lost(_ harness: DeliveryHarness, arrived: UInt32 = 0) -> Int64 {
        harness.delivery.finishUp(arrived: arrived, carried: 0, &harness.session, &harness.effects)
        harness.drainEffects()
        return values(harness, .lostUp).reduce(0, +)
    }

    /// The lost messages of the app by number. Several entries may name them, one for each cause.
    private func lostMessages(_ harness: DeliveryHarness) -> [UInt32] {
        harness.entries.filter { $0.kind == .lostUp }
            .compactMap { MessageLoss(tag: $0.tag, value: $0.value) }
            .flatMap { Array($0.first..<$0.first + $0.count) }
    }

    @Test("Refused messages that the server's position passes are no longer lost")
    func settled() {
        // Refused: 4 messages. The server passes the messages from `begin` to `first`.
        let table: [(begin: UInt32, first: UInt32, forgotten: UInt32, lost: Int64)] = [
            (0, 0, 0, 4), (0, 3, 0, 1), (1, 3, 0, 2), (0, 3, 2, 3 + 2), (0, 9, 0, 0), (2, 3, 1, 3 + 1),
            (0, 3, 9, 9 + 1),
        ]
        for row in table {
            let harness = produced(10)
            harness.delivery.refuse(6, 10, arrived: 0, &harness.session, &harness.effects)
            harness.session.forgotten = Cursor(row.forgotten)
            harness.delivery.settleRefused(row.begin, row.first, harness.session)
            #expect(lost(harness) == row.lost, "\(row)")
        }
    }

    @Test("Refused messages are forgotten only with all messages of the app")
    func forgotten() {
        for end in 8...10 as ClosedRange<UInt32> {
            let harness = produced(10)
            harness.delivery.refuse(9, 10, arrived: 0, &harness.session, &harness.effects)
            harness.delivery.forgetUp(before: Cursor(end), &harness.session)
            harness.delivery.forgetUp(before: Cursor(3), &harness.session)
            #expect(harness.session.forgotten == Cursor(end))
            // A later message is pending, unless the refusal still counts.
            harness.delivery.produceUp(&harness.session, &harness.effects)
            #expect(lost(harness) == Int64(end) + (end == 10 ? 0 : 1))
        }
    }

    @Test("At the horizon each message is lost or pending, as a list of single messages says")
    func horizon() {
        for (confirmed, skips) in [(0, false), (0, true), (2, false), (2, true)] as [(UInt32, Bool)] {
            for (arrived, forgotten) in [(2, 0), (2, 2), (2, 4), (4, 5), (3, 7), (7, 7), (2, 7)] as [(UInt32, UInt32)] {
                for (refused, carried) in [(0, 0), (1, 0), (2, 1), (4, 3), (0, 9)] as [(UInt32, Int64)] {
                    let harness = produced(7)
                    if skips { _ = harness.leaveOut(1..<3) }
                    harness.delivery.confirmUp(before: confirmed, &harness.session, &harness.effects)
                    if refused > 0 {
                        harness.delivery.refuse(7 - refused, 7, arrived: 0, &harness.session, &harness.effects)
                    }
                    harness.session.forgotten = Cursor(forgotten)
                    harness.delivery.finishUp(arrived: arrived, carried: carried, &harness.session, &harness.effects)
                    harness.drainEffects()

                    let open = (0..<7).filter { $0 >= arrived } as [UInt32]
                    let dropped = open.filter { $0 < forgotten }
                    let kept = open.filter { $0 >= forgotten }
                    // The last dropped messages are in flight, and the others are lost.
                    let lost = dropped.dropLast(Int(carried)) + kept.suffix(Int(refused))
                    let waiting = open.dropFirst(lost.count)
                    let arrivedButKept = (confirmed..<max(arrived, confirmed)).filter {
                        $0 >= forgotten && !(skips && 1 <= $0 && $0 < 3)
                    }
                    let label: Comment = "\(confirmed) \(skips) \(arrived) \(forgotten) \(refused) \(carried)"
                    #expect(lostMessages(harness) == Array(lost), label)
                    #expect(values(harness, .pendingUp) == (waiting.isEmpty ? [] : [Int64(waiting.count)]), label)
                    #expect(messages(harness, .waitedUp) == (arrivedButKept + waiting).map { Int64($0) }, label)
                }
            }
        }
    }
}
