import DeadzoneBase
import DeadzoneMetrics

/// Benchmark of the statistics that compare strategies. It has 1,000 replicas, ten metrics, and five strategies, four
/// of which are compared with the first. An event is a pair of numbers.
enum Contrasts {
    static let compare = Benchmark(
        name: "statistics/compare", about: "1,000 replicas, 5 strategies, 10 metrics; 100 replicas with --quick",
        event: "pair", clients: { $0 ? 100 : 1_000 }, rounds: 3, checksMustAgree: false,
        ours: { quick in
            let sides = sides(quick)
            return .timed {
                let permutations = Permutations(pairs: sides[0].new.count, seed: 1)
                var p: [Double] = []
                var check: UInt64 = 0
                for side in sides {
                    var contrast = Contrast(new: side.new, old: side.old) { _ in permutations }
                    p.append(contrast.p)
                    contrast.computeInterval(at: 0.05)
                    check &+= UInt64(truncatingIfNeeded: contrast.interval?.upperBound ?? 0)
                }
                return (sides.count * sides[0].new.count, check &+ UInt64(holm(p).count { $0 < 0.05 }))
            }
        },
        bare: [
            BareLoop(name: "differences sorted") { quick in
                let sides = sides(quick)
                return .timed {
                    var check: UInt64 = 0
                    for side in sides {
                        let sorted = zip(side.new, side.old).map { ($0 ?? 0) - ($1 ?? 0) }.sorted()
                        check &+= UInt64(truncatingIfNeeded: sorted[sorted.count / 2])
                    }
                    return (sides.count * sides[0].new.count, check)
                }
            }
        ], goal: .seconds(0.5))

    private static func sides(_ quick: Bool) -> [(new: [Int128?], old: [Int128?])] {
        var dice = Dice(seed: 1, phone: PhoneID(0), purpose: .test)
        return (0..<40).map { metric in
            let old = (0..<(quick ? 100 : 1_000)).map { _ in Int128(dice.next() % 1_000_000) }
            return (old.map { $0 + Int128(dice.next() % 1_000) - Int128(metric * 20) }, old)
        }
    }
}
