import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@Suite struct DeliveryTests {
    /// Broken: a message is counted twice, or not at all. In any order of events, all messages that the server wrote
    /// are seen, lost or pending, and no message is two of these.
    @Test(arguments: [false, true])
    func everyMessageHasOneEnd(consumes: Bool) {
        var (losses, repeats) = (0, 0)
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let harness = DeliveryHarness(consumes ? Consumer() : nil)
            var written: UInt32 = 0
            for _ in 0..<30 {
                harness.session.now += .seconds(5)
                written += UInt32(dice.next().scaled(below: 5))
                let next = min(harness.delivery.received, written)
                switch dice.next().scaled(below: 6) {
                case 0 where written > next:
                    // The server resumes later than it was asked to, and may report the gap.
                    let at = next + UInt32(dice.next().scaled(below: UInt64(written - next) + 1))
                    harness.delivery.continueStream(
                        at: at, isGap: dice.next().scaled(below: 2) == 0, &harness.session, &harness.effects)
                    if dice.next().scaled(below: 2) == 0 {
                        harness.delivery.noticeGap(.down, &harness.session, &harness.effects)
                    }
                case 1:
                    harness.delivery.endProcess(&harness.session, &harness.effects)
                case 2 where next > 0:
                    let from = UInt32(dice.next().scaled(below: UInt64(next)))
                    harness.receive(from..<next)
                default:
                    if written > next { harness.receive(next..<written, isShown: dice.next().scaled(below: 3) > 0) }
                }
                harness.drainEffects()
            }
            harness.finish(written: written)
            let sum = harness.count(.deliveredDown) + harness.count(.lostDown) + harness.count(.pendingDown)
            #expect(sum == Int64(written), "seed \(seed): \(sum) of \(written)")
            #expect(harness.count(.waitedDown) == harness.count(.pendingDown), "seed \(seed)")
            if harness.count(.lostDown) > 0 { losses += 1 }
            if harness.count(.suppressedDown) > 0 { repeats += 1 }
        }
        #expect(losses > 20 && repeats > 20, "\(losses), \(repeats)")
    }

    /// Broken: a gap behind 64 ranges of left-out messages ends the program, because the last range has grown over it.
    @Test(arguments: [63, 64, 65, 200] as [UInt32])
    func aGapBehindManyLeftOutMessagesIsPassed(_ ranges: UInt32) {
        let harness = DeliveryHarness(leavesOut: true)
        for range in 0..<ranges { harness.receive(2 * range + 1..<2 * range + 2, isShown: false) }
        let (gap, end) = (2 * ranges + 12, 2 * ranges + 23)
        harness.delivery.continueStream(at: gap, isGap: true, &harness.session, &harness.effects)
        harness.receive(end - 1..<end)
        #expect(harness.seen == end)
        #expect(harness.count(.deliveredDown) + harness.count(.lostDown) == Int64(end))
    }

    /// Broken: an unnoticed gap is recorded as noticed, or a noticed one as unnoticed.
    @Test(arguments: [false, true])
    func aGapIsNoticedOnlyIfReported(isNoticed: Bool) {
        let harness = DeliveryHarness()
        harness.receive(0..<3)
        harness.delivery.continueStream(at: 7, isGap: true, &harness.session, &harness.effects)
        if isNoticed { harness.delivery.noticeGap(.down, &harness.session, &harness.effects) }
        harness.receive(7..<9)
        #expect(harness.count(.lostDown) == 4)
        #expect(harness.count(.gapNoticed) == (isNoticed ? 4 : 0))
        #expect(harness.count(.gapUnnoticed) == (isNoticed ? 0 : 4))
        #expect(harness.cursor == Cursor(9))
    }

    /// Broken: a slow consumer shows all messages at once, or none.
    @Test func aConsumerTakesMessagesOneByOne() {
        let harness = DeliveryHarness(Consumer(service: .constant(2_000_000_000)))
        harness.receive(0..<4)
        #expect(harness.seen == 1 && harness.receivedMessages == [0, 1, 2, 3])
        for seen in 2...4 as ClosedRange<UInt32> {
            let at = harness.consumesAt
            let now = harness.session.now
            #expect(at == now + .seconds(2))
            harness.session.now = at
            harness.delivery.advanceConsumption(appRuns: true, &harness.session, &harness.effects)
            #expect(harness.seen == seen)
        }
        #expect(harness.consumesAt == .never)
    }

    /// Broken: messages count as seen although the app does not run.
    @Test func noMessageIsSeenWhileTheAppIsSuspended() {
        let harness = DeliveryHarness(Consumer())
        harness.receive(0..<2, isShown: false)
        harness.delivery.handOver(upTo: Cursor(2), appRuns: false, &harness.session, &harness.effects)
        #expect(harness.seen == 0)
        harness.delivery.advanceConsumption(appRuns: true, &harness.session, &harness.effects)
        #expect(harness.seen == 2)
    }

    /// Broken: a full buffer drops messages from the wrong end, or more than necessary.
    @Test(
        arguments: [(ReceivePolicy.BufferOverflow.dropOldest, [0, 3, 4]), (.dropLatest, [0, 1, 2])]
            as [(ReceivePolicy.BufferOverflow, [Int64])])
    func aFullBufferDropsOneEnd(_ overflow: ReceivePolicy.BufferOverflow, shown: [Int64]) {
        var rules = ReceivePolicy()
        rules.buffer = ReceivePolicy.Buffer(2, overflow)
        let harness = DeliveryHarness(Consumer(service: .constant(1_000_000_000)), rules)
        harness.receive(0..<5)
        for _ in 0..<5 {
            harness.session.now += .seconds(1)
            harness.delivery.advanceConsumption(appRuns: true, &harness.session, &harness.effects)
        }
        harness.finish(written: 5)
        // Message n was written at n + 1 s, so the delivery time identifies the message.
        let seen = zip(0..., harness.entries.filter { $0.kind == .deliveredDown }).map { turn, note in
            Int64(turn) - 1 - note.value / 1_000_000_000
        }
        #expect(seen == shown)
        #expect(harness.count(.bufferDropped) == 2 && harness.count(.lostDown) == 2)
    }

    /// Broken: an app message that was never sent is confirmed, or one is confirmed twice.
    @Test func skippedMessagesAreNotConfirmed() {
        let harness = DeliveryHarness()
        for _ in 0..<6 { harness.delivery.produceUp(&harness.session, &harness.effects) }
        let (first, second) = (harness.leaveOut(2..<4), harness.leaveOut(4..<5))
        #expect(first && !second)
        harness.delivery.confirmUp(before: 6, &harness.session, &harness.effects)
        harness.drainEffects()
        #expect(harness.count(.sentUp) == 6 && harness.count(.acknowledgedUp) == 4)
        #expect(harness.acknowledged == Cursor(6))
        let third = harness.leaveOut(6..<7)
        #expect(third)
    }

    /// Broken: a message that a process received but did not show counts as a duplicate in the next process. Or a
    /// message that was shown counts as new.
    @Test func aNewProcessKnowsTheShownMessages() {
        let harness = DeliveryHarness()
        harness.receive(0..<3)
        harness.receive(3..<5, isShown: false)
        harness.delivery.endProcess(&harness.session, &harness.effects)
        harness.drainEffects()
        #expect(harness.delivery.received == 3)
        harness.receive(3..<5)
        harness.finish(written: 5)
        #expect(
            harness.count(.deliveredDown) == 5 && harness.count(.suppressedDown) == 0 && harness.count(.lostDown) == 0)
    }

    /// Broken: a gap that the old process knew, or its request for a snapshot, hides messages from the new process.
    @Test(arguments: [false, true])
    func aNewProcessKnowsNoGapOfTheOldOne(wasRequested: Bool) {
        let harness = DeliveryHarness()
        harness.receive(0..<3)
        harness.delivery.continueStream(at: 7, isGap: true, &harness.session, &harness.effects)
        if wasRequested { harness.delivery.requestResync(&harness.session, &harness.effects) }
        harness.delivery.endProcess(&harness.session, &harness.effects)
        harness.drainEffects()
        // This server has every message again, except message 3.
        harness.delivery.continueStream(at: 4, isGap: true, &harness.session, &harness.effects)
        harness.receive(4..<9)
        #expect(harness.seen == 9 && harness.count(.deliveredDown) == 8)
        #expect(harness.count(.lostDown) == 1 && harness.count(.gapUnnoticed) == 1)
    }
}
