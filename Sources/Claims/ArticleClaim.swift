import DeadzoneCompare
import DeadzoneJournal

/// A sentence of an article: what it says, how that is measured, and when it is true. No verdict: that comes of the rule.
public struct ArticleClaim: Sendable {
    public let id: String
    /// In our words, without the number.
    public let says: String
    /// The number that the article names, or what it promises.
    let value: String
    let measure: Measure
    let rule: ClaimRule
    /// What a reader should do, whatever comes of it.
    let instead: String
    let picture: ClaimPicture?

    enum Measure: Sendable {
        /// The scenario of this name under Scenarios/claims, of each cell of its matrix these readings; where readings name
        /// cells, all of them together are one.
        case scenario(String, [Reading])
        /// The program's own values, asked without a world; the command shows them.
        case computation(command: String, @Sendable () throws -> [ClaimReport.Cell])
    }

    init(
        _ id: String, _ says: String, value: String, by measure: Measure, _ rule: ClaimRule, instead: String,
        picture: ClaimPicture? = nil
    ) {
        self.id = id
        self.says = says
        self.value = value
        self.measure = measure
        self.rule = rule
        self.instead = instead
        self.picture = picture
    }

    /// The name of its scenario, if it has one.
    public var scenario: String? { if case .scenario(let name, _) = measure { name } else { nil } }

    var readings: [Reading] { if case .scenario(_, let readings) = measure { readings } else { [] } }

    /// Facts that it needs beside metrics.
    var kinds: Set<Kind> { readings.reduce(into: []) { $0.formUnion($1.kinds) } }

    /// What there is to judge.
    /// - Parameter runs: of its scenario, cell by cell.
    func cells(_ runs: [ClaimRun]) throws -> [ClaimReport.Cell] {
        switch measure {
        case .computation(_, let cells): return try cells()
        case .scenario(_, let readings):
            let areOfCells = readings.contains { !$0.cell.isEmpty }
            guard areOfCells else {
                return runs.map { run in ClaimReport.Cell(labels: run.labels, readings.map { $0.finding(run) }) }
            }
            return [ClaimReport.Cell("", readings.map { $0.finding(among: runs) })]
        }
    }

    func report(_ cells: [ClaimReport.Cell]) -> ClaimReport {
        let (how, again): (ClaimReport.How, String) =
            switch measure {
            case .scenario(let name, _):
                (.scenario(name), "deadzone claims \(id) --scenario > \(name).yaml && deadzone run \(name).yaml")
            case .computation(let command, _): (.computation, command)
            }
        return ClaimReport(
            id: id, claim: says, value: value, instead: instead, how: how, again: again, rule: rule, cells: cells,
            picture: picture)
    }
}

extension Reading {
    fileprivate func finding(_ run: ClaimRun) -> ClaimReport.Finding {
        let (figure, interval) = answer(run)
        return ClaimReport.Finding(name, unit, figure, interval: interval)
    }

    fileprivate func finding(among runs: [ClaimRun]) -> ClaimReport.Finding {
        guard let run = runs.first(where: { $0.labels.joined(separator: ", ") == cell }) else {
            preconditionFailure("\(name): no cell “\(cell)” among \(runs.map(\.labels))")
        }
        return finding(run)
    }
}
