import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Flag {
    static let huntDemand = Flag(
        "demand", takes: .text("DEMAND"), repeatable: true,
        "Demand to break, as in `expect:`: 'zombie.max: under 60s'")
    static let grace = Flag(
        "grace", takes: .text("SPAN"), "Time after the last disturbance until a world is judged (default 10m)")
    static let trouble = Flag(
        "trouble", takes: .text("SPAN"), "Most time of disturbances in one world (default 30m)")
    static let allow = Flag(
        "allow", takes: .text("KINDS"), "Kinds of disturbances to use, such as dead-zone,handoff (default: all)")
    static let forbid = Flag("forbid", takes: .text("KINDS"), "Kinds of disturbances to leave out")
    static let keep = Flag("keep", takes: .text("DIR"), "Write each find to this folder, as a scenario with its demand")
    static let replayCorpus = Flag(
        "replay", takes: .text("DIR"), "Run the scenarios of a folder again, without any search")
    static let unguided = Flag("unguided", "Draw every world at random, to compare with the guided search")
}

/// An output format of the command `hunt`.
struct HuntFormat: TextFormat {
    let name: String
    let fileName: String
    let make: @Sendable (HuntReport) -> String

    static let json = HuntFormat(name: "json", fileName: "hunt.json") { $0.json.text(.rows) + "\n" }

    static let all = [json, HuntFormat(name: "md", fileName: "hunt.md", make: \.markdown)]
    static let usual = all
}

/// An output format of `hunt --replay`.
struct CorpusFormat: TextFormat {
    let name: String
    let fileName: String
    let make: @Sendable (CorpusReport) -> String

    static let json = CorpusFormat(name: "json", fileName: "replay.json") { $0.json.text(.rows) + "\n" }

    static let all = [json, CorpusFormat(name: "md", fileName: "replay.md", make: \.markdown)]
    static let usual = all
}

extension Verb {
    static let hunt: Verb = Verb(
        "hunt", "Search for a world in which a demand breaks, and shrink it",
        arguments: .optional("SCENARIO", "scenario file without a `matrix`; not needed with --replay"),
        flags: [
            .strategy, .huntDemand, .against, .budget, .grace, .trouble, .allow, .forbid, .keep, .replayCorpus,
            .unguided, .seed, .with, .jobs, .out, .format, .json,
        ], formats: HuntFormat.names,
        examples: [
            Example(
                "deadzone hunt mine.yaml --strategy patient --demand 'zombie.max: under 30s'",
                "find a world in which a dead connection stays unnoticed for half a minute"),
            Example(
                "deadzone hunt mine.yaml --strategy patient --demand 'delivery.down.lost: 0' --keep corpus",
                "find a world that loses messages, and keep it"),
            Example(
                "deadzone hunt mine.yaml --strategy patient --demand 'battery.above_idle_joules: at most 200%' --against grpc-core",
                "find a world in which another client needs half the energy"),
            Example("deadzone hunt --replay corpus", "check in seconds that no find of the past breaks again"),
        ],
        next: [Example("deadzone run corpus/FIND.yaml --format html --out report", "look at a find in detail")],
        wordings: [
            FlagWording(.strategy, takes: "STRATEGY", "Strategy to break; needed if a scenario has several"),
            FlagWording(.budget, takes: "N", "Worlds to try (default \(HuntRequest.usualBudget))"),
            FlagWording(.against, takes: "STRATEGY", "Strategy that a percentage in a demand refers to"),
        ],
        details: """
            A world keeps the phone, the links, the server and the client of the scenario. Its timeline, its messages and its
            duration are searched: at most 24 disturbances with round times, and with times just before and just after
            the durations of the client, the NATs and the server. All pairs of kinds of disturbances take turns: one begins
            while the other lasts, or just before or after its end. Many worlds end with a long trouble. Worlds in which
            the client meets new situations are changed further. So are worlds that nearly break the demand.

            A world begins with 10 s in which the client connects. Every disturbance ends, and all disturbances together last
            at most --trouble. A world ends --grace after them, so a network that never comes back is no find. For demands
            on latency and freshness, all messages are sent after the last disturbance and the grace.

            A world that breaks a demand is shrunk: fewest entries, fewest messages, default values, short and round times.
            Then each time is varied alone, the world runs in 50 fresh seeds, and the shipped clients run in it.

            A replay of a folder without scenarios holds; a folder that does not exist is an error. A file with errors
            is named, the others are replayed, and the exit code is 3.

            The same request gives the same answer with any number of --jobs. The exit code is 1 if a demand breaks, in a
            search as in a replay.
            """
    ) { invocation, context in
        if let folder = invocation.text(.replayCorpus) { return try HuntCall.replay(folder, invocation, context) }
        let output = try TextOutput<HuntFormat>(invocation)
        let strategies = try StrategySelection(invocation, context)
        let files = try HuntCall.files(invocation, adding: strategies, context)
        guard files.areValid else {
            return try files.publishFaults(isJSON: invocation.has(.json), junit: nil, invocation, context)
        }
        files.noteRenamed(invocation, context)
        let request = try HuntCall.request(files, adding: strategies.added, invocation)
        let executor = ParallelExecutor(jobs: invocation.number(.jobs) ?? context.cores, invocation, context)
        var report = try HuntMaker(request, context.vocabulary, by: executor).report()
        try HuntCall.keep(&report, in: request.folder)
        try output.write(report)
        context.output.write(output.printed?.make(report) ?? report.text(Style(invocation, context.outputTerminal)))
        if !report.isComplete { return ExitCode(context.interruptionCode()) }
        return report.holds ? .ok : .gateFailed
    }
}

