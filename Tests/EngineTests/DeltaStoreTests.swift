import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneTestKit
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

@Suite struct DeltaStoreTests {
    /// Broken: a simulation is restored from the bytes of another one, or not exactly as it was stored.
    @Test func everySimulationIsRestoredExactly() {
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func below(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
            // With many simulations, more patterns are in use than there is room for.
            let (simulations, words) = (seed % 5 == 0 ? 600 : 9, 8 * (1 + below(140)))
            var rows = DeltaStore(count: simulations, kinds: 3)
            let image = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
            defer { image.deallocate() }
            var now = Instant.zero
            var expected: [[UInt64]?] = Array(repeating: nil, count: simulations)
            for _ in 0..<(seed % 5 == 0 ? 9_000 : 400) {
                let simulation = below(simulations)
                if let left = expected[simulation] {
                    rows.decompress(simulation, in: image)
                    #expect((0..<words).allSatisfy { image[$0] == left[$0] }, "simulation \(simulation)")
                } else {
                    image.initialize(repeating: 7, count: words)
                }
                // Every third word is an instant: it advances with the clock.
                let more = UInt64(below(2) == 0 ? below(1_000) : 0)
                now += .nanoseconds(Int64(more))
                for word in 0..<words where word % 3 == 0 { image[word] &+= more }
                // Mostly changes a few words by a little; sometimes changes any words to any values.
                for _ in 0..<below(below(6) == 0 ? words : 6) {
                    let word = below(words)
                    let many = UInt64(bitPattern: Int64(below(1 << 20)) - (1 << 19))
                    image[word] = below(3) == 0 ? dice.next() : image[word] &+ many << UInt64(below(44))
                }
                if below(20) == 0 {
                    rows.remove(simulation)
                    let isKept = rows.contains(simulation)
                    #expect(!isKept)
                    expected[simulation] = nil
                } else {
                    rows.compress(simulation, image, words: words, kind: below(3), at: now)
                    expected[simulation] = Array(UnsafeBufferPointer(start: image, count: words))
                }
            }
        }
    }

    /// Broken: a herd that runs for a long time learns no new patterns, and its stored rows grow.
    @Test func storedRowsStayShort() {
        let (simulations, words) = (40, 64)
        let image = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
        defer { image.deallocate() }
        var rows = DeltaStore(count: simulations, kinds: 1)
        // All simulations change completely, again and again.
        for age in 0..<UInt64(2_000) {
            let dice = Dice(seed: age, phone: PhoneID(0), purpose: .test)
            for simulation in 0..<simulations {
                for word in 0..<words { image[word] = dice.at(UInt64(word)) }
                image[9] = UInt64(simulation)
                rows.compress(simulation, image, words: words, kind: 0, at: .zero)
            }
        }
        let sizes = (0..<simulations).map { rows.storedBytes(of: $0) }
        #expect(sizes.dropFirst(20).allSatisfy { $0 < 60 }, "\(sizes)")
    }

    /// Broken: words that are equal in all simulations take space in each of them.
    @Test func onlyDifferencesTakeSpace() {
        let words = 512
        let image = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
        defer { image.deallocate() }
        image.initialize(repeating: 1 << 40, count: words)
        var rows = DeltaStore(count: 3, kinds: 1)
        rows.compress(0, image, words: words, kind: 0, at: .zero)
        let least = rows.storedBytes(of: 0)
        #expect(least == 12 + 8 + 8)
        image[5] += 100
        image[7] += 5
        // Word 7 is later by the same time as the simulation.
        rows.compress(1, image, words: words, kind: 0, at: .zero + .nanoseconds(5))
        let one = rows.storedBytes(of: 1)
        #expect(one == least + 3 + 3)
        // The largest distance that a word can have.
        image[6] ^= 1 << 63
        rows.compress(1, image, words: words, kind: 0, at: .zero)
        let two = rows.storedBytes(of: 1)
        #expect(two == one + 3 + 8)
    }

    /// Broken: a phone of a herd that is connected and waits takes more space than its budget.
    @Test(arguments: [("composed", 320), ("patient", 320)])
    func aStoredPhoneFitsItsBudget(name: String, budget: Int) {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(5))
        world.server.acceptsPerSecond = 100
        // In a smaller group every phone would stay in the resident set.
        let count = ResidentSet.maxResident + 200
        world.phones = count
        let strategy = name == "composed" ? Fixture.strategy(Composed.self) : Fixture.strategy(Patient.self)
        var sizes: [Int] = []
        withoutActuallyEscaping({ (_: UnsafeBufferPointer<Record>) in }) { record in
            let simulation = Simulation(world: world, strategy: strategy, seed: 1)
            var coupledPhones = CoupledPhones(simulation, 0..<UInt32(count), record)
            var server = Cluster(world.server)
            let syncWindows = SyncWindows(world)
            while coupledPhones.nextAt < world.horizon {
                let end = syncWindows.end(of: syncWindows.number(of: coupledPhones.nextAt))
                coupledPhones.run(until: end)
                var arrivals: [ClusterRequest] = []
                _ = coupledPhones.takeArrivals {
                    arrivals.append($0)
                } departures: { _ in
                }
                for arrival in arrivals {
                    coupledPhones.add(
                        CoupledPhones.ArrivalDecision(arrival: arrival, verdict: server.decide(arrival, windowEnd: end))
                    )
                }
                coupledPhones.applyDecisions(windowEnd: end, until: end)
            }
            sizes = coupledPhones.storedBytes
            coupledPhones.finish(at: world.horizon)
        }
        #expect(sizes.count == count)
        let sum = sizes.reduce(0, +)
        #expect(sum <= budget * sizes.count, "\(sum / sizes.count) B each, at most \(sizes.max() ?? 0)")
    }

    /// Broken: if a run is stopped while a new phone is active, that phone's memory is freed twice: for itself, and for
    /// the phone that was stored before it.
    @Test func aNewPhoneIsDestroyedOnce() {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(5))
        world.otherApps = [
            OtherApp(name: "chatty", gap: .constant(1_000_000_000), up: 9, down: 9, cause: .otherApps, wake: .none)
        ]
        let strategy = Fixture.strategy(Patient.self)
        var haveStarted: [Bool] = []
        withoutActuallyEscaping({ (_: UnsafeBufferPointer<Record>) in }) { record in
            let context = WorkerContext(world: world, seed: 1, strategy: strategy, journal: JournalBuffer(record))
            var residentSet = ResidentSet(context, phones: ResidentSet.maxResident + 1)
            for place in 0..<2 { _ = residentSet.begin(PhoneID(UInt32(place)), place: place) }
            haveStarted = (0..<3).map { residentSet.hasStarted($0) }
        }
        #expect(haveStarted == [true, true, false])
    }

    /// Broken: a strategy's state has a smaller alignment than it needs. Swift's own types need at most 16, C types may
    /// need more.
    @Test(arguments: [1, 16, 64, 256])
    func aStateIsAligned(alignment: Int) {
        let phoneSlot = PhoneSlot(stateBytes: 3 * alignment, alignment: alignment)
        #expect(Int(bitPattern: phoneSlot.strategyState) % alignment == 0)
        phoneSlot.deallocate()
    }
}
