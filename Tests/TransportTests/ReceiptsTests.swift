import DeadzoneBase
import DeadzoneTransport
import Testing

@Suite struct ReceiptsTests {
    /// Broken: receipts are due too early, too late, or without a new message.
    @Test func receiptsComeInTime() {
        let rules = ReceiptRules(every: 3, within: .seconds(2))
        var receipts = Receipts()
        receipts.recordDelivery(from: 0, upTo: 1, at: .zero, rules)
        #expect(receipts.due == .zero + .seconds(2))
        receipts.recordDelivery(from: 1, upTo: 2, at: .zero + .seconds(1), rules)
        #expect(receipts.due == .zero + .seconds(2))
        receipts.recordDelivery(from: 2, upTo: 3, at: .zero + .milliseconds(1_500), rules)
        #expect(receipts.due == .zero + .milliseconds(1_500))
        receipts.recordSent(upTo: 3)
        #expect(receipts.due == .never && receipts.reportedEnd == 3)
        // The peer sent a message again, so it has not received the last receipt.
        receipts.recordDelivery(from: 2, upTo: 3, at: .zero + .seconds(9), rules)
        #expect(receipts.reportedEnd == 2 && receipts.due == .zero + .seconds(11))
        receipts.recordSent(upTo: 3)
        receipts.recordDelivery(from: 3, upTo: 3, at: .zero + .seconds(12), rules)
        #expect(receipts.due == .never)
    }
}
