public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives
public import DeadzoneScenarios
import DeadzoneSettings

/// What is to be compared, once it is sure that it can be: every scenario with its baseline and its gates. Whatever is wrong
/// is found before anything runs, and told together.
public struct ComparePlan {
    public struct Part {
        public let file: String
        /// The names of that file and of those that it names.
        let sources: [String]
        public let scenario: Scenario
        public let contenders: [Contender]
        public let seed: UInt64
        public let replicas: Int
        public let old: BaselineRun?
        public var gates: [Bound] = []

        func has(_ name: String) -> Bool { contenders.contains { $0.name == name } }

        func place(of demand: Demand) -> WrittenPlace {
            let mark = demand.mark
            return WrittenPlace(
                file: sources.indices.contains(mark.file) ? sources[mark.file] : file, line: mark.line,
                column: mark.column, isExpectation: true)
        }

        /// With itself in the baseline.
        func compares(_ subject: Subject) -> Bool { old?.has(subject) ?? false }

        /// The groups that numbers tell apart, in the order of their phones.
        var groups: [String] { scenario.groupsToldApart }

        /// It is run, and of a group there are numbers.
        func has(_ subject: Subject) -> Bool {
            has(subject.strategy) && subject.group.map(groups.contains) ?? true
        }
    }

    /// What of the scenarios was asked for.
    public struct Wanted: Sendable {
        /// Nil: those of the baseline, or of the scenario.
        public let seed: UInt64?
        public let replicas: Int?
        /// Empty: all of them.
        public let strategies: [String]
        /// The one that the others are compared with.
        public let against: String?

        public init(seed: UInt64?, replicas: Int?, strategies: [String], against: String?) {
            self.seed = seed
            self.replicas = replicas
            self.strategies = strategies
            self.against = against
        }
    }

    /// A gate, or an expectation of the scenario itself, of one strategy or of one group under it.
    public struct Bound {
        public let subject: Subject
        public let metric: String
        public let threshold: Threshold
        public let level: Gate.Level
        public let place: WrittenPlace
    }

    public internal(set) var parts: [Part] = []
    public private(set) var uncompared: [Uncompared] = []
    /// Why what is not compared is not. With nothing else to compare these are faults.
    private var absences: [ToolFault] = []
    var faults: [ToolFault] = []
    private let wanted: Wanted
    let baseline: BaselineFile?
    private let kept: Baseline?

    /// - Parameter kept: what the scenarios have come to already; nil: they are to be run.
    public init(
        _ files: ScenarioFiles, _ baseline: BaselineFile?, _ gates: GateFile, _ wanted: Wanted, kept: Baseline? = nil
    ) throws {
        self.wanted = wanted
        self.kept = kept
        self.baseline = baseline
        for (name, loaded) in files.files {
            for scenario in loaded.scenarios { add(scenario, of: name, loaded.files.map(\.name)) }
        }
        if let baseline {
            let isAnythingCompared = parts.contains { part in
                part.contenders.contains { part.compares(Subject($0.name)) }
            }
            if faults.isEmpty, !isAnythingCompared { faults = absences }
            let named = Set(parts.map(\.scenario.name))
            uncompared += baseline.baseline.runs.filter { !named.contains($0.name) }
                .map { Uncompared(scenario: $0.name, reason: .gone) }
        }
        try addExpectations()
        addGates(gates.gates)
        if !faults.isEmpty { throw ToolFaults(faults: faults) }
    }

    private mutating func add(_ scenario: Scenario, of file: String, _ sources: [String]) {
        if let twin = parts.first(where: { $0.scenario.name == scenario.name }) {
            faults.append(
                ToolFault(
                    .conflict, "two scenarios are called \(BaselineFile.quote(scenario.name))",
                    help: ["\(twin.file.visible) and \(file.visible): a comparison goes by names, so rename one"]))
            return
        }
        do throws(ToolFault) {
            let ours = kept?.run(named: scenario.name)
            let contenders = try contenders(scenario).filter { ours == nil || ours?.strategy(named: $0.name) != nil }
            let old = old(of: scenario, contenders.map(\.name))
            parts.append(
                Part(
                    file: file, sources: sources, scenario: scenario, contenders: contenders,
                    seed: ours?.seed ?? wanted.seed ?? old?.seed ?? scenario.seed ?? 1,
                    replicas: ours?.replicas ?? wanted.replicas ?? old?.replicas ?? scenario.replicas, old: old))
        } catch {
            faults.append(error)
        }
    }

