import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@testable import DeadzoneQueue

/// The corners that random steps meet too seldom.
@Suite struct QueueLoads {
    @Test func everyoneAtOneInstantComesUpByLane() {
        // A herd that wakes at one instant and is served in the order of its set-up, or loses someone.
        let lanes = 20_000
        var queue = DueQueue(lanes: lanes)
        for lane in (0..<UInt32(lanes)).reversed() { queue.schedule(lane, at: .zero) }
        for lane in 0..<UInt32(lanes) { expectPop(&queue, Due(at: .zero, lane: lane)) }
        expectPop(&queue, nil)
    }

    @Test func aLowerLaneOfTheSameInstantStillComesNext() {
        // A lane that another one wakes at once, and that is skipped because the queue has gone past its number.
        let lanes: UInt32 = 9_000
        let noon = Instant(nanoseconds: 12_345_678_901)
        var queue = DueQueue(lanes: Int(lanes))
        for lane in 5_000..<lanes { queue.schedule(lane, at: noon) }
        for lane in 5_000..<lanes {
            expectPop(&queue, Due(at: noon, lane: lane))
            let woken = lane - 5_000
            queue.schedule(woken, at: noon)
            expectPop(&queue, Due(at: noon, lane: woken))
        }
        expectPop(&queue, nil)
    }

    @Test func aLookAheadDoesNotBindTheQueue() {
        // A queue that has looked far ahead and then misorders or drops what is scheduled before that.
        var queue = DueQueue(lanes: 600)
        let far = Instant(nanoseconds: 1 << 50)
        for lane in 0..<UInt32(300) { queue.schedule(lane, at: far + .nanoseconds(Int64(lane))) }
        let seen = queue.first()
        #expect(seen == Due(at: far, lane: 0))
        for lane in (300..<UInt32(600)).reversed() { queue.schedule(lane, at: Instant(nanoseconds: Int64(lane))) }
        expectPop(&queue, nil, before: Instant(nanoseconds: 300))
        for lane in 300..<UInt32(600) { expectPop(&queue, Due(at: Instant(nanoseconds: Int64(lane)), lane: lane)) }
        for lane in 0..<UInt32(300) { expectPop(&queue, Due(at: far + .nanoseconds(Int64(lane)), lane: lane)) }
    }

    @Test func aLimitIsExclusive() {
        // A round that takes what belongs to the next.
        var queue = DueQueue(lanes: 1)
        queue.schedule(0, at: Instant(nanoseconds: 100))
        expectPop(&queue, nil, before: Instant(nanoseconds: 100))
        expectPop(&queue, nil, before: Instant(nanoseconds: -5))
        expectPop(&queue, Due(at: Instant(nanoseconds: 100), lane: 0), before: Instant(nanoseconds: 101))
    }

    @Test func neverIsNotDue() {
        // A lane that comes up at the end of time although it has nothing to do.
        var queue = DueQueue(lanes: 2)
        queue.schedule(0, at: .never)
        expectPop(&queue, nil)
        queue.schedule(1, at: Instant(nanoseconds: .max - 1))
        expectPop(&queue, Due(at: Instant(nanoseconds: .max - 1), lane: 1))
        expectPop(&queue, nil)
    }

    @Test func putOffLanesLeaveNothingBehind() {
        // A timer armed anew with every message that costs memory or a wake each time.
        var table = LaneTable(lanes: 1)
        let entries = (Int64(100)...5_000).count { table.set(0, $0) == .new }
        let left = table.stale
        let sentOn = table.confirm(DueEntry(at: 100, lane: 0))
        #expect(entries == 1)
        #expect(left == 0)
        #expect(sentOn?.at == 5_000)
    }

    @Test func whatIsLeftBehindIsBounded() {
        // Entries of lanes that were brought forward, piling up until the pool is empty.
        seedSweep(5) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let lanes: UInt32 = 1_000
            var queue = DueQueue(lanes: Int(lanes))
            var instants = [Int64](repeating: .max, count: Int(lanes))
            for round in 0..<200 {
                for lane in 0..<lanes {
                    instants[Int(lane)] = Int64(200 - round) << 32 | Int64(dice.next() >> 33)
                    queue.schedule(lane, at: Instant(nanoseconds: instants[Int(lane)]))
                }
            }
            let expected = (0..<lanes).sorted { (instants[Int($0)], $0) < (instants[Int($1)], $1) }
            for lane in expected { expectPop(&queue, Due(at: Instant(nanoseconds: instants[Int(lane)]), lane: lane)) }
        }
    }

    @Test func oneKeyLeftBehindAgainAndAgainIsKeptOnce() {
        // A shelf of one single key that cannot be dealt out and is opened for ever.
        let lanes = 200
        var queue = DueQueue(lanes: lanes)
        for time in 0..<150 {
            let bell = Instant(nanoseconds: 1_000)
            queue.schedule(7, at: bell)
            queue.schedule(7, at: Instant(nanoseconds: Int64(time)))
            expectPop(&queue, Due(at: Instant(nanoseconds: Int64(time)), lane: 7))
        }
        queue.schedule(8, at: Instant(nanoseconds: 1_000))
        queue.schedule(7, at: Instant(nanoseconds: 1_000))
        expectPop(&queue, Due(at: Instant(nanoseconds: 1_000), lane: 7))
        expectPop(&queue, Due(at: Instant(nanoseconds: 1_000), lane: 8))
        expectPop(&queue, nil)
        let stale = queue.stale
        #expect(stale == 0)
    }
}

/// The arithmetic of levels, against the same written with digits in an array.
@Suite struct QueueKeys {
    private static func digits(_ key: DueKey) -> [Int] {
        (0..<6).map { Int(key.lane >> (6 * $0) & 63) } + (0..<11).map { Int(key.instant >> (6 * $0) & 63) }
    }

    @Test func digitsAndDifferences() {
        // A key on the wrong shelf: the queue would be in order almost always.
        seedSweep(500) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let key = DueKey(instant: dice.next() >> 1, lane: dice.next() >> 32)
            let flipped = dice.next() & 1 == 0
            let other = DueKey(
                instant: key.instant ^ (flipped ? 0 : dice.next() >> (dice.next() & 63 | 1)),
                lane: key.lane ^ dice.next() >> (dice.next() & 31 + 32))
            let (a, b) = (Self.digits(key), Self.digits(other))
            #expect(DueKey.levels == a.count)
            #expect(key.highestDifference(from: other) == a.indices.last { a[$0] != b[$0] } ?? 0)
            #expect((key < other) == a.reversed().lexicographicallyPrecedes(b.reversed()))
            for level in a.indices {
                #expect(key.digit(level) == a[level])
                for digit in [0, 26, 37, 63] {
                    let start = key.replacing(level, by: digit & (level == 16 ? 7 : 63))
                    var expected = a
                    for lower in 0..<level { expected[lower] = 0 }
                    expected[level] = digit & (level == 16 ? 7 : 63)
                    #expect(Self.digits(start) == expected)
                    #expect(start < start.end(ofDigitAt: level))
                }
            }
        }
    }
}
