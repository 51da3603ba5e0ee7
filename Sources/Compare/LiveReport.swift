public import DeadzoneFit
public import DeadzoneMetrics
public import DeadzonePrimitives

/// What real programs did in a scenario. Time was real: it has no digest, and nothing is ever compared with it but its own
/// simulated twin.
public struct LiveReport: Sendable {
    /// What is in the bounds that a preset gives it, or not.
    public struct Law: Hashable, Sendable {
        public var name: String
        public var inside: Int
        public var of: Int
        /// In words: what may differ, and why.
        public var tolerance: String

        public init(name: String, inside: Int, of: Int, tolerance: String) {
            self.name = name
            self.inside = inside
            self.of = of
            self.tolerance = tolerance
        }
    }

    public struct Attempt: Hashable, Sendable {
        public var run: Int
        /// Since the last connection that opened.
        public var number: Int
        public var at: Instant
        public var afterLoss: TimeSpan?
        /// Since the attempt before it, where that failed.
        public var wait: TimeSpan?
        /// What the preset says of that; nil: nothing.
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

    /// A conversation, as packets showed it.
    public struct Flow: Hashable, Sendable {
        public var run: Int
        /// `tcp 8080`
        public var name: String
        public var beganAt: Instant
        public var openedAt: Instant?
        public var endedAt: Instant?
        public var ending: String?
        public var up: Half
        public var down: Half
        public var longestSilence: TimeSpan
        public var resets: Int

        public struct Half: Hashable, Sendable {
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
            up: Half, down: Half, longestSilence: TimeSpan, resets: Int
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

    /// How late the machine was, against the world's own moments.
    public struct Late: Hashable, Sendable {
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
    /// Of the client.
    public var name: String
    public var lengths: [TimeSpan]
    /// Of every run, in order; nil: the client was still there at the end.
    public var clientCodes: [Int32?]
    public var measurement: Measurement
    /// The metrics that packets and programs have shown, in the order of the catalogue.
    public var seen: [String]
    /// The simulated one, where there is one to compare with.
    public var twin: (name: String, measurement: Measurement)?
    public var attempts: [Attempt] = []
    public var laws: [Law] = []
    public var flows: [Flow] = []
    /// For `fit`: attempts, connections and pings.
    public var lines: [(run: Int, server: String, line: Recording.Line)] = []
    public var outcomes: [Outcome] = []
    /// Expectations that nobody can judge, and why.
    public var unjudged: [String] = []
    /// What of the scenario was not done, and why.
    public var unenacted: [(what: String, why: String)] = []
    public var notes: [String] = []
    public var packetsLate: Late
    public var changesLate: Late
    public var isComplete = true

    public init(
        tool: String, seed: UInt64, scenario: ScenarioFacts, model: ModelNotes, name: String, lengths: [TimeSpan],
        clientCodes: [Int32?], measurement: Measurement, seen: [String], packetsLate: Late, changesLate: Late
    ) {
        self.tool = tool
        self.seed = seed
        self.scenario = scenario
        self.model = model
        self.name = name
        self.lengths = lengths
        self.clientCodes = clientCodes
        self.measurement = measurement
        self.seen = seen
        self.packetsLate = packetsLate
        self.changesLate = changesLate
    }

    /// Its numbers as those of a run, for whoever draws runs, and those of its twin. It has no digest.
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
        isComplete && outcomes.allSatisfy { $0.verdict == .pass } && laws.allSatisfy { $0.inside == $0.of }
            ? .pass : .fail
    }
}
