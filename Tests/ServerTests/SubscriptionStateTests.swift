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

    /// Broken: messages count as left out although the client lacks earlier ones or the session contains them, or they
    /// count twice.
    @Test func leftOutMessagesAreTakenOnce() {
        // The messages 5 and 6 were left out. The client has the messages below `known`.
        for (known, next, expected) in [
            (5, 9, 7), (5, 7, 7), (5, 6, 6), (5, 5, nil), (4, 9, nil), (6, 9, nil),
        ] as [(UInt32, UInt32, UInt32?)] {
            var state = state()
            state.skip(5)
            state.skip(6)
            #expect(state.takeSkipped(before: next, known: known) == expected, "\(known), \(next)")
            #expect(state.skippedEnd == (expected == nil ? 7 : 0))
            if expected != nil { #expect(state.takeSkipped(before: next, known: known) == nil) }
        }
        var empty = state()
        #expect(empty.takeSkipped(before: 9, known: 0) == nil)
    }

    /// Broken: lost messages of two subscriptions are charged to one change, neighbours with the same change are
    /// recorded apart, or messages get lost between the parts.
    @Test func aLossIsDividedByChange() {
        var state = state()
        state.noteEnd(of: SubscriptionSet(bits: 0b0110), by: 7)
        state.noteEnd(of: SubscriptionSet(bits: 0b1000), by: 2)
        var loss = MessageLoss(.streamDead, .serverProgram, first: 1, count: 7, change: 9)
        var parts: [String] = []
        while let part = state.removeFirstPart(of: &loss) {
            #expect(part.cause == .streamDead && part.place == .serverProgram)
            parts.append("\(part.first)+\(part.count) \(part.change.map { "\($0)" } ?? "none")")
        }
        #expect(parts == ["1+2 7", "3+1 2", "4+1 none", "5+2 7", "7+1 2"] && loss.count == 0)
    }

    /// Broken: the first attempt to join counts as a later one, or the attempts of one subscription for another.
    @Test func attemptsAreCountedForEachSubscription() {
        var state = state()
        let first = [state.countAttempt(2), state.countAttempt(2), state.countAttempt(0), state.countAttempt(2)]
        #expect(first == [0, 1, 0, 2])
        #expect(!state.hasPendingAnswers && state.nextEnd == .never && state.periods.outTime == .zero)
    }
}
