package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneDevice
package import DeadzoneSimulator
import DeadzoneTransport

/// A complete scenario, read without errors and ready to run. A file with a matrix gives one scenario for each cell.
package struct Scenario: Sendable {
    package var name: String
    package var about: String
    /// The axis values of this cell, in file order. Empty without a matrix.
    package var labels: [(axis: String, value: String)]
    package var replicas: Int
    /// The seed of the file. A command-line flag overrides it.
    package var seed: UInt64?
    package var sharedWorld: SharedWorld
    package var phone: PhoneSettings
    /// Groups of phones with different settings; empty if all phones are alike.
    package var population: [ScenarioGroup] = []
    /// The compared strategies, in file order.
    package var strategies: [NamedStrategy]
    /// Names of the strategies that the command line added. They are among `strategies`.
    package var addedStrategies: [String] = []
    /// The strategy, preset or preset file of an added strategy, by the name in `addedStrategies`. The strategies of an
    /// added scenario file have none.
    package var addedSources: [String: String] = [:]
    /// Those of them that the scenario's own strategies made change their names.
    package var renamedStrategies: [RenamedStrategy] = []
    package var expectations: [ExpectedBound]
    /// Share of the networks on which the expectations must hold, in parts per million. `nil` means all of them.
    package var acrossShare: Int64?
    /// The metrics in the table of a matrix. If empty, the table shows the metrics of the expectations.
    package var columns: [String]
    package var conditions: [DeclaredCondition]
    /// All settings of the scenario. Missing settings have their defaults, and keys are sorted.
    package var resolvedSettings: Node
    /// Hash of the simulated environment (world): phone, links, timeline, traffic, server, profiles, and the own
    /// strategies of groups. It does not cover names, compared strategies and expectations.
    package var worldHash: Fingerprint
    /// Time of day at the start; `nil` if the scenario does not say it. It changes no result.
    package var startOfDay: TimeSpan?

    package struct ScenarioGroup: Sendable {
        package let name: String
        package let phones: Int
        package let phone: PhoneSettings
        /// The group's own strategy; `nil` if the group runs the compared strategies.
        package var strategy: NamedStrategy?
    }

    /// Name of the run if every group has its own strategy, so that nothing is compared.
    package static let fleet = "fleet"

    /// Numbers of groups for which results are reported by group.
    package static let reportedGroupCounts = 2...16

    /// Names of the groups with results of their own, in the order of their phones.
    package var reportedGroups: [String] {
        Self.reportedGroupCounts.contains(population.count) ? population.map(\.name) : []
    }

    /// The own strategy of each group; `nil` for groups that run the compared strategies. Empty if no group has its own
    /// strategy.
    package var groupStrategies: [AnyStrategy?] {
        population.contains { $0.strategy != nil } ? population.map { $0.strategy?.strategy } : []
    }
}

extension Scenario {
    package var world: World {
        _read { yield sharedWorld.world }
        _modify { yield &sharedWorld.world }
    }

    /// The text of `resolvedSettings`. It reads back as the same scenario.
    package var resolved: String { blockText(resolvedSettings) }

    /// Time for which the timeline puts the app into the background. `nil` if a move of the app is random.
    package var timeInBackground: TimeSpan? {
        var (sum, since) = (TimeSpan.zero, Instant?.none)
        for entry in world.timeline {
            guard case .app(let isForeground) = entry.change else { continue }
            guard entry.occurrence == nil else { return nil }
            if isForeground, let begin = since {
                sum = sum + (entry.at - begin)
                since = nil
            } else if !isForeground {
                since = since ?? entry.at
            }
        }
        return since.map { sum + (world.horizon - $0) } ?? sum
    }
}

/// Phone settings that only the energy computation needs, not the simulation itself: battery and radio profiles.
package struct PhoneSettings: Sendable {
    package var battery: Battery?
    package var wifi: ProfileSource?
    package var cellular: ProfileSource?
    /// Further technologies of the cellular radio.
    package var cellularAlternates: [ProfileSource]
    /// The radios beside Wi-Fi and the first cellular one.
    package var further: [(interface: Interface, profile: ProfileSource)] = []

    /// All radios with the sources of their profiles, in the order in which pages list them.
    package var radios: [(interface: Interface, profile: ProfileSource)] {
        [wifi].compactMap(\.self).map { (.wifi, $0) }
            + ([cellular].compactMap(\.self) + cellularAlternates).map { (.cellular, $0) } + further
    }
}

/// A client strategy with its settings, under the name that the scenario gives it.
package struct NamedStrategy: Sendable {
    package var name: String
    package var strategy: AnyStrategy
    /// Hash of the strategy and all its settings. It does not cover the name in the scenario.
    package var hash: Fingerprint
    /// Position of the strategy's name in the scenario. `nil` if it is written elsewhere.
    package var mark: SourceMark?
    /// The settings as the file writes them, with presets expanded and without defaults. Empty for the own strategy of
    /// a group.
    package var settings = Node(.map([]))
}

/// A bound that a scenario expects one metric of one strategy to keep, as written in `expect`.
package struct ExpectedBound: Hashable, Sendable {
    package var strategy: String
    /// The group of phones; `nil` for all phones.
    package var group: String?
    package var metric: String
    /// The bound as written: `under 15s`.
    package var bound: String
    package var mark: SourceMark
    var parsed = ParsedBound()
}

/// A timeline entry or server rule of a scenario, recorded to check after the run whether it took effect.
package struct DeclaredCondition: Hashable, Sendable {
    package enum ConditionOrigin: Hashable, Sendable {
        case timeline
        /// `slow-consumers`.
        case server
    }

    package var origin = ConditionOrigin.timeline
    /// The entry as written.
    package var text: String
    package var mark: SourceMark
    /// The changes that the entry or rule causes, as indices into `World.timeline`.
    package var changes: [Int]
    /// For each keyword of the entry (`handoff`, `dead-zone`), the first change of each occurrence.
    package var starts: [String: [Int]] = [:]
    /// For each keyword of the entry, all changes that it causes.
    package var parts: [String: [Int]] = [:]
}

extension Scenario {
    /// The keywords of a timeline entry: `handoff`, `dead-zone`.
    package static let timelineWords = TimelineKeyword.all.map(\.word)

    /// The changes that begin an occurrence of a timeline keyword, as indices into `World.timeline`.
    package func starts(of word: String) -> [Int] { conditions.flatMap { $0.starts[word] ?? [] } }
}
