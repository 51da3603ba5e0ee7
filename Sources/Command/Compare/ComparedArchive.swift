import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

/// A saved result file that `compare` compares with the baseline, instead of simulating scenarios. Its figures are used
/// as they are.
struct ComparedArchive {
    /// Placeholder in printed commands, because the path of the scenario file is unknown.
    static let file = "SCENARIO"

    /// The scenarios that produced the result.
    let files: ScenarioFiles
    let kept: Baseline
    private let troubles: [String: [String]]

    /// `nil` if no argument is a saved result.
    init?(_ invocation: Invocation, _ context: CommandContext) throws(ToolFault) {
        var archives: [(String, Archive)] = []
        for path in invocation.arguments {
            if let archive = try Archive.at(path) { archives.append((path, archive)) }
        }
        guard let (path, archive) = archives.first else { return nil }
        guard invocation.arguments.count == 1 else {
            throw ToolFault(
                .conflict, "a saved result cannot be compared together with other files", help: ["name only the result"]
            )
        }
        for flag in [Flag.seed, .replicas, .with, .only, .jobs] where invocation.has(flag) {
            throw ToolFault(
                .conflict, "`--\(flag.name)` applies to a new run, and \(visible(path, atMost: 60)) is a saved result",
                help: ["leave it out, or name the scenario"])
        }
        var files: [(String, LoadedScenarios)] = []
        for run in try SavedResult(path, context).runs {
            guard run.focus.isEverything else { throw .noResult(path, "it contains only one replica or one phone") }
            files.append((path, try run.loaded(from: path, context)))
        }
        self.files = ScenarioFiles(files)
        kept = try archive.kept(path)
        troubles = Dictionary(archive.runs.map { ($0.name, $0.troubles) }) { first, _ in first }
    }

    func finished(_ part: ComparePlan.ScenarioComparison) -> ScenarioRunner.FinishedScenario? {
        kept.run(named: part.scenario.name).map { run in
            ScenarioRunner.FinishedScenario(
                kept: run, troubles: troubles[run.name] ?? [],
                model: ReportMaker(part.scenario, part.namedStrategies, seed: part.seed, by: ParallelExecutor(jobs: 1))
                    .model)
        }
    }
}

extension Archive {
    /// The baseline to compare with.
    func kept(_ path: String) throws(ToolFault) -> Baseline {
        do throws(ArchiveFault) { return try baseline() } catch { throw .noResult(path, error.message) }
    }
}
