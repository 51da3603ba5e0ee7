import DeadzoneCompare
import DeadzoneEngine
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneWorld

extension Verb {
    static let reporting: Verb = Verb(
        "report", "makes any report again from a saved result",
        arguments: .one("RESULT", "what run --json printed or --out wrote, JSON or SQLite, or - for standard input"),
        flags: [.out, .format, .jobs, .json, .verbose],
        examples: [
            Example("deadzone report results/results.json --format html --out results", "the page to look at"),
            Example("deadzone report results.json --format csv", "prints one kind of report"),
            Example("deadzone report results.json --json", "runs again and gives the same bytes"),
        ],
        next: [
            Example("deadzone run SCENARIO --out results", "makes a result"),
            Example("deadzone explain E0421", "when a result no longer comes out the same"),
        ],
        details: """
            A result holds its scenario and its seed. Everything is simulated again, and the digest of every strategy
            must come out as the result has it: no number of a report is copied from the file.
            """
    ) { invocation, surroundings in
        let again = try Again(invocation, surroundings)
        return try again.run(invocation.arguments[0])
    }
}

/// One call of `report`.
private struct Again {
    private let options: FormatOptions
    private let writer: ResultWriter
    private let crew: Crew
    private let invocation: Invocation
    private let surroundings: Surroundings

    init(_ invocation: Invocation, _ surroundings: Surroundings) throws(ToolFault) {
        options = try FormatOptions(invocation)
        guard options.folder != nil || options.printed != nil else {
            throw ToolFault(
                .missingArgument, "nothing says what to make of the result",
                help: ["--format \(ReportFormat.names.joined(separator: "|")), and --out DIR for files"])
        }
        writer = try ResultWriter(options)
        crew = Crew(jobs: invocation.number(.jobs) ?? surroundings.cores, invocation, surroundings)
        self.invocation = invocation
        self.surroundings = surroundings
    }

    func run(_ path: String) throws -> ExitCode {
        let saved = try SavedResult(path, surroundings)
        let progress = crew.progress(
            "\(visible(path, atMost: 60)) again", total: saved.runs.reduce(0) { $0 + $1.replicas * $1.selection.count })
        var finished = FinishedRuns()
        finished.asked = saved.isSingle ? 1 : max(2, saved.runs.count)
        for run in saved.runs {
            guard let run = try again(run, path, asked: saved.runs.count, progress) else {
                surroundings.errors.write("stopped: nothing is written\n")
                return .init(surroundings.interruptionCode())
            }
            finished.runs.append(run)
        }
        progress.finish(plural(saved.runs.count, "run"))
        let leftOut = try writer.write(finished, surroundings)
        guard leftOut.isEmpty else {
            ResultWriter.tell(leftOut, surroundings)
            return .init(surroundings.interruptionCode())
        }
        return .ok
    }

    /// Nil if somebody stopped it.
    private func again(
        _ saved: SavedResult.SavedRun, _ path: String, asked: Int, _ progress: Progress
    ) throws -> FinishedRun? {
        let scenario = try saved.loaded(from: path, surroundings).scenarios[0]
        let contenders = try saved.selection.enumerated().map { index, name in
            guard let contender = scenario.strategies.first(where: { $0.name == name }) else {
                throw ToolFault.noResult(path, "its scenario has no strategy \(visible(name, atMost: 60))")
            }
            guard contender.hash.hex == saved.hashes[index] else {
                throw ToolFault.otherDigest(saved.name, "\(visible(name)) is \(contender.hash.short) now")
            }
            return contender
        }
        guard saved.focus.phone ?? 0 < scenario.world.phones else {
            throw ToolFault.noResult(path, "its scenario has no such `phone`")
        }
        var assignment = Assignment(
            scenario, contenders.map(\.strategy), seed: saved.seed, replicas: saved.replicas, focus: saved.focus)
        assignment.sortsByPhone = options.wantsWitnesses
        let yield = assignment.run(by: crew, onPart: { progress.advance() }, onReplica: writer.onReplica)
        let maker = ReportMaker(scenario, contenders, seed: saved.seed, focus: saved.focus, by: crew.silent)
        guard yield.isComplete, let report = try maker.report(yield), report.isComplete else { return nil }
        for (strategy, digest) in zip(report.strategies, saved.digests) where strategy.digest != digest {
            throw ToolFault.otherDigest(
                saved.name,
                "\(visible(strategy.name)) comes to \(strategy.digest), and the result has \(visible(digest))")
        }
        writer.end(report)
        let finder = WitnessFinder(assignment, yield, by: crew)
        return FinishedRun(
            report: options.wantsWitnesses ? finder.witnessed(report, onlyFailed: false) : report, scenario: scenario,
            contenders: contenders, assignment: assignment,
            totals: options.totals(of: yield, asked: asked),
            isStopped: surroundings.isInterrupted)
    }
}

extension SavedResult.SavedRun {
    /// Its scenario, read again: one, in the world that it ran in.
    func loaded(from path: String, _ surroundings: Surroundings) throws(ToolFault) -> LoadedScenarios {
        // What is resolved names no file: none is looked for.
        let loader = ScenarioLoader(surroundings.vocabulary) { _ in .failure(FileTrouble("a result names no files")) }
        var loaded = loader.load(Array(resolved.utf8), name: "resolved scenario")
        for fault in loaded.faults.sorted {
            surroundings.errors.write(faultText(fault, files: loaded.files) + "\n")
        }
        guard loaded.scenarios.count == 1 else { throw .noResult(path, "its resolved scenario cannot be read") }
        loaded.scenarios[0].labels = cell.map { ($0.key, $0.value) }
        guard loaded.scenarios[0].worldHash.hex == worldHash else {
            throw ToolFault.otherDigest(name, "its world is \(loaded.scenarios[0].worldHash.short) now")
        }
        return loaded
    }
}

extension ToolFault {
    fileprivate static func otherDigest(_ scenario: String, _ what: String) -> Self {
        Self(
            .otherDigest, "\(visible(scenario, atMost: 120)) does not come out as the result says: \(what)",
            help: [
                "it was made by another version, with other strategies, or the file was changed",
                "deadzone run SCENARIO --out DIR makes a new one",
            ])
    }
}
