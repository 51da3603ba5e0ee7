package import DeadzoneBase
package import DeadzoneFit

/// The result of a live run with real client programs, as the output formats need it. It runs in real time, so it is
/// not reproducible and has no digest. It is compared only with the simulation of the same scenario.
package struct LiveReport: Sendable {
    /// The number of observations of a real client that lie within the bounds of a preset.
    package struct PresetCheck: Hashable, Sendable {
        package var name: String
        package var inside: Int
        package var of: Int
        /// The permitted difference and its reason, in words.
        package var tolerance: String

        package init(name: String, inside: Int, of: Int, tolerance: String) {
            self.name = name
            self.inside = inside
            self.of = of
            self.tolerance = tolerance
        }
    }

    package struct ObservedAttempt: Hashable, Sendable {
        package var run: Int
        /// Number of the attempt since the last opened connection, from 0.
        package var number: Int
        package var at: Instant
        package var afterLoss: TimeSpan?
        /// Time since the previous attempt, if that failed.
        package var wait: TimeSpan?
        /// The preset's bounds for the wait. `nil` if it has none.
        package var bounds: ClosedRange<TimeSpan>?
        package var isInside: Bool?
        package var didOpen: Bool

        package init(
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
    package struct ObservedFlow: Hashable, Sendable {
        package var run: Int
        /// For example `tcp 8080`.
        package var name: String
        package var beganAt: Instant
        package var openedAt: Instant?
        package var endedAt: Instant?
        package var ending: String?
        package var up: DirectionTotals
        package var down: DirectionTotals
        package var longestSilence: TimeSpan
        package var resets: Int

        package struct DirectionTotals: Hashable, Sendable {
            package var packets: Int
            package var bytes: Int64
            package var repeats: Int
            package var lost: Int
            package var pings: Int

            package init(packets: Int, bytes: Int64, repeats: Int, lost: Int, pings: Int) {
                self.packets = packets
                self.bytes = bytes
                self.repeats = repeats
                self.lost = lost
                self.pings = pings
            }
        }

        package init(
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
    package struct LatenessSummary: Hashable, Sendable {
        package var count: Int
        package var half: TimeSpan
        package var most: TimeSpan
        package var longest: TimeSpan

        package init(count: Int, half: TimeSpan, most: TimeSpan, longest: TimeSpan) {
            self.count = count
            self.half = half
            self.most = most
            self.longest = longest
        }
    }

    package var tool: String
    package var seed: UInt64
    package var scenario: ScenarioFacts
    package var model: ModelNotes
    /// Name of the client.
    package var name: String
    package var lengths: [TimeSpan]
    /// Exit code of the client in each run. `nil` if it was still running at the end.
    package var clientCodes: [Int32?]
    package var measurement: Measurement
    /// Metrics that packets and programs made measurable, in the order of the catalogue.
    package var measuredMetrics: [String]
    /// The simulated twin, if there is one to compare with.
    package var twin: (name: String, measurement: Measurement)?
    package var attempts: [ObservedAttempt] = []
    package var presetChecks: [PresetCheck] = []
    package var flows: [ObservedFlow] = []
    /// Attempts, connections and pings, for `fit`.
    package var lines: [(run: Int, server: String, line: Recording.RecordedConnection)] = []
    package var outcomes: [Outcome] = []
    /// Expectations that cannot be judged, with the reason.
    package var unjudged: [String] = []
    /// Parts of the scenario that were not enacted, with the reason.
    package var unsupported: [(what: String, why: String)] = []
    package var notes: [String] = []
    /// Reasons why the run proves nothing: a client or a server program that failed.
    package var troubles: [String] = []
    package var packetsLate: LatenessSummary
    package var changesLate: LatenessSummary
    package var isComplete = true

    package init(
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
    package var asRun: RunReport {
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

    /// `true` if the scenario has expectations for the client, or a preset was given, and none of them was judged. Then
    /// the run is neither a pass nor a failure.
    package var isUnjudged: Bool {
        verdict == .pass && !unjudged.isEmpty && outcomes.isEmpty && presetChecks.isEmpty
    }

    package var verdict: Verdict {
        isComplete && troubles.isEmpty && outcomes.allSatisfy { $0.verdict == .pass }
            && presetChecks.allSatisfy { $0.inside == $0.of }
            ? .pass : .fail
    }
}