/// Reads the files and flags of `hunt`, and writes its finds.
private enum HuntCall {
    static func files(
        _ invocation: Invocation, adding strategies: StrategySelection, _ context: CommandContext
    ) throws(ToolFault) -> ScenarioFiles {
        guard let file = invocation.arguments.first else {
            throw ToolFault(
                .missingArgument, "the scenario is missing",
                help: ["name a scenario file, or a folder of finds with --replay DIR"])
        }
        return try ScenarioFiles([file], adding: strategies, context)
    }

    static func request(
        _ files: ScenarioFiles, adding added: [AddedStrategy], _ invocation: Invocation
    ) throws(ToolFault) -> HuntRequest {
        let strategies = invocation.texts(.strategy)
        guard strategies.count < 2 else {
            throw ToolFault(.conflict, "`hunt` breaks one strategy", help: ["give `--strategy` once"])
        }
        let demands = invocation.texts(.huntDemand)
        guard !demands.isEmpty else {
            throw ToolFault(
                .missingArgument, "`--demand` is missing", help: ["--demand 'delivery.down.lost: 0'"])
        }
        guard let file = files.files.first, files.files.count == 1 else {
            throw ToolFault(.conflict, "`hunt` searches one scenario", help: ["name one scenario file"])
        }
        var request = HuntRequest(file: file.name, file.loaded, demands: demands)
        request.strategy = strategies.first
        request.added = added
        request.reference = invocation.text(.against)
        request.budget = invocation.number(.budget) ?? request.budget
        request.seed = try invocation.text(.seed).map(RunOptions.checkedSeed)
        request.grace = try span(.grace, invocation) ?? request.grace
        request.trouble = try span(.trouble, invocation) ?? request.trouble
        request.allowed = list(.allow, invocation)
        request.forbidden = list(.forbid, invocation)
        request.isUnguided = invocation.has(.unguided)
        request.folder = invocation.text(.keep)
        return request
    }

    private static func list(_ flag: Flag, _ invocation: Invocation) -> [String] {
        (invocation.text(flag) ?? "").split(separator: ",").map { String($0.filter { $0 != " " }) }
    }

    private static func span(_ flag: Flag, _ invocation: Invocation) throws(ToolFault) -> TimeSpan? {
        guard let text = invocation.text(flag) else { return nil }
        guard let value = QuantityKind.span.value(of: text), value >= TimeSpan.seconds(1).nanoseconds,
            value <= TimeSpan.hours(24).nanoseconds
        else {
            throw ToolFault(
                .badFlagValue, "`--\(flag.name)` cannot be \(quote(text))",
                help: ["a duration from 1s to 24h, such as 10m"])
        }
        return .nanoseconds(value)
    }

    /// Writes each find to the folder, under a name that depends on its content.
    static func keep(_ report: inout HuntReport, in path: String?) throws(ToolFault) {
        guard let path, !report.finds.isEmpty else { return }
        do throws(SystemFault) {
            let folder = try OutputFolder.made(path)
            for index in report.finds.indices {
                let name = report.fileName(of: report.finds[index])
                try folder.stage(Array(report.finds[index].yaml.utf8), as: name)
                report.finds[index].file = path.hasSuffix("/") ? path + name : path + "/" + name
            }
            try folder.publish()
        } catch {
            throw .unwritable(error)
        }
    }

    static func replay(
        _ folder: String, _ invocation: Invocation, _ context: CommandContext
    ) throws -> ExitCode {
        for flag in [Flag.huntDemand, .keep, .against, .unguided] where invocation.has(flag) {
            throw ToolFault(
                .conflict, "`--\(flag.name)` beside `--replay`",
                help: ["a replay runs scenarios with their own demands"])
        }
        let output = try TextOutput<CorpusFormat>(invocation)
        let files = try finds(in: folder, invocation, context)
        let valid = files.files.filter { $0.loaded.faults.isEmpty }
        guard files.areValid || !valid.isEmpty else {
            return try files.publishFaults(isJSON: invocation.has(.json), junit: nil, invocation, context)
        }
        // One file that does not load hides nothing about the others.
        files.reportFaults(invocation, context)
        let executor = ParallelExecutor(jobs: invocation.number(.jobs) ?? context.cores, invocation, context)
        var report = try CorpusReplayer(ScenarioFiles(valid), by: executor).report()
        report.troubles += files.files.filter { !$0.loaded.faults.isEmpty }.map { file in
            "\(file.name) has errors and was not replayed"
        }
        try output.write(report)
        context.output.write(output.printed?.make(report) ?? report.text(Style(invocation, context.outputTerminal)))
        if !report.isComplete { return ExitCode(context.interruptionCode()) }
        guard files.areValid else { return .badInput }
        return report.holds ? .ok : .gateFailed
    }

    /// The scenarios of a folder of finds. A folder without scenarios holds no demand that could break; a folder that does
    /// not exist is an error.
    private static func finds(
        in folder: String, _ invocation: Invocation, _ context: CommandContext
    ) throws(ToolFault) -> ScenarioFiles {
        let added = try StrategySelection(invocation, context)
        do throws(ToolFault) {
            return try ScenarioFiles([folder], adding: added, context)
        } catch  where error.code == .nothingMatched && Files.kind(of: folder) == .folder {
            return ScenarioFiles([(name: String, loaded: LoadedScenarios)]())
        }
    }
}
