import DeadzoneClaims
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns

extension Flag {
    static let scenario = Flag("scenario", "Print the scenario that measures the claim, and run nothing")
    static let world = Flag(
        "world", takes: .text("FILE"),
        "Test the claims in this scenario instead of the built-in one; - is standard input")
}

extension Verb {
    static let claims: Verb = Verb(
        "claims", "Re-check published claims about mobile clients",
        arguments: .any("ID", "numbers of claims, such as A11 (default: all claims)"),
        flags: [.world, .set, .seed, .replicas, .scenario, .jobs, .noCache, .out, .format, .json],
        formats: ClaimsFormat.names,
        examples: [
            Example("deadzone claims", "print each claim with its number, measurement and verdict"),
            Example("deadzone claims A11", "print one claim in full, and how to repeat its measurement"),
            Example(
                "deadzone claims A11 --scenario > keepalive.yaml", "write the scenario of the claim, to run and to edit"
            ),
            Example(
                "deadzone claims A11 --world mine.yaml",
                "test the claim in your own scenario, with the strategies of the claim"),
            Example(
                "deadzone claims A11 --set server.ping-floor=30s",
                "test the claim with a changed setting of its scenario"),
            Example(
                "deadzone claims --format md,html,json --out Results/claims", "write the report of all claims to files"),
        ],
        next: [
            Example("deadzone run keepalive.yaml", "run the scenario of a claim"),
            Example("deadzone explain NAME", "explain a strategy or a radio profile of a claim"),
        ],
        details: """
            Each claim is measured by a built-in scenario, or computed by the code that clients run. The output also
            shows the rule that decides the verdict of a claim.

            With `--world`, `--set`, `--seed` or `--replicas`, the same rule is applied to a world of yours. Your scenario
            needs the strategies that the claim compares, by name; an error lists the missing ones with their settings.
            Each cell of its matrix is one world. JSON then has the member `world`.

            confirmed      true in every tested scenario
            conditional    true in some tested scenarios, which the report names
            refuted        false
            inert          the recommended setting has no effect
            contradiction  the same article, or its code, says something else
            open           could not be measured
            """
    ) { invocation, context in
        let output = try TextOutput<ClaimsFormat>(invocation)
        let claims = try claims(invocation.arguments)
        let opened = try ClaimWorldReader(invocation, context)
        if invocation.has(.scenario) { return try printScenario(of: claims, context) }
        guard opened.files.areValid else { return opened.reportFaults() }
        let world = try opened.world()
        let maker = ClaimMaker(
            context.vocabulary,
            by: ParallelExecutor(jobs: invocation.number(.jobs) ?? context.cores, invocation, context))
        let reports = try maker.reports(of: claims, in: world)
        if context.isInterrupted() { return ExitCode(context.interruptionCode()) }
        let style = Style(invocation, context.outputTerminal)
        try output.write(reports)
        if let printed = output.printed {
            context.output.write(printed.make(reports))
        } else {
            let isShort = invocation.arguments.isEmpty
            context.output.write(
                isShort
                    ? ClaimReport.text(reports, style) : reports.map { $0.text(style) }.joined(separator: "\n"))
        }
        return .ok
    }

    /// The selected claims in the order of the scoreboard, each once. Without names, all claims.
    private static func claims(_ names: [String]) throws(ToolFault) -> [ArticleClaim] {
        for name in names where !ArticleClaim.all.contains(where: { $0.id == name }) {
            throw .unknownName(
                name, "claim", among: ArticleClaim.all.map(\.id), help: "deadzone claims lists all claims")
        }
        return ArticleClaim.all.filter { names.isEmpty || names.contains($0.id) }
    }

    private static func printScenario(
        of claims: [ArticleClaim], _ context: CommandContext
    ) throws(ToolFault) -> ExitCode {
        guard claims.count == 1, let claim = claims.first else {
            throw ToolFault(.conflict, "`--scenario` needs exactly one claim", help: ["deadzone claims A11 --scenario"])
        }
        guard let text = claim.scenario.flatMap(ClaimMaker.shipped) else {
            throw ToolFault(
                .conflict, "\(claim.id) is computed and has no scenario",
                help: ["deadzone claims \(claim.id) shows how to repeat it"])
        }
        context.output.write(text)
        return .ok
    }
}
