import DeadzoneClaims
import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneHost
import DeadzoneRuns

extension Flag {
    static let scenario = Flag("scenario", "prints the scenario that measures the claim, and runs nothing")
}

extension Verb {
    static let claims: Verb = Verb(
        "claims", "puts what articles say of mobile clients to the test",
        arguments: .any("ID", "claims by their numbers, such as A11; by default all of them"),
        flags: [.scenario, .jobs, .out, .format, .json], formats: ClaimsFormat.names,
        examples: [
            Example("deadzone claims", "every sentence with its number, what is measured, and the verdict"),
            Example("deadzone claims A11", "one in full, and how to repeat it"),
            Example("deadzone claims A11 --scenario > keepalive.yaml", "its world, to run and to change"),
            Example("deadzone claims --format md,html,json --out Results/claims", "as pages to read"),
        ],
        next: [
            Example("deadzone run keepalive.yaml", "the world of a claim, with all that happens in it"),
            Example("deadzone explain NAME", "a strategy or a radio that a claim speaks of"),
        ],
        details: """
            Each claim is run by a scenario that is built in, or computed by the code that clients run. Its verdict comes of
            a rule, and the rule is printed:

            confirmed      true in every world that was looked at
            conditional    true in some; it says in which
            refuted        not so
            inert          what it recommends changes nothing
            contradiction  the same article says something else, or its code does
            open           could not be measured
            """
    ) { invocation, surroundings in
        let output = try TextOutput<ClaimsFormat>(invocation)
        let claims = try claims(invocation.arguments)
        if invocation.has(.scenario) { return try printScenario(of: claims, surroundings) }
        let maker = ClaimMaker(
            surroundings.vocabulary,
            by: Crew(jobs: invocation.number(.jobs) ?? surroundings.cores, invocation, surroundings))
        let reports = try maker.reports(of: claims)
        if surroundings.isInterrupted() { return ExitCode(surroundings.interruptionCode()) }
        let style = Style(invocation, surroundings.outputTerminal)
        try output.write(reports)
        if let printed = output.printed {
            surroundings.output.write(printed.make(reports))
        } else {
            let isShort = invocation.arguments.isEmpty
            surroundings.output.write(
                isShort
                    ? ClaimReport.text(reports, style) : reports.map { $0.text(style) }.joined(separator: "\n"))
        }
        return .ok
    }

    /// In the order of the scoreboard, each once; without a name all of them.
    private static func claims(_ names: [String]) throws(ToolFault) -> [ArticleClaim] {
        for name in names where !ArticleClaim.all.contains(where: { $0.id == name }) {
            throw .unknownName(
                name, "claim", among: ArticleClaim.all.map(\.id), help: "deadzone claims shows all of them")
        }
        return ArticleClaim.all.filter { names.isEmpty || names.contains($0.id) }
    }

    private static func printScenario(
        of claims: [ArticleClaim], _ surroundings: Surroundings
    ) throws(ToolFault) -> ExitCode {
        guard claims.count == 1, let claim = claims.first else {
            throw ToolFault(.conflict, "`--scenario` is of one claim", help: ["deadzone claims A11 --scenario"])
        }
        guard let text = claim.scenario.flatMap(ClaimMaker.shipped) else {
            throw ToolFault(
                .conflict, "\(claim.id) is computed, without a scenario",
                help: ["deadzone claims \(claim.id) says how to repeat it"])
        }
        surroundings.output.write(text)
        return .ok
    }
}
