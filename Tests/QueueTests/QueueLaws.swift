import DeadzoneQueue
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@Suite struct QueueLaws {
    @Test func everyShortSequenceOfStepsAgreesWithTheOracle() {
        // A wrong order of two lanes, or a lane lost when it is put off, brought forward or cancelled.
        let lanes: [UInt32] = [0, 1, 64]
        let instants: [Int64] = [0, 1, 64]
        let steps: [QueueStep] =
            lanes.flatMap { lane in instants.map { QueueStep.schedule(lane, at: $0) } + [.cancel(lane)] }
            + [.pop(before: .max), .pop(before: 1), .first(before: .max), .first(before: 64)]
        var popped = 0
        let runs = withEvery { choices in
            let trial = QueueTrial(lanes: 65)
            for step in choices.sequence(of: steps, upTo: 3) { try #require(trial.take(step) == nil) }
            try #require(trial.drain() == nil)
            popped += trial.popped
        }
        #expect(runs == 1 + 16 + 16 * 16 + 16 * 16 * 16)
        #expect(popped > runs)
    }

    @Test func everyShortStoryOfOneLaneAgreesWithTheOracle() {
        // A lane that comes up twice or never, because an entry it left behind is taken for the one it has now.
        let instants: [Int64] = [0, 63, 64, .max - 1]
        let steps: [QueueStep] =
            instants.map { .schedule(0, at: $0) } + [.cancel(0), .pop(before: .max), .first(before: .max)]
        let runs = withEvery { choices in
            let trial = QueueTrial(lanes: 2)
            #expect(trial.take(.schedule(1, at: 64)) == nil)
            for step in choices.sequence(of: steps, upTo: 5) { try #require(trial.take(step) == nil) }
            try #require(trial.drain() == nil)
        }
        #expect(runs == (0...5).reduce(0) { sum, length in sum + (0..<length).reduce(1) { power, _ in power * 7 } })
    }

    @Test(arguments: QueueClimate.allCases)
    func randomStepsAgreeWithTheOracle(_ climate: QueueClimate) {
        // Any order of any steps that differs from a search through all lanes, in climates from one busy instant to the end of time.
        seedSweep(60) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let lanes = [1, 3, 70, 400][Int(dice.next().scaled(below: 4))]
            let trial = QueueTrial(lanes: lanes)
            for number in 0..<1_200 {
                let step = climate.step(&dice, lanes: UInt32(lanes), now: trial.lastPopped.nanoseconds)
                if let difference = trial.take(step) {
                    Issue.record("step \(number), \(step), \(lanes) lanes: \(difference)")
                    return
                }
            }
            #expect(trial.drain() == nil)
            #expect(trial.popped > 100)
        }
    }

    @Test func aLookThatFoundNothingMovesNothing() {
        // A lane that is scheduled before a limit up to which the queue has already looked in vain: it would come up late.
        var queue = DueQueue(lanes: 64)
        for lane in 0..<40 as Range<UInt32> { queue.schedule(lane, at: Instant(nanoseconds: 100_000 + Int64(lane))) }
        #expect(queue.first(before: Instant(nanoseconds: 99_000)) == nil)
        queue.schedule(50, at: Instant(nanoseconds: 50_000))
        expectPop(&queue, Due(at: Instant(nanoseconds: 50_000), lane: 50))
        expectPop(&queue, Due(at: Instant(nanoseconds: 100_000), lane: 0))
    }

    @Test func onlyTheKeysDecideTheOrder() {
        // An order that remembers who came first: a run would depend on how its phones were set up.
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let lanes = 3_000
            let instants = (0..<lanes).map { _ in Instant(nanoseconds: Int64(dice.next().scaled(below: 40))) }
            let expected = (0..<lanes).sorted { (instants[$0], $0) < (instants[$1], $1) }
            var order = Array(0..<lanes)
            for place in (1..<lanes).reversed() {
                order.swapAt(place, Int(dice.next().scaled(below: UInt64(place + 1))))
            }
            var queue = DueQueue(lanes: lanes)
            for lane in order { queue.schedule(UInt32(lane), at: instants[lane]) }
            for lane in expected { expectPop(&queue, Due(at: instants[lane], lane: UInt32(lane))) }
            expectPop(&queue, nil)
        }
    }

    @Test func timeMovesForwardWhenNobodyIsScheduledInThePast() {
        // A pop that goes back in time: a phone would meet its own past.
        seedSweep(40) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let lanes: UInt32 = 2_500
            var queue = DueQueue(lanes: Int(lanes))
            for lane in 0..<lanes { queue.schedule(lane, at: Instant(nanoseconds: Int64(dice.next() >> 40))) }
            var now = Instant.zero
            for _ in 0..<10_000 {
                let next = queue.pop()
                let due = try #require(next)
                #expect(now <= due.at)
                now = due.at
                // Itself again, and another lane brought forward or put off.
                queue.schedule(due.lane, at: now + .nanoseconds(Int64(dice.next() >> 36)))
                let other = UInt32(dice.next().scaled(below: UInt64(lanes)))
                queue.schedule(other, at: now + .nanoseconds(Int64(dice.next() >> (dice.next() & 31 + 20))))
            }
            var count: UInt32 = 0
            while queue.pop() != nil { count += 1 }
            #expect(count == lanes)
        }
    }
}

/// Where keys lie and what is done to them.
enum QueueClimate: CaseIterable {
    /// Few instants, many ties.
    case crowded
    /// Exponents drawn, not instants: every level of the queue is met.
    case everyScale
    /// Never before the last pop.
    case forward
    /// Timers that are put off again and again.
    case putOff
    /// Always earlier than before: leaves the most behind.
    case broughtForward
    /// The last nanoseconds before the end of time.
    case endOfTime

    func step(_ dice: inout Dice, lanes: UInt32, now: Int64) -> QueueStep {
        let lane = UInt32(dice.next().scaled(below: UInt64(lanes)))
        let limit = dice.next() & 1 == 0 ? Int64.max : self.instant(&dice, now)
        switch dice.next() & 15 {
        case 0: return .cancel(lane)
        case 1...5: return .pop(before: dice.next() & 3 == 0 ? limit : .max)
        case 6: return .first(before: limit)
        default: return .schedule(lane, at: self.instant(&dice, now))
        }
    }

    private func instant(_ dice: inout Dice, _ now: Int64) -> Int64 {
        let word = dice.next()
        switch self {
        case .crowded: return Int64(word & 3)
        case .everyScale: return Int64(word >> (1 + dice.next() & 63 | 1))
        case .forward: return min(now, .max / 2) + Int64(word >> (24 + dice.next() & 31))
        case .putOff: return min(now, .max / 2) + 1_000_000 + Int64(word & 1_023)
        case .broughtForward: return min(now, .max / 2) + Int64(dice.next().scaled(below: 3)) * 4_096 + Int64(word & 63)
        case .endOfTime: return .max - Int64(word & 127)
        }
    }
}
