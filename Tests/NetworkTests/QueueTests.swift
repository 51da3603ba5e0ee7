import DeadzoneBase
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@Suite struct QueueTests {
    private func dice(_ purpose: Purpose, seed: UInt64 = 1) -> Dice {
        Dice(seed: seed, phone: PhoneID(3), purpose: purpose)
    }

    private func direction(
        _ queue: QueueBound?, trace: LinkTrace? = nil, spikes: LatencySpikes? = nil, rate: Int64 = 8_000_000
    ) -> LinkDirection {
        LinkDirection(
            delay: .constant(10_000_000), floor: .milliseconds(10), bitsPerSecond: rate, loss: .independent(.zero),
            trace: trace, queue: queue, spikes: spikes)
    }

    private func offer(
        _ link: inout Link, _ bytes: UInt32, parts: UInt32 = 1, at: Instant, _ direction: LinkDirection,
        seed: UInt64 = 1
    ) -> Transit {
        link.transmit(
            bytes: bytes, parts: parts, at: at, over: direction, packets: dice(.linkWifiUp, seed: seed),
            dwells: dice(.lossWifiUp, seed: seed))
    }

    /// Broken: bufferbloat. At 8 Mbit/s, a queue of 64 KiB holds 65.536 ms. A burst fills it, later packets wait
    /// exactly as long as the queue is deep, and the rest is dropped.
    @Test func aFullQueueDelaysAndDrops() {
        let bounded = direction(.bytes(65_536))
        var link = Link(bounded, dwells: dice(.lossWifiUp))
        var dropped: UInt32 = 0
        var last = Instant.zero
        for _ in 0..<100 {
            let transit = offer(&link, 1_000, at: .zero, bounded)
            dropped += transit.dropped
            if transit.intact > 0 { last = transit.at }
        }
        #expect(dropped == 35)
        #expect(last == Instant.zero + .milliseconds(75))
        // 30 ms later, 30,000 bytes have left, and as many fit again.
        let accepted = (0..<100).count { _ in
            offer(&link, 1_000, at: .zero + .milliseconds(30), bounded).intact > 0
        }
        #expect(accepted == 30)
    }

    /// Broken: a queue exceeds its bound, for some arrivals, at a constant rate or on a trace. Or a link with an
    /// empty queue drops a packet.
    @Test func noQueueHoldsMoreThanItsBound() throws {
        let steps = try LinkTrace(opportunities: (1...50).map { $0 * $0 * 100_000 })
        let table = try LinkTrace(starts: [0, 40_000_000, 50_000_000], bitsPerSecond: [9_000_000, 0, 2_000_000])
        var drops = 0
        seedSweep(100) { seed in
            for trace in [nil, steps, table] {
                let bound: Int64 = 20_000
                let bounded = direction(.bytes(bound), trace: trace)
                var link = Link(bounded, dwells: dice(.lossWifiUp, seed: seed))
                var gaps = dice(.test, seed: seed)
                var now = Instant.zero
                var inside: [(leaves: Instant, bytes: Int64)] = []
                for _ in 0..<200 {
                    now += .microseconds(Int64(gaps.next().scaled(below: 3_000)))
                    let size = UInt32(gaps.next().scaled(below: 2_900)) + 100
                    inside.removeAll { $0.leaves < now }
                    let transit = offer(&link, size, at: now, bounded, seed: seed)
                    if transit.dropped > 0 {
                        drops += 1
                        try #require(!inside.isEmpty)
                    } else {
                        inside.append((link.busyUntil, Int64(size)))
                        // The packet being sent counts until it has left completely: one more than the queue may
                        // hold.
                        #expect(inside.dropFirst().reduce(0) { $0 + $1.bytes } <= bound, "seed \(seed)")
                    }
                }
            }
        }
        #expect(drops > 100)
    }

    /// Broken: a burst that does not fit completely is not accepted up to the free space.
    @Test func aBurstEntersInPart() {
        let bounded = direction(.bytes(5_000))
        var link = Link(bounded, dwells: dice(.lossWifiUp))
        #expect(offer(&link, 3_000, at: .zero, bounded).dropped == 0)
        let transit = offer(&link, 4_000, parts: 4, at: .zero, bounded)
        #expect((transit.intact, transit.dropped) == (2, 2))
        #expect(link.busyUntil == .zero + .milliseconds(5))
    }

    /// Broken: a bound on the waiting time.
    @Test func aBoundOnTheWaitingTime() {
        let bounded = direction(.wait(.milliseconds(20)))
        var link = Link(bounded, dwells: dice(.lossWifiUp))
        let fates = (0..<5).map { _ in offer(&link, 7_000, at: .zero, bounded).intact }
        #expect(fates == [1, 1, 1, 0, 0])
    }

    /// Broken: a burst in a queue with a bounded waiting time is accepted or dropped as a whole. Each part has 1 ms.
    @Test func aBurstWaitsInPart() {
        let bounded = direction(.wait(.milliseconds(20)))
        var link = Link(bounded, dwells: dice(.lossWifiUp))
        let first = offer(&link, 15_000, parts: 15, at: .zero, bounded)
        #expect((first.intact, first.dropped, first.spread) == (15, 0, .milliseconds(14)))
        let second = offer(&link, 15_000, parts: 15, at: .zero, bounded)
        #expect((second.intact, second.dropped, second.spread) == (6, 9, .milliseconds(5)))
        #expect(second.at - first.at == .milliseconds(6))
        // An idle link sends one part at once, and the queue takes some of the others.
        var idle = Link(direction(.bytes(3_000)), dwells: dice(.lossWifiUp))
        #expect(offer(&idle, 10_000, parts: 10, at: .zero, direction(.bytes(3_000))).intact == 3)
        var tiny = Link(direction(.bytes(10)), dwells: dice(.lossWifiUp))
        #expect(offer(&tiny, 10_000, parts: 10, at: .zero, direction(.bytes(10))).intact == 1)
    }

    /// Broken: a burst on a trace is cut by the constant rate of its link, although that rate has no effect there. A link
    /// does not know the times of a trace in advance, so all parts of a burst enter if the first one may.
    @Test(arguments: [1, 8_000_000, 1_000_000_000] as [Int64])
    func aBurstOnATraceEntersAsAWhole(_ rate: Int64) throws {
        let trace = try LinkTrace(starts: [0], bitsPerSecond: [8_000_000])
        let bounded = direction(.wait(.milliseconds(20)), trace: trace, rate: rate)
        var link = Link(bounded, dwells: dice(.lossWifiUp))
        let fates = (0..<3).map { _ in offer(&link, 15_000, parts: 15, at: .zero, bounded) }
        // Before them wait 0 ms, 15 ms and 30 ms.
        #expect(fates.map(\.intact) == [15, 15, 0] && fates.map(\.dropped) == [0, 0, 15])
    }

    /// Broken: the ranges of parts that arrive differ from the parts that are not lost. All patterns of five parts.
    @Test func neighboursArriveTogether() {
        for missing in 0..<32 as Range<UInt64> {
            let transit = Transit(at: .zero, intact: 0, missing: missing)
            var arrived: [UInt32] = []
            var next: UInt32 = 0
            while let range = transit.arrivals(from: next, of: 5) {
                #expect(range.upperBound == 5 || missing >> UInt64(range.upperBound) & 1 == 1)
                arrived += Array(range)
                next = range.upperBound
            }
            #expect(arrived == (0..<5).filter { missing >> UInt64($0) & 1 == 0 })
        }
    }

    private let spikes = LatencySpikes(
        every: .exponential(mean: 60_000_000_000), length: .constant(5_000_000_000), extra: .constant(3_000_000_000))

    /// Broken: the frequency and length of latency spikes (5 s after 60 s of calm: 1/13 of the time). Or the spikes
    /// are not weather: a sender that sends ten times as often must meet the same ones.
    @Test func spikesComeAtTheirTime() {
        var late = 0
        var total = 0
        for seed in 1...30 as ClosedRange<UInt64> {
            let spiky = direction(nil, spikes: spikes)
            var often = Link(spiky, dwells: dice(.lossWifiUp, seed: seed))
            var seldom = Link(spiky, dwells: dice(.lossWifiUp, seed: seed))
            for second in 0..<5_000 as Range<Int64> {
                for tenth in 1..<10 as Range<Int64> {
                    _ = offer(
                        &often, 10, at: .zero + .milliseconds(second * 1_000 + tenth * 100 - 1_000), spiky, seed: seed)
                }
                let at = Instant.zero + .seconds(second)
                let transit = offer(&seldom, 10, at: at, spiky, seed: seed)
                let isLate = transit.at - at >= .seconds(3)
                #expect((offer(&often, 10, at: at, spiky, seed: seed).at - at >= .seconds(3)) == isLate)
                late += isLate ? 1 : 0
                total += 1
            }
        }
        // Packets behind a spike wait for those in it, so up to three more seconds look late.
        let share = Double(late) / Double(total)
        #expect(5.0 / 65 - 0.01 < share && share < 8.0 / 65, "\(share)")
    }

    /// Broken: a later packet overtakes a packet in a latency spike.
    @Test func nothingOvertakesASpike() {
        var held = 0
        seedSweep(50) { seed in
            let spiky = direction(
                nil,
                spikes: LatencySpikes(
                    every: .exponential(mean: 2_000_000_000), length: .exponential(mean: 500_000_000),
                    extra: .uniform(0, 4_000_000_000)))
            var link = Link(spiky, dwells: dice(.lossWifiUp, seed: seed))
            var last = Instant.zero
            for step in 0..<500 as Range<Int64> {
                let at = Instant.zero + .milliseconds(step * 50)
                let transit = offer(&link, 100, at: at, spiky, seed: seed)
                #expect(last <= transit.at)
                if transit.at == last { held += 1 }
                last = transit.at
            }
        }
        #expect(held > 0)
    }

    /// Broken: changed conditions draw new weather. Back under its old conditions, a link must meet the weather that
    /// it would have met without the change.
    @Test func conditionsChangeWithoutNewDice() {
        seedSweep(100) { seed in
            let usual = direction(nil, spikes: spikes)
            let other = direction(nil, rate: 1_000_000)
            var constant = Link(usual, dwells: dice(.lossWifiUp, seed: seed))
            var changing = Link(usual, dwells: dice(.lossWifiUp, seed: seed))
            changing.change(to: other, dwells: dice(.lossWifiUp, seed: seed))
            _ = offer(&changing, 100, at: .zero + .seconds(100), other, seed: seed)
            changing.change(to: usual, dwells: dice(.lossWifiUp, seed: seed))
            for second in 200..<300 as Range<Int64> {
                let at = Instant.zero + .seconds(second)
                #expect(
                    offer(&changing, 100, at: at, usual, seed: seed) == offer(&constant, 100, at: at, usual, seed: seed)
                )
            }
        }
    }
}
