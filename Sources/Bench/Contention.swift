import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneShipped
import DeadzoneSimulator

/// Benchmark that reproduces the table of M. Brooker's "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015).
/// Clients compete to write one row, with five ways to wait. Each way runs with every number of clients that the
/// original simulator (aws-samples/aws-arch-backoff-simulator) uses. The scenario `Scenarios/herd/contention.yaml` has
/// the same clients with radios, links and TCP.
enum Contention {
    private static func counts(_ quick: Bool) -> [Int] { Array(stride(from: 10, through: quick ? 50 : 190, by: 10)) }

    static let table = Benchmark(
        name: "herd/contention",
        about: "AWS's table: 10 to 190 clients that want to write one row, five ways to wait; to 50 with --quick",
        event: "attempt", clients: { counts($0).max() ?? 0 }, rounds: 1, checksMustAgree: false, ours: ours,
        bare: [BareLoop(name: "clients and a row alone", run: bare)], goal: .seconds(5))

    private static func ours(_ quick: Bool) -> BenchmarkSample {
        let text = shipped("Scenarios/herd/contention.yaml").split(separator: "\n", omittingEmptySubsequences: false)
        let axis = "  phones: "
        let changed = text.map { $0.hasPrefix(axis) ? axis + "\(counts(quick))" : String($0) }.joined(separator: "\n")
        let scenarios = BenchScenarios.load(Array(changed.utf8), name: "herd/contention").scenarios
        precondition(scenarios.count == counts(quick).count, "the scenario has no axis `phones`")
        let runs = scenarios.flatMap { scenario in
            scenario.strategies.map { Simulation(world: scenario.world, strategy: $0.strategy, seed: 1) }
        }
        return .timed {
            let attempts = Workers.run(count: runs.count, jobs: min(2, HostMachine.cores)) { index in
                var fold = RunFold()
                for phones in runs[index].blocks() { runs[index].run(phones, into: &fold) }
                return Int(fold.count(of: .connecting))
            }
            let sum = attempts.reduce(0) { $0 + ($1 ?? 0) }
            return (sum, UInt64(sum))
        }
    }

    private static func bare(_ quick: Bool) -> BenchmarkSample {
        .timed {
            var attempts = 0
            for clients in counts(quick) {
                for backoff in BareBackoff.allCases { attempts += attemptsUntilAllWrite(clients, backoff) }
            }
            return (attempts, UInt64(attempts))
        }
    }

    /// Returns the number of write attempts until each client has written once.
    private static func attemptsUntilAllWrite(_ clients: Int, _ backoff: BareBackoff) -> Int {
        // The original's milliseconds, here in nanoseconds: 10 each way, with a deviation of 2.
        var random = BareRandom(state: 1)
        func delay() -> Int64 {
            max(1, 10_000_000 + Int64((random.unit() + random.unit() + random.unit() - 1.5) * 4_000_000))
        }
        var queue = BareHeap(capacity: clients)
        var (known, tries) = (Array(repeating: -1, count: clients), Array(repeating: 0, count: clients))
        var slept = Array(repeating: Int64(5_000_000), count: clients)
        for client in 0..<clients { queue.push(BareKey(at: delay(), client: UInt32(client))) }
        var (version, attempts, left) = (0, 0, clients)
        while left > 0 {
            let (now, client) = (queue.top.at, Int(queue.top.client))
            if known[client] < 0 {
                known[client] = version
                queue.replaceTop(by: BareKey(at: now + delay() + delay(), client: UInt32(client)))
                continue
            }
            attempts += 1
            if known[client] == version {
                version += 1
                left -= 1
                queue.replaceTop(by: BareKey(at: .max, client: UInt32(client)))
            } else {
                tries[client] += 1
                let pause = backoff.pause(tries[client], &slept[client], &random)
                queue.replaceTop(by: BareKey(at: now + delay() + delay() + pause, client: UInt32(client)))
            }
            known[client] = -1
        }
        return attempts
    }
}

private enum BareBackoff: CaseIterable {
    case none, exponential, equal, full, decorrelated

    func pause(_ tries: Int, _ slept: inout Int64, _ random: inout BareRandom) -> Int64 {
        let (base, cap) = (Int64(5_000_000), Int64(2_000_000_000))
        let grown = min(cap, base << Int64(min(tries, 20)))
        switch self {
        case .none: return 0
        case .exponential: return grown
        case .equal: return grown / 2 + Int64(random.unit() * Double(grown / 2))
        case .full: return Int64(random.unit() * Double(grown))
        case .decorrelated:
            slept = min(cap, base + Int64(random.unit() * Double(slept * 3 - base)))
            return slept
        }
    }
}

/// A minimal random number generator (SplitMix64) for the reference implementation.
private struct BareRandom {
    var state: UInt64

    mutating func unit() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / 9_007_199_254_740_992
    }
}
