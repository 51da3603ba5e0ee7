import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import DeadzoneTransport

/// Benchmarks that load a scenario, from YAML bytes to a simulated environment. An event is a byte.
enum YAMLLoad {
    static let day = benchmark(
        "yaml/day", "the scenario of device/day", clients: 1, rounds: 9, goal: .seconds(0.010)
    ) { _ in
        Array(BenchScenarios.day.utf8)
    }

    static let mebibyte = benchmark(
        "yaml/1MiB", "a timeline of one mebibyte; 64 KiB with --quick", clients: 1, rounds: 3, goal: .seconds(1)
    ) {
        long($0 ? 65_536 : 1_048_576)
    }

    private static func benchmark(
        _ name: String, _ about: String, clients: Int, rounds: Int, goal: PerformanceGoal,
        _ bytes: @escaping @Sendable (_ quick: Bool) -> [UInt8]
    ) -> Benchmark {
        Benchmark(
            name: name, about: about, event: "byte", clients: { _ in clients }, rounds: rounds, checksMustAgree: false,
            ours: { quick in
                let text = bytes(quick)
                return .timed {
                    let loaded = BenchScenarios.load(text, name: name)
                    precondition(loaded.scenarios.count == 1, "\(loaded.faults.sorted.prefix(3))")
                    return (text.count, UInt64(loaded.scenarios[0].world.timeline.count))
                }
            },
            bare: [
                BareLoop(name: "lines counted, UTF-8 checked") { quick in
                    let text = bytes(quick)
                    return .timed { (text.count, lines(text)) }
                }
            ], goal: goal)
    }

    private static func lines(_ bytes: [UInt8]) -> UInt64 {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        return bytes.reduce(isText ? 1 : 0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }

    /// The chat scenario with as many additional dead zones as fit into `size`. Each line has a comment, as in real
    /// files. The comments also keep the timeline below its limit of 10,000 entries.
    private static func long(_ size: Int) -> [UInt8] {
        let parts = BenchScenarios.day.split(separator: "traffic:", maxSplits: 1)
        var text = Array(parts[0].utf8)
        let rest = Array(("traffic:" + parts[1]).utf8)
        var milliseconds = 64_900_000
        while true {
            let remark = "# one of the short tunnels between the river and the old town, inbound"
            let line = Array("  - {at: \(milliseconds)ms, dead-zone: 100ms}  \(remark)\n".utf8)
            guard text.count + line.count + rest.count <= size else { break }
            text += line
            milliseconds += 700
        }
        return text + rest
    }
}
