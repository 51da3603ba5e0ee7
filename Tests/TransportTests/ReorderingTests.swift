import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneTransport

/// Packets that overtake each other. The round trip is 50 ms, so missing data has 12.5 ms to arrive.
@Suite struct ReorderingTests {
    private func path(late percent: Double, by lateness: TimeSpan, loss: Double = 0, bytes: UInt32, seed: UInt64 = 1)
        -> BulkPath
    {
        BulkPath(
            .init(lossPercent: loss, latePercent: percent, lateness: lateness), messageBytes: bytes, seed: seed)
    }

    /// Broken: data that arrives late is read twice or never, or the connection stops.
    @Test func everythingArrivesOnceAndInOrder() {
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .arrivalsUp)
            let lateness = TimeSpan.milliseconds(Int64(1 + dice.next().scaled(below: 300)))
            var path = path(
                late: Double(dice.next().scaled(below: 40)), by: lateness, loss: Double(dice.next().scaled(below: 8)),
                bytes: 1 + UInt32(dice.next().scaled(below: 60_000)), seed: seed)
            path.run(until: .zero + .seconds(10))
            for message in 0..<20 as Range<UInt32> {
                path.offer(upTo: message + 1)
                path.run(until: path.now + .milliseconds(Int64(dice.next().scaled(below: 2_000))))
            }
            path.run(until: path.now + .minutes(10))
            let ends = path.arrivals.map(\.end)
            #expect(path.gaveUp || ends.last == 20 && ends == ends.sorted() && Set(ends).count == ends.count)
            #expect(path.gaveUp || !path.client.hasUnacknowledged)
        }
    }

    /// Broken: a sender that has seen late packets retransmits data that arrives within a quarter of a round trip.
    @Test func afterTheFirstLatePacketAQuarterOfARoundTripIsNoLoss() {
        var path = path(late: 5, by: .milliseconds(10), bytes: 500_000)
        path.offer(upTo: 1)
        path.run(until: .zero + .seconds(20))
        let first = path.retransmissions
        for message in 1..<20 as Range<UInt32> {
            path.offer(upTo: message + 1)
            path.run(until: path.now + .seconds(5))
        }
        #expect(path.arrivals.last?.end == 20)
        #expect(path.client.congestion.control?.pointee.reordering.isSeen == true)
        #expect(first <= 3 && path.retransmissions == first, "\(first), \(path.retransmissions)")
    }

    /// Broken: unnecessary retransmissions do not lengthen the wait, so they never end; or the wait never shrinks again.
    @Test func unnecessaryRetransmissionsLengthenTheWait() {
        var path = path(late: 5, by: .milliseconds(35), bytes: 500_000)
        var counts: [Int] = []
        for message in 0..<20 as Range<UInt32> {
            path.offer(upTo: message + 1)
            path.run(until: path.now + .seconds(5))
            counts.append(path.retransmissions)
        }
        #expect(path.arrivals.last?.end == 20)
        #expect(counts[1] > 3 && counts[19] - counts[9] < counts[1], "\(counts)")
        #expect((path.client.congestion.control?.pointee.reordering.quarters ?? 0) >= 3)
    }

    /// Broken: the window stays reduced although nothing was lost.
    @Test func anUnnecessaryRecoveryIsUndone() {
        var late = path(late: 2, by: .milliseconds(30), bytes: 200_000)
        var lossy = path(late: 0, by: .zero, loss: 2, bytes: 200_000)
        for message in 0..<30 as Range<UInt32> {
            late.offer(upTo: message + 1)
            lossy.offer(upTo: message + 1)
            late.run(until: late.now + .seconds(5))
            lossy.run(until: lossy.now + .seconds(5))
        }
        #expect(late.client.window > 3 * lossy.client.window, "\(late.client.window), \(lossy.client.window)")
    }

    /// Broken: the longer wait is adjusted more than once in a round trip, or kept after sixteen real losses.
    @Test func theLongerWaitIsForgotten() {
        var memory = ReorderingMemory()
        let start = Instant.zero + .seconds(1)
        memory.recordDuplicate()
        memory.adjust(sentAt: start, at: start)
        #expect(memory.quarters == 1)
        memory.isSeen = true
        for step in 0..<300 as Range<Int64> {
            memory.recordDuplicate()
            memory.adjust(sentAt: start + .seconds(step), at: start + .seconds(step) + .milliseconds(500))
            memory.recordDuplicate()
            memory.adjust(sentAt: start + .seconds(step), at: start + .seconds(step) + .milliseconds(900))
            #expect(Int64(memory.quarters) == min(step + 2, 255))
        }
        let end = start + .minutes(10)
        for _ in 0..<15 { memory.recordRecovery() }
        memory.adjust(sentAt: end, at: end)
        #expect(memory.quarters == 255)
        memory.recordRecovery()
        memory.adjust(sentAt: end, at: end)
        #expect(memory.quarters == 1)
    }
}
