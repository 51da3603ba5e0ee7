import DeadzoneBase
import Testing

struct DiceTests {
    private let dice = Dice(seed: 42, phone: PhoneID(7), purpose: .trafficDown)

    @Test func `random access is the sequence`() {
        // Draws that depended on earlier draws would differ between two strategies.
        var walking = dice
        let sequence = (0..<1_000).map { _ in walking.next() }
        let backwards = (0..<1_000).reversed().map { dice.at(UInt64($0)) }
        #expect(sequence == backwards.reversed())
    }

    @Test func `the counter layout never changes`() {
        // Another layout of the counter would give every old seed other random conditions.
        let block = Philox.block(key: 42, counter: (low: 5, high: 7 << 16 | 2))
        #expect(dice.pair(at: 5) == block && dice.at(5) == block.0)
    }

    @Test func `drawing in sequence changes no random access`() {
        // `at` returns the same values for a used stream and for a fresh one.
        var used = dice
        for _ in 0..<10 { _ = used.next() }
        #expect((0..<100).allSatisfy { used.at($0) == dice.at($0) && used.pair(at: $0) == dice.pair(at: $0) })
    }

    @Test func `a copy continues as the original`() {
        // A snapshot of a run must draw the same dice as the run.
        var original = dice
        _ = original.next()
        var copy = original
        let ahead = (0..<10).map { _ in original.next() }
        #expect((0..<10).map { _ in copy.next() } == ahead)
    }

    @Test func `each part of the counter selects a separate stream`() {
        // Two parts that overlapped in the counter would give two purposes or two phones the same draws.
        let seeds: [UInt64] = [0, 1, 2, 1 << 32, .max]
        let phones: [UInt32] = [0, 1, 2, 1 << 16, 1 << 31, .max]
        let purposes: [Purpose] = [.strategy, .trafficDown, .trafficUp, .lossCellularDown, .test]
        let slots: [UInt64] = [0, 1, 2, 1 << 16, 1 << 48, .max]
        var words = Set<UInt64>()
        for seed in seeds {
            for phone in phones {
                for purpose in purposes {
                    let dice = Dice(seed: seed, phone: PhoneID(phone), purpose: purpose)
                    for slot in slots {
                        let pair = dice.pair(at: slot)
                        words.formUnion([pair.0, pair.1])
                    }
                }
            }
        }
        #expect(words.count == seeds.count * phones.count * purposes.count * slots.count * 2)
    }

    @Test func `neighbouring streams are uncorrelated in their bits`() {
        // Equal bits of two independent streams are a fair coin: of 64,000 bits, half must agree, within 5 deviations
        // (126.5 each).
        let other = Dice(seed: 42, phone: PhoneID(8), purpose: .trafficDown)
        let differing = (0..<1_000).reduce(0) { $0 + (dice.at(UInt64($1)) ^ other.at(UInt64($1))).nonzeroBitCount }
        #expect(abs(differing - 32_000) < 633)
    }

    @Test func `raw values of purposes never change`() {
        // They are part of every counter. A purpose inserted above another would change the draws of every old seed.
        let pinned: [(Purpose, UInt16)] = [
            (.strategy, 1), (.trafficDown, 2), (.trafficUp, 3), (.trafficProbe, 4), (.sizeDown, 5), (.sizeUp, 6),
            (.linkWifiUp, 7), (.linkWifiDown, 8), (.linkCellularUp, 9), (.linkCellularDown, 10), (.lossWifiUp, 11),
            (.lossWifiDown, 12), (.lossCellularUp, 13), (.lossCellularDown, 14), (.pagingPhase, 15), (.drxPhase, 16),
            (.beaconPhase, 17), (.timeline, 18), (.bootstrap, 19), (.test, 20),
        ]
        for (purpose, raw) in pinned { #expect(purpose.rawValue == raw) }
    }

    @Test func `replica 0 uses the seed of the run and all others have distinct seeds`() {
        // Replicas that shared a seed would count one run several times.
        let seed: UInt64 = 12_345
        let seeds = (0..<1_000).map { seed.seed(ofReplica: $0) }
        #expect(seeds[0] == seed)
        #expect(Set(seeds).count == seeds.count)
    }

    @Test(arguments: [1, 2, 3, 6, 1_000, UInt64(1) << 63, .max])
    func `scaled stays below its bound and reaches both ends`(_ bound: UInt64) {
        // A value at the bound would index past the end of an array.
        #expect(UInt64.min.scaled(below: bound) == 0)
        #expect(UInt64.max.scaled(below: bound) == bound - 1)
        var last: UInt64 = 0
        for step: UInt64 in 0...255 {
            let value = (step << 56 | 0xFF_FFFF).scaled(below: bound)
            #expect(value >= last && value < bound)
            last = value
        }
    }
}
