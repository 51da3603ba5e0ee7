import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator
@testable import DeadzoneTransport

/// Subscriptions on one connection, without a phone: joins, answers, ends, and messages that are left out.
@Suite struct ServerSubscriptionTests {
    private static func rules(_ set: (inout SubscriptionRules) -> Void = { _ in }) -> SubscriptionRules {
        var rules = SubscriptionRules()
        set(&rules)
        return rules
    }

    private static let dice = Dice(seed: 4, phone: PhoneID(3), purpose: .serverErrors)

    private static func state(_ rules: SubscriptionRules = rules(), count: UInt8 = 4) -> SubscriptionState {
        SubscriptionState(rules, count: count, dice)
    }

    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    /// A bench with an open session, and the subscriptions of its phone.
    private func open(_ rules: SubscriptionRules = rules()) -> (ServerBench, StableValue<SubscriptionState>) {
        let bench = ServerBench(.everySecond) { $0.streams = rules }
        bench.open()
        return (bench, StableValue(Self.state(rules)))
    }

    private func join(_ numbers: Range<UInt8>, _ bench: ServerBench, _ state: StableValue<SubscriptionState>) {
        let first = SubscriptionFrame(.join, numbers.lowerBound).item
        let frames = FrameRange(
            first: first, last: first + UInt32(numbers.count), bytes: 70, kind: .subscription, cause: .resume)
        bench.act { [now = bench.now] in $0.readJoins(frames, 0, state.pointer, at: now, &$1) }
    }

    private func end(
        _ numbers: SubscriptionSet, isSilent: Bool, _ bench: ServerBench, _ state: StableValue<SubscriptionState>
    ) -> Bool {
        bench.act { [now = bench.now] in
            $0.endSubscriptions(numbers, isSilent: isSilent, by: 6, state.pointer, at: now, &$1)
        }
    }

    // MARK: Answers

