import DeadzoneBase
import DeadzoneTestKit
import DeadzoneTransport
import Testing

@Suite struct LinkTests {
    private func dice(_ purpose: Purpose, seed: UInt64 = 1) -> Dice {
        Dice(seed: seed, phone: PhoneID(3), purpose: purpose)
    }

    private func direction(_ loss: LossModel = .independent(.zero), delay: Distribution = .constant(35_000_000))
        -> LinkDirection
    {
        LinkDirection(delay: delay, floor: .milliseconds(10), bitsPerSecond: 8_000_000, loss: loss)
    }

    /// Broken: a packet arrives earlier than its bytes and its delay allow, or overtakes another.
    @Test func queuesThenDelays() {
        let direction = direction()
        var link = Link(direction, dwells: dice(.lossWifiUp))
        func offer(_ bytes: UInt32, at: Instant) -> Transit {
            link.transmit(bytes: bytes, at: at, over: direction, packets: dice(.linkWifiUp), dwells: dice(.lossWifiUp))
        }
        // 1,000 bytes at 8 Mbit/s take a millisecond.
        #expect(offer(1_000, at: .zero) == Transit(at: .zero + .milliseconds(36), intact: 1))
        #expect(offer(1_000, at: .zero).at == .zero + .milliseconds(37))
        #expect(offer(1_000, at: .zero + .milliseconds(10)).at == .zero + .milliseconds(46))
    }

    /// Broken: some jitter makes a packet faster than the minimum delay that the sync windows rely on, or reorders
    /// packets.
    @Test func neverBelowTheFloorAndNeverOutOfOrder() {
        seedSweep(200) { seed in
            let direction = direction(delay: .exponential(mean: 20_000_000))
            var link = Link(direction, dwells: dice(.lossWifiUp, seed: seed))
            var last = Instant.zero
            var gaps = dice(.test, seed: seed)
            var now = Instant.zero
            for _ in 0..<200 {
                now += .microseconds(Int64(gaps.next().scaled(below: 30_000)))
                let transit = link.transmit(
                    bytes: 500, at: now, over: direction, packets: dice(.linkWifiUp, seed: seed),
                    dwells: dice(.lossWifiUp, seed: seed))
                #expect(now + .milliseconds(10) <= transit.at && last <= transit.at)
                last = transit.at
            }
        }
    }

    /// Broken: the weather depends on earlier traffic. A packet at ten seconds meets the same random draws whether or
    /// not other packets were sent before it.
    @Test func weatherIsAFunctionOfTime() {
        seedSweep(500) { seed in
            let lossy = direction(
                .gilbertElliott(
                    goodMean: .seconds(2), badMean: .milliseconds(700), lossInGood: Probability(1, of: 100),
                    lossInBad: Probability(1, of: 2)),
                delay: .exponential(mean: 20_000_000))
            var quiet = Link(lossy, dwells: dice(.lossCellularUp, seed: seed))
            var busy = Link(lossy, dwells: dice(.lossCellularUp, seed: seed))
            func offer(_ link: inout Link, at: Instant) -> Transit {
                link.transmit(
                    bytes: 100, at: at, over: lossy, packets: dice(.linkCellularUp, seed: seed),
                    dwells: dice(.lossCellularUp, seed: seed))
            }
            for millisecond in stride(from: Int64(0), to: 9_000, by: 37) {
                _ = offer(&busy, at: .zero + .milliseconds(millisecond))
            }
            let at = Instant.zero + .seconds(10)
            #expect(offer(&quiet, at: at) == offer(&busy, at: at))
        }
    }

