package import DeadzoneBase

/// The result of one run of one scenario, as the output formats need it. It contains no date, host, path or argument,
/// so equal inputs give equal reports.
package struct RunReport: Sendable {
    package var tool: String
    package var seed: UInt64
    package var replicas: Int
    package var scenario: ScenarioFacts
    package var model: ModelNotes
    package var strategies: [StrategyReport]
    /// Declared conditions that never took effect, one sentence each. A run with any of them proves nothing and fails.
    package var vacuous: [String]
    /// `false` if the run was stopped early.
    package var isComplete: Bool
    /// The replica or phone to which the run was restricted.
    package var focus: Focus
    /// Expectations of the strategies in this run that could not be judged.
    package var unjudged: [UnjudgedExpectation] = []

    package init(
        tool: String, seed: UInt64, replicas: Int, scenario: ScenarioFacts, model: ModelNotes,
        strategies: [StrategyReport], vacuous: [String] = [], isComplete: Bool = true,
        focus: Focus = Focus()
    ) {
        self.tool = tool
        self.seed = seed
        self.replicas = replicas
        self.scenario = scenario
        self.model = model
        self.strategies = strategies
        self.vacuous = vacuous
        self.isComplete = isComplete
        self.focus = focus
    }

    /// Number of phones that the figures cover.
    package var shownPhones: Int { focus.phone == nil ? scenario.phones : 1 }

    package var verdict: Verdict {
        let isKept = strategies.allSatisfy { strategy in strategy.outcomes.allSatisfy { $0.verdict == .pass } }
        let isSound = strategies.allSatisfy { $0.stops.isEmpty } && vacuous.isEmpty && isComplete
        return isKept && isSound ? .pass : .fail
    }

    /// `true` if the scenario has expectations for these strategies and none of them was judged. The verdict of such a
    /// run is `pass`, but reports for readers must not say so.
    package var isUnjudged: Bool {
        verdict == .pass && !unjudged.isEmpty && strategies.allSatisfy(\.outcomes.isEmpty)
    }

    /// Reasons why the run proves nothing, one sentence each. Empty for a valid run.
    package var troubles: [String] {
        var lines = isComplete ? [] : ["stopped early: the numbers cover only a part of the run"]
        lines += vacuous
        lines += strategies.flatMap { strategy in strategy.stops.map { "\(strategy.name): \($0)" } }
        for strategy in strategies where strategy.measurement.unreadable > 0 {
            lines.append("\(strategy.name): \(strategy.measurement.unreadable) records could not be read")
        }
        return lines
    }

    /// Judges all expectations and stores each outcome with its strategy, in the given order.
    package mutating func judge(_ expectations: [Expectation]) throws(ExpectationFault) {
        var measurements: [Subject: Measurement] = [:]
        for strategy in strategies {
            measurements[Subject(strategy.name)] = strategy.measurement
            for group in strategy.groups {
                measurements[Subject(strategy.name, group: group.name)] = group.measurement
            }
        }
        var outcomes: [Outcome] = []
        for expectation in expectations { outcomes.append(try expectation.judged(by: measurements)) }
        for index in strategies.indices {
            strategies[index].outcomes = outcomes.filter { $0.expectation.strategy == strategies[index].name }
        }
    }
}

package struct ScenarioFacts: Hashable, Sendable {
    package var name: String
    package var about: String
    package var duration: TimeSpan
    package var phones: Int
    package var worldHash: String
    /// The scenario with all references resolved.
    package var settings: Node
    /// Axis values that distinguish this run from others of the same matrix, such as `interval: 30s`.
    package var cell: [CellAxis]
    /// Metrics that the scenario lists as table columns.
    package var columns: [String]
    /// Time of day at the start; `nil` if the scenario does not say it.
    package var startOfDay: TimeSpan?

    package init(
        name: String, about: String, duration: TimeSpan, phones: Int, worldHash: String, settings: Node,
        cell: [CellAxis] = [], columns: [String] = [], startOfDay: TimeSpan? = nil
    ) {
        self.name = name
        self.about = about
        self.duration = duration
        self.phones = phones
        self.worldHash = worldHash
        self.settings = settings
        self.cell = cell
        self.columns = columns
        self.startOfDay = startOfDay
    }

    /// The text of `settings`.
    package var resolved: String { blockText(settings) }
}

package struct CellAxis: Hashable, Sendable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// The model assumptions behind a run's numbers, such as the sources of its radio profiles. Every report includes them,
/// because readers take energy figures as truth.
package struct ModelNotes: Hashable, Sendable {
    package var radios: [RadioNote]
    /// Platform of the first population group that has one. `nil` if the scenario names no operating system.
    package var platform: ModelNote?
    /// One phrase per population group, if phones differ.
    package var population: [String]
    /// Limits of the model, one sentence each.
    package var limits: [String]

    package init(radios: [RadioNote], platform: ModelNote? = nil, population: [String] = [], limits: [String]) {
        self.radios = radios
        self.platform = platform
        self.population = population
        self.limits = limits
    }
}

/// The sources of a radio profile or platform, with its values that are assumed, not measured.
package struct ModelNote: Hashable, Sendable {
    package var name: String
    /// Citations without duplicates.
    package var sources: [String]
    /// Assumed values, one phrase each.
    package var assumed: [String]

    package init(name: String, sources: [String], assumed: [String]) {
        self.name = name
        self.sources = sources
        self.assumed = assumed
    }
}

package struct RadioNote: Hashable, Sendable {
    package var interface: Interface
    package var profile: ModelNote

    package init(interface: Interface, profile: ModelNote) {
        self.interface = interface
        self.profile = profile
    }
}

package struct StrategyReport: Sendable {
    package var name: String
    package var hash: String
    /// Digest of all records of all replicas.
    package var digest: String
    package var measurement: Measurement
    package var outcomes: [Outcome]
    /// Reasons why phones stopped before the horizon, one sentence each.
    package var stops: [String]
    /// Results of each population group that is reported separately, in the order of its phones.
    package var groups: [GroupReport] = []
    /// The cost of each entry of the timeline.
    package var entries: [EntryCost] = []
    /// Location of the sample behind each maximum or quantile, by metric name. Empty if they were not searched.
    package var witnesses: [String: Witness] = [:]

    package init(
        name: String, hash: String, digest: String, measurement: Measurement, outcomes: [Outcome] = [],
        stops: [String] = []
    ) {
        self.name = name
        self.hash = hash
        self.digest = digest
        self.measurement = measurement
        self.outcomes = outcomes
        self.stops = stops
    }
}

/// The results of a strategy for one group of phones of the population.
package struct GroupReport: Sendable {
    package var name: String
    package var phones: Int
    /// The fixed strategy of the group. `nil` if the group runs the compared strategy.
    package var strategy: String?
    package var measurement: Measurement

    package init(name: String, phones: Int, strategy: String? = nil, measurement: Measurement) {
        self.name = name
        self.phones = phones
        self.strategy = strategy
        self.measurement = measurement
    }
}
