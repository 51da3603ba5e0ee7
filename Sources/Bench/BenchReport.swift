import DeadzoneDocuments

/// Measurements as a table for people and as one JSON document for scripts.
enum BenchReport {
    static func json(_ findings: [Finding]) -> String {
        JSON.object([
            "schema": .string("deadzone/bench/1"),
            "benchmarks": .array(findings.map(entry)),
        ]).text() + "\n"
    }

    private static func entry(_ finding: Finding) -> JSON {
        let best = finding.ours.best
        return .object([
            "name": .string(finding.benchmark.name),
            "event": .string(finding.benchmark.event),
            "events": .integer(Int128(best.events)),
            "seconds": .number(Double(best.nanoseconds) / 1e9),
            "ns_per_event": .number(best.perEvent),
            "ns_per_event_median": .number(finding.ours.median),
            "ratio": finding.ratio.map(JSON.number) ?? .null,
            "ratio_median": finding.pairedRatio.map(JSON.number) ?? .null,
            "beside": .array(
                finding.bare.map { bare in
                    .object([
                        "name": .string(bare.name),
                        "ns_per_event": .number(bare.timing.best.perEvent),
                        "ns_per_event_median": .number(bare.timing.median),
                        "ratio": .number(best.perEvent / bare.timing.best.perEvent),
                    ])
                }),
            "goal_met": finding.isGoalMet.map(JSON.bool) ?? .null,
            "clients": .integer(Int128(finding.clients)),
            "peak_rss_mib": .number(Double(finding.peakMemory) / 1_048_576),
            "bytes_per_client": .integer(Int128(finding.growth / Int64(max(finding.clients, 1)))),
        ])
    }

    static let heading =
        pad("benchmark", 18) + lead("ratio", 8) + lead("paired", 8) + lead("ns/event", 10) + lead("median", 9)
        + lead("bare", 9)
        + lead("seconds", 9) + lead("MiB", 7) + lead("goal", 16) + "  beside\n"

    static func row(_ finding: Finding) -> String {
        let best = finding.ours.best
        let bare = finding.bare.min { $0.timing.best.perEvent < $1.timing.best.perEvent }
        return pad(finding.benchmark.name, 18)
            + lead(finding.ratio.map { decimal($0, 2) } ?? "-", 8)
            + lead(finding.pairedRatio.map { decimal($0, 2) } ?? "-", 8) + lead(decimal(best.perEvent, 1), 10)
            + lead(decimal(finding.ours.median, 1), 9)
            + lead(bare.map { decimal($0.timing.best.perEvent, 1) } ?? "-", 9)
            + lead(decimal(Double(best.nanoseconds) / 1e9, 3), 9)
            + lead(decimal(Double(finding.peakMemory) / 1_048_576, 0), 7)
            + lead(goal(finding), 16) + "  "
            + finding.bare.map { "\($0.name) \(decimal($0.timing.best.perEvent, 1))" }.joined(separator: ", ")
            + "\n"
    }

    private static func goal(_ finding: Finding) -> String {
        let verdict = finding.isGoalMet.map { $0 ? "met" : "missed" } ?? "-"
        return switch finding.benchmark.goal {
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
