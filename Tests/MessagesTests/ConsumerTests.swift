import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import Testing

@Suite struct ConsumerTests {
    private func demand(_ initial: UInt32, _ refill: UInt32, after: UInt32) -> ReceivePolicy {
        var rules = ReceivePolicy()
        rules.demand = ReceivePolicy.MessageDemand()
        rules.demand?.initial = initial
        rules.demand?.refill = refill
        rules.demand?.refillAfter = after
        return rules
    }

    @Test("A phone has a buffer if it has a consumer, or if its requests can block the server")
    func buffers() {
        #expect(!DeliveryHarness().hasConsumer)
        #expect(DeliveryHarness(Consumer()).hasConsumer)
        let table: [(initial: UInt32, refill: UInt32, after: UInt32, blocks: Bool)] = [
            (2, 2, 2, false), (1, 2, 2, true), (2, 1, 2, true), (3, 3, 2, false),
        ]
        for row in table {
            let rules = demand(row.initial, row.refill, after: row.after)
            #expect(DeliveryHarness(nil, rules).hasConsumer == row.blocks, "\(row)")
            #expect(DeliveryHarness(nil, rules).holdsCredit == row.blocks, "\(row)")
            #expect(DeliveryHarness(Consumer(), rules).holdsCredit, "\(row)")
        }
    }

    @Test("The library holds credit back only if it stops reading and has a buffer")
    func credit() {
        let table: [(ReceivePolicy.Buffer, Bool)] = [
            (.unlimited, false), (ReceivePolicy.Buffer(3), true), (.conflated, false),
            (ReceivePolicy.Buffer(3, .dropLatest), false),
        ]
        for (buffer, holds) in table {
            var rules = ReceivePolicy()
            rules.buffer = buffer
            #expect(DeliveryHarness(Consumer(), rules).holdsCredit == holds, "\(buffer)")
            #expect(!DeliveryHarness(nil, rules).holdsCredit, "\(buffer)")
        }
    }

