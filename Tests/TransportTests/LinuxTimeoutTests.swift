import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneTransport

/// The retransmission timeout of Linux: a variation that rises at once, and falls once a window.
@Suite struct LinuxTimeoutTests {
    private static let rules = TCPRules(framing: Framing(.webSocket, .none, .up))

    /// Time from the n-th message of a connection to its repetition after a tail loss probe, without an answer.
    private func secondWait(roundTrip: Int64, first: Int64? = nil, after messages: Int) -> Double {
        var path = BulkPath(.init(delay: .milliseconds(roundTrip) / 2, bitsPerSecond: 1_000_000_000), messageBytes: 200)
        path.run(until: .zero + .seconds(2))
        if let first {
            // The SYN took longer.
            path.client.timer = RetransmissionTimer()
            withUnsafePointer(to: Self.rules) { path.client.measure(.milliseconds(first), $0) }
        }
        for message in 0..<UInt32(messages) {
            path.offer(upTo: message + 1)
            path.run(until: path.now + .seconds(1))
        }
        return Double(path.client.timer.timeout(.linux).nanoseconds) / 1e9
    }

    /// Broken: a young connection on a slow path has the timeout of an old one. Measured on 6.18: the wait after the
    /// probe of message 1, 2, 3, 5, 9 and 20, which ends at a grain of 4, 32 or 256 ms.
    @Test(
        arguments: [
            (35, [0.240, 0.248, 0.244, 0.244, 0.240, 0.240]), (170, [0.544, 0.512, 0.448, 0.416, 0.384, 0.384]),
            (420, [1.280, 1.216, 1.024, 0.800, 0.640, 0.640]),
        ] as [(Int64, [Double])])
    func aYoungConnectionWaitsLonger(roundTrip: Int64, measured: [Double]) {
        let own = (0..<25).map { secondWait(roundTrip: roundTrip, after: $0) }
        #expect(zip(own, own.dropFirst()).allSatisfy { $1 <= $0 + 0.004 }, "it only falls: \(own)")
        // Each measured wait is the timeout of some number of messages, and the waits stand in its order.
        var next = 0
        for wait in measured.sorted(by: >) {
            let found = own.indices.first { next <= $0 && abs(own[$0] / wait - 1) < 0.07 }
            #expect(found != nil, "\(wait) is none of \(own)")
            next = found ?? next
        }
        #expect(abs(own[0] / (measured.max() ?? 0) - 1) < 0.07 && abs(own[24] / (measured.min() ?? 0) - 1) < 0.05)
    }

    /// Broken: a slow first round trip, which contains a radio that wakes, has no effect on later timeouts.
    @Test func aSlowFirstRoundTripLastsForSeveralMessages() {
        let waits = [0, 1, 3, 12, 40].map { secondWait(roundTrip: 70, first: 335, after: $0) }
        #expect(waits[0] == 1.008 && waits[1] > 0.9 && waits[3] > 0.3 && waits[4] < 0.29, "\(waits)")
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 <= $0 })
    }

    /// Broken: the variation leaves the bounds that its rule gives it. Random samples: it is at least the floor, at
    /// least the usual variation after a rise, and falls at most by a quarter of its distance to the floor at a time.
    @Test func theVariationFollowsItsRule() {
        seedSweep(300) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var estimator = RoundTripEstimator()
            let floor = TimeSpan.milliseconds(200)
            var (acknowledged, sent) = (UInt64(0), UInt64(1))
            var before = TimeSpan.zero
            for number in 0..<60 {
                let sample = TimeSpan.microseconds(1_000 + Int64(dice.next().scaled(below: 900_000)))
                let previous = estimator.fourVariations
                acknowledged = sent
                sent += dice.next().scaled(below: 3)
                estimator.measure(sample, acknowledged: acknowledged, sent: sent, floor: floor)
                let now = estimator.linuxVariation
                #expect(floor <= now, "seed \(seed)")
                if previous < estimator.fourVariations {
                    #expect(min(estimator.fourVariations, before) <= now + .microseconds(1), "seed \(seed)")
                }
                if number > 0 { #expect(before - (before - floor) / 4 <= now + .microseconds(1), "seed \(seed)") }
                before = now
            }
        }
    }

    /// Broken: a round trip that becomes shorter raises the variation as much as one that becomes longer.
    @Test func aShorterRoundTripIsNoAlarm() {
        var (down, up) = (RoundTripEstimator(), RoundTripEstimator())
        for _ in 0..<50 {
            for milliseconds in [400] as [Int64] {
                down.measure(.milliseconds(milliseconds), acknowledged: 2, sent: 1, floor: .milliseconds(200))
                up.measure(.milliseconds(milliseconds), acknowledged: 2, sent: 1, floor: .milliseconds(200))
            }
        }
        down.measure(.milliseconds(100), acknowledged: 2, sent: 1, floor: .milliseconds(200))
        up.measure(.milliseconds(700), acknowledged: 2, sent: 1, floor: .milliseconds(200))
        #expect(down.fourVariations < up.fourVariations / 4)
    }
}
