import DeadzoneBase
import DeadzoneHost
import DeadzoneReports
import DeadzoneRuns
import DeadzoneScenarios

extension Verb {
    static let doctor: Verb = Verb(
        "doctor", "Show the version and the system, and check this installation",
        flags: [.json],
        examples: [Example("deadzone doctor", "print facts to paste into a bug report")],
        next: [Example("deadzone run Scenarios/handoff/elevator.yaml", "run a first scenario if all checks pass")],
        details:
            "`doctor` runs a small scenario on one thread, then on several threads in your locale. Both results must be equal."
    ) { invocation, context in
        let first = try SelfCheck.digests(jobs: 1)
        let locale = HostMachine.adoptLocale()
        let second = try SelfCheck.digests(jobs: max(2, context.cores))
        let isSound = first == second
        let facts = [
            ("version", toolVersion), ("build", Build.summary), ("swift", compiler), ("system", HostMachine.system),
            ("libyaml", yamlVersion),
            ("processors", "\(context.cores)"), ("locale", locale), ("digests", first.joined(separator: " ")),
            ("live", Sandbox.unavailableReason().map { "no: \($0)" } ?? "ok"),
            ("gateway", Gateway.unavailableReason().map { "no: \($0)" } ?? "ok"),
            ("self-check", isSound ? "ok" : "FAILED: \(second.joined(separator: " "))"),
        ]
        if invocation.has(.json) {
            let members = facts.map { ($0.0, JSON.string($0.1)) } + [("schema", DocumentSchema.doctor.json)]
            context.output.write(JSON.object(Dictionary(uniqueKeysWithValues: members)).text() + "\n")
        } else {
            for (name, value) in facts {
                context.output.write(name + String(repeating: " ", count: 12 - name.count) + value + "\n")
            }
        }
        return isSound ? .ok : .bug
    }

    /// The Swift version. The compiler does not expose its patch level.
    private static var compiler: String {
        #if compiler(>=6.4)
            return "6.4 or later"
        #else
            return "6.3"
        #endif
    }
}

/// Self-test of the installation: simulates the starter scenario and returns hashes (digests) of the results.
private enum SelfCheck {
    static func digests(jobs: Int) throws(ToolFault) -> [String] {
        let loader = ScenarioLoader(.standard) { _ in
            .failure(FileError("the starter scenario includes no other file"))
        }
        let loaded = loader.load(Array(starterScenario.utf8), name: "starter scenario")
        guard let scenario = loaded.scenarios.first else {
            throw ToolFault(.runFailed, "the starter scenario does not load", help: ["this is a bug in deadzone"])
        }
        let simulationPlan = SimulationPlan(scenario, scenario.strategies.map(\.strategy), seed: 1, replicas: 2)
        let results = simulationPlan.run(by: ParallelExecutor(jobs: jobs))
        return results.byStrategy.map(\.digest)
    }
}
