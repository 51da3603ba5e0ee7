import DeadzoneBase
import DeadzoneMetrics
import DeadzoneRuns
import DeadzoneScenarios

/// Tests a claim in a world of the user: what the world must contain, and the messages if it does not.
extension ArticleClaim {
    /// The cells that the readers name; empty if the claim applies to each cell of a scenario.
    var requiredCells: [String] {
        let names = readings.map(\.cell)
        return Set(names).count > 1 ? names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } : []
    }

    /// Throws if the scenario lacks a strategy or a cell that the claim needs. The message says what to write.
    /// - Parameter shipped: Text of the claim's built-in scenario.
    func check(_ scenarios: [Scenario], named file: String, shipped: String?) throws(ToolFault) {
        for scenario in scenarios { try checkStrategies(of: scenario, named: file, shipped) }
        let cells = scenarios.map(\.cellName)
        let missing = requiredCells.filter { !cells.contains($0) }
        guard let first = missing.first else { return }
        throw ToolFault(
            .conflict, "\(file) has no cell \(quote(first)), and \(id) compares cells",
            help: [
                "give the matrix an axis with these labels: \(requiredCells.joined(separator: "; "))",
                "deadzone claims \(id) --scenario prints a scenario that has them",
            ])
    }

    private func checkStrategies(of scenario: Scenario, named file: String, _ shipped: String?) throws(ToolFault) {
        let known = scenario.strategies.map(\.name)
        var missing: [String] = []
        for name in readings.flatMap(\.strategies) where !known.contains(name) && !missing.contains(name) {
            missing.append(name)
        }
        guard let first = missing.first else { return }
        let written = shipped.flatMap { compose(Array($0.utf8)).node?["strategies"] }
        let lines = missing.map { name in
            "  \(flowText(.text(name))): \(written?[name].map(flowText) ?? "{strategy: …}")"
        }
        let count = missing.count > 1 ? " and \(missing.count - 1) more" : ""
        throw ToolFault(
            .conflict, "\(file) has no strategy \(quote(first))\(count), and \(id) measures it",
            help: ["write under `strategies:`, with settings of your own if you want:"] + lines
                + ["deadzone claims \(id) --scenario prints a scenario that has them"])
    }

    /// Throws if no cell has a value of a finding that the rule needs.
    func checkMeasured(_ report: ClaimReport, in file: String) throws(ToolFault) {
        guard report.cells.allSatisfy({ $0.verdict == .open }), let cell = report.cells.first else { return }
        let needed = rule.findings
        let reader = readings.first { reader in
            needed.contains(reader.name)
                && cell.findings.contains { $0.name == reader.name && $0.figure == .nothing }
        }
        guard let reader else { return }
        let metrics = reader.metrics.isEmpty ? reader.kinds.map { "\($0)" } : reader.metrics
        throw ToolFault(
            .conflict, "\(file) gives no value for \(quote(reader.name)), by which \(id) is judged",
            help: metrics.map { "deadzone explain \($0) says when there is no value" }
                + ["deadzone claims \(id) --scenario prints a scenario that has one"])
    }
}

extension Scenario {
    /// The cell's axis values, as a claim names a cell. Empty without a matrix.
    var cellName: String { labels.map(\.value).joined(separator: ", ") }
}
