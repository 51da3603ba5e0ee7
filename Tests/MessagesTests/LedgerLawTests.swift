import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// `Delivery` and a naive ledger that keeps sets of messages make the same records in every order of calls.
@Suite struct LedgerLawTests {
    /// Runs both ledgers, and returns the number of records by kind over all seeds.
    private func kinds(
        _ seeds: Int, consumer: (inout Dice) -> Consumer?, _ rules: (inout Dice) -> ReceivePolicy
    ) -> [RecordKind: Int] {
        var kinds: [RecordKind: Int] = [:]
        seedSweep(seeds) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(1), purpose: .test)
            var driver = LedgerDriver(
                seed, consumer: consumer(&dice), rules(&dice), leavesOut: dice.next().scaled(below: 2) == 0)
            for _ in 0..<40 where driver.isSame { driver.step() }
            if driver.isSame { driver.finish() }
            for entry in driver.harness.entries { kinds[entry.kind, default: 0] += 1 }
        }
        return kinds
    }

    @Test("Without a consumer, every message has the same fate as in a naive ledger")
    func withoutConsumer() {
        let kinds = kinds(400, consumer: { _ in nil }, { _ in ReceivePolicy() })
        let expected: [RecordKind] = [
            .deliveredDown, .duplicatedDown, .reorderedDown, .suppressedDown, .lostDown, .gapNoticed, .gapUnnoticed,
            .pendingDown, .waitedDown, .fresh, .stale, .mistakenDown,
        ]
        for kind in expected { #expect(kinds[kind, default: 0] >= 10, "\(kind)") }
    }

    @Test("With a slow consumer and any buffer, every message has the same fate as in a naive ledger")
    func withConsumer() {
        let kinds = kinds(
            600,
            consumer: { Consumer(service: .constant(Int64($0.next().scaled(below: 3)) * 1_000_000_000)) },
            { dice in
                var rules = ReceivePolicy()
                let overflow = ReceivePolicy.BufferOverflow.allCases[Int(dice.next().scaled(below: 3))]
                let capacity = dice.next().scaled(below: 5)
                rules.buffer = ReceivePolicy.Buffer(capacity == 4 ? .max : UInt32(capacity), overflow)
                rules.cursor = dice.next().scaled(below: 2) == 0 ? .shown : .received
                if dice.next().scaled(below: 3) == 0 {
                    rules.demand = ReceivePolicy.MessageDemand()
                    rules.demand?.initial = UInt32(dice.next().scaled(below: 4))
                    rules.demand?.refill = UInt32(dice.next().scaled(below: 3))
                    rules.demand?.refillAfter = 1 + UInt32(dice.next().scaled(below: 3))
                }
                return rules
            })
        let expected: [RecordKind] = [
            .deliveredDown, .duplicatedDown, .suppressedDown, .lostDown, .gapNoticed, .gapUnnoticed, .pendingDown,
            .waitedDown, .fresh, .stale, .bufferFilled, .bufferDropped, .bufferPeak, .memoryPeak, .messagesAsked,
            .consumerStalled,
        ]
        for kind in expected { #expect(kinds[kind, default: 0] >= 10, "\(kind)") }
    }
}
