import DeadzoneBase
package import DeadzoneMetrics

/// Terminal text of a matrix: one row for each cell, then what all cells share.
extension RunReport {
    private static let maxFailures = 10

    /// - Parameters:
    ///   - runs: The cells of one scenario, in matrix order.
    ///   - metrics: The columns. `nil` selects the metrics that the networks rank, or else those of the scenario's
    ///     expectations, or else a few.
    ///   - across: Comparisons of these cells across networks.
    ///   - reproduce: The command that repeats these runs.
    ///   - isVerbose: `true` to list every source and every assumption of the model.
    package static func matrixText(
        _ runs: [RunReport], metrics: [String]? = nil, across: [AcrossReport] = [], _ style: Style,
        reproduce: String, isVerbose: Bool = false
    ) -> String {
        guard let first = runs.first else { return "" }
        let metrics = metrics ?? across.rankedMetrics(of: runs)
        let troubles = runs.flatMap { run in run.troubles.map { "\(run.scenario.cellText): \($0)" } }
        let parts =
            [
                first.heading(of: runs, style),
                MatrixTable.text(runs, metrics: metrics, style) + batteryHint(runs, metrics, style),
            ]
            + across.map { $0.text(style, isAlone: across.count == 1) } + [
                failureText(runs, style), troubleText(troubles, style),
                commonModel(runs).text(style, isVerbose: isVerbose), reproductionText(runs, style, reproduce),
            ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Says what to write if a column is a share of the battery, and no cell has one.
    private static func batteryHint(_ runs: [RunReport], _ metrics: [String]?, _ style: Style) -> String {
        let shares: Set = [
            "battery.percent", "battery.percent_per_hour", "battery.percent_per_day", "battery.milliampere_hours",
            "battery.charge_per_hour", "battery.charge_per_day",
        ]
        let hints = runs.map(\.missingBattery)
        guard let text = hints.first ?? nil, hints.allSatisfy({ $0 != nil }),
            metrics?.contains(where: shares.contains) ?? false
        else { return "" }
        return "  " + style.paint(style.wrapped(text, indent: 2, after: 2), .dim) + "\n"
    }

    private func heading(of runs: [RunReport], _ style: Style) -> String {
        let facts = "\(runs.count) cells, \(replicas == 1 ? "1 replica" : "\(replicas) replicas") each, seed \(seed)"
        let about = scenario.about.isEmpty ? "" : style.wrapped(scenario.about.escapedForTerminal, indent: 0) + "\n"
        return style.paint(scenario.nameWithoutCell.escapedForTerminal, .bold) + "\n" + about + style.paint(facts, .dim)
            + "\n"
    }

    /// Lists the expectations that fail; the table already shows the cells that pass.
    private static func failureText(_ runs: [RunReport], _ style: Style) -> String {
        let outcomes = runs.flatMap { $0.strategies.flatMap(\.outcomes) }
        let unjudged = unjudgedText(runs, style)
        guard !outcomes.isEmpty else { return unjudged.isEmpty ? "" : style.heading("Expectations") + unjudged }
        let failures = runs.flatMap { run in
            run.strategies.flatMap(\.outcomes).filter { $0.verdict == .fail }.map { (run.scenario.cellText, $0) }
        }
        var table = TextTable(leftAligned: [0, 1, 2, 3, 4, 5])
        table.heading("Expectations")
        for (cell, outcome) in failures.prefix(maxFailures) {
            table.row([outcome.cells[0], .init(cell.escapedForTerminal)] + outcome.cells.dropFirst())
        }
        let more = failures.count - maxFailures
        return table.text(style) + (more > 0 ? "  and \(more) more\n" : "") + outcomeSummary(outcomes, style)
            + unjudged
    }

    private static func reproductionText(_ runs: [RunReport], _ style: Style, _ command: String) -> String {
        let digests = runs.flatMap { $0.strategies.map(\.digest) }.joined(separator: " ")
        return style.paint("Reproduce", .bold) + "\n  digest  of all \(runs.count) cells  "
            + style.paint(Fingerprint(of: digests).short, .dim) + "\n  \(command.escapedForTerminal)\n"
    }

    /// Model notes of all cells, with each radio once. Platform, population and limits are those of the first cell.
    package static func commonModel(_ runs: [RunReport]) -> ModelNotes {
        var radios: [RadioNote] = []
        for note in runs.flatMap(\.model.radios) where !radios.contains(note) { radios.append(note) }
        return ModelNotes(
            radios: radios, platform: runs[0].model.platform, population: runs[0].model.population,
            limits: runs[0].model.limits)
    }
}

extension [AcrossReport] {
    /// The metrics in which some strategies differ on some network, and those of expectations that are not met. `nil`
    /// if no ranking has such a metric: then the usual columns say more.
    func rankedMetrics(of runs: [RunReport]) -> [String]? {
        let failed = runs.flatMap { $0.strategies.flatMap(\.outcomes) }.filter { $0.verdict == .fail }
        let ranked = flatMap(\.rankings).filter { $0.stability != .alike }.map(\.metric.name)
        guard !ranked.isEmpty else { return nil }
        return (ranked + failed.map(\.expectation.metric)).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }
}

extension ScenarioFacts {
    package var cellText: String { cell.map { "\($0.key)=\($0.value)" }.joined(separator: ", ") }

    /// Scenario name without the axes at the end of a cell's name, as in `Curve [radio=lte, every=5s]`.
    package var nameWithoutCell: String {
        let suffix = " [\(cellText)]"
        return name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }
}
