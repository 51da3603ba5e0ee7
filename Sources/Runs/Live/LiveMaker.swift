package import DeadzoneBase
package import DeadzoneClient
import DeadzoneDevice
package import DeadzoneLive
package import DeadzoneMetrics
package import DeadzoneScenarios
import DeadzoneSimulator

/// Builds a report from live runs of real programs. It uses the metrics and bounds of simulated runs, as far as packets
/// reveal them.
package struct LiveMaker {
    let scenario: Scenario
    let seed: UInt64
    let name: String
    /// The preset that the client should behave like; `nil` if none was given.
    let preset: AnyStrategy?
    package private(set) var outcomes: [LiveOutcome] = []
    private var folds: [RunFold] = []

    package init(_ scenario: Scenario, seed: UInt64, name: String, like preset: AnyStrategy?) {
        self.scenario = scenario
        self.seed = seed
        self.name = name
        self.preset = preset
    }

    package typealias FinishedLiveRun = (outcome: LiveOutcome, records: [Record])

    package mutating func add(_ run: FinishedLiveRun) {
        var fold = RunFold()
        run.records.withUnsafeBufferPointer { fold.record($0) }
        folds.append(fold)
        outcomes.append(run.outcome)
    }

    package func report(_ unenacted: [UnsupportedCondition], by executor: ParallelExecutor) throws -> LiveReport {
        let measurement = Measurement(of: folds, prices: scenario.prices, seed: seed)
        let base = ReportMaker(scenario, [], seed: seed, by: executor)
        var report = LiveReport(
            tool: toolVersion, seed: seed, scenario: base.facts, model: base.model, name: name,
            lengths: outcomes.map(\.length), clientCodes: outcomes.map(\.clientCode), measurement: measurement,
            measuredMetrics: seen(measurement), packetsLate: Self.latenessSummary(outcomes.map(\.packetsLate)),
            changesLate: Self.latenessSummary(outcomes.map(\.changesLate)))
        report.isComplete = outcomes.allSatisfy(\.isComplete)
        report.unsupported = unenacted.map { ($0.condition, $0.reason) }
        report.troubles = outcomes.enumerated().flatMap { run, outcome in
            outcome.troubles.map { outcomes.count > 1 ? "run \(run + 1): \($0)" : $0 }
        }
        report.notes =
            outcomes.flatMap(\.notes).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            + outcomes.filter { $0.discardedPackets > 0 }.map {
                "\($0.discardedPackets) packets were counted but not stored"
            }
        for (run, outcome) in outcomes.enumerated() {
            report.attempts += outcome.attempts.map { attempt in
                LiveReport.ObservedAttempt(
                    run: run, number: attempt.number, at: attempt.at, afterLoss: attempt.afterLoss,
                    wait: attempt.afterAttempt, didOpen: attempt.didOpen)
            }
            report.lines += outcome.connections.map { (run, $0.server, $0.line) }
            report.flows += outcome.flows.map { LiveReport.ObservedFlow($0, run: run) }
        }
        if let preset { compare(with: preset, &report, by: executor) }
        try judge(&report)
        return report
    }

    // MARK: Visible metrics

    private func seen(_ measurement: Measurement) -> [String] {
        let hasConnections = outcomes.contains { $0.flows.contains(where: \.isConnection) }
        let hasOpened = outcomes.contains { outcome in
            // A connection without an attempt was open before the run.
            outcome.flows.contains { $0.isConnection && ($0.openedAt != nil || $0.attempts == 0) }
        }
        let hasPhone = scenario.world.platform != nil
        let heard = outcomes.map(\.reportsMessages)
        let hasUp = heard.contains(where: \.up)
        let hasDown = heard.contains(where: \.down)
        let hasAcks = heard.contains(where: \.acknowledgements)
        func isSeen(_ metric: Metric) -> Bool {
            let name = metric.name
            if name.hasPrefix("battery.") || name.hasPrefix("bytes.") || name == "latency.probe" { return true }
            if name.hasPrefix("cpu.") || name.hasPrefix("push.") || name == "app.suspended_s" || name == "app.kills" {
                return hasPhone
            }
            if metric.isPartOfEnergy { return true }
            if name.hasPrefix("connection.") { return hasConnections && Self.visibleConnectionMetrics.contains(name) }
            if name.hasPrefix("recovery.") { return hasConnections }
            // Without an open connection there is none that could be dead.
            if name.hasPrefix("detection.") { return hasOpened }
            if name.hasPrefix("zombie.") { return hasOpened && !name.hasPrefix("zombie.frozen") }
            if name == "keepalive.pings" { return outcomes.contains { $0.flows.contains { $0.up.pings > 0 } } }
            if name.hasPrefix("latency.down.") { return hasDown }
            if name.hasPrefix("latency.up.") { return hasAcks }
            let counts = ["sent", "delivered", "lost", "pending", "duplicated"]
            if name.hasPrefix("delivery.down.") { return hasDown && counts.contains { name.hasSuffix("." + $0) } }
            if name.hasPrefix("delivery.up.") { return hasUp && counts.contains { name.hasSuffix("." + $0) } }
            return false
        }
        return Catalogue.all.filter { isSeen($0) && measurement.figure($0.name) != .nothing }.map(\.name)
    }

    /// The connection metrics that packets reveal. They do not show false drops, or which connection the app
    /// considered open.
    private static let visibleConnectionMetrics = [
        "connection.attempts", "connection.handshakes", "connection.attempts_per_hour",
        "connection.handshakes_per_hour", "connection.drops",
    ]

    private static func latenessSummary(_ all: [Lateness]) -> LiveReport.LatenessSummary {
        LiveReport.LatenessSummary(
            count: all.reduce(0) { $0 + $1.count },
            half: all.map { $0.quantile(thousandths: 500) }.max() ?? .zero,
            most: all.map { $0.quantile(thousandths: 990) }.max() ?? .zero,
            longest: all.map(\.longest).max() ?? .zero)
    }

    // MARK: Expectations

    /// Judges the scenario's expectations of the client's strategy. In a scenario with a single strategy, its
    /// expectations apply to any client. An expectation that cannot be judged is reported with the reason.
    private func judge(_ report: inout LiveReport) throws {
        let names = Set(scenario.strategies.map(\.name))
        let own = names.contains(name) ? name : names.count == 1 ? names.first : nil
        for expectedBound in scenario.expectations where own == nil || expectedBound.strategy == own {
            guard let metric = Catalogue.metric(named: expectedBound.metric) else { continue }
            let threshold = try Threshold(expectedBound.bound, in: metric.unit)
            if let reason = unjudgedReason(expectedBound, threshold, isOwn: own != nil, report) {
                let strategy = own == nil ? "\(expectedBound.strategy): " : ""
                report.unjudged.append("\(strategy)\(expectedBound.metric) \(expectedBound.bound): \(reason)")
            } else {
                let expectation = Expectation(strategy: name, metric: expectedBound.metric, threshold: threshold)
                report.outcomes.append(try expectation.judged(by: [Subject(name): report.measurement]))
            }
        }
        if preset != nil, report.presetChecks.isEmpty {
            report.unjudged.append("rules of the preset: the client did nothing that the preset determines")
        }
    }

    /// The reason why an expectation cannot be judged. `nil` if it can.
    private func unjudgedReason(
        _ expectedBound: ExpectedBound, _ threshold: Threshold, isOwn: Bool, _ report: LiveReport
    ) -> String? {
        if !isOwn { return "the scenario has several strategies: --strategy NAME says which expectations apply" }
        if let group = expectedBound.group { return "it is for group \(group), and only one phone ran" }
        if outcomes.allSatisfy(\.isIdle) { return "the client sent no packet" }
        if threshold.reference != nil { return "only one program ran" }
        return report.measuredMetrics.contains(expectedBound.metric) ? nil : "it could not be measured"
    }
}