    @Test("A stall delays the consumer to its end exactly, and the longest of several stalls counts")
    func stalls() {
        let harness = DeliveryHarness(Consumer(service: .constant(2_000_000_000)))
        harness.receive(0..<3)
        let began = harness.session.now
        #expect(harness.seen == 1 && harness.consumesAt == began + .seconds(2))
        func stall(_ span: TimeSpan) -> Bool { harness.delivery.stall(for: span, &harness.session, &harness.effects) }
        #expect(stall(.seconds(5)) && stall(.seconds(3)) && !stall(.zero) && stall(.nanoseconds(1)))
        harness.drainEffects()
        #expect(
            harness.entries.filter { $0.kind == .consumerStalled }.map(\.value) == [5_000_000_000, 3_000_000_000, 1])
        #expect(harness.consumesAt == began + .seconds(5))
        for (span, seen) in [(TimeSpan.seconds(5) - .nanoseconds(1), 1), (.seconds(5), 2)] as [(TimeSpan, UInt32)] {
            harness.session.now = began + span
            harness.delivery.advanceConsumption(appRuns: true, &harness.session, &harness.effects)
            harness.drainEffects()
            #expect(harness.seen == seen)
        }
        #expect(harness.consumesAt == began + .seconds(7))
        harness.session.now = began + .seconds(9)
        #expect(harness.consumesAt == began + .seconds(9))
        let plain = DeliveryHarness()
        let isStalled = plain.delivery.stall(for: .seconds(1), &plain.session, &plain.effects)
        #expect(!isStalled)
        #expect(plain.stallsAt == .never && plain.consumesAt == .never)
    }

    // Broken: the library keeps the credit that became free, because the end of a step of the consumer is no effect. Or
    // an app without a consumer, or a request of a strategy that makes none, grants credit.
    @Test("Each step of the consumer ends with an effect")
    func stepsOfTheConsumer() {
        for hasConsumer in [true, false] {
            let harness = DeliveryHarness(hasConsumer ? Consumer() : nil)
            harness.receive(0..<3, isShown: false)
            harness.delivery.handOver(upTo: Cursor(2), appRuns: true, &harness.session, &harness.effects)
            harness.drainEffects()
            #expect(harness.continued == (hasConsumer ? 1 : 0))
            harness.delivery.requestMessages(5, appRuns: true, &harness.session, &harness.effects)
            harness.drainEffects()
            #expect(harness.continued == (hasConsumer ? 1 : 0))
        }
    }

    @Test("Stalls follow each other by one gap from the end of a stall, each with its own draw")
    func scheduledStalls() {
        let (gap, length) = (Distribution.uniform(1, 10_000_000_000), Distribution.uniform(1, 1_000_000_000))
        let harness = DeliveryHarness(Consumer(stallGap: gap, stall: length))
        #expect(harness.stallsAt == .never)
        harness.delivery.scheduleStall(after: .zero, at: .zero)
        let dice = harness.dice(.stalls)
        var expected = Instant.zero
        var spans: [Int64] = []
        for turn in 0..<5 as Range<UInt64> {
            expected = expected + .nanoseconds(gap.draw(dice.pair(at: turn).0))
            #expect(harness.stallsAt == expected, "stall \(turn)")
            harness.session.now = expected
            harness.delivery.advanceStall(&harness.session, &harness.effects)
            harness.drainEffects()
            spans.append(length.draw(dice.pair(at: turn).1))
            expected = expected + .nanoseconds(spans.last ?? 0)
        }
        #expect(harness.entries.filter { $0.kind == .consumerStalled }.map(\.value) == spans)
        #expect(Set(spans).count == 5)
    }

    @Test("A gap of zero between stalls takes one nanosecond, and a stall of negative length does not happen")
    func degenerateStalls() {
        let harness = DeliveryHarness(
            Consumer(service: .constant(-5), stallGap: .constant(0), stall: .constant(-5)))
        harness.delivery.scheduleStall(after: .seconds(1), at: .zero)
        let first = Instant.zero + .seconds(1) + .nanoseconds(1)
        #expect(harness.stallsAt == first)
        harness.session.now = first
        harness.delivery.advanceStall(&harness.session, &harness.effects)
        harness.receive(0..<2)
        #expect(harness.stallsAt == first + .nanoseconds(1))
        #expect(harness.entries.allSatisfy { $0.kind != .consumerStalled })
        #expect(harness.seen == 2 && harness.consumesAt == .never)
        let endless = DeliveryHarness(Consumer(stallGap: .constant(1), stall: .constant(1)))
        endless.delivery.scheduleStall(after: .zero, at: .zero)
        #expect(endless.stallsAt == .zero + .nanoseconds(1))
    }

    @Test("The service time of a message is its own draw")
    func serviceTimes() {
        let service = Distribution.uniform(1, 5_000_000_000)
        let harness = DeliveryHarness(Consumer(service: service))
        harness.receive(0..<4)
        let dice = harness.dice(.consumption)
        for message in 0..<3 as Range<UInt64> {
            let at = harness.session.now + .nanoseconds(service.draw(dice.at(message)))
            #expect(harness.consumesAt == at, "message \(message)")
            harness.session.now = at
            harness.delivery.advanceConsumption(appRuns: true, &harness.session, &harness.effects)
            harness.drainEffects()
        }
        #expect(harness.seen == 4)
    }

    @Test("If the list of missing ranges is full, the oldest message of a full buffer is lost at once")
    func tooManyRanges() {
        var rules = ReceivePolicy()
        rules.buffer = ReceivePolicy.Buffer(70, .dropOldest)
        rules.cursor = .received
        let harness = DeliveryHarness(Consumer(service: .constant(1_000_000_000)), rules)
        harness.receive(0..<1)
        // The server leaves out every second message: 64 ranges.
        for turn in 0..<65 as Range<UInt32> { harness.receive(1 + 2 * turn..<2 + 2 * turn) }
        #expect(harness.seen == 1 && harness.count(.lostDown) == 0)
        harness.receive(130..<135)
        #expect(harness.seen == 1 && harness.count(.bufferDropped) == 0)
        harness.receive(135..<136)
        #expect(harness.count(.bufferDropped) == 1)
        #expect(harness.seen == 2 && harness.count(.lostDown) == 1 && harness.count(.gapUnnoticed) == 1)
    }

    @Test("A full buffer that drops its latest message beside a later gap loses that message only")
    func droppedBeforeALaterGap() {
        var rules = ReceivePolicy()
        rules.buffer = ReceivePolicy.Buffer(1, .dropLatest)
        rules.cursor = .received
        let harness = DeliveryHarness(Consumer(service: .constant(1_000_000_000)), rules)
        harness.receive(0..<4, isShown: false)
        // The server skips messages 4 and 5 before the app is handed the first four.
        harness.delivery.continueStream(at: 6, isGap: true, &harness.session, &harness.effects)
        harness.receive(6..<9, isShown: false)
        harness.delivery.handOver(upTo: Cursor(4), appRuns: true, &harness.session, &harness.effects)
        // The library of the old connection gives up messages 6 to 8, and the server sends 4 to 8 again.
        harness.session.now += .seconds(1)
        harness.delivery.forgetUnread(.fresh, &harness.session, &harness.effects)
        harness.drainEffects()
        #expect(harness.seen == 1 && harness.count(.bufferDropped) == 2 && harness.received == 9)
        for message in 4..<9 as Range<UInt32> {
            harness.session.now += .seconds(2)
            harness.receive(message..<message + 1)
        }
        harness.finish(written: 9)
        // Messages 2 and 3 are dropped, messages 4 and 5 are skipped.
        #expect(harness.count(.deliveredDown) == 5 && harness.count(.lostDown) == 4)
        #expect(harness.count(.pendingDown) == 0)
    }

    @Test("Requests add up to the largest number without overflow")
    func largestRequest() {
        let harness = DeliveryHarness(Consumer(), demand(1, 0, after: 1))
        harness.delivery.requestFirst(&harness.session, &harness.effects)
        harness.delivery.requestMessages(.max, appRuns: true, &harness.session, &harness.effects)
        harness.delivery.requestMessages(0, appRuns: true, &harness.session, &harness.effects)
        harness.receive(0..<3)
        #expect(harness.entries.filter { $0.kind == .messagesAsked }.map(\.value) == [1, Int64(UInt32.max)])
        #expect(harness.seen == 3)
    }

    @Test("A message leaves its bytes in the buffer's memory until it is shown, dropped or given up")
    func memory() {
        let harness = DeliveryHarness(Consumer(service: .constant(1_000_000_000)))
        // A hundred bytes each: message 0 is shown at once, so at most two hundred bytes are kept at a time.
        harness.receive(0..<1)
        harness.receive(1..<3)
        harness.session.now += .seconds(1)
        harness.delivery.advanceConsumption(appRuns: true, &harness.session, &harness.effects)
        harness.receive(3..<4)
        harness.receive(2..<4)
        harness.session.now += .seconds(9)
        harness.finish(written: 4)
        #expect(harness.entries.filter { $0.kind == .memoryPeak }.map(\.value) == [200])
        #expect(harness.entries.filter { $0.kind == .bufferPeak }.map(\.value) == [2])
    }

    @Test("A restart forgets the consumer's gaps and remembered messages, and requests messages again")
    func restart() {
        let harness = DeliveryHarness(Consumer(service: .constant(1_000_000_000)), demand(3, 1, after: 2))
        harness.delivery.requestFirst(&harness.session, &harness.effects)
        harness.receive(0..<6)
        harness.session.now += .seconds(1)
        harness.delivery.advanceConsumption(appRuns: true, &harness.session, &harness.effects)
        harness.drainEffects()
        // Two messages are shown, four have entered, because the second one granted one more.
        #expect(harness.seen == 2 && harness.receivedMessages == [0, 1, 2, 3])
        harness.session.restart(keepsAlarms: false)
        harness.delivery.endProcess(&harness.session, &harness.effects)
        harness.drainEffects()
        #expect(harness.received == 2 && harness.consumesAt == .never)
        harness.receive(2..<9)
        #expect(harness.receivedMessages == [0, 1, 2, 3, 2, 3, 4])
        #expect(harness.entries.filter { $0.kind == .messagesAsked }.map(\.value) == [3, 1, 3])
        // The old process was busy with a message. The new one shows its first message at once.
        #expect(harness.seen == 3)
    }
}