    /// Broken: the share of time in the bad state, and therefore the losses: 0.7 / (2 + 0.7) × 1/2 + the rest ×
    /// 1/100.
    @Test func losesLikeGilbertAndElliott() {
        let model = LossModel.gilbertElliott(
            goodMean: .seconds(2), badMean: .milliseconds(700), lossInGood: Probability(1, of: 100),
            lossInBad: Probability(1, of: 2))
        var lost = 0
        var total = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            let lossy = direction(model)
            var link = Link(lossy, dwells: dice(.lossCellularUp, seed: seed))
            for step in 0..<10_000 as Range<Int64> {
                let transit = link.transmit(
                    bytes: 10, at: .zero + .milliseconds(step * 50), over: lossy,
                    packets: dice(.linkCellularUp, seed: seed), dwells: dice(.lossCellularUp, seed: seed))
                total += 1
                if transit.intact == 0 { lost += 1 }
            }
        }
        let expected = Double(total) * (0.7 / 2.7 * 0.5 + 2 / 2.7 * 0.01)
        #expect(abs(Double(lost) - expected) < 0.05 * expected, "lost \(lost) of \(total), expected \(expected)")
    }

    /// Broken: another share of packets is late, or by another time; or the others no longer keep their order.
    @Test func latePacketsAreOvertaken() {
        var pair = LatePair(direction(delay: .exponential(mean: 20_000_000)), by: .milliseconds(50))
        var late = 0
        for step in 0..<4_000 as Range<Int64> {
            let (expected, reordered) = pair.transmit(bytes: 500, at: .zero + .milliseconds(step * 3))
            var found = reordered
            if found.at != expected.at {
                late += 1
                found.at = expected.at + (found.at - expected.at - .milliseconds(50))
            }
            #expect(found == expected)
        }
        #expect(abs(late - 1_000) < 100, "\(late)")
    }

    /// Broken: which packets are late depends on their delay, because both use the same random draw.
    @Test func latenessIsIndependentOfTheDelay() {
        var pair = LatePair(direction(delay: .exponential(mean: 20_000_000)), by: .milliseconds(50))
        var delays: (late: [Double], usual: [Double]) = ([], [])
        for step in 0..<4_000 as Range<Int64> {
            let at = Instant.zero + .seconds(step)
            let (expected, reordered) = pair.transmit(bytes: 500, at: at)
            let delay = Double((expected.at - at).nanoseconds) / 1e6
            if reordered.at == expected.at { delays.usual.append(delay) } else { delays.late.append(delay) }
        }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
        // The standard error of the difference is 0.7 ms. With one draw for both the means differ by more than 20 ms.
        #expect(delays.late.count > 800 && abs(mean(delays.late) - mean(delays.usual)) < 4)
    }

    /// Broken: a late part of a burst is lost, arrives twice, or before its time; or it delays the others.
    @Test func latePartsOfABurstArriveAlone() {
        var pair = LatePair(direction(.independent(Probability(1, of: 8))), by: .milliseconds(5))
        var count = 0
        for step in 0..<2_000 as Range<Int64> {
            let at = Instant.zero + .milliseconds(step * 100)
            let (expected, reordered) = pair.transmit(bytes: 8_000, parts: 8, at: at)
            var found = reordered
            var missing = found.missing
            while let (part, arrival) = found.nextLate(of: 8) {
                count += 1
                #expect(missing >> UInt64(part) & 1 == 1)
                missing &= ~(1 << UInt64(part))
                // The parts take a millisecond each, and the burst counts as arrived with its last one.
                let own = at + .milliseconds(1) * Int64(part + 1) + .milliseconds(35 + 5)
                #expect(arrival == max(own, found.at), "part \(part) of \(step)")
            }
            #expect(missing == expected.missing && found.at == expected.at && found.lost == expected.lost)
        }
        #expect(abs(count - 2_000 * 8 * 7 / 32) < 200, "\(count)")
    }

    /// Broken: parts of a burst behind a lost part count as intact.
    @Test func aBurstArrivesUpToItsFirstLoss() {
        let half = direction(.independent(Probability(1, of: 2)))
        var counts = [Int](repeating: 0, count: 5)
        for seed in 0..<4_000 as Range<UInt64> {
            var link = Link(half, dwells: dice(.lossWifiDown, seed: seed))
            let transit = link.transmit(
                bytes: 400, parts: 4, at: .zero, over: half, packets: dice(.linkWifiDown, seed: seed),
                dwells: dice(.lossWifiDown, seed: seed))
            counts[Int(transit.intact)] += 1
        }
        for (intact, share) in [0.5, 0.25, 0.125, 0.0625, 0.0625].enumerated() {
            #expect(abs(Double(counts[intact]) / 4_000 - share) < 0.03, "\(counts)")
        }
    }
}

/// A link on which a quarter of the packets is late, and the same link without that.
private struct LatePair: ~Copyable {
    private let inOrder: LinkDirection
    private let reordered: LinkDirection
    private var usual: Link
    private var other: Link

    init(_ direction: LinkDirection, by delay: TimeSpan) {
        inOrder = direction
        var late = direction
        late.reordering = Reordering(share: Probability(1, of: 4), delay: delay)
        reordered = late
        usual = Link(inOrder, dwells: Self.dice(.lossWifiUp))
        other = Link(reordered, dwells: Self.dice(.lossWifiUp))
    }

    private static func dice(_ purpose: Purpose) -> Dice { Dice(seed: 1, phone: PhoneID(3), purpose: purpose) }

    mutating func transmit(bytes: UInt32, parts: UInt32 = 1, at: Instant) -> (inOrder: Transit, reordered: Transit) {
        func transit(_ link: inout Link, _ direction: LinkDirection) -> Transit {
            link.transmit(
                bytes: bytes, parts: parts, at: at, over: direction, packets: Self.dice(.linkWifiUp),
                dwells: Self.dice(.lossWifiUp))
        }
        return (transit(&usual, inOrder), transit(&other, reordered))
    }
}
