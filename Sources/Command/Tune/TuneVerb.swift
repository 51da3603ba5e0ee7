import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Flag {
    static let demand = Flag(
        "subject-to", takes: .text("DEMAND"), repeatable: true,
        "Bound to keep: 'latency.up.p95: under 5s'; without one, no goal becomes twice as bad"
    )
    static let budget = Flag(
        "budget", takes: .number("N", 1...200_000),
        "Simulations for the search (default \(TuneRequest.usualBudget)); checks of the answer are added")
    static let heldOut = Flag(
        "hold-out", takes: .text("FILE"), repeatable: true,
        "Scenario that the search never sees, to check the answer")
}

/// An output format of the command `tune`.
struct TuneFormat: TextFormat {
    let name: String
    let fileName: String
    let make: @Sendable (TuneReport) -> String
    var extraFiles: @Sendable (TuneReport) -> [(name: String, text: String)] = { _ in [] }

    static let json = TuneFormat(name: "json", fileName: "tune.json") { $0.json.text(.rows) + "\n" }

    static let all = [
        json,
        // The settings that are proposed, and one file for each row.
        TuneFormat(name: "yaml", fileName: "tuned.yaml", make: { preset($0, $0.proposed) }) { report in
            report.rows.count < 2
                ? [] : report.rows.indices.map { (report.fileName(of: report.rows[$0]) + ".yaml", preset(report, $0)) }
        },
        TuneFormat(name: "html", fileName: "tune.html") { TunePage.html($0) },
    ]

    /// Formats that `--out` writes without `--format`.
    static let usual = all

    /// A preset file with the settings of a row; without a row, the present settings.
    private static func preset(_ report: TuneReport, _ row: Int?) -> String {
        let row = row.map { report.rows[$0] } ?? report.present
        let title = row.kinds.isEmpty ? "present settings" : report.title(of: row)
        let warning =
            !report.isComplete
            ? "; the search was stopped, so this is not its answer"
            : row.meetsDemands ? "" : "; it does not keep the demands"
        return "# \(report.strategy.escapedForTerminal), \(title.escapedForTerminal)\(mark)\(warning)\n" + row.preset
    }

    /// End of the title of each settings file.
    private static let mark = ", by deadzone tune"

    /// Removes settings files of an earlier answer, such as a `fastest.yaml` that this answer does not have.
    static func removeOldSettings(in folder: String, keeping report: TuneReport) throws(ToolFault) {
        let written = all.flatMap { [$0.fileName] + $0.extraFiles(report).map(\.name) }
        do throws(SystemFault) {
            for name in try Files.names(in: folder) where name.hasSuffix(".yaml") && !written.contains(name) {
                let path = folder + "/" + name
                guard let bytes = try? Files.read(path, limit: 1 << 20) else { continue }
                let title = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
                if title.hasPrefix("# "), title.contains(mark) { Files.remove(path) }
            }
        } catch {
            throw .unwritable(error)
        }
    }
}

