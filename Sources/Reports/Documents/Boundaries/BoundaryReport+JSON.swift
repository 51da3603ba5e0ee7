import DeadzoneBase
package import DeadzoneMetrics

extension BoundaryReport {
    /// JSON document, `DocumentSchema.boundary`.
    package var json: JSON {
        var members: [String: JSON] = [
            "schema": DocumentSchema.boundary.json, "scenario": .string(scenario), "setting": .string(setting),
            "from": .string(from), "to": .string(to), "metric": .string(metric),
            "demand": .string(demand), "seed": .integer(Int128(seed)), "replicas": .integer(Int128(replicas)),
            "strategies": .array(strategies.map(json)), "complete": .bool(isComplete),
        ]
        if let group { members["group"] = .string(group) }
        return .object(members)
    }

    /// Markdown tables: the answer for each strategy, and every value that was tried.
    package var markdown: String {
        var text = "| strategy | \(demand) |\n|---|---|\n"
        for row in strategies {
            let reasons = reasons(of: row).map { " Why: \($0)" }.joined()
            text += "| \(row.name) | \(row.answer)\(reasons) |\n"
        }
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

extension BoundaryReport {
    fileprivate func json(_ row: StrategyTrials) -> JSON {
        .object([
            "name": .string(row.name), "trials": .array(row.trials.map(\.json)), "edges": .array(row.edges.map(json)),
        ])
    }

    private func json(_ edge: Edge) -> JSON {
        var members: [String: JSON] = [
            "holds_at": .string(edge.kept.value), "breaks_at": .string(edge.broken.value),
        ]
        if let reason = edge.reason(of: metric) {
            var why = reason.change.members
            if let text = self.reason(of: edge) { why["text"] = .string(text) }
            if let events = reason.events { why["events"] = .object(events.members) }
            members["why"] = .object(why)
        }
        return .object(members)
    }
}

extension BoundaryReason.CauseChange {
    fileprivate var members: [String: JSON] {
        [
            "kind": .string(kind.rawValue), "name": .string(name), "unit": .string(unit.rawValue),
            "at_holds": .number(kept.double), "at_breaks": .number(broken.double),
        ]
    }
}

extension BoundaryReport.BoundaryTrial {
    fileprivate var json: JSON {
        .object([
            "value": .string(value), "measured": measured.double.map(JSON.number) ?? .null, "holds": .bool(isKept),
        ])
    }
}
