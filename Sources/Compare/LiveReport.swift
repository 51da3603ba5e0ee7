public import DeadzoneFit
public import DeadzoneMetrics
public import DeadzonePrimitives

/// The result of a live run with real client programs, as the output formats need it. It runs in real time, so it is
/// not reproducible and has no digest. It is compared only with the simulation of the same scenario.
public struct LiveReport: Sendable {
    /// The number of observations of a real client that lie within the bounds of a preset.
    public struct PresetCheck: Hashable, Sendable {
        public var name: String
        public var inside: Int
        public var of: Int
        /// The permitted difference and its reason, in words.
        public var tolerance: String

        public init(name: String, inside: Int, of: Int, tolerance: String) {
            self.name = name
            self.inside = inside
            self.of = of
            self.tolerance = tolerance
        }
    }

    public struct ObservedAttempt: Hashable, Sendable {
        public var run: Int
        /// Number of the attempt since the last opened connection, from 0.
        public var number: Int
        public var at: Instant
        public var afterLoss: TimeSpan?
        /// Time since the previous attempt, if that failed.
        public var wait: TimeSpan?
        /// The preset's bounds for the wait. `nil` if it has none.
        public var bounds: ClosedRange<TimeSpan>?
        public var isInside: Bool?
        public var didOpen: Bool

        public init(
            run: Int, number: Int, at: Instant, afterLoss: TimeSpan?, wait: TimeSpan?,
            bounds: ClosedRange<TimeSpan>? = nil, isInside: Bool? = nil, didOpen: Bool
        ) {
            self.run = run
            self.number = number
            self.at = at
            self.afterLoss = afterLoss
            self.wait = wait
            self.bounds = bounds
            self.isInside = isInside
            self.didOpen = didOpen
        }
    }

    /// A TCP or UDP conversation of a live run (flow), reconstructed from its packets.
    public struct ObservedFlow: Hashable, Sendable {
        public var run: Int
        /// For example `tcp 8080`.
        public var name: String
        public var beganAt: Instant
        public var openedAt: Instant?
        public var endedAt: Instant?
        public var ending: String?
        public var up: DirectionTotals
        public var down: DirectionTotals
        public var longestSilence: TimeSpan
        public var resets: Int

        public struct DirectionTotals: Hashable, Sendable {
            public var packets: Int
            public var bytes: Int64
            public var repeats: Int
            public var lost: Int
            public var pings: Int

            public init(packets: Int, bytes: Int64, repeats: Int, lost: Int, pings: Int) {
                self.packets = packets
                self.bytes = bytes
                self.repeats = repeats
                self.lost = lost
                self.pings = pings
            }
        }

        public init(
            run: Int, name: String, beganAt: Instant, openedAt: Instant?, endedAt: Instant?, ending: String?,
            up: DirectionTotals, down: DirectionTotals, longestSilence: TimeSpan, resets: Int
        ) {
            self.run = run
            self.name = name
            self.beganAt = beganAt
            self.openedAt = openedAt
            self.endedAt = endedAt
            self.ending = ending
            self.up = up
            self.down = down
            self.longestSilence = longestSilence
            self.resets = resets
        }
    }

    /// The delay with which a live run performed its scheduled actions. It contains the median (`half`), the 99th
    /// percentile (`most`) and the maximum. Each is that of the worst run.
    public struct LatenessSummary: Hashable, Sendable {
        public var count: Int
        public var half: TimeSpan
        public var most: TimeSpan
        public var longest: TimeSpan

        public init(count: Int, half: TimeSpan, most: TimeSpan, longest: TimeSpan) {
            self.count = count
            self.half = half
            self.most = most
            self.longest = longest
        }
    }

    public var tool: String
    public var seed: UInt64
    public var scenario: ScenarioFacts
    public var model: ModelNotes
    /// Name of the client.
    public var name: String
    public var lengths: [TimeSpan]
    /// Exit code of the client in each run. `nil` if it was still running at the end.
    public var clientCodes: [Int32?]
    public var measurement: Measurement
    /// Metrics that packets and programs made measurable, in the order of the catalogue.
    public var measuredMetrics: [String]
    /// The simulated twin, if there is one to compare with.
    public var twin: (name: String, measurement: Measurement)?
    public var attempts: [ObservedAttempt] = []
    public var presetChecks: [PresetCheck] = []
    public var flows: [ObservedFlow] = []
    /// Attempts, connections and pings, for `fit`.
    public var lines: [(run: Int, server: String, line: Recording.RecordedConnection)] = []
    public var outcomes: [Outcome] = []
    /// Expectations that cannot be judged, with the reason.
    public var unjudged: [String] = []
    /// Parts of the scenario that were not enacted, with the reason.
    public var unsupported: [(what: String, why: String)] = []
    public var notes: [String] = []
    /// Reasons why the run proves nothing: a client or a server program that failed.
    public var troubles: [String] = []
    public var packetsLate: LatenessSummary
    public var changesLate: LatenessSummary
    public var isComplete = true

    public init(
        tool: String, seed: UInt64, scenario: ScenarioFacts, model: ModelNotes, name: String, lengths: [TimeSpan],
        clientCodes: [Int32?], measurement: Measurement, measuredMetrics: [String], packetsLate: LatenessSummary,
        changesLate: LatenessSummary
    ) {
        self.tool = tool
        self.seed = seed
        self.scenario = scenario
        self.model = model
        self.name = name
        self.lengths = lengths
        self.clientCodes = clientCodes
        self.measurement = measurement
        self.measuredMetrics = measuredMetrics
        self.packetsLate = packetsLate
        self.changesLate = changesLate
    }

    /// The results as a run report, with the simulated twin as a second strategy, for code that draws runs. It has no
    /// digest.
    public var asRun: RunReport {
        var all = [StrategyReport(name: name, hash: "", digest: "", measurement: measurement, outcomes: outcomes)]
        if let twin {
            all.append(
                StrategyReport(
                    name: twin.name + " (simulated)", hash: "", digest: "", measurement: twin.measurement, outcomes: [])
            )
        }
        return RunReport(
            tool: tool, seed: seed, replicas: lengths.count, scenario: scenario, model: model, strategies: all,
            isComplete: isComplete)
    }

    public var verdict: Verdict {
        isComplete && troubles.isEmpty && outcomes.allSatisfy { $0.verdict == .pass }
            && presetChecks.allSatisfy { $0.inside == $0.of }
            ? .pass : .fail
    }
}
