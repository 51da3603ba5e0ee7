import DeadzoneBase
import Testing
@testable import DeadzoneTransport

/// Comparison of large messages with a running kernel: Linux 6.18, CUBIC, HZ 250, over two TUN devices with the same
/// delay, rate and queue. Measured with Tests/Truth; each value is a median of three flows or more.
@Suite struct MeasuredBulkTests {
    /// Seconds from the write of a message until the other end has read it.
    private func seconds(
        _ bytes: UInt32, _ bitsPerSecond: Int64, queue: Int64?, delay: Int64
    ) -> (latency: Double, retransmissions: Int) {
        var path = BulkPath(
            .init(
                delay: .milliseconds(delay), bitsPerSecond: bitsPerSecond, queue: queue.map { .milliseconds($0) }),
            messageBytes: bytes)
        let begin = Instant.zero + .milliseconds(1_500)
        path.run(until: begin)
        path.offer(upTo: 1)
        path.run(until: begin + .seconds(60))
        let latency = path.arrivals.last.map { Double(($0.at - begin).nanoseconds) / 1e9 } ?? .infinity
        return (latency, path.retransmissions)
    }

    /// Broken: slow start overflows the queue where HyStart ends it before, or losses are repaired slowly.
    @Test(
        arguments: [
            (500_000, 1_000_000, 1_000, 25, 4.17), (500_000, 1_000_000, 1_000, 85, 4.292),
            (500_000, 1_000_000, 1_000, 210, 4.86), (1_000_000, 3_000_000, 500, 25, 2.803),
            (1_000_000, 3_000_000, 500, 85, 3.096), (1_000_000, 3_000_000, 500, 210, 4.104),
            (2_000_000, 10_000_000, 200, 25, 1.756), (2_000_000, 10_000_000, 200, 85, 2.252),
            (2_000_000, 10_000_000, 200, 210, 3.75), (300_000, 500_000, 2_000, 25, 4.999),
            (300_000, 500_000, 2_000, 210, 5.389), (5_000_000, 20_000_000, 1_000, 25, 2.215),
            (5_000_000, 20_000_000, 1_000, 85, 2.831), (5_000_000, 20_000_000, 1_000, 210, 4.472),
        ] as [(UInt32, Int64, Int64, Int64, Double)])
    func aDeepQueueIsUsedWithoutOverflow(
        bytes: UInt32, bitsPerSecond: Int64, queue: Int64, delay: Int64, measured: Double
    ) {
        let found = seconds(bytes, bitsPerSecond, queue: queue, delay: delay)
        #expect(abs(found.latency / measured - 1) < 0.05, "\(found), measured \(measured)")
        // Over a path of 50 ms the kernel retransmits nothing.
        if delay == 25 { #expect(found.retransmissions <= 10, "\(found)") }
    }

    /// Broken: a shallow queue that overflows costs much more or less time than on the kernel.
    @Test(
        arguments: [
            (500_000, 1_000_000, 200, 25, 4.17), (500_000, 1_000_000, 200, 85, 4.292),
            (1_000_000, 3_000_000, 100, 25, 2.803),
            (1_000_000, 3_000_000, 100, 85, 3.096), (2_000_000, 10_000_000, 50, 25, 1.756),
            (64_000, 1_000_000, 300, 25, 0.556),
            (64_000, 1_000_000, 300, 85, 0.678),
        ] as [(UInt32, Int64, Int64, Int64, Double)])
    func aShallowQueueOverflows(bytes: UInt32, bitsPerSecond: Int64, queue: Int64, delay: Int64, measured: Double) {
        let found = seconds(bytes, bitsPerSecond, queue: queue, delay: delay)
        #expect(abs(found.latency / measured - 1) < 0.05, "\(found), measured \(measured)")
        #expect(bytes == 64_000 || found.retransmissions > 0)
    }

    /// Broken: a pause halves the window at another pace than the kernel, or a slow start after it differs. 64 kB each
    /// time; the last one follows after the pause.
    @Test(
        arguments: [
            (10, 0.3, 0.046), (25, 0.3, 0.052), (85, 0.3, 0.309), (210, 0.3, 0.358), (10, 0.6, 0.060), (25, 0.6, 0.086),
            (85, 0.6, 0.112), (210, 0.6, 0.237), (25, 1.2, 0.135), (85, 1.2, 0.430), (210, 1.2, 0.237), (85, 3, 0.435),
            (210, 3, 1.058), (25, 20, 0.135), (210, 20, 1.060),
        ] as [(Int64, Double, Double)])
    func aPauseLeavesAPartOfTheWindow(delay: Int64, pause: Double, measured: Double) throws {
        var path = BulkPath(.init(delay: .milliseconds(delay)), messageBytes: 64_000)
        var begin = Instant.zero + .seconds(2)
        for message in 0..<6 as Range<UInt32> {
            path.run(until: begin)
            path.offer(upTo: message + 1)
            if message < 5 { begin += message == 4 ? .nanoseconds(Int64(pause * 1e9)) : .milliseconds(1_500) }
        }
        path.run(until: begin + .seconds(20))
        let last = try #require(path.arrivals.last)
        let found = Double((last.at - begin).nanoseconds) / 1e9
        #expect(last.end == 6 && abs(found / measured - 1) < 0.05, "\(found) s, measured \(measured)")
    }

    /// Broken: losses are repaired faster or slower than on the kernel, or the window shrinks by another share. Medians
    /// and means of messages at a distance of three seconds.
    @Test(
        arguments: [
            (25, 0.5, 64_000, 0.183, 0.190), (85, 0.5, 64_000, 0.606, 0.580), (25, 1, 64_000, 0.232, 0.238),
            (85, 1, 64_000, 0.623, 0.709), (25, 5, 64_000, 0.547, 0.595), (85, 5, 64_000, 1.679, 1.837),
            (25, 1, 20_000, 0.079, 0.090), (25, 5, 20_000, 0.178, 0.187), (25, 5, 200, 0.025, 0.039),
        ] as [(Int64, Double, UInt32, Double, Double)])
    func lossesAreRepaired(delay: Int64, lossPercent: Double, bytes: UInt32, median: Double, mean: Double) {
        var found: [Double] = []
        for seed in 1...12 as ClosedRange<UInt64> {
            var path = BulkPath(
                .init(delay: .milliseconds(delay), lossPercent: lossPercent), messageBytes: bytes, seed: seed)
            var begins: [Instant] = []
            for message in 0..<80 as Range<UInt32> {
                begins.append(.zero + .seconds(8 + 3 * Int64(message)))
                path.run(until: begins[Int(message)])
                path.offer(upTo: message + 1)
            }
            path.run(until: path.now + .seconds(60))
            var next = 0
            for (end, at) in path.arrivals {
                while next < end {
                    found.append(Double((at - begins[next]).nanoseconds) / 1e9)
                    next += 1
                }
            }
        }
        found.sort()
        let (middle, average) = (found[found.count / 2], found.reduce(0, +) / Double(found.count))
        #expect(found.count > 900)
        #expect(abs(middle / median - 1) < 0.13, "median \(middle) s, measured \(median)")
        #expect(abs(average / mean - 1) < 0.13, "mean \(average) s, measured \(mean)")
    }
}
