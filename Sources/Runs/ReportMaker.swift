import DeadzoneBase
import DeadzoneDevice
import DeadzoneHost
package import DeadzoneMetrics
package import DeadzoneScenarios
import DeadzoneSimulator

/// Builds the report of a simulation run from the scenario and the results of its strategies.
package struct ReportMaker {
    private let scenario: Scenario
    private let namedStrategies: [NamedStrategy]
    private let seed: UInt64
    private let executor: ParallelExecutor
    /// Expectations are judged only if this covers everything.
    private let focus: Focus

    package init(
        _ scenario: Scenario, _ namedStrategies: [NamedStrategy], seed: UInt64, focus: Focus = Focus(),
        by executor: ParallelExecutor
    ) {
        self.scenario = scenario
        self.namedStrategies = namedStrategies
        self.seed = seed
        self.focus = focus
        self.executor = executor
    }

    /// Limits of the model that no profile or scenario can change. Every report states them.
    private var limits: [String] {
        [
            scenario.platform == nil
                ? "Energy of the radios only: no processor, no screen."
                : "Energy of the radios and of processor wake-ups: no screen, no processor work.",
            Self.advice,
        ]
    }

    private static let advice =
        "Joules are those of the profile's phone and network; compare strategies before you trust an absolute number."

    /// Returns the report; `nil` if not a single replica was finished.
    package func report(_ results: SimulationPlan.RunResults) throws -> RunReport? {
        guard results.replicaCount > 0 else { return nil }
        let replicas = results.byStrategy.map(\.replicas)
        let progress = executor.progress(
            visible(scenario.name) + ", intervals", total: Measurement.workItemCount(of: replicas))
        let measurements = measured(replicas, results.facts, executor.workers(progress))
        let strategies = namedStrategies.indices.map { index in
            let (namedStrategy, result) = (namedStrategies[index], results.byStrategy[index])
            var strategy = StrategyReport(
                name: namedStrategy.name, hash: namedStrategy.hash.hex, digest: result.digest,
                measurement: measurements[index], stops: result.stops.sentences)
            strategy.groups = groups(result, results.facts[index])
            strategy.entries = entryCosts(measurements[index])
            return strategy
        }
        progress.clear()
        // If the run is stopped while intervals are computed, some of them are missing.
        let isComplete = results.isComplete && !executor.isStopped()
        var report = RunReport(
            tool: toolVersion, seed: seed, replicas: results.replicaCount, scenario: facts, model: model,
            strategies: strategies,
            vacuous: conditionsWithoutEffect(results), isComplete: isComplete, focus: focus)
        let (expectations, unjudged) = try expectations()
        try report.judge(expectations)
        report.unjudged = unjudged
        return report
    }

    /// The cost of each entry of the timeline. Entries that cost nothing are included, so that all strategies have the
    /// same rows.
    private func entryCosts(_ measurement: Measurement) -> [EntryCost] {
        let entries = scenario.conditions.filter { $0.origin == .timeline }
        let shares = measurement.losses.shares(of: entries.map(\.changes))
        let kinds = entries.enumerated().map { EntryCost.EntryKind.entry(name($0, $1)) } + [.unwritten, .none]
        return zip(kinds, shares).map { EntryCost($0, $1) }
    }

    private func name(_ index: Int, _ entry: DeclaredCondition) -> EntryCost.TimelineEntryName {
        let changes = entry.changes.map { scenario.world.timeline[$0] }
        var titles: [String] = []
        for change in changes where !titles.contains(change.change.labels.scene.title) {
            titles.append(change.change.labels.scene.title)
        }
        let at: TimeSpan = changes.map { $0.at - .zero }.min() ?? .zero
        return EntryCost.TimelineEntryName(
            index: index, at: at, timeOfDay: scenario.startOfDay.map { TimeOfDay(sinceMidnight: $0 + at) },
            title: titles.joined(separator: ", "), line: entry.mark.line, text: entry.text)
    }

    private func groups(_ result: StrategyResults, _ facts: [String]?) -> [GroupReport] {
        let measurements = result.groups.enumerated().map { index, replicas in
            measured([replicas], [facts.map { $0 + ["group \(index)"] }], SerialMap())[0]
        }
        return zip(scenario.population, measurements).map { group, measurement in
            GroupReport(
                name: group.name, phones: group.phones, strategy: group.strategy?.name, measurement: measurement)
        }
    }

    /// Measures strategies. Intervals are read from the cache, or computed and kept in it.
    /// - Parameter facts: For each strategy, the facts that determine its replicas; `nil` if nothing is kept.
    private func measured(
        _ strategies: [Replicas], _ facts: [[String]?], _ workers: some ParallelMap
    ) -> [Measurement] {
        let names = zip(strategies, facts).map { replicas, facts -> String? in
            guard let cache = executor.cache, let facts, replicas.count > 1 else { return nil }
            return cache.name(facts + ["intervals of \(seed)"])
        }
        let known = names.map { name in name.flatMap { executor.cache?.intervals($0) } }
        let measurements = Measurement.all(of: strategies, seed: seed, known: known, workers: workers)
        // If the run is stopped while intervals are computed, some of them are missing.
        guard !executor.isStopped() else { return measurements }
        for (index, name) in names.enumerated() {
            if let name, known[index] == nil { executor.cache?.store(measurements[index].intervals, as: name) }
        }
        return measurements
    }

    var facts: ScenarioFacts {
        ScenarioFacts(
            name: scenario.name, about: scenario.about, duration: scenario.world.horizon - .zero,
            phones: scenario.world.phones, worldHash: scenario.worldHash.hex, settings: scenario.resolvedSettings,
            cell: scenario.labels.map { CellAxis(key: $0.axis, value: $0.value) }, columns: scenario.columns,
            startOfDay: scenario.startOfDay)
    }

    package var model: ModelNotes {
        var radios: [RadioNote] = []
        for sheet in [scenario.phone] + scenario.population.map(\.phone) {
            for note in Self.radios(sheet) where !radios.contains(note) { radios.append(note) }
        }
        return ModelNotes(
            radios: radios, platform: scenario.platform.map(ModelNote.init), population: population,
            limits: limits)
    }

    private static func radios(_ phone: PhoneSettings) -> [RadioNote] {
        phone.radios.map { RadioNote(interface: $0, profile: note($1)) }
    }

    /// Description of each population group, for example `42 of 60 phones: commuters, android-15, lte-verizon-2021,
    /// always ably`.
    private var population: [String] {
        zip(scenario.population, scenario.world.groups).map { group, own in
            let system = own.world.platform.map { ModelNote($0).name } ?? "no operating system"
            let radios = group.phone.radios.map(\.profile)
            return "\(group.phones) of \(plural(scenario.world.phones, "phone")): \(visible(group.name)), "
                + ([system] + radios.map(\.name)).joined(separator: ", ")
                + (group.strategy.map { ", always \(visible($0.name))" } ?? "")
        }
    }

    private static func note(_ sheet: ProfileSource) -> ModelNote {
        var note = ModelNote(name: sheet.name, sources: [], assumed: [])
        for number in sheet.numbers {
            // Each source once, in the order of the profile.
            if !number.source.isEmpty, !note.sources.contains(number.source) { note.sources.append(number.source) }
            if number.trust.isAssumption { note.assumed.append("\(number.parameter) \(number.value)") }
        }
        return note
    }

    /// Declared conditions that did not take effect on any phone of any strategy. On another network than the scenario's
    /// own, a condition may be unknown: iOS has no motion sensor for Doze.
    private func conditionsWithoutEffect(_ results: SimulationPlan.RunResults) -> [String] {
        guard results.isComplete, focus.isEverything, !scenario.isOnNetwork else { return [] }
        let folds = results.byStrategy.map(\.replicas.merged)
        return scenario.conditions.compactMap { $0.noEffectMessage(in: folds) }
    }

    /// Expectations of the strategies in this run: those to judge, and those that this run cannot judge.
    private func expectations() throws -> (judged: [Expectation], unjudged: [UnjudgedExpectation]) {
        let names = namedStrategies.map(\.name)
        var judged: [Expectation] = []
        var unjudged: [UnjudgedExpectation] = []
        for expectedBound in scenario.expectations where names.contains(expectedBound.strategy) {
            guard let metric = Catalogue.metric(named: expectedBound.metric) else { continue }
            let expectation = Expectation(
                strategy: expectedBound.strategy, group: expectedBound.group, metric: expectedBound.metric,
                threshold: try Threshold(expectedBound.bound, in: metric.unit))
            if let reason = focus.partText ?? missingReference(of: expectation, names) {
                unjudged.append(UnjudgedExpectation(expectation, reason: reason))
            } else {
                judged.append(expectation)
            }
        }
        return (judged, unjudged)
    }

    /// The reason why the reference of a bound has no value in this run. `nil` if it has one, or if there is none.
    private func missingReference(of expectation: Expectation, _ names: [String]) -> String? {
        guard let reference = expectation.threshold.reference,
            !scenario.runsReference(reference, of: expectation.subject, among: names)
        else { return nil }
        let isStrategy = scenario.strategies.contains { $0.name == reference }
        return reference == GateJudge.baseline && !isStrategy
            ? "only `compare --baseline` has a baseline" : "strategy \(BaselineFile.quote(reference)) does not run"
    }
}

