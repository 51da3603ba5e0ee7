package import DeadzoneBase

/// The answer of `hunt`: for each demand the simplest world that was found to break it, and what the search covered.
package struct HuntReport: Sendable {
    package var tool: String
    package var scenario: String
    package var worldHash: String
    package var strategy: String
    package var strategyHash: String
    /// Strategy that relative demands refer to.
    package var reference: String?
    package var seed: UInt64
    package var demands: [HuntDemand]
    package var effort: HuntEffort
    /// At most one for each demand, in the order of the demands.
    package var finds: [HuntFind] = []
    /// `false` if the search was stopped early.
    package var isComplete = true

    package init(
        tool: String, scenario: String, worldHash: String, strategy: String, strategyHash: String, reference: String?,
        seed: UInt64, demands: [HuntDemand], effort: HuntEffort
    ) {
        self.tool = tool
        self.scenario = scenario
        self.worldHash = worldHash
        self.strategy = strategy
        self.strategyHash = strategyHash
        self.reference = reference
        self.seed = seed
        self.demands = demands
        self.effort = effort
    }

    package struct HuntDemand: Hashable, Sendable {
        package let metric: String
        package let unit: Metric.Unit
        package let threshold: Threshold
        /// The bound as it stands under `expect`.
        package let bound: String
        /// `true` if only messages after the last disturbance and the grace are judged.
        package let isCalm: Bool

        package init(metric: String, unit: Metric.Unit, threshold: Threshold, bound: String, isCalm: Bool) {
            self.metric = metric
            self.unit = unit
            self.threshold = threshold
            self.bound = bound
            self.isCalm = isCalm
        }
    }

    /// Numbers of worlds.
    package struct HuntEffort: Hashable, Sendable {
        package var budget: Int
        /// Worlds that the search tried.
        package var worlds = 0
        /// Worlds that the scenario language refused.
        package var refused = 0
        /// Worlds that shrank and examined the finds.
        package var shrinkRuns = 0
        /// Situations of the client that the search saw.
        package var situations = 0
        package var grace: TimeSpan
        package var trouble: TimeSpan

        package init(budget: Int, grace: TimeSpan, trouble: TimeSpan) {
            self.budget = budget
            self.grace = grace
            self.trouble = trouble
        }
    }

    /// A world that breaks a demand.
    package struct HuntFind: Sendable {
        /// Index of the demand.
        package var demand: Int
        package var value: Figure
        /// Value of the strategy that a relative demand refers to.
        package var reference: Figure?
        /// Number of the world in which the search found it, from 1.
        package var world: Int
        /// Entries of the timeline of the world that the search found, before shrinking, with those of the start.
        package var foundEntries: Int
        package var entries: [HuntEntry]
        package var messages: [String]
        /// The scenario, ready to run.
        package var yaml: String
        package var ranges: [FreeRange] = []
        package var brokenSeeds = 0
        package var testedSeeds = 0
        /// The nearest shipped clients that keep the demand.
        package var survivors: [Survivor] = []
        /// Number of all shipped clients that keep it.
        package var survivorCount = 0
        /// Names of shipped clients in which the demand breaks too.
        package var casualties: [String] = []
        /// File in which the scenario was written.
        package var file: String?

        package init(
            demand: Int, value: Figure, reference: Figure?, world: Int, foundEntries: Int, entries: [HuntEntry],
            messages: [String], yaml: String
        ) {
            self.demand = demand
            self.value = value
            self.reference = reference
            self.world = world
            self.foundEntries = foundEntries
            self.entries = entries
            self.messages = messages
            self.yaml = yaml
        }
    }

    /// One entry of the timeline, and its meaning for the client.
    package struct HuntEntry: Hashable, Sendable {
        /// The entry as written.
        package let text: String
        /// One sentence: the notification of the app, the client's belief, and the truth.
        package let story: String

        package init(text: String, story: String) {
            self.text = text
            self.story = story
        }
    }

    /// The values that one time of the world may have without saving the client.
    package struct FreeRange: Hashable, Sendable {
        /// Such as `dead-zone of entry 1` or `wait before entry 2`.
        package let name: String
        package let value: TimeSpan
        package let from: TimeSpan
        package let to: TimeSpan
        /// `true` if the smallest or the largest value that was tried still breaks the demand.
        package let isOpenBelow: Bool
        package let isOpenAbove: Bool

        package init(
            name: String, value: TimeSpan, from: TimeSpan, to: TimeSpan, isOpenBelow: Bool, isOpenAbove: Bool
        ) {
            self.name = name
            self.value = value
            self.from = from
            self.to = to
            self.isOpenBelow = isOpenBelow
            self.isOpenAbove = isOpenAbove
        }
    }

    /// A shipped client that keeps the demand in the same world.
    package struct Survivor: Hashable, Sendable {
        package let name: String
        package let value: Figure
        /// Number of settings that differ from the client's.
        package let distance: Int
        /// Some of them, such as `keepalive.interval 30s instead of absent`.
        package let differences: [String]
        /// `true` if the transport is that of the client. Another transport is a larger change than any setting.
        package let hasSameTransport: Bool

        package init(
            name: String, value: Figure, distance: Int, differences: [String], hasSameTransport: Bool = false
        ) {
            self.name = name
            self.value = value
            self.distance = distance
            self.differences = differences
            self.hasSameTransport = hasSameTransport
        }
    }

    /// `true` if no demand was found broken.
    package var holds: Bool { finds.isEmpty }
}

/// The result of replaying a corpus: each scenario with each of its expectations.
package struct CorpusReport: Sendable {
    package struct CorpusOutcome: Sendable {
        package let file: String
        package let scenario: String
        package let strategy: String
        package let metric: String
        package let unit: Metric.Unit
        package let threshold: Threshold
        package let value: Figure
        package let isKept: Bool

        package init(
            file: String, scenario: String, strategy: String, metric: String, unit: Metric.Unit, threshold: Threshold,
            value: Figure, isKept: Bool
        ) {
            self.file = file
            self.scenario = scenario
            self.strategy = strategy
            self.metric = metric
            self.unit = unit
            self.threshold = threshold
            self.value = value
            self.isKept = isKept
        }
    }

    package var tool: String
    package var outcomes: [CorpusOutcome] = []
    /// Reasons why a run proves nothing, such as a timeline entry without effect.
    package var troubles: [String] = []
    package var isComplete = true

    package init(tool: String) { self.tool = tool }

    package var holds: Bool { troubles.isEmpty && outcomes.allSatisfy(\.isKept) }
}