    /// Broken: a request is answered for another subscription, with another frame, or although the rules forbid it.
    @Test func eachRequestHasItsAnswer() {
        let (bench, state) = open()
        bench.wait(.seconds(5))
        #expect(
            bench.taking { join(1..<4, bench, state) } == [
                "subscriptionJoined 1", "subscriptionJoined 2", "subscriptionJoined 3",
            ])
        #expect(state.pointer.pointee.joined.bits == 0b1110 && bench.server.ends[0].lastReadAt == at(5))
        let sent = bench.ranges()
        #expect(sent.map(\.first) == [SubscriptionFrame(.joined, 1).item] && sent.map(\.count) == [3])
        #expect(sent.first?.bytes == 3 * bench.server.ends[0].config.pointee.serverRules.framing.message(70))
        let (refusing, refused) = open(Self.rules { $0.refused = .one })
        #expect(
            refusing.taking { join(0..<2, refusing, refused) } == ["subscriptionRefused 0", "subscriptionRefused 1"])
        #expect(refused.pointer.pointee.joined.isEmpty)
        #expect(refusing.ranges().map(\.first) == [SubscriptionFrame(.refused, 0).item])
        let (silent, ignored) = open(Self.rules { $0.unanswered = .one })
        #expect(silent.taking { join(0..<1, silent, ignored) } == ["subscriptionRefused 0"])
        #expect(silent.ranges().isEmpty && ignored.pointer.pointee.joined.isEmpty)
        // A connection without the session, or one that another has replaced, joins nothing.
        for isAttached in [true, false] {
            let (bench, state) = open()
            bench.server.ends[0].isAttached = isAttached
            bench.server.ends[0].isSuperseded = isAttached
            #expect(bench.taking { join(0..<4, bench, state) }.isEmpty && state.pointer.pointee.joined.isEmpty)
            #expect(bench.server.sessionSlot == nil)
        }
    }

    /// Broken: an end concerns a subscription that is not joined, is told although it is silent, or happens on a server
    /// that does not run.
    @Test(arguments: [true, false])
    func onlyJoinedSubscriptionsEnd(isSilent: Bool) {
        let (bench, state) = open()
        join(0..<3, bench, state)
        bench.settle()
        let lines = bench.taking { check(end(SubscriptionSet(bits: 0b1010), isSilent: isSilent, bench, state)) }
        #expect(lines == ["subscriptionEnded 1"] + (isSilent ? [] : ["send data 0"]))
        #expect(state.pointer.pointee.joined.bits == 0b101)
        #expect((0..<4).map { state.pointer.pointee.change(behind: $0) } == [nil, 6, nil, nil])
        #expect(bench.ranges().map(\.first) == (isSilent ? [] : [SubscriptionFrame(.ended, 1).item]))
        #expect(bench.taking { check(!end(SubscriptionSet(bits: 0b1010), isSilent: isSilent, bench, state)) }.isEmpty)
        for stop in [{ $0.isFrozen = true }, { $0.ends[0].isClosing = true }, { $0.ends[0].isAttached = false }]
            as [(inout Server) -> Void]
        {
            let (bench, state) = open()
            join(0..<3, bench, state)
            bench.settle()
            stop(&bench.server)
            #expect(bench.taking { check(!end(SubscriptionSet(0), isSilent: isSilent, bench, state)) }.isEmpty)
            #expect(state.pointer.pointee.joined.bits == 0b111)
        }
    }

    // MARK: Messages

    /// Broken: a message of a subscription that is not joined is sent, another one is left out, or the messages that
    /// were left out last are not known.
    @Test func messagesOfOtherSubscriptionsAreLeftOut() {
        let (bench, state) = open()
        state.pointer.pointee.joined = SubscriptionSet(bits: 0b101)
        for index in 0..<9 as Range<UInt32> {
            bench.wait(.seconds(1))
            let isCarried = index % 4 == 0 || index % 4 == 2
            let lines = bench.taking { bench.act { [now = bench.now] in $0.write(at: now, state.pointer, &$1) } }
            #expect(lines == ["sentDown \(index)", "written"] + (isCarried ? ["send data 0"] : []))
            #expect(bench.frames() == (isCarried ? ["message \(index)"] : []))
            #expect(
                [state.pointer.pointee.skippedFrom, state.pointer.pointee.skippedEnd]
                    == (isCarried ? [0, 0] : [index, index + 1]))
            bench.settle()
        }
        // Messages that were written while the program was frozen are offered one by one.
        bench.server.isFrozen = true
        for _ in 0..<4 { bench.act { [now = bench.now] in $0.write(at: now, state.pointer, &$1) } }
        bench.act { [now = bench.now] in $0.serve(state.pointer, at: now, &$1) }
        #expect(bench.frames().isEmpty)
        bench.server.isFrozen = false
        bench.act { [now = bench.now] in $0.serve(state.pointer, at: now, &$1) }
        #expect(bench.frames() == ["message 10", "message 12"])
    }

    // MARK: Rules and times

    /// Broken: a request fails at another rate than its share, or independently of the number of its attempt.
    @Test func requestsFailAtTheirRate() {
        let rules = Self.rules {
            $0.refused = Probability(1, of: 4)
            $0.unanswered = Probability(1, of: 5)
        }
        var counts: [SubscriptionRules.JoinOutcome: Int] = [:]
        var rows: Set<[SubscriptionRules.JoinOutcome]> = []
        for number in 0..<8 as Range<UInt8> {
            let row = (0..<250).map { rules.outcome(of: number, attempt: UInt8($0), Self.dice) }
            rows.insert(row)
            for outcome in row { counts[outcome, default: 0] += 1 }
        }
        // Of 2,000 requests a quarter is refused, and a fifth of the others is not answered.
        #expect((420...580).contains(counts[.refused]!) && (220...380).contains(counts[.unanswered]!), "\(counts)")
        #expect(rows.count == 8 && Self.rules().outcome(of: 0, attempt: 0, Self.dice) == .joined)
    }

    /// Broken: ends come at another mean distance, concern one subscription more often than others, or are silent at
    /// another rate.
    @Test func endsComeAtTheirRate() {
        let rules = Self.rules {
            $0.endsEvery = .seconds(60)
            $0.silent = Probability(1, of: 4)
        }
        var state = Self.state(rules, count: 5)
        var (numbers, silent, due) = ([UInt8: Int](), 0, state.nextEnd)
        #expect(due == Instant.zero + rules.wait(beforeEnd: 0, Self.dice)!)
        for index in 1...2_000 as ClosedRange<UInt32> {
            let end = state.takeEnd(rules, Self.dice)
            numbers[end.number, default: 0] += 1
            silent += end.isSilent ? 1 : 0
            #expect(due < state.nextEnd && state.nextEnd - due == rules.wait(beforeEnd: index, Self.dice))
            due = state.nextEnd
        }
        let mean = (due - Instant.zero).nanoseconds / 2_001
        #expect((54_000_000_000...66_000_000_000).contains(mean), "\(mean)")
        #expect(numbers.keys.sorted() == [0, 1, 2, 3, 4] && numbers.values.allSatisfy { (320...480).contains($0) })
        #expect((420...580).contains(silent), "\(silent)")
        #expect(Self.rules().wait(beforeEnd: 0, Self.dice) == nil && Self.state().nextEnd == .never)
        #expect((0..<9).allSatisfy { rules.end($0, of: 1, Self.dice).number == 0 })
    }

    /// Broken: the time without a subscription, or that in which the client does not know it, begins or ends at another
    /// moment, or goes on without a connection.
    @Test func timesOutsideAreMeasured() {
        var state = Self.state()
        state.joined = SubscriptionSet(bits: 0b11)
        // The steps: open, second, joined, believed, the deaf time that ends, the sum of times outside until then.
        let steps: [(Bool, Int64, UInt64, UInt64, Int64?, Int64)] = [
            (true, 10, 0b11, 0b111, nil, 0), (true, 14, 0b11, 0b111, nil, 8), (true, 15, 0b111, 0b111, 5, 10),
            (false, 20, 0b111, 0b1111, nil, 15), (true, 30, 0b111, 0b1111, nil, 15),
            (true, 30, 0b1111, 0b1111, nil, 15),
            (true, 40, 0, 0b1, nil, 15), (false, 42, 0, 0b1, 2, 23), (false, 50, 0, 0b1, nil, 23),
        ]
        for (isOpen, second, joined, believed, deaf, out) in steps {
            state.joined = SubscriptionSet(bits: joined)
            let ended = state.measure(isOpen: isOpen, believed: SubscriptionSet(bits: believed), at: at(second))
            #expect(ended == deaf.map { .seconds($0) } && state.periods.outTime == .seconds(out), "at \(second) s")
        }
    }

    /// Broken: a new connection keeps joined subscriptions, answers of the old one, or the change that ended one.
    @Test func aNewConnectionBeginsWithNone() {
        var state = Self.state()
        state.joined = state.all
        (state.pendingJoined, state.pendingRefused, state.pendingEnded) = (state.all, state.all, state.all)
        state.noteEnd(of: state.all, by: 3)
        state.skip(5)
        #expect(state.hasPendingAnswers && state.carries(7))
        state.attached()
        #expect(state.joined.isEmpty && !state.hasPendingAnswers && !state.carries(7))
        #expect((0..<4).allSatisfy { state.change(behind: $0) == nil } && state.skippedEnd == 0)
    }
}