extension Focus {
    /// For example `only replica 0 ran`. `nil` if everything ran.
    fileprivate var partText: String? {
        switch (phone, replica) {
        case (nil, nil): nil
        case (let phone?, nil): "only phone \(phone) ran"
        case (nil, let replica?): "only replica \(replica) ran"
        case (let phone?, let replica?): "only phone \(phone) of replica \(replica) ran"
        }
    }
}

extension Scenario {
    /// `true` if the reference strategy or group of a bound is part of the run. A strategy of the scenario that does
    /// not run never counts, even if a group has the same name.
    func runsReference(_ reference: String, of subject: Subject, among names: [String]) -> Bool {
        if strategies.contains(where: { $0.name == reference }) { return names.contains(reference) }
        let groups = reportedGroups
        return subject.resolve(to: reference) { other in
            names.contains(other.strategy) && other.group.map(groups.contains) ?? true
        } != nil
    }
}

extension Scenario {
    /// The radio profiles, processor power and battery that convert events into energy.
    package var prices: Prices {
        Prices(
            radios: RadioProfiles(world.interfaces.map { world.profiles(of: $0) }),
            processor: platform.map { ProcessorPower(wakePower: $0.wakePower, wakeEnergy: $0.wakeEnergy) },
            battery: phone.battery)
    }

    /// The operating system of the phones, or that of the first group that has one.
    fileprivate var platform: Platform? { world.platform ?? world.groups.lazy.compactMap(\.world.platform).first }
}
