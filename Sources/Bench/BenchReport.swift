import DeadzoneReports

/// Formats the benchmark results: a table for people, and one JSON document for scripts.
enum BenchReport {
    static func json(_ results: [BenchmarkResult]) -> String {
        JSON.object([
            "schema": DocumentSchema.bench.json,
            "benchmarks": .array(results.map(entry)),
        ]).text() + "\n"
    }

    private static func entry(_ result: BenchmarkResult) -> JSON {
        let best = result.ours.best
        return .object([
            "name": .string(result.benchmark.name),
            "event": .string(result.benchmark.event),
            "events": .integer(Int128(best.events)),
            "seconds": .number(Double(best.nanoseconds) / 1e9),
            "ns_per_event": .number(best.perEvent),
            "ns_per_event_median": .number(result.ours.median),
            "ratio": result.ratio.map(JSON.number) ?? .null,
            "ratio_median": result.pairedRatio.map(JSON.number) ?? .null,
            "beside": .array(
                result.bare.map { bare in
                    .object([
                        "name": .string(bare.name),
                        "ns_per_event": .number(bare.timing.best.perEvent),
                        "ns_per_event_median": .number(bare.timing.median),
                        "ratio": .number(best.perEvent / bare.timing.best.perEvent),
                    ])
                }),
            "goal_met": result.isGoalMet.map(JSON.bool) ?? .null,
            "clients": .integer(Int128(result.clients)),
            "peak_rss_mib": .number(Double(result.peakMemory) / 1_048_576),
            "bytes_per_client": .integer(Int128(result.memoryGrowth / Int64(max(result.clients, 1)))),
        ])
    }

    static let heading =
        pad("benchmark", 18) + lead("ratio", 8) + lead("paired", 8) + lead("ns/event", 10) + lead("median", 9)
        + lead("bare", 9)
        + lead("seconds", 9) + lead("MiB", 7) + lead("goal", 16) + "  beside\n"

    static func row(_ result: BenchmarkResult) -> String {
        let best = result.ours.best
        let bare = result.bare.min { $0.timing.best.perEvent < $1.timing.best.perEvent }
        return pad(result.benchmark.name, 18)
            + lead(result.ratio.map { decimal($0, 2) } ?? "-", 8)
            + lead(result.pairedRatio.map { decimal($0, 2) } ?? "-", 8) + lead(decimal(best.perEvent, 1), 10)
            + lead(decimal(result.ours.median, 1), 9)
            + lead(bare.map { decimal($0.timing.best.perEvent, 1) } ?? "-", 9)
            + lead(decimal(Double(best.nanoseconds) / 1e9, 3), 9)
            + lead(decimal(Double(result.peakMemory) / 1_048_576, 0), 7)
            + lead(goal(result), 16) + "  "
            + result.bare.map { "\($0.name) \(decimal($0.timing.best.perEvent, 1))" }.joined(separator: ", ")
            + "\n"
    }

    private static func goal(_ result: BenchmarkResult) -> String {
        let verdict = result.isGoalMet.map { $0 ? "met" : "missed" } ?? "-"
        return switch result.benchmark.goal {
        case nil: verdict
        case .ratio(let bound): "\(decimal(bound, 2)) x \(verdict)"
        case .nanosecondsPerEvent(let bound): "\(decimal(bound, 0)) ns \(verdict)"
        case .seconds(let bound): "\(decimal(bound, 2)) s \(verdict)"
        }
    }

    static func decimal(_ number: Double, _ places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = Int64((number * scale).rounded())
        let whole = scaled / Int64(scale)
        guard places > 0 else { return String(whole) }
        let rest = String(scaled % Int64(scale))
        return "\(whole)." + String(repeating: "0", count: places - rest.count) + rest
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func lead(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
