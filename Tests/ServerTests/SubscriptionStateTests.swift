import DeadzoneBase
import DeadzoneClient
import Testing

@testable import DeadzoneSimulator

/// The server's notes on the subscriptions of one phone.
@Suite struct SubscriptionStateTests {
    private func state(count: UInt8 = 4) -> SubscriptionState {
        SubscriptionState(SubscriptionRules(), count: count, Dice(seed: 1, phone: PhoneID(0), purpose: .serverErrors))
    }

    /// Broken: messages that the client was never sent count as sent, or messages that it has received as left out.
    @Test func leftOutMessagesAreTheNewestInARow() {
        var state = state()
        func range() -> [UInt32] { [state.skippedFrom, state.skippedEnd] }
        #expect(range() == [0, 0])
        for (message, expected) in [
            (5, [5, 6]), (6, [5, 7]), (7, [5, 8]), (9, [9, 10]), (10, [9, 11]), (20, [20, 21]),
        ] as [(UInt32, [UInt32])] {
            state.skip(message)
            #expect(range() == expected, "\(message)")
        }
        state.forgetSkipped()
        #expect(range() == [0, 0])
        state.skip(21)
        #expect(range() == [21, 22])
        state.forgetSkipped()
        state.skip(0)
        state.skip(1)
        #expect(range() == [0, 2])
    }

    /// Broken: a loss is charged to the change that ended another subscription, or to one that ended none.
    @Test func eachSubscriptionHasItsChange() {
        var state = state()
        #expect((0..<8).allSatisfy { state.change(behind: $0) == nil })
        var second = SubscriptionSet(upTo: 2)
        _ = second.popFirst()
        state.noteEnd(of: second, by: 7)
        #expect((0..<8).map { state.change(behind: $0) } == [nil, 7, nil, nil, nil, 7, nil, nil])
        state.noteEnd(of: SubscriptionSet(upTo: 1), by: 0)
        #expect((0..<4).map { state.change(behind: $0) } == [0, 7, nil, nil])
        state.noteEnd(of: state.all, by: nil)
        #expect((0..<4).allSatisfy { state.change(behind: $0) == nil })
    }

    /// Broken: the first attempt to join counts as a later one, or the attempts of one subscription for another.
    @Test func attemptsAreCountedForEachSubscription() {
        var state = state()
        let first = [state.countAttempt(2), state.countAttempt(2), state.countAttempt(0), state.countAttempt(2)]
        #expect(first == [0, 1, 0, 2])
        #expect(!state.hasPendingAnswers && state.nextEnd == .never && state.outTime == .zero)
    }
}
