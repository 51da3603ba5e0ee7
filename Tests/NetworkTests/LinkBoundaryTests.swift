import DeadzoneBase
import DeadzoneTransport
import Testing

/// Links at the exact instants at which their weather and their queue change.
@Suite struct LinkBoundaryTests {
    private let packets = Dice(seed: 4, phone: PhoneID(2), purpose: .linkCellularUp)
    private let dwells = Dice(seed: 4, phone: PhoneID(2), purpose: .lossCellularUp)
    private let delay = TimeSpan.milliseconds(10)

    private func direction(
        loss: LossModel = .independent(.zero), queue: QueueBound? = nil, spikes: LatencySpikes? = nil,
        rate: Int64 = 8_000_000_000
    ) -> LinkDirection {
        LinkDirection(
            delay: .constant(delay.nanoseconds), floor: .zero, bitsPerSecond: rate, loss: loss, queue: queue,
            spikes: spikes)
    }

    /// Sends one packet over a new link.
    private func single(_ direction: LinkDirection, at now: Instant) -> Transit {
        var link = Link(direction, dwells: dwells)
        return link.transmit(bytes: 0, at: now, over: direction, packets: packets, dwells: dwells)
    }

    private let nanosecond = TimeSpan.nanoseconds(1)

    @Test("A spike delays every packet from its first instant until just before its last")
    func spikes() {
        let spiky = direction(
            spikes: LatencySpikes(
                every: .constant(5_000_000_000), length: .constant(2_000_000_000), extra: .constant(3_000_000_000)))
        for number in 0..<4 as Range<Int64> {
            let begin = Instant.zero + .seconds(5 + 7 * number)
            for (at, isSlow) in [
                (begin - nanosecond, false), (begin, true), (begin + .seconds(2) - nanosecond, true),
                (begin + .seconds(2), false),
            ] {
                #expect(single(spiky, at: at).at == at + delay + (isSlow ? .seconds(3) : .zero), "\(at)")
            }
        }
    }