extension LiveOutcome {
    /// `true` if the client sent no packet: the run says nothing about it.
    fileprivate var isIdle: Bool {
        flows.allSatisfy { $0.attempts == 0 && $0.up.packets == 0 } && packets.allSatisfy { $0.direction != .up }
    }

    /// `true` if the server program did not listen at the start and did not answer later.
    private var hasServerFailed: Bool {
        serverWasSilent && !flows.contains { $0.openedAt != nil || ($0.isUDP && $0.down.packets > 0) }
    }

    /// Failures of the programs, in words.
    fileprivate var troubles: [String] {
        var troubles: [String] = []
        if hasServerFailed {
            troubles.append(
                "the server program did not listen within \(LiveRun.maxStartTime.nanoseconds / 1_000_000_000) s and "
                    + "opened no connection")
        }
        if let code = clientCode, code != 0 {
            troubles.append(
                clientNeverStarted
                    ? "the client could not be started: \(code == 127 ? "no such program" : "it cannot be executed")"
                    : "the client \(Self.ending(code))")
        }
        return troubles + crashedServerCodes.map { "the server program \(Self.ending($0)) during the run" }
    }

    /// Describes an exit code as a shell counts it.
    private static func ending(_ code: Int32) -> String {
        code > 128 ? "was ended by signal \(code - 128)" : "exited with code \(code)"
    }
}

extension LiveReport.ObservedFlow {
    fileprivate init(_ flow: LiveFlow, run: Int) {
        self.init(
            run: run, name: "\(flow.isQUIC ? "quic" : flow.isUDP ? "udp" : "tcp") \(flow.serverPort)",
            beganAt: flow.beganAt,
            openedAt: flow.openedAt, endedAt: flow.endedAt, ending: flow.ending?.name, up: DirectionTotals(flow.up),
            down: DirectionTotals(flow.down), longestSilence: flow.longestSilence, resets: flow.resets)
    }
}

extension LiveReport.ObservedFlow.DirectionTotals {
    fileprivate init(_ half: LiveFlow.DirectionStatistics) {
        self.init(
            packets: half.packets, bytes: half.bytes, repeats: half.repeats, lost: half.lost, pings: half.pings)
    }
}
