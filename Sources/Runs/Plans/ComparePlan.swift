import DeadzoneBase
package import DeadzoneMetrics
package import DeadzoneScenarios

/// Plan of a `compare` command: each scenario with its saved baseline and its gates (bounds on metrics). All faults are
/// found and reported together before anything runs.
package struct ComparePlan {
    package struct ScenarioComparison: Sendable {
        package let file: String
        /// Names of the file and of the files that it includes.
        let sources: [String]
        package let scenario: Scenario
        package let namedStrategies: [NamedStrategy]
        package let seed: UInt64
        package let replicas: Int
        /// The scenario's results in the baseline. A renamed strategy has its new name here.
        package let baselineRun: BaselineRun?
        /// Names in the baseline of the strategies that were only renamed, by their new names.
        package var formerNames: [String: String] = [:]
        package var gates: [PlannedGate] = []
        /// Recommended gates that a gate of the file replaces.
        package var replaced: Set<GateTarget> = []

        func has(_ name: String) -> Bool { namedStrategies.contains { $0.name == name } }

        func place(of expectedBound: ExpectedBound) -> BoundLocation {
            let mark = expectedBound.mark
            return BoundLocation(
                file: sources.indices.contains(mark.file) ? sources[mark.file] : file, line: mark.line,
                column: mark.column, isExpectation: true)
        }

        /// The file and line of a strategy. `nil` if no such strategy runs, or if the command line added it.
        package func place(ofStrategy name: String) -> BoundLocation? {
            guard let mark = namedStrategies.first(where: { $0.name == name })?.mark, mark.line > 0 else { return nil }
            return BoundLocation(
                file: sources.indices.contains(mark.file) ? sources[mark.file] : file, line: mark.line,
                column: mark.column)
        }

        /// `true` if the baseline contains the same subject.
        func hasBaseline(_ subject: Subject) -> Bool { baselineRun?.has(subject) ?? false }

        /// Names of the groups with metrics of their own, in the order of their phones.
        var groups: [String] { scenario.reportedGroups }

        /// `true` if the strategy runs and, for a group, metrics of the group exist.
        func has(_ subject: Subject) -> Bool {
            has(subject.strategy) && subject.group.map(groups.contains) ?? true
        }
    }

    /// The user's choice of seed, number of replicas and strategies for a comparison.
    package struct CompareSelection: Sendable {
        /// `nil` takes the seed and replicas of the baseline, or else of the scenario.
        package let seed: UInt64?
        package let replicas: Int?
        /// Strategies to run.
        package let strategies: StrategySelection
        /// The strategy that the others are compared with.
        package let against: String?

        package init(seed: UInt64?, replicas: Int?, strategies: StrategySelection, against: String?) {
            self.seed = seed
            self.replicas = replicas
            self.strategies = strategies
            self.against = against
        }
    }

    /// A bound on one metric of one strategy, or of one group of its phones, that a comparison must check. It is from a
    /// gate file or from an expectation of the scenario.
    package struct PlannedGate: Sendable {
        package let subject: Subject
        package let metric: String
        package let threshold: Threshold
        package let level: Gate.GateSeverity
        package let place: BoundLocation
        /// `true` for a bound of a preset.
        package var isPreset = false
    }

    package internal(set) var parts: [ScenarioComparison] = []
    package private(set) var uncompared: [Uncompared] = []
    /// Bounds of strategies in this comparison that cannot be judged.
    package internal(set) var unjudged: [UnjudgedBound] = []
    /// Reasons why something is not compared. They become faults if nothing else can be compared.
    private var absences: [ToolFault] = []
    var faults: [ToolFault] = []
    private let selection: CompareSelection
    let baseline: BaselineFile?
    private let kept: Baseline?

    /// - Parameter kept: finished results of the scenarios; `nil` if they have to be run.
    package init(
        _ files: ScenarioFiles, _ baseline: BaselineFile?, _ gates: GateFile, _ wanted: CompareSelection,
        kept: Baseline? = nil
    ) throws {
        self.selection = wanted
        self.kept = kept
        self.baseline = baseline
        for (name, loaded) in files.files {
            for scenario in loaded.scenarios { add(scenario, of: name, loaded.files.map(\.name)) }
        }
        if let baseline {
            let isAnythingCompared = parts.contains { part in
                part.namedStrategies.contains { part.hasBaseline(Subject($0.name)) }
            }
            if faults.isEmpty, !isAnythingCompared { faults = absences }
            let named = Set(parts.map(\.scenario.name))
            uncompared += baseline.baseline.runs.filter { !named.contains($0.name) }
                .map { Uncompared(scenario: $0.name, reason: .gone) }
        }
        if let against = wanted.against, faults.isEmpty, !parts.isEmpty,
            parts.allSatisfy({ $0.namedStrategies.count == 1 })
        {
            faults.append(.nothingBeside(against, isSelected: !wanted.strategies.isEverything))
        }
        try addExpectations()
        addGates(gates.gates)
        if !faults.isEmpty { throw ToolFaults(faults: faults) }
    }

    /// A sentence about scenarios that state another seed or number of replicas than the baseline, which decides both.
    /// `nil` if there are none.
    package var baselineSettingsNote: String? {
        let differing = parts.compactMap { part -> (part: ScenarioComparison, run: BaselineRun, says: String)? in
            guard kept == nil, let run = part.baselineRun else { return nil }
            var says: [String] = []
            // A scenario without the setting has one replica, and its baseline usually has more.
            let replicas = part.scenario.replicas
            if selection.replicas == nil, replicas > 1, replicas != run.replicas {
                says.append(plural(replicas, "replica"))
            }
            if selection.seed == nil, let seed = part.scenario.seed, seed != run.seed { says.append("seed \(seed)") }
            return says.isEmpty ? nil : (part, run, says.joined(separator: " and "))
        }
        guard let first = differing.first else { return nil }
        let more = differing.count > 1 ? "; the same applies to \(plural(differing.count - 1, "more scenario"))" : ""
        return "\(BaselineFile.quote(first.part.scenario.name)) is compared with the "
            + "\(plural(first.run.replicas, "replica")) and seed \(first.run.seed) of the baseline; "
            + "the scenario now says \(first.says)" + more
    }

    private mutating func add(_ scenario: Scenario, of file: String, _ sources: [String]) {
        if let twin = parts.first(where: { $0.scenario.name == scenario.name }) {
            faults.append(
                ToolFault(
                    .conflict, "two scenarios are called \(BaselineFile.quote(scenario.name))",
                    help: [
                        "\(twin.file.escapedForTerminal) and \(file.escapedForTerminal): scenarios are compared by name, so rename one"
                    ]))
            return
        }
        do throws(ToolFault) {
            let ours = kept?.run(named: scenario.name)
            let namedStrategies = try namedStrategies(scenario).filter {
                ours == nil || ours?.strategy(named: $0.name) != nil
            }
            let baselineRun = baselineRun(of: scenario, namedStrategies.map(\.name))
            var part = ScenarioComparison(
                file: file, sources: sources, scenario: scenario, namedStrategies: namedStrategies,
                seed: ours?.seed ?? selection.seed ?? baselineRun?.seed ?? scenario.seed ?? 1,
                replicas: ours?.replicas ?? selection.replicas ?? baselineRun?.replicas ?? scenario.replicas,
                baselineRun: baselineRun)
            if let stored = baseline?.baseline.run(named: scenario.name), baselineRun != nil {
                for (old, new) in stored.newNames(in: scenario) { part.formerNames[new] = old }
            }
            parts.append(part)
        } catch {
            faults.append(error)
        }
    }

    /// The scenario's entry in the baseline, if there is one. Missing entries are noted as uncompared.
    private mutating func baselineRun(of scenario: Scenario, _ strategies: [String]) -> BaselineRun? {
        guard let baseline else { return nil }
        switch baseline.run(of: scenario) {
        case .failure(let absence):
            uncompared.append(Uncompared(scenario: scenario.name, reason: absence.reason))
            absences.append(absence.fault)
            return nil
        case .success(let stored):
            let run = stored.renamingStrategies(stored.newNames(in: scenario))
            for name in strategies where run.strategy(named: name) == nil {
                let absence = baseline.missingStrategy(of: name, in: run)
                uncompared.append(Uncompared(scenario: scenario.name, strategy: name, reason: absence.reason))
                absences.append(absence.fault)
            }
            // Older baselines contain no groups.
            for strategy in strategies {
                guard let kept = run.strategy(named: strategy), kept.groups.isEmpty else { continue }
                uncompared += scenario.reportedGroups.map {
                    Uncompared(scenario: scenario.name, strategy: strategy, group: $0, reason: .new)
                }
            }
            // If the user selected fewer strategies, the others are not missing.
            if selection.strategies.isEverything {
                uncompared += run.strategies.filter { !strategies.contains($0.name) }
                    .map { Uncompared(scenario: scenario.name, strategy: $0.name, reason: .gone) }
            }
            return run
        }
    }

    /// `true` if a bound can be judged. A bound relative to a baseline entry that does not exist cannot; it is
    /// counted as undecided.
    mutating func canJudge(_ threshold: Threshold, of subject: Subject, _ part: ScenarioComparison) -> Bool {
        guard threshold.reference == GateJudge.baseline, !part.hasBaseline(subject) else { return true }
        if let index = uncompared.firstIndex(where: {
            $0.scenario == part.scenario.name && ($0.strategy ?? subject.strategy) == subject.strategy
                && ($0.group == nil || $0.group == subject.group)
        }) {
            uncompared[index].undecidedGates += 1
        }
        return false
    }

    /// The selected strategies and the one that they are compared with.
    private func namedStrategies(_ scenario: Scenario) throws(ToolFault) -> [NamedStrategy] {
        try selection.strategies.selected(scenario, and: selection.against)
    }

    /// Adds the expectations of the scenarios. Those relative to a baseline are judged only if there is one.
    private mutating func addExpectations() throws {
        for index in parts.indices {
            for expectedBound in parts[index].scenario.expectations {
                guard parts[index].has(expectedBound.strategy),
                    let metric = Catalogue.metric(named: expectedBound.metric)
                else {
                    continue
                }
                let threshold = try Threshold(expectedBound.bound, in: metric.unit)
                let subject = Subject(expectedBound.strategy, group: expectedBound.group)
                if let reason = missingReference(threshold.reference, for: subject, parts[index]) {
                    let expectation = Expectation(
                        strategy: subject.strategy, group: subject.group, metric: metric.name, threshold: threshold)
                    unjudged.append(
                        UnjudgedBound(
                            scenario: parts[index].scenario.name,
                            bound: UnjudgedExpectation(expectation, reason: reason),
                            place: parts[index].place(of: expectedBound)))
                    continue
                }
                guard canJudge(threshold, of: subject, parts[index]) else { continue }
                parts[index].gates.append(
                    PlannedGate(
                        subject: subject, metric: expectedBound.metric, threshold: threshold, level: .error,
                        place: parts[index].place(of: expectedBound)))
            }
        }
    }

    /// The reason why the reference of a bound has no value. `nil` if it has one, or if there is none.
    private func missingReference(_ reference: String?, for subject: Subject, _ part: ScenarioComparison) -> String? {
        guard let reference else { return nil }
        if reference == GateJudge.baseline { return baseline == nil ? "there is no baseline" : nil }
        let isThere = part.scenario.runsReference(
            reference, of: subject, among: part.namedStrategies.map(\.name))
        return isThere ? nil : "strategy \(BaselineFile.quote(reference)) does not run"
    }
}

extension BaselineRun {
    /// The new names of strategies that were only renamed, by their names in the baseline. A strategy is renamed if the
    /// scenario no longer has its name, and if exactly one new strategy has its settings.
    fileprivate func newNames(in scenario: Scenario) -> [String: String] {
        let gone = strategies.filter { old in !scenario.strategies.contains { $0.name == old.name } }
        let new = scenario.strategies.filter { strategy(named: $0.name) == nil }
        var names: [String: String] = [:]
        for old in gone where gone.count(where: { $0.hash == old.hash }) == 1 {
            let alike = new.filter { $0.hash.hex == old.hash }
            if alike.count == 1 { names[old.name] = alike[0].name }
        }
        return names
    }
}

extension ToolFault {
    fileprivate static func nothingBeside(_ name: String, isSelected: Bool) -> Self {
        let strategy = BaselineFile.quote(name)
        return ToolFault(
            .absent, "there is nothing to compare with \(strategy): only \(strategy) runs",
            help: [isSelected ? "select another strategy, too" : "add a strategy to the scenario, or with --with"])
    }
}
