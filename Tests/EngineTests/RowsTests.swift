import DeadzoneClient
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneStrategies
import DeadzoneTestKit
import DeadzoneTransport
import DeadzoneWorld
import Testing

@testable import DeadzoneEngine
@testable import DeadzoneLane

@Suite struct RowsTests {
    /// Broken: a lane finds in its bytes what another left, or not what it left.
    @Test func everyLaneFindsWhatItLeft() {
        seedSweep(20) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func below(_ bound: Int) -> Int { Int(dice.next().scaled(below: UInt64(bound))) }
            // Of many lanes more patterns are held to than there is room for.
            let (lanes, words) = (seed % 5 == 0 ? 600 : 9, 8 * (1 + below(140)))
            var rows = Rows(count: lanes, kinds: 3)
            let image = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
            defer { image.deallocate() }
            var now = Instant.zero
            var expected: [[UInt64]?] = Array(repeating: nil, count: lanes)
            for _ in 0..<(seed % 5 == 0 ? 9_000 : 400) {
                let lane = below(lanes)
                if let left = expected[lane] {
                    rows.layOut(lane, on: image)
                    #expect((0..<words).allSatisfy { image[$0] == left[$0] }, "lane \(lane)")
                } else {
                    image.initialize(repeating: 7, count: words)
                }
                // Some of its words are instants: as much later as it is, or than they were.
                let more = UInt64(below(2) == 0 ? below(1_000) : 0)
                now += .nanoseconds(Int64(more))
                for word in 0..<words where word % 3 == 0 { image[word] &+= more }
                // Mostly a few words and near what they were; now and then anything anywhere.
                for _ in 0..<below(below(6) == 0 ? words : 6) {
                    let word = below(words)
                    let many = UInt64(bitPattern: Int64(below(1 << 20)) - (1 << 19))
                    image[word] = below(3) == 0 ? dice.next() : image[word] &+ many << UInt64(below(44))
                }
                if below(20) == 0 {
                    rows.forget(lane)
                    let isKept = rows.isKept(lane)
                    #expect(!isKept)
                    expected[lane] = nil
                } else {
                    rows.keep(lane, image, words: words, kind: below(3), at: now)
                    expected[lane] = Array(UnsafeBufferPointer(start: image, count: words))
                }
            }
        }
    }

    /// Broken: a herd that lives long learns no patterns any more, and its rows grow.
    @Test func rowsStayShortHoweverLongAHerdLives() {
        let (lanes, words) = (40, 64)
        let image = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
        defer { image.deallocate() }
        var rows = Rows(count: lanes, kinds: 1)
        // All lanes become something else, again and again.
        for age in 0..<UInt64(2_000) {
            let dice = Dice(seed: age, phone: PhoneID(0), purpose: .test)
            for lane in 0..<lanes {
                for word in 0..<words { image[word] = dice.at(UInt64(word)) }
                image[9] = UInt64(lane)
                rows.keep(lane, image, words: words, kind: 0, at: .zero)
            }
        }
        let sizes = (0..<lanes).map { rows.bytes(of: $0) }
        #expect(sizes.dropFirst(20).allSatisfy { $0 < 60 }, "\(sizes)")
    }

    /// Broken: what is as in all lanes takes room in each.
    @Test func onlyWhatDiffersTakesRoom() {
        let words = 512
        let image = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
        defer { image.deallocate() }
        image.initialize(repeating: 1 << 40, count: words)
        var rows = Rows(count: 3, kinds: 1)
        rows.keep(0, image, words: words, kind: 0, at: .zero)
        let least = rows.bytes(of: 0)
        #expect(least == 12 + 8 + 8)
        image[5] += 100
        image[7] += 5
        // The latter is later as the lane is.
        rows.keep(1, image, words: words, kind: 0, at: .zero + .nanoseconds(5))
        let one = rows.bytes(of: 1)
        #expect(one == least + 3 + 3)
        // As far away as a word can be.
        image[6] ^= 1 << 63
        rows.keep(1, image, words: words, kind: 0, at: .zero)
        let two = rows.bytes(of: 1)
        #expect(two == one + 3 + 8)
    }

    /// Broken: a phone of a herd that is connected and waits takes more than its row.
    @Test(arguments: [("composed", 320), ("patient", 320)])
    func aPhoneOfAHerdFitsItsRow(name: String, budget: Int) {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(5))
        world.server.acceptsPerSecond = 100
        // In a smaller crowd each keeps its seat.
        let count = Seats.most + 200
        world.phones = count
        let strategy = name == "composed" ? Fixture.strategy(Composed.self) : Fixture.strategy(Patient.self)
        var sizes: [Int] = []
        withoutActuallyEscaping({ (_: UnsafeBufferPointer<Record>) in }) { record in
            let simulation = Simulation(world: world, strategy: strategy, seed: 1)
            var crowd = Crowd(simulation, 0..<UInt32(count), record)
            var server = Cluster(world.server)
            let rounds = Rounds(world)
            while crowd.nextAt < world.horizon {
                let end = rounds.end(of: rounds.number(of: crowd.nextAt))
                crowd.run(until: end)
                var arrivals: [Arrival] = []
                _ = crowd.takeArrivals {
                    arrivals.append($0)
                } leavings: { _ in
                }
                for arrival in arrivals {
                    crowd.note(Crowd.Decision(arrival: arrival, verdict: server.decide(arrival, roundEnd: end)))
                }
                crowd.settle(roundEnd: end, until: end)
            }
            sizes = crowd.restingBytes
            crowd.finish(at: world.horizon)
        }
        #expect(sizes.count == count)
        let sum = sizes.reduce(0, +)
        #expect(sum <= budget * sizes.count, "\(sum / sizes.count) B each, at most \(sizes.max() ?? 0)")
    }

    /// Broken: a strategy's state lies at a place less even than it wants. Swift's own types want no more than 16, those of C may.
    @Test(arguments: [1, 16, 64, 256])
    func aStateLiesAsEvenAsItWants(alignment: Int) {
        let seat = Seat(stateBytes: 3 * alignment, alignment: alignment)
        #expect(Int(bitPattern: seat.state) % alignment == 0)
        seat.takeAway()
    }
}
