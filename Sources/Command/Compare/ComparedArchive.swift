import DeadzoneArchive
import DeadzoneCompare
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings

/// A result in the place of scenarios: what it came to is compared as it stands, and nothing is run.
struct ComparedArchive {
    /// What commands name instead of a file that nobody knows any more.
    static let file = "SCENARIO"

    /// The scenarios that it was made from.
    let files: ScenarioFiles
    let kept: Baseline
    private let troubles: [String: [String]]

    /// Nil where none of the arguments is one.
    init?(_ invocation: Invocation, _ surroundings: Surroundings) throws(ToolFault) {
        var archives: [(String, Archive)] = []
        for path in invocation.arguments {
            if let archive = try Archive.at(path) { archives.append((path, archive)) }
        }
        guard let (path, archive) = archives.first else { return nil }
        guard invocation.arguments.count == 1 else {
            throw ToolFault(.conflict, "a result is compared alone", help: ["name it once, and no scenario beside it"])
        }
        for flag in [Flag.seed, .replicas, .jobs] where invocation.has(flag) {
            throw ToolFault(
                .conflict, "`--\(flag.name)` is about a run, and \(visible(path, atMost: 60)) has been one",
                help: ["leave it out, or name the scenario"])
        }
        var files: [(String, LoadedScenarios)] = []
        for run in try SavedResult(path, surroundings).runs {
            guard run.focus.isEverything else { throw .noResult(path, "it is of one replica, or of one phone") }
            files.append((path, try run.loaded(from: path, surroundings)))
        }
        self.files = ScenarioFiles(files)
        kept = try archive.kept(path)
        troubles = Dictionary(archive.runs.map { ($0.name, $0.troubles) }) { first, _ in first }
    }

    func finished(_ part: ComparePlan.Part) -> ScenarioRunner.Finished? {
        kept.run(named: part.scenario.name).map { run in
            ScenarioRunner.Finished(
                kept: run, troubles: troubles[run.name] ?? [],
                model: ReportMaker(part.scenario, part.contenders, seed: part.seed, by: Crew(jobs: 1)).model)
        }
    }
}

extension Archive {
    /// What is compared with it.
    func kept(_ path: String) throws(ToolFault) -> Baseline {
        do throws(ArchiveFault) { return try baseline() } catch { throw .noResult(path, error.message) }
    }
}
