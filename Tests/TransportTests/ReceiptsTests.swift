import DeadzonePrimitives
import DeadzoneTransport
import Testing

@Suite struct ReceiptsTests {
    /// Broken: receipts that come too early, too late, or for nothing.
    @Test func receiptsComeInTime() {
        let rules = ReceiptRules(every: 3, within: .seconds(2))
        var receipts = Receipts()
        receipts.took(from: 0, upTo: 1, at: .zero, rules)
        #expect(receipts.due == .zero + .seconds(2))
        receipts.took(from: 1, upTo: 2, at: .zero + .seconds(1), rules)
        #expect(receipts.due == .zero + .seconds(2))
        receipts.took(from: 2, upTo: 3, at: .zero + .milliseconds(1_500), rules)
        #expect(receipts.due == .zero + .milliseconds(1_500))
        receipts.say(upTo: 3)
        #expect(receipts.due == .never && receipts.said == 3)
        // One that was given once more did not hear it.
        receipts.took(from: 2, upTo: 3, at: .zero + .seconds(9), rules)
        #expect(receipts.said == 2 && receipts.due == .zero + .seconds(11))
        receipts.say(upTo: 3)
        receipts.took(from: 3, upTo: 3, at: .zero + .seconds(12), rules)
        #expect(receipts.due == .never)
    }
}
