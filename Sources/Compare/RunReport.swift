public import DeadzoneMetrics
public import DeadzonePrimitives

/// One run of one scenario, as every kind of report reads it. It holds no date, host, path or argument: equal inputs give
/// equal reports.
public struct RunReport: Sendable {
    public var tool: String
    public var seed: UInt64
    public var replicas: Int
    public var scenario: ScenarioFacts
    public var model: ModelNotes
    public var strategies: [StrategyReport]
    /// Declared conditions that never took effect, one sentence each. A run with any of them proves nothing, and fails.
    public var vacuous: [String]
    /// False if the run was stopped before its end.
    public var isComplete: Bool
    /// What of it was asked for alone.
    public var focus: Focus

    public init(
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

    /// Those that the numbers are of.
    public var shownPhones: Int { focus.phone == nil ? scenario.phones : 1 }

    public var verdict: Verdict {
        let isKept = strategies.allSatisfy { strategy in strategy.outcomes.allSatisfy { $0.verdict == .pass } }
        let isSound = strategies.allSatisfy { $0.stops.isEmpty } && vacuous.isEmpty && isComplete
        return isKept && isSound ? .pass : .fail
    }

    /// Why the run proves nothing, one sentence each; empty for a sound one.
    public var troubles: [String] {
        var lines = isComplete ? [] : ["stopped before its end: the numbers cover a part of the run"]
        lines += vacuous
        lines += strategies.flatMap { strategy in strategy.stops.map { "\(strategy.name): \($0)" } }
        for strategy in strategies where strategy.measurement.unreadable > 0 {
            lines.append("\(strategy.name): \(strategy.measurement.unreadable) records could not be read")
        }
        return lines
    }

    /// Judges every expectation, and keeps the outcomes with their strategies in the order given.
    public mutating func judge(_ expectations: [Expectation]) throws(ExpectationFault) {
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

public struct ScenarioFacts: Hashable, Sendable {
    public var name: String
    public var about: String
    public var duration: TimeSpan
    public var phones: Int
    public var worldHash: String
    /// The scenario with nothing left to resolve.
    public var resolved: String
    /// What sets this run apart from others of the same matrix, such as `interval: 30s`.
    public var cell: [CellAxis]
    /// Metrics that its author wants to see.
    public var columns: [String]

    public init(
        name: String, about: String, duration: TimeSpan, phones: Int, worldHash: String, resolved: String,
        cell: [CellAxis] = [], columns: [String] = []
    ) {
        self.name = name
        self.about = about
        self.duration = duration
        self.phones = phones
        self.worldHash = worldHash
        self.resolved = resolved
        self.cell = cell
        self.columns = columns
    }
}

public struct CellAxis: Hashable, Sendable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// What the numbers stand on. Energy is read as truth, so no report leaves this out.
public struct ModelNotes: Hashable, Sendable {
    public var radios: [RadioNote]
    /// Of the first group of a population that has one; nil: the scenario names no operating system.
    public var platform: ModelNote?
    /// Who the phones are, where they differ: one phrase for each group.
    public var population: [String]
    /// What the model leaves out, one sentence each.
    public var limits: [String]

    public init(radios: [RadioNote], platform: ModelNote? = nil, population: [String] = [], limits: [String]) {
        self.radios = radios
        self.platform = platform
        self.population = population
        self.limits = limits
    }
}

/// A profile or a platform: where its numbers come from, and which of them nobody measured.
public struct ModelNote: Hashable, Sendable {
    public var name: String
    /// Citations, each once.
    public var sources: [String]
    /// One phrase each.
    public var assumed: [String]

    public init(name: String, sources: [String], assumed: [String]) {
        self.name = name
        self.sources = sources
        self.assumed = assumed
    }
}

public struct RadioNote: Hashable, Sendable {
    public var interface: Interface
    public var profile: ModelNote

    public init(interface: Interface, profile: ModelNote) {
        self.interface = interface
        self.profile = profile
    }
}

public struct StrategyReport: Sendable {
    public var name: String
    public var hash: String
    /// Of every record of every replica.
    public var digest: String
    public var measurement: Measurement
    public var outcomes: [Outcome]
    /// Why phones were stopped before the horizon, one sentence each.
    public var stops: [String]
    /// Of each group of the population that is told apart, in the order of its phones.
    public var groups: [GroupReport] = []
    /// By the name of a metric whose figure is one sample: where that lies. Empty where nobody looked for them.
    public var witnesses: [String: Witness] = [:]

    public init(
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

/// What the phones of one group of a population came to.
public struct GroupReport: Sendable {
    public var name: String
    public var phones: Int
    /// What they run whatever is compared; nil: what is compared.
    public var strategy: String?
    public var measurement: Measurement

    public init(name: String, phones: Int, strategy: String? = nil, measurement: Measurement) {
        self.name = name
        self.phones = phones
        self.strategy = strategy
        self.measurement = measurement
    }
}