    /// What the baseline has of it, if anything; what it has not is noted.
    private mutating func old(of scenario: Scenario, _ strategies: [String]) -> BaselineRun? {
        guard let baseline else { return nil }
        switch baseline.run(of: scenario) {
        case .failure(let absence):
            uncompared.append(Uncompared(scenario: scenario.name, reason: absence.reason))
            absences.append(absence.fault)
            return nil
        case .success(let run):
            for name in strategies where run.strategy(named: name) == nil {
                let absence = baseline.absence(of: name, in: run)
                uncompared.append(Uncompared(scenario: scenario.name, strategy: name, reason: absence.reason))
                absences.append(absence.fault)
            }
            // A baseline of before groups were told apart has none.
            for strategy in strategies {
                guard let kept = run.strategy(named: strategy), kept.groups.isEmpty else { continue }
                uncompared += scenario.groupsToldApart.map {
                    Uncompared(scenario: scenario.name, strategy: strategy, group: $0, reason: .new)
                }
            }
            // Who asks for fewer strategies misses none.
            if wanted.strategies.isEmpty {
                uncompared += run.strategies.filter { !strategies.contains($0.name) }
                    .map { Uncompared(scenario: scenario.name, strategy: $0.name, reason: .gone) }
            }
            return run
        }
    }

    /// A bound of the baseline of what it does not have decides nothing, and that is said.
    mutating func decides(_ threshold: Threshold, of subject: Subject, _ part: Part) -> Bool {
        guard threshold.reference == GateJudge.baseline, !part.compares(subject) else { return true }
        if let index = uncompared.firstIndex(where: {
            $0.scenario == part.scenario.name && ($0.strategy ?? subject.strategy) == subject.strategy
                && ($0.group == nil || $0.group == subject.group)
        }) {
            uncompared[index].undecidedGates += 1
        }
        return false
    }

    /// Those that were asked for, and the one that they are compared with.
    private func contenders(_ scenario: Scenario) throws(ToolFault) -> [Contender] {
        let known = scenario.strategies.map(\.name)
        let asked = wanted.strategies + (wanted.against.map { [$0] } ?? [])
        for name in asked where !known.contains(name) {
            throw .unknownName(
                name, "strategy", among: known,
                help: "\(scenario.name.visible) has \(known.map(\.visible).joined(separator: ", "))")
        }
        return wanted.strategies.isEmpty ? scenario.strategies : scenario.strategies.filter { asked.contains($0.name) }
    }

    /// What the scenarios expect holds here too; what they expect of a baseline is judged where there is one.
    private mutating func addExpectations() throws {
        for index in parts.indices {
            for demand in parts[index].scenario.expectations {
                guard parts[index].has(demand.strategy), let metric = Catalogue.metric(named: demand.metric) else {
                    continue
                }
                let threshold = try Threshold(demand.bound, in: metric.unit)
                let subject = Subject(demand.strategy, group: demand.group)
                guard isThere(threshold.reference, for: subject, parts[index]),
                    decides(threshold, of: subject, parts[index])
                else { continue }
                parts[index].gates.append(
                    Bound(
                        subject: subject, metric: demand.metric, threshold: threshold, level: .error,
                        place: parts[index].place(of: demand)))
            }
        }
    }

    private func isThere(_ reference: String?, for subject: Subject, _ part: Part) -> Bool {
        guard let reference else { return true }
        if reference == GateJudge.baseline { return baseline != nil }
        return part.scenario.runs(reference, of: subject, among: part.contenders.map(\.name))
    }
}
