public import DeadzoneCompare
import DeadzonePrimitives

/// The answer of a matrix on a terminal: one row for each cell, then what the cells have in common.
extension RunReport {
    private static let mostFailures = 10

    /// - Parameters:
    ///   - runs: the cells of one scenario, in the order of the matrix.
    ///   - metrics: the columns; nil: those that the scenario has expectations of, or a few.
    ///   - reproduce: the command that gives these runs again.
    ///   - isVerbose: names every source and every assumption of the model.
    public static func matrixText(
        _ runs: [RunReport], metrics: [String]? = nil, _ style: Style, reproduce: String, isVerbose: Bool = false
    ) -> String {
        guard let first = runs.first else { return "" }
        let troubles = runs.flatMap { run in run.troubles.map { "\(run.scenario.cellWords): \($0)" } }
        let parts = [
            first.heading(of: runs, style), GridTable.text(runs, metrics: metrics, style), failureText(runs, style),
            troubleText(troubles, style), commonModel(runs).text(style, isVerbose: isVerbose),
            reproductionText(runs, style, reproduce),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(of runs: [RunReport], _ style: Style) -> String {
        let facts = "\(runs.count) cells, \(replicas == 1 ? "1 replica" : "\(replicas) replicas") each, seed \(seed)"
        let about = scenario.about.isEmpty ? "" : style.wrapped(scenario.about.visible, indent: 0) + "\n"
        return style.paint(scenario.nameWithoutCell.visible, .bold) + "\n" + about + style.paint(facts, .dim) + "\n"
    }

    /// What holds is in the grid; what does not is told.
    private static func failureText(_ runs: [RunReport], _ style: Style) -> String {
        let outcomes = runs.flatMap { $0.strategies.flatMap(\.outcomes) }
        guard !outcomes.isEmpty else { return "" }
        let failures = runs.flatMap { run in
            run.strategies.flatMap(\.outcomes).filter { $0.verdict == .fail }.map { (run.scenario.cellWords, $0) }
        }
        var table = TextTable(leftAligned: [0, 1, 2, 3, 4, 5])
        table.heading("Expectations")
        for (cell, outcome) in failures.prefix(mostFailures) {
            table.row([outcome.cells[0], .init(cell.visible)] + outcome.cells.dropFirst())
        }
        let more = failures.count - mostFailures
        return table.text(style) + (more > 0 ? "  and \(more) more\n" : "") + sum(outcomes, style)
    }

    private static func reproductionText(_ runs: [RunReport], _ style: Style, _ command: String) -> String {
        let digests = runs.flatMap { $0.strategies.map(\.digest) }.joined(separator: " ")
        return style.paint("Reproduce", .bold) + "\n  digest  of all \(runs.count) cells  "
            + style.paint(Fingerprint(of: digests).short, .dim) + "\n  \(command.visible)\n"
    }

    /// Every radio of any cell once.
    public static func commonModel(_ runs: [RunReport]) -> ModelNotes {
        var radios: [RadioNote] = []
        for note in runs.flatMap(\.model.radios) where !radios.contains(note) { radios.append(note) }
        return ModelNotes(
            radios: radios, platform: runs[0].model.platform, population: runs[0].model.population,
            limits: runs[0].model.limits)
    }
}

extension ScenarioFacts {
    public var cellWords: String { cell.map { "\($0.key)=\($0.value)" }.joined(separator: ", ") }

    /// The name of a cell ends in its axes: `Curve [radio=lte, every=5s]`.
    public var nameWithoutCell: String {
        let suffix = " [\(cellWords)]"
        return name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }
}
