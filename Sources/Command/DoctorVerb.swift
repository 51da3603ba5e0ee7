import DeadzoneDocuments
import DeadzoneHost
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let doctor: Verb = Verb(
        "doctor", "shows version and system, and checks itself",
        flags: [.json],
        examples: [Example("deadzone doctor", "paste it into a bug report")],
        next: [Example("deadzone run Scenarios/handoff/elevator.yaml", "if all is well")],
        details: "Runs a small scenario on one thread, then on several in your locale; both must do exactly the same."
    ) { invocation, surroundings in
        let first = try SelfCheck.digests(jobs: 1)
        let locale = Machine.adoptLocale()
        let second = try SelfCheck.digests(jobs: max(2, surroundings.cores))
        let isSound = first == second
        let facts = [
            ("version", toolVersion), ("build", Build.words), ("swift", compiler), ("system", Machine.system),
            ("libyaml", yamlVersion),
            ("processors", "\(surroundings.cores)"), ("locale", locale), ("digests", first.joined(separator: " ")),
            ("live", Sandbox.trouble().map { "no: \($0)" } ?? "ok"),
            ("gateway", Gateway.trouble().map { "no: \($0)" } ?? "ok"),
            ("self-check", isSound ? "ok" : "FAILED: \(second.joined(separator: " "))"),
        ]
        if invocation.has(.json) {
            let members = facts.map { ($0.0, JSON.string($0.1)) } + [("schema", .string("deadzone/doctor/1"))]
            surroundings.output.write(JSON.object(Dictionary(uniqueKeysWithValues: members)).text() + "\n")
        } else {
            for (name, value) in facts {
                surroundings.output.write(name + String(repeating: " ", count: 12 - name.count) + value + "\n")
            }
        }
        return isSound ? .ok : .bug
    }

    /// The compiler keeps its patch level to itself.
    private static var compiler: String {
        #if compiler(>=6.4)
            return "6.4 or later"
        #else
            return "6.3"
        #endif
    }
}

/// Runs the starter scenario.
private enum SelfCheck {
    static func digests(jobs: Int) throws(ToolFault) -> [String] {
        let loader = ScenarioLoader(.standard) { _ in .failure(FileTrouble("the starter scenario stands alone")) }
        let loaded = loader.load(Array(starterScenario.utf8), name: "starter scenario")
        guard let scenario = loaded.scenarios.first else {
            throw ToolFault(.runFailed, "the starter scenario does not load", help: ["this is a bug in deadzone"])
        }
        let assignment = Assignment(scenario, scenario.strategies.map(\.strategy), seed: 1, replicas: 2)
        let yield = assignment.run(by: Crew(jobs: jobs))
        return yield.crops.map(\.digest)
    }
}
