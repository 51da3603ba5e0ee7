import DeadzoneBase
import DeadzoneHost
import DeadzoneScenarios
import DeadzoneSimulator

/// Benchmarks that simulate many phones, up to a million, with all metrics and the hash of all records (digest), like
/// `run`.
enum Fleets {
    /// The performance goal is for two cores. More cores would make the result look better than promised.
    private static let jobs = min(2, HostMachine.cores)

    static let hour = Benchmark(
        name: "fleet/hour", about: "10^6 phones that meet nobody for an hour, on two cores; 10^4 with --quick",
        event: "record", clients: { $0 ? 10_000 : 1_000_000 }, rounds: 1, checksMustAgree: false,
        ours: { run(BenchScenarios.hour(phones: $0 ? 10_000 : 1_000_000)) }, bare: [], goal: .seconds(60))

    static let storm = Benchmark(
        name: "fleet/storm",
        about: "10^5 phones reconnect through one server, in rounds on one core; 2,000 with --quick",
        event: "record", clients: { $0 ? 2_000 : 100_000 }, rounds: 1, checksMustAgree: false,
        ours: { run(BenchScenarios.storm(phones: $0 ? 2_000 : 100_000)) }, bare: [], goal: nil)

    private static func run(_ text: String) -> BenchmarkSample {
        let scenario = BenchScenarios.scenario(text)
        let simulation = Simulation(world: scenario.world, strategy: scenario.strategies[0].strategy, seed: 1)
        let blocks = simulation.blocks()
        return .timed {
            let parts = Workers.run(count: blocks.count, jobs: jobs) { index in
                var recorder = RunRecorder()
                simulation.run(blocks[index], into: &recorder)
                return recorder
            }
            var whole = RunRecorder()
            for part in parts { if let part { whole.merge(part) } }
            return (whole.records, whole.check)
        }
    }
}
