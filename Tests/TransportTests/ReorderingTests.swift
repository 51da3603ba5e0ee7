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
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .sizeDown)
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
        #expect(first <= 6 && path.retransmissions <= first + 3, "\(first), \(path.retransmissions)")
    }

    /// Broken: messages take another time than on the kernel, or cause another number of retransmissions, because the
    /// wait does not grow, or the reduced window stays. Linux 6.18, CUBIC, HZ 250, 20 Mbit/s, a round trip of 50 ms, 300 or
    /// 400 messages in each row, each packet late independently in both directions. A relay between two network
    /// namespaces delayed the packets.
    @Test(
        arguments: [
            (20_000, 1_200, 2, 5, (0.0792, 0.0831, 0.003)), (200_000, 2_000, 2, 5, (0.2208, 0.2249, 0.003)),
            (20_000, 1_200, 2, 20, (0.0806, 0.0958, 0.005)), (200_000, 2_000, 2, 20, (0.2265, 0.2406, 0.007)),
            (20_000, 1_200, 2, 80, (0.0905, 0.1513, 0.28)), (200_000, 2_000, 2, 80, (0.3823, 0.5219, 2.77)),
            (20_000, 1_200, 10, 20, (0.0856, 0.0992, 0.008)), (200_000, 2_000, 10, 20, (0.2361, 0.2463, 0.007)),
        ] as [(UInt32, Int64, Double, Int64, (mean: Double, slowestTenth: Double, repeated: Double))])
    func messagesTakeTheTimeOfTheKernel(
        bytes: UInt32, interval: Int64, percent: Double, lateness: Int64,
        kernel: (mean: Double, slowestTenth: Double, repeated: Double)
    ) {
        var (mean, slowest, repeated) = (0.0, 0.0, 0.0)
        for seed in 1...3 as ClosedRange<UInt64> {
            var path = path(late: percent, by: .milliseconds(lateness), bytes: bytes, seed: seed)
            var latencies: [Double] = []
            path.run(until: .zero + .seconds(2))
            for message in 0..<400 as Range<UInt32> {
                let offered = path.now
                path.offer(upTo: message + 1)
                path.run(until: offered + .milliseconds(interval))
                guard let last = path.arrivals.last, last.end == message + 1 else {
                    Issue.record("message \(message) did not arrive")
                    return
                }
                latencies.append(Double((last.at - offered).nanoseconds) / 1e9)
            }
            latencies.sort()
            mean += latencies.reduce(0, +) / 1_200
            slowest += latencies[360...].reduce(0, +) / 120
            repeated += Double(path.retransmissions) / 1_200
        }
        let found: Comment = "\(mean), \(slowest), \(repeated)"
        #expect(abs(mean / kernel.mean - 1) < 0.05, found)
        #expect(abs(slowest / kernel.slowestTenth - 1) < 0.1, found)
        #expect(abs(repeated - kernel.repeated) < max(0.01, 0.2 * kernel.repeated), found)
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

    /// Broken: a recovery is undone before all its retransmissions have turned out to be unnecessary, or twice.
    @Test func duplicatesUndoARecovery() {
        var memory = ReorderingMemory()
        memory.beginRecovery(window: 40, threshold: 60)
        memory.recordRepeats(3)
        let undoes = [2, 1, 1].map { memory.recordDuplicates($0) }
        #expect(undoes == [false, true, false])
        #expect(memory.before == (40, 60))
        memory.recordRepeats(2)
        memory.forgetRecovery()
        let undoesLater = memory.recordDuplicates(2)
        #expect(!undoesLater)
    }

    /// Broken: the longer wait is adjusted more than once in a round trip, or kept after sixteen real losses.
    @Test func theLongerWaitIsForgotten() {
        var memory = ReorderingMemory()
        let start = Instant.zero + .seconds(1)
        _ = memory.recordDuplicates(1)
        memory.adjust(sentAt: start, at: start)
        #expect(memory.quarters == 1)
        memory.recordOvertaking(of: 2)
        #expect(memory.isSeen && !memory.growsBeyondGaps)
        for step in 0..<300 as Range<Int64> {
            _ = memory.recordDuplicates(1)
            memory.adjust(sentAt: start + .seconds(step), at: start + .seconds(step) + .milliseconds(500))
            _ = memory.recordDuplicates(1)
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

    /// Broken: recoveries count as losses although the other end has received their data twice.
    @Test func unnecessaryRecoveriesDoNotCount() {
        var memory = ReorderingMemory()
        memory.recordOvertaking(of: 2)
        _ = memory.recordDuplicates(1)
        let widened = Instant.zero + .seconds(1)
        memory.adjust(sentAt: widened, at: widened)
        for _ in 0..<40 {
            memory.beginRecovery(window: 40, threshold: 60)
            memory.recordRepeats(1)
            memory.recordRecovery()
            let isUndone = memory.recordDuplicates(1)
            // This round trip began before the wait was last adjusted, so its duplicate does not lengthen the wait.
            memory.adjust(sentAt: .zero, at: widened)
            #expect(isUndone && memory.quarters == 2)
        }
    }
}
