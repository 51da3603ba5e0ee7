import DeadzoneBase
import DeadzoneMetrics

/// A claim of an article about mobile clients: the statement, its measurements, and the rule that decides whether it is
/// true. The verdict is computed from the rule, not stored.
package struct ArticleClaim: Sendable {
    package let id: String
    /// The statement in our own words, without the number.
    package let statement: String
    /// The number that the article names, or the effect that it promises.
    let value: String
    let procedure: Procedure
    let rule: ClaimRule
    /// Advice for the reader, independent of the verdict.
    let instead: String
    let picture: ClaimPicture?

    enum Procedure: Sendable {
        /// Measured in the scenario of this name under Scenarios/claims. The readers apply to each cell of its matrix.
        /// If readers name cells, all of them together form one result.
        case scenario(String, [FindingReader])
        /// Computed from the program's own values without a simulation. The command shows these values.
        case computation(command: String, @Sendable () throws -> [ClaimReport.ClaimCell])
    }

    init(
        _ id: String, _ statement: String, value: String, by procedure: Procedure, _ rule: ClaimRule, instead: String,
        picture: ClaimPicture? = nil
    ) {
        self.id = id
        self.statement = statement
        self.value = value
        self.procedure = procedure
        self.rule = rule
        self.instead = instead
        self.picture = picture
    }

    /// Name of the scenario. `nil` if the claim is computed.
    package var scenario: String? { if case .scenario(let name, _) = procedure { name } else { nil } }

    var readings: [FindingReader] { if case .scenario(_, let readings) = procedure { readings } else { [] } }

    /// Record kinds that the claim needs in addition to metrics.
    var kinds: Set<RecordKind> { readings.reduce(into: []) { $0.formUnion($1.kinds) } }

    /// The cells to judge.
    /// - Parameter runs: The runs of the claim's scenario, one per cell.
    func cells(_ runs: [ClaimRun]) throws -> [ClaimReport.ClaimCell] {
        switch procedure {
        case .computation(_, let cells): return try cells()
        case .scenario(_, let readings):
            guard readings.contains(where: { !$0.cell.isEmpty }) else { return eachCell(of: runs, readings) }
            return [ClaimReport.ClaimCell("", readings.map { $0.finding(among: runs) })]
        }
    }

    /// The cells to judge in a world of the user. Readers that all name the same cell apply to each cell there.
    func cells(ofUser runs: [ClaimRun]) -> [ClaimReport.ClaimCell] {
        requiredCells.isEmpty
            ? eachCell(of: runs, readings)
            : [ClaimReport.ClaimCell("", readings.map { $0.finding(among: runs) })]
    }

    private func eachCell(of runs: [ClaimRun], _ readings: [FindingReader]) -> [ClaimReport.ClaimCell] {
        runs.map { run in ClaimReport.ClaimCell(labels: run.labels, readings.map { $0.finding(run) }) }
    }

    func report(_ cells: [ClaimReport.ClaimCell], in world: ClaimWorld = .builtIn) -> ClaimReport {
        let (method, rerunCommand): (ClaimReport.ClaimMethod, String) =
            switch procedure {
            case .scenario(let name, _) where world.change.isEmpty:
                (.scenario(name), "deadzone claims \(id) --scenario > \(name).yaml && deadzone run \(name).yaml")
            case .scenario(let name, _): (.scenario(name), "deadzone claims \(id)\(world.flags)")
            case .computation(let command, _): (.computation, command)
            }
        let isMeasured = method != .computation
        return ClaimReport(
            id: id, claim: statement, value: value, instead: instead, method: method,
            worldChange: isMeasured ? world.change : ClaimReport.WorldChange(), rerunCommand: rerunCommand, rule: rule,
            cells: cells, picture: world.isChanged ? nil : picture)
    }
}

extension FindingReader {
    fileprivate func finding(_ run: ClaimRun) -> ClaimReport.ClaimFinding {
        let (figure, interval) = answer(run)
        return ClaimReport.ClaimFinding(name, unit, figure, interval: interval)
    }

    fileprivate func finding(among runs: [ClaimRun]) -> ClaimReport.ClaimFinding {
        guard let run = runs.first(where: { $0.labels.joined(separator: ", ") == cell }) else {
            preconditionFailure("\(name): no cell “\(cell)” among \(runs.map(\.labels))")
        }
        return finding(run)
    }
}
