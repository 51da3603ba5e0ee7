public import DeadzoneCompare
import DeadzoneHost
import DeadzoneJournal
public import DeadzoneRuns
public import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneShipped

/// Puts claims to the test: runs each scenario that they need, once, and asks their rules what is to be thought of them.
public struct ClaimMaker {
    private let vocabulary: Vocabulary
    private let crew: Crew
    private let text: (String) -> String?

    /// - Parameter text: of the scenario of this name; by default those that are built in.
    public init(
        _ vocabulary: Vocabulary = .standard, by crew: Crew, text: @escaping (String) -> String? = Self.shipped
    ) {
        self.vocabulary = vocabulary
        self.crew = crew
        self.text = text
    }

    /// As it lies under Scenarios/claims.
    public static func shipped(_ name: String) -> String? { shippedClaims.first { $0.name == name }?.text }

    /// In the order of the claims; none where somebody stopped it.
    public func reports(of claims: [ArticleClaim]) throws -> [ClaimReport] {
        var names: [String] = []
        for name in claims.compactMap(\.scenario) where !names.contains(name) { names.append(name) }
        let worlds = try names.map { (name: $0, cells: try scenarios(of: $0)) }
        let progress = crew.progress("claims", total: worlds.reduce(0) { $0 + $1.cells.count })
        var runs: [String: [ClaimRun]] = [:]
        for world in worlds where !crew.isStopped() {
            let kinds = claims.filter { $0.scenario == world.name }.reduce(into: Set<Kind>()) { $0.formUnion($1.kinds) }
            runs[world.name] = try world.cells.compactMap { scenario in
                defer { progress.advance() }
                return try run(scenario, of: world.name, telling: kinds)
            }
        }
        progress.clear()
        return crew.isStopped() ? [] : try claims.map { $0.report(try $0.cells(runs[$0.scenario ?? ""] ?? [])) }
    }

    /// The cells of its matrix.
    private func scenarios(of name: String) throws(ToolFault) -> [Scenario] {
        guard let text = text(name) else { throw ToolFault(.runFailed, "there is no scenario \(name) of a claim") }
        let file = "claims/\(name).yaml"
        let loaded = ScenarioLoader(vocabulary, read: ScenarioFiles.read).load(Array(text.utf8), name: file)
        guard loaded.faults.isEmpty else {
            let faults = loaded.faults.sorted.map { "line \($0.mark.line): \($0.message)" }
            throw ToolFault(.runFailed, "\(file) cannot be run", help: faults)
        }
        return loaded.scenarios
    }

    /// Nil if somebody stopped it. What proves nothing is no measurement.
    private func run(_ scenario: Scenario, of name: String, telling kinds: Set<Kind>) throws -> ClaimRun? {
        let seed = scenario.seed ?? 1
        let assignment = Assignment(
            scenario, scenario.strategies.map(\.strategy), seed: seed, replicas: scenario.replicas)
        let yield = assignment.run(by: crew.silent)
        guard yield.isComplete else { return nil }
        let maker = ReportMaker(scenario, scenario.strategies, seed: seed, by: crew.silent)
        guard let report = try maker.report(yield), report.isComplete else { return nil }
        if let trouble = report.troubles.first { throw ToolFault(.runFailed, "claims/\(name).yaml: \(trouble)") }
        var chronicles: [String: Chronicles] = [:]
        for (index, contender) in scenario.strategies.enumerated() where !kinds.isEmpty {
            var told = Chronicles(of: kinds)
            assignment.again(index, 0, into: &told, crew.isStopped)
            chronicles[contender.name] = told
        }
        return ClaimRun(labels: scenario.labels.map(\.value), report: report, chronicles: chronicles)
    }
}
