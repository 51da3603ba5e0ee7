public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

extension BoundaryReport {
    /// JSON document, schema `deadzone/boundary/1`.
    public var json: JSON {
        var members: [String: JSON] = [
            "schema": .string("deadzone/boundary/1"), "scenario": .string(scenario), "setting": .string(setting),
            "from": .string(from), "to": .string(to), "metric": .string(metric),
            "demand": .string(demand), "seed": .integer(Int128(seed)), "replicas": .integer(Int128(replicas)),
            "strategies": .array(strategies.map(\.json)), "complete": .bool(isComplete),
        ]
        if let group { members["group"] = .string(group) }
        return .object(members)
    }

    /// Markdown tables: the answer for each strategy, and every value that was tried.
    public var markdown: String {
        var text = "| strategy | \(demand) |\n|---|---|\n"
        for row in strategies { text += "| \(row.name) | \(row.answer) |\n" }
        text += "\n| \(setting) |" + strategies.map { " \($0.name) |" }.joined() + "\n"
        text += "|---|" + strategies.map { _ in "---|" }.joined() + "\n"
        for (index, trial) in (strategies.first?.trials ?? []).enumerated() {
            let cells = strategies.map { row in
                " \(self.text(of: row.trials[index].measured))\(row.trials[index].isKept ? "" : " ✗") |"
            }
            text += "| \(trial.value) |" + cells.joined() + "\n"
        }
        return text
    }
}

extension BoundaryReport.StrategyTrials {
    fileprivate var json: JSON {
        .object([
            "name": .string(name), "trials": .array(trials.map(\.json)),
            "edges": .array(
                edges.map { .object(["holds_at": .string($0.kept.value), "breaks_at": .string($0.broken.value)]) }),
        ])
    }
}

extension BoundaryReport.BoundaryTrial {
    fileprivate var json: JSON {
        .object([
            "value": .string(value), "measured": measured.double.map(JSON.number) ?? .null, "holds": .bool(isKept),
        ])
    }
}
