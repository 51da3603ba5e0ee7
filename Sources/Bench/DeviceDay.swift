import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator

/// Benchmarks that simulate one phone for 24 hours: radios, links, transport, strategy, journal. Figures are per
/// journal record. An event of the engine's queue is something else; it writes 1.2 records on average here.
enum DeviceDay {
    static let journal = Benchmark(
        name: "device/day", about: "a chat phone for 24 h, journal written and not read", event: "record",
        clients: { _ in 1 }, rounds: 9, checksMustAgree: false,
        ours: { _ in journalled().sample }, bare: [floor], goal: .nanosecondsPerEvent(100))

    static let run = Benchmark(
        name: "device/day-run", about: "the same with all metrics and the digest, as `run` does it", event: "record",
        clients: { _ in 1 }, rounds: 9, checksMustAgree: false, ours: { _ in measured() }, bare: [floor],
        goal: .seconds(0.050))

    private static let floor = BareLoop(name: "two dice and a record") { _ in
        let records = journalled().records
        return .timed { (records, BareJournal.write(records)) }
    }

    private static let scenario = BenchScenarios.scenario(BenchScenarios.day)

    private static var simulation: Simulation {
        Simulation(world: scenario.world, strategy: scenario.strategies[0].strategy, seed: 1)
    }

    private static func journalled() -> (sample: BenchmarkSample, records: Int) {
        var recorder = RecordCount()
        let simulation = simulation
        let sample = BenchmarkSample.timed {
            simulation.run(0..<1, into: &recorder)
            return (recorder.records, recorder.check)
        }
        return (sample, recorder.records)
    }

    private static func measured() -> BenchmarkSample {
        var recorder = RunRecorder()
        let simulation = simulation
        return .timed {
            simulation.run(0..<1, into: &recorder)
            return (recorder.records, recorder.check)
        }
    }
}