    @Test("Pauses and spikes of no length or of a negative one still let time pass, and never shorten a delay")
    func degenerateSpikes() {
        let spiky = direction(spikes: LatencySpikes(every: .constant(-9), length: .constant(-9), extra: .constant(-9)))
        #expect(single(spiky, at: .zero + .microseconds(3)).at == Instant.zero + .microseconds(3) + delay)
        let always = direction(spikes: LatencySpikes(every: .constant(0), length: .constant(0), extra: .constant(7)))
        #expect(
            single(always, at: .zero + .microseconds(3)).at == Instant.zero + .microseconds(3) + delay + .nanoseconds(7)
        )
    }

    @Test("Each spike has its own draws of pause, length and delay")
    func drawnSpikes() {
        let model = LatencySpikes(
            every: .uniform(1_000, 9_000_000), length: .uniform(1_000, 9_000_000), extra: .uniform(1, 1_000_000_000))
        let spiky = direction(spikes: model)
        var end = Instant.zero
        for number in 0..<6 as Range<UInt64> {
            let draws = dwells.pair(at: 1 << 62 | number)
            let begin = end + .nanoseconds(model.every.draw(draws.0))
            end = begin + .nanoseconds(model.length.draw(draws.1))
            let extra = TimeSpan.nanoseconds(model.extra.draw(dwells.at(1 << 63 | number)))
            #expect(single(spiky, at: begin - nanosecond).at == begin - nanosecond + delay, "\(number)")
            #expect(single(spiky, at: begin).at == begin + delay + extra, "\(number)")
            #expect(single(spiky, at: end - nanosecond).at == end - nanosecond + delay + extra, "\(number)")
        }
    }

    @Test("Good and bad times of a link alternate at the instants that their draws give")
    func dwellTimes() {
        let means = [TimeSpan.seconds(3), .milliseconds(700)]
        let model = LossModel.gilbertElliott(
            goodMean: means[0], badMean: means[1], lossInGood: .zero, lossInBad: Probability(1, of: 1))
        let lossy = direction(loss: model)
        var change = Instant.zero
        for number in 0..<8 {
            let length = Distribution.exponential(mean: means[number % 2].nanoseconds).draw(dwells.at(UInt64(number)))
            change += .nanoseconds(max(length, 1))
            let before = single(lossy, at: change - nanosecond)
            let after = single(lossy, at: change)
            let isBadBefore: UInt32 = number % 2 == 1 ? 1 : 0
            #expect(before.lost == isBadBefore && before.intact == 1 - isBadBefore, "\(number)")
            #expect(after.lost == 1 - isBadBefore && after.intact == isBadBefore, "\(number)")
        }
    }

    @Test("A queue of a waiting time takes a packet that waits exactly as long, and none that waits longer")
    func waitingTime() {
        // A byte takes a microsecond.
        let bounded = direction(queue: .wait(.microseconds(50)), rate: 8_000_000)
        for (late, fits) in [(TimeSpan.microseconds(50) - nanosecond, false), (.microseconds(50), true)] {
            var link = Link(bounded, dwells: dwells)
            _ = link.transmit(bytes: 100, at: .zero, over: bounded, packets: packets, dwells: dwells)
            #expect(link.busyUntil == Instant.zero + .microseconds(100))
            let transit = link.transmit(
                bytes: 1_000, at: .zero + late, over: bounded, packets: packets, dwells: dwells)
            #expect(transit.dropped == (fits ? 0 : 1) && transit.intact == (fits ? 1 : 0))
            #expect(transit.at == (fits ? Instant.zero + .microseconds(1_100) + delay : Instant.zero + late))
            #expect(link.busyUntil == Instant.zero + .microseconds(fits ? 1_100 : 100))
        }
    }

    @Test("A queue of bytes takes what fits exactly, parts of what does not, and anything while the link is idle")
    func queuedBytes() {
        let bounded = direction(queue: .bytes(1_000), rate: 8_000_000)
        func second(_ bytes: UInt32, parts: UInt32 = 1, after microseconds: Int64, plus: TimeSpan = .zero) -> Transit {
            var link = Link(bounded, dwells: dwells)
            _ = link.transmit(bytes: 600, at: .zero, over: bounded, packets: packets, dwells: dwells)
            return link.transmit(
                bytes: bytes, parts: parts, at: .zero + .microseconds(microseconds) + plus, over: bounded,
                packets: packets, dwells: dwells)
        }
        #expect(second(400, after: 0).dropped == 0 && second(401, after: 0).dropped == 1)
        #expect(second(500, after: 100).dropped == 0 && second(501, after: 100).dropped == 1)
        // A byte that has partly left still counts.
        #expect(second(500, after: 100, plus: nanosecond).dropped == 0)
        #expect(second(501, after: 101, plus: .zero - nanosecond).dropped == 1 && second(501, after: 101).dropped == 0)
        let parts = second(800, parts: 8, after: 0)
        #expect(parts.intact == 4 && parts.dropped == 4 && parts.lost == 0)
        #expect(parts.at == Instant.zero + .microseconds(1_000) + delay)
        #expect(second(5_000, after: 600).dropped == 0 && second(5_000, after: 599).dropped == 1)
    }

    @Test("A burst of sixty-four parts, the most there are, enters completely, in part or not at all")
    func sixtyFourParts() {
        let bounded = direction(queue: .bytes(1_000), rate: 8_000_000)
        for (before, bytes, fitting) in [(600, 400, 64), (600, 800, 32), (1_000, 800, 0)] as [(UInt32, UInt32, UInt32)]
        {
            var link = Link(bounded, dwells: dwells)
            _ = link.transmit(bytes: before, at: .zero, over: bounded, packets: packets, dwells: dwells)
            let burst = link.transmit(
                bytes: bytes, parts: 64, at: .zero, over: bounded, packets: packets, dwells: dwells)
            #expect(burst.intact == fitting && burst.dropped == 64 - fitting && burst.lost == 0)
            #expect(burst.missing == (fitting == 64 ? 0 : .max << UInt64(fitting)))
            #expect(burst.arrivals(from: 0, of: 64) == (fitting == 0 ? nil : 0..<fitting))
            #expect(burst.arrivals(from: fitting, of: 64) == nil)
        }
    }

    @Test("A packet waits for the one before it and never arrives before it, except after a change of path")
    func order() {
        let slow = direction(rate: 8_000)
        var link = Link(slow, dwells: dwells)
        func send(_ bytes: UInt32, _ direction: LinkDirection, at now: Instant) -> Instant {
            link.transmit(bytes: bytes, at: now, over: direction, packets: packets, dwells: dwells).at
        }
        let first = send(2, slow, at: .zero)
        #expect(first == Instant.zero + .milliseconds(2) + delay)
        let second = send(3, slow, at: .zero + .milliseconds(1))
        #expect(second == Instant.zero + .milliseconds(5) + delay)
        var fast = direction()
        fast.delay = .constant(1_000_000)
        link.change(to: fast, dwells: dwells)
        let third = send(0, fast, at: .zero + .milliseconds(6))
        #expect(third == second)
        link.resetQueue()
        let fourth = send(0, fast, at: .zero + .milliseconds(6))
        #expect(fourth == Instant.zero + .milliseconds(7))
        // The floor is the shortest delay.
        fast.floor = .milliseconds(4)
        let fifth = send(0, fast, at: .zero + .milliseconds(20))
        #expect(fifth == Instant.zero + .milliseconds(24))
    }

    @Test("Each direction of each interface has random numbers of its own")
    func purposes() {
        let all = Interface.allCases.flatMap { interface in
            let purposes = interface.linkPurposes
            return [purposes.up, purposes.down, purposes.lossUp, purposes.lossDown]
        }
        #expect(
            all == [
                .linkWifiUp, .linkWifiDown, .lossWifiUp, .lossWifiDown, .linkCellularUp, .linkCellularDown,
                .lossCellularUp, .lossCellularDown, .linkBluetoothUp, .linkBluetoothDown, .lossBluetoothUp,
                .lossBluetoothDown, .linkSIM2Up, .linkSIM2Down, .lossSIM2Up, .lossSIM2Down, .linkEthernetUp,
                .linkEthernetDown, .lossEthernetUp, .lossEthernetDown,
            ])
        #expect(Set(all).count == 20 && Link.slotLength == .milliseconds(1))
    }
}
