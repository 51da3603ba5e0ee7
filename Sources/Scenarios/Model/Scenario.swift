public import DeadzoneClient
public import DeadzoneDevice
public import DeadzonePrimitives
import DeadzoneServer
public import DeadzoneSettings
import DeadzoneTransport
public import DeadzoneWorld

/// A scenario that was read without a fault: one cell of its matrix. What exists here can run.
public struct Scenario: Sendable {
    public var name: String
    public var about: String
    /// What tells this cell from the others: axis and value, in the order of the file. Empty without a matrix.
    public var labels: [(axis: String, value: String)]
    public var replicas: Int
    /// What the file asks for; a flag of the command wins over it.
    public var seed: UInt64?
    public var world: World
    public var phone: PhoneSheet
    /// Different people; empty: all are alike.
    public var population: [Group] = []
    /// In the order of the file.
    public var strategies: [Contender]
    public var expectations: [Demand]
    /// The metrics that a table of the matrix shows; empty: those of the expectations.
    public var columns: [String]
    public var conditions: [Condition]
    /// The whole scenario with its defaults filled in, keys sorted: reads back as the same scenario.
    public var resolved: String
    /// Of phone, timeline, traffic, server and profiles; not of names, strategies or expectations.
    public var worldHash: Fingerprint

    public struct Group: Sendable {
        public let name: String
        public let phones: Int
        public let phone: PhoneSheet
        /// What it runs whatever is compared; nil: what is compared.
        public var strategy: Contender?
    }

    /// What the run is called where every group has a strategy of its own, so that nothing is compared.
    public static let fleet = "fleet"

    /// So many groups are told apart in numbers.
    public static let toldApart = 2...16

    /// Those that are, in the order of their phones.
    public var groupsToldApart: [String] {
        Self.toldApart.contains(population.count) ? population.map(\.name) : []
    }

    /// By group: what it runs whatever is compared. Empty: all phones run what is compared.
    public var ownStrategies: [AnyStrategy?] {
        population.contains { $0.strategy != nil } ? population.map { $0.strategy?.strategy } : []
    }
}

/// What of the phone is not the engine's business.
public struct PhoneSheet: Sendable {
    public var battery: Battery?
    public var tailAttribution: TailAttribution
    public var wifi: ProfileSheet?
    public var cellular: ProfileSheet?
    /// What else the cellular radio can be.
    public var cellularAlternates: [ProfileSheet]
}

/// A strategy with its settings, under the name that the scenario gives it.
public struct Contender: Sendable {
    public var name: String
    public var strategy: AnyStrategy
    /// Of the strategy's own name and all its settings, so not of the name given to it.
    public var hash: Fingerprint
}

/// A bound that one metric of one strategy has to keep.
public struct Demand: Hashable, Sendable {
    public var strategy: String
    /// The phones of one group under it; nil: all phones.
    public var group: String?
    public var metric: String
    /// As it was written: `under 15s`.
    public var bound: String
    public var mark: Mark
}

/// One entry of the timeline, or a rule of the server, so that it can be checked afterwards whether it took effect.
public struct Condition: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        case timeline
        /// `slow-consumers`.
        case server
    }

    public var place = Place.timeline
    /// As it was written.
    public var text: String
    public var mark: Mark
    /// Its changes, by index into `World.timeline`.
    public var changes: [Int]
}