extension Verb {
    static let tune: Verb = Verb(
        "tune", "Find the best settings of a strategy",
        arguments: .some("SCENARIO", "scenario files, folders or file name patterns; settings must suit all of them"),
        flags: [
            .strategy, .vary, .length, .demand, .budget, .heldOut, .across, .seed, .replicas, .with, .shard, .jobs,
            .noCache, .out, .format, .json,
        ], formats: TuneFormat.names,
        examples: [
            Example(
                "deadzone tune mine.yaml --strategy patient", "vary every number of the strategy, a decade each way"),
            Example(
                "deadzone tune mine.yaml --strategy patient --vary ping=20s..30m --vary backoff.jitter=none,full --out tuned",
                "vary two settings; write the settings, the data and a page"),
            Example(
                "deadzone tune mine.yaml --strategy patient --across lte,nr",
                "find settings that suit all LTE and 5G profiles"),
            Example(
                "deadzone tune mine.yaml --strategy patient --for battery.above_idle_joules --subject-to 'latency.down.p95: under 5s'",
                "use the least energy with a low latency"),
        ],
        next: [
            Example("deadzone run mine.yaml --with tuned/tuned.yaml", "compare the proposed settings with the others"),
            Example("deadzone compare mine.yaml --with tuned/tuned.yaml --against patient", "test each metric"),
        ],
        wordings: [
            FlagWording(.strategy, takes: "STRATEGY", "Strategy to tune; needed if a scenario has several"),
            FlagWording(
                .vary, takes: "SETTING[=VALUES]",
                "Setting to vary: keepalive.interval=20s..30m (default: every number)"
            ),
            FlagWording(
                .length, takes: "METRICS",
                "At most three metrics to improve (default: energy above idle and a p95 latency)"),
            FlagWording(
                .across, takes: "NETWORKS",
                "Search on several networks: profiles, platforms or a list (lte,nr); all count alike"),
            FlagWording(
                .shard, takes: "N/COUNT",
                "Begin with part N of COUNT; processes that share DEADZONE_CACHE divide the work"),
            FlagWording(
                .replicas, takes: "N",
                "Replicas of the printed numbers (default: as in the scenario, at least \(PrimaryMetric.neededReplicas))"
            ),
        ],
        details: """
            `tune` proposes the cheapest settings, the fastest ones, and the knee: the best compromise, if possible one that
            is better than the present settings in every goal. Several scenarios count alike: their ratios to the present
            settings are averaged. Goals and demands are metrics of `list metrics`. A demand can refer to the present
            settings: 'latency.up.p95: at most 110% of present'. The proposed settings never lose more messages or calls than the
            present ones, unless a demand on `delivery.down.lost`, `delivery.up.lost` or `calls.failed` allows it.

            A setting without values is varied over a decade each way, or over all its words. Sizes are varied only on
            request, because they belong to a protocol. Values are rounded, and settings that do not matter stay as they
            are, as long as a paired test finds no goal worse. The printed numbers are from replicas that the search never
            saw: the same as those of `run --with` for the proposed settings. A goal and its change are means of these
            replicas. Demands are judged as in `run`, where a percentile is that of all replicas together.

            The same request gives the same answer with any number of --jobs. After an interruption, the best settings until
            then are printed with the numbers of the search; the same command then continues, because it finds the results
            of all finished simulations (`deadzone help cache`). Several machines divide a search if each runs the same command
            with its own --shard, and DEADZONE_CACHE is a folder that all of them share. Each prints the same answer. The exit
            code is 1 if the proposed settings break a demand.
            """
    ) { invocation, context in
        let output = try TextOutput<TuneFormat>(invocation)
        let files = try TuneCall.files(invocation, context)
        guard files.search.areValid, files.heldOut.areValid else {
            let faulty = files.search.areValid ? files.heldOut : files.search
            return try faulty.publishFaults(isJSON: invocation.has(.json), junit: nil, invocation, context)
        }
        files.search.noteRenamed(invocation, context)
        files.search.noteUnfit(invocation, context)
        var executor = ParallelExecutor(jobs: invocation.number(.jobs) ?? context.cores, invocation, context)
        executor.firstShare = try TuneCall.share(invocation, context, keepsResults: executor.cache != nil)
        let request = try TuneCall.request(files.search, files.heldOut, invocation)
        guard let report = try TuneMaker(request, context.vocabulary, by: executor).report() else {
            return ExitCode(context.interruptionCode())
        }
        try output.write(report)
        if let folder = invocation.text(.out), output.request.contains(where: { $0.name == "yaml" }) {
            try TuneFormat.removeOldSettings(in: folder, keeping: report)
        }
        context.output.write(output.printed?.make(report) ?? report.text(Style(invocation, context.outputTerminal)))
        if !report.isComplete { return ExitCode(context.interruptionCode()) }
        return report.meetsDemands ? .ok : .gateFailed
    }
}

/// Reads the files and flags of `tune`.
private enum TuneCall {
    static func files(
        _ invocation: Invocation, _ context: CommandContext
    ) throws(ToolFault) -> (search: ScenarioFiles, heldOut: ScenarioFiles) {
        var selection = try StrategySelection(invocation, context)
        selection.names = []
        let heldOut = invocation.texts(.heldOut)
        return (
            try ScenarioFiles(
                invocation.arguments, adding: selection, across: AcrossSelection(invocation, context), context),
            heldOut.isEmpty ? ScenarioFiles([]) : try ScenarioFiles(heldOut, adding: selection, context)
        )
    }

    static func share(
        _ invocation: Invocation, _ context: CommandContext, keepsResults: Bool
    ) throws(ToolFault) -> Shard? {
        guard let text = invocation.text(.shard) else { return nil }
        guard keepsResults else {
            throw ToolFault(
                .conflict, "`--shard` without a folder for results",
                help: ["set DEADZONE_CACHE to a folder that all shards share, and leave out --no-cache"])
        }
        return try Shard(text, context.environment)
    }

    static func request(
        _ search: ScenarioFiles, _ heldOut: ScenarioFiles, _ invocation: Invocation
    ) throws(ToolFault) -> TuneRequest {
        let strategies = invocation.texts(.strategy)
        guard strategies.count < 2 else {
            throw ToolFault(.conflict, "`tune` changes one strategy", help: ["give `--strategy` once"])
        }
        var request = TuneRequest(scenarios: search.files.flatMap(\.loaded.scenarios))
        request.heldOut = heldOut.files.flatMap(\.loaded.scenarios)
        request.strategy = strategies.first
        request.varied = invocation.texts(.vary)
        request.goals = (invocation.text(.length) ?? "").split(separator: ",").map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        request.demands = invocation.texts(.demand)
        request.budget = invocation.number(.budget) ?? request.budget
        request.seed = try invocation.text(.seed).map(RunOptions.checkedSeed)
        request.replicas = invocation.number(.replicas)
        return request
    }
}
