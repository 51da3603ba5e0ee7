import DeadzoneHost
public import DeadzoneCompare
import DeadzoneDevice
import DeadzoneEngine
public import DeadzoneMetrics
import DeadzonePrimitives
public import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneWorld

/// From a scenario and what its strategies yielded to a report.
public struct ReportMaker {
    private let scenario: Scenario
    private let contenders: [Contender]
    private let seed: UInt64
    private let crew: Crew
    /// Of a part nothing is demanded.
    private let focus: Focus

    public init(
        _ scenario: Scenario, _ contenders: [Contender], seed: UInt64, focus: Focus = Focus(), by crew: Crew
    ) {
        self.scenario = scenario
        self.contenders = contenders
        self.seed = seed
        self.focus = focus
        self.crew = crew
    }

    /// What no profile and no scenario can change; every report says so.
    private var limits: [String] {
        [
            scenario.prices.processor == nil
                ? "Energy of the radios alone: no processor, no screen."
                : "Energy of the radios and of waking the processor: no screen, no work while it is on.",
            Self.advice,
        ]
    }

    private static let advice =
        "Joules are those of the profile's phone and network; compare strategies before you trust an absolute number."

    /// Nil if not even one replica was finished.
    public func report(_ yield: Assignment.Yield) throws -> RunReport? {
        guard yield.count > 0 else { return nil }
        let progress = crew.progress(
            visible(scenario.name) + ", intervals", total: Measurement.steps(of: yield.crops.map(\.replicas)))
        let measurements = Measurement.all(
            of: yield.crops.map(\.replicas), seed: seed, hands: crew.hands(progress))
        let strategies = contenders.indices.map { index in
            let (contender, crop) = (contenders[index], yield.crops[index])
            var strategy = StrategyReport(
                name: contender.name, hash: contender.hash.hex, digest: crop.digest,
                measurement: measurements[index], stops: crop.stops.sentences)
            strategy.groups = groups(crop)
            return strategy
        }
        progress.clear()
        // Who was stopped in the midst of the intervals has not all of them.
        let isComplete = yield.isComplete && !crew.isStopped()
        var report = RunReport(
            tool: toolVersion, seed: seed, replicas: yield.count, scenario: facts, model: model, strategies: strategies,
            vacuous: vacuous(yield), isComplete: isComplete, focus: focus)
        if focus.isEverything { try report.judge(try expectations()) }
        return report
    }

    private func groups(_ crop: Crop) -> [GroupReport] {
        zip(scenario.population, crop.groups).map { group, replicas in
            GroupReport(
                name: group.name, phones: group.phones, strategy: group.strategy?.name,
                measurement: Measurement(of: replicas, seed: seed))
        }
    }

    var facts: ScenarioFacts {
        ScenarioFacts(
            name: scenario.name, about: scenario.about, duration: scenario.world.horizon - .zero,
            phones: scenario.world.phones, worldHash: scenario.worldHash.hex, resolved: scenario.resolved,
            cell: scenario.labels.map { CellAxis(key: $0.axis, value: $0.value) }, columns: scenario.columns)
    }

    public var model: ModelNotes {
        var radios: [RadioNote] = []
        for sheet in [scenario.phone] + scenario.population.map(\.phone) {
            for note in Self.radios(sheet) where !radios.contains(note) { radios.append(note) }
        }
        let platforms = [scenario.world.platform] + scenario.world.groups.map(\.world.platform)
        return ModelNotes(
            radios: radios, platform: platforms.compactMap(\.self).first.map(ModelNote.init), population: population,
            limits: limits)
    }

    private static func radios(_ phone: PhoneSheet) -> [RadioNote] {
        let cellular = [phone.cellular].compactMap(\.self) + phone.cellularAlternates
        let sheets = [phone.wifi].compactMap(\.self).map { (Interface.wifi, $0) } + cellular.map { (.cellular, $0) }
        return sheets.map { RadioNote(interface: $0, profile: note($1)) }
    }

    /// `42 of 60 phones: commuters, android-15, lte-verizon-2021, always ably`
    private var population: [String] {
        zip(scenario.population, scenario.world.groups).map { group, own in
            let system = own.world.platform.map { ModelNote($0).name } ?? "no operating system"
            let radios = [group.phone.wifi, group.phone.cellular].compactMap(\.self) + group.phone.cellularAlternates
            return "\(group.phones) of \(plural(scenario.world.phones, "phone")): \(visible(group.name)), "
                + ([system] + radios.map(\.name)).joined(separator: ", ")
                + (group.strategy.map { ", always \(visible($0.name))" } ?? "")
        }
    }

    private static func note(_ sheet: ProfileSheet) -> ModelNote {
        let cited = sheet.numbers.map(\.source).filter { !$0.isEmpty }
        return ModelNote(
            name: sheet.name,
            // Each source once, in the order of the profile.
            sources: cited.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } },
            assumed: sheet.assumptions.map { "\($0.parameter) \($0.value)" })
    }

    /// Declared conditions that took effect on no phone of any strategy.
    private func vacuous(_ yield: Assignment.Yield) -> [String] {
        guard yield.isComplete, focus.isEverything else { return [] }
        return scenario.conditions.filter { condition in
            !yield.crops.contains { condition.tookEffect(in: $0.replicas.whole) }
        }.map(\.vacuity)
    }

    /// Those of the strategies that run, and whose reference runs.
    private func expectations() throws -> [Expectation] {
        let names = contenders.map(\.name)
        return try scenario.expectations.compactMap { demand in
            guard names.contains(demand.strategy), let metric = Catalogue.metric(named: demand.metric) else {
                return nil
            }
            let threshold = try Threshold(demand.bound, in: metric.unit)
            let expectation = Expectation(
                strategy: demand.strategy, group: demand.group, metric: demand.metric, threshold: threshold)
            if let reference = threshold.reference,
                !scenario.runs(reference, of: expectation.subject, among: names)
            {
                return nil
            }
            return expectation
        }
    }
}

extension Scenario {
    /// Whether that is run which a bound of it is measured by. Another strategy that is not run is not there, whatever a group is
    /// called.
    func runs(_ reference: String, of subject: Subject, among names: [String]) -> Bool {
        if strategies.contains(where: { $0.name == reference }) { return names.contains(reference) }
        let groups = groupsToldApart
        return subject.referred(to: reference) { other in
            names.contains(other.strategy) && other.group.map(groups.contains) ?? true
        } != nil
    }
}

extension Scenario {
    /// What its radios, its processor and its battery make of what happened.
    public var prices: Prices {
        Prices(
            radios: Radios(wifi: world.profiles(of: .wifi), cellular: world.profiles(of: .cellular)),
            processor: ([world.platform] + world.groups.map(\.world.platform)).compactMap(\.self).first.map {
                ProcessorPower(wakePower: $0.wakePower, wakeEnergy: $0.wakeEnergy)
            },
            battery: phone.battery)
    }
}
