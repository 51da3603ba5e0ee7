public import DeadzoneCompare
import DeadzoneHost
import DeadzoneMetrics
public import DeadzoneScenarios
import DeadzoneSettings

/// Runs one scenario again and again, with another value of one setting each time.
public struct BoundaryMaker {
    public struct Question: Sendable {
        /// The scenario's file.
        public var file: String
        /// Keys with dots between them.
        public var setting: String
        public var from: String
        public var to: String
        public var isLog = false
        /// As a scenario's `expect` has it: `metric: bound`, or `group: {metric: bound}`.
        public var demand: String
        public var steps = 5
        public var seed: UInt64?
        public var replicas: Int?
        /// By default all of the scenario.
        public var strategies: [String] = []

        public init(file: String, setting: String, from: String, to: String, demand: String) {
            self.file = file
            self.setting = setting
            self.from = from
            self.to = to
            self.demand = demand
        }
    }

    /// A gap of the grid is cut in halves so often: to a 64th of it.
    private static let halvings = 6

    private let question: Question
    private let vocabulary: Vocabulary
    private let crew: Crew

    public init(_ question: Question, _ vocabulary: Vocabulary, by crew: Crew) {
        self.question = question
        self.vocabulary = vocabulary
        self.crew = crew
    }

    /// Nil if somebody stopped it.
    public func report() throws -> BoundaryReport? {
        guard let range = ValueRange(from: question.from, to: question.to, isLog: question.isLog) else {
            throw ToolFault(
                .badFlagValue, "\(quote(question.from)) to \(quote(question.to)) is no range",
                help: ["two values of one unit, the lesser first; on a log scale both are more than nothing"])
        }
        let plain = try load()
        let names = try strategies(of: plain)
        let first = try world(at: range.value(at: 0), names)
        guard let demand = first.demands.first, let metric = Catalogue.metric(named: demand.metric) else {
            throw ToolFault.unknownName(
                asked.metric, "metric", among: Catalogue.all.map(\.name), help: "deadzone list metrics shows them")
        }
        let progress = crew.progress("boundary", total: question.steps)
        let search = EdgeSearch(steps: question.steps, halvings: Self.halvings)
        var measured: [Double: [Figure]] = [:]
        let found = try search.answers { place -> [Bool]? in
            defer { progress.advance() }
            guard let outcomes = try outcomes(at: range.value(at: place), names) else { return nil }
            measured[place] = outcomes.map(\.value)
            return outcomes.map { $0.verdict == .pass }
        }
        progress.clear()
        guard !found.isEmpty else { return nil }
        return BoundaryReport(
            scenario: plain.name, setting: question.setting, from: range.value(at: 0), to: range.value(at: 1),
            metric: metric.name, group: demand.group, threshold: try Threshold(demand.bound, in: metric.unit),
            unit: metric.unit,
            seed: seed(of: first.scenario),
            replicas: question.replicas ?? first.scenario.replicas,
            strategies: first.contenders.enumerated().map { index, contender in
                BoundaryReport.Row(
                    name: contender.name,
                    trials: found.map { place, answers in
                        BoundaryReport.Trial(
                            place: place, value: range.value(at: place), measured: measured[place]?[index] ?? .nothing,
                            isKept: answers[index])
                    })
            })
    }

    /// The scenario with one value in its place, and what is demanded of each strategy there.
    private struct Cell {
        let scenario: Scenario
        let contenders: [Contender]
        let demands: [Demand]
    }

    /// Of which group it is asked, if of one, and which metric.
    private var asked: (group: String?, metric: String) {
        let parts = question.demand.split(separator: ":", maxSplits: 1).map { Self.word($0) }
        guard parts.count == 2, parts[1].hasPrefix("{") else { return (nil, parts.first ?? "") }
        return (parts[0], Self.word(parts[1].dropFirst().prefix { $0 != ":" }))
    }

    /// Without the quotes that YAML allows.
    private static func word(_ text: Substring) -> String {
        String(text.drop { " \"'".contains($0) }.reversed().drop { " \"'".contains($0) }.reversed())
    }

    private func seed(of scenario: Scenario) -> UInt64 { question.seed ?? scenario.seed ?? 1 }

    /// Whose boundary is asked for.
    private func strategies(of plain: Scenario) throws(ToolFault) -> [String] {
        let names = question.strategies.isEmpty ? plain.strategies.map(\.name) : question.strategies
        for name in names where !plain.strategies.contains(where: { $0.name == name }) {
            throw .unknownName(
                name, "strategy", among: plain.strategies.map(\.name), help: "`--strategy` names one of the scenario's")
        }
        return names
    }

    /// What the file says, with a matrix of one cell and one demand beside it.
    private func world(at value: String, _ names: [String]) throws(ToolFault) -> Cell {
        let asked = asked
        let demands = names.map { "\(Self.quoted($0)): {\(question.demand)}" }.joined(separator: ", ")
        let scenario = try load(with: "matrix: {\(Self.quoted(question.setting)): [\(value)]}\nexpect: {\(demands)}\n")
        return Cell(
            scenario: scenario, contenders: scenario.strategies.filter { names.contains($0.name) },
            demands: scenario.expectations.filter {
                names.contains($0.strategy) && $0.group == asked.group && $0.metric == asked.metric
            })
    }

    /// The scenario, with more in it than its file has.
    private func load(with more: String = "") throws(ToolFault) -> Scenario {
        let path = Installation.resolved(question.file)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let text = "extends: \(Self.quoted(parts.last ?? path))\n" + more
        let name = (parts.dropLast() + ["the scenario with its setting"]).joined(separator: "/")
        let loaded = ScenarioLoader(vocabulary, read: ScenarioFiles.read).load(Array(text.utf8), name: name)
        guard loaded.faults.isEmpty else {
            throw ToolFault(
                .badFlagValue, "\(quote(question.file)) cannot be run with \(quote(question.setting))",
                help: loaded.faults.sorted.map {
                    [$0.message, $0.label, $0.help].filter { !$0.isEmpty }.joined(separator: "; ")
                })
        }
        guard loaded.scenarios.count == 1 else {
            throw ToolFault(
                .conflict, "\(quote(question.file)) is a matrix of its own", help: ["name a scenario without `matrix:`"]
            )
        }
        return loaded.scenarios[0]
    }

    /// As a text of YAML.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Nil if somebody stopped it. What proves nothing says nothing of a boundary either.
    private func outcomes(at value: String, _ names: [String]) throws -> [Outcome]? {
        let cell = try world(at: value, names)
        let seed = seed(of: cell.scenario)
        let assignment = Assignment(
            cell.scenario, cell.contenders.map(\.strategy), seed: seed,
            replicas: question.replicas ?? cell.scenario.replicas)
        let yield = assignment.run(by: crew.silent)
        guard yield.isComplete else { return nil }
        var bare = cell.scenario
        bare.expectations = cell.demands
        guard let report = try ReportMaker(bare, cell.contenders, seed: seed, by: crew.silent).report(yield),
            report.isComplete
        else { return nil }
        if let trouble = report.troubles.first {
            throw ToolFault(.runFailed, "\(question.setting) \(value): \(trouble)")
        }
        return report.strategies.flatMap(\.outcomes)
    }
}
