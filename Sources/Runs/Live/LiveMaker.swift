public import DeadzoneClient
public import DeadzoneCompare
import DeadzoneDevice
public import DeadzoneJournal
public import DeadzoneLive
import DeadzoneMetrics
import DeadzonePrimitives
public import DeadzoneScenarios
import DeadzoneWorld

/// From what real programs did to a report: the folds and bounds of simulated runs, over what could be seen.
public struct LiveMaker {
    let scenario: Scenario
    let seed: UInt64
    let name: String
    /// What the client is to be like; nil: nobody said.
    let preset: AnyStrategy?
    private(set) var courses: [LiveCourse] = []
    private var folds: [RunFold] = []

    public init(_ scenario: Scenario, seed: UInt64, name: String, like preset: AnyStrategy?) {
        self.scenario = scenario
        self.seed = seed
        self.name = name
        self.preset = preset
    }

    public typealias Run = (course: LiveCourse, records: [Record])

    public mutating func add(_ run: Run) {
        var fold = RunFold()
        run.records.withUnsafeBufferPointer { fold.record($0) }
        folds.append(fold)
        courses.append(run.course)
    }

    public func report(_ unenacted: [Unenacted], by crew: Crew) throws -> LiveReport {
        let measurement = Measurement(of: folds, prices: scenario.prices, seed: seed)
        let base = ReportMaker(scenario, [], seed: seed, by: crew)
        var report = LiveReport(
            tool: toolVersion, seed: seed, scenario: base.facts, model: base.model, name: name,
            lengths: courses.map(\.length), clientCodes: courses.map(\.clientCode), measurement: measurement,
            seen: seen(measurement), packetsLate: Self.late(courses.map(\.packetsLate)),
            changesLate: Self.late(courses.map(\.changesLate)))
        report.isComplete = courses.allSatisfy(\.isComplete)
        report.unenacted = unenacted.map { ($0.what, $0.why) }
        report.notes =
            courses.flatMap(\.notes)
            + courses.filter { $0.unkept > 0 }.map {
                "\($0.unkept) packets were counted and not kept"
            }
        for (run, course) in courses.enumerated() {
            report.attempts += course.attempts.map { attempt in
                LiveReport.Attempt(
                    run: run, number: attempt.number, at: attempt.at, afterLoss: attempt.afterLoss,
                    wait: attempt.afterAttempt, didOpen: attempt.didOpen)
            }
            report.lines += course.lines.map { (run, $0.server, $0.line) }
            report.flows += course.flows.map { LiveReport.Flow($0, run: run) }
        }
        if let preset { compare(with: preset, &report, by: crew) }
        try judge(&report)
        return report
    }

    // MARK: What was seen

    private func seen(_ measurement: Measurement) -> [String] {
        let hasTCP = courses.contains { $0.flows.contains { !$0.isUDP } }
        let hasPhone = scenario.world.platform != nil
        let heard = courses.map(\.hearsMessages)
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
            if name.hasPrefix("connection.") { return hasTCP && Self.connection.contains(name) }
            if ["detection.", "recovery."].contains(where: name.hasPrefix) { return hasTCP }
            if name.hasPrefix("zombie.") { return hasTCP && !name.hasPrefix("zombie.frozen") }
            if name == "keepalive.pings" { return courses.contains { $0.flows.contains { $0.up.pings > 0 } } }
            if name.hasPrefix("latency.down.") { return hasDown }
            if name.hasPrefix("latency.up.") { return hasAcks }
            let counts = ["sent", "delivered", "lost", "pending", "duplicated"]
            if name.hasPrefix("delivery.down.") { return hasDown && counts.contains { name.hasSuffix("." + $0) } }
            if name.hasPrefix("delivery.up.") { return hasUp && counts.contains { name.hasSuffix("." + $0) } }
            return false
        }
        return Catalogue.all.filter { isSeen($0) && measurement.figure($0.name) != .nothing }.map(\.name)
    }

    /// Packets do not tell who gave up whom for nothing, or which connection an app believed in.
    private static let connection = [
        "connection.attempts", "connection.handshakes", "connection.attempts_per_hour",
        "connection.handshakes_per_hour", "connection.drops",
    ]

    private static func late(_ all: [Lateness]) -> LiveReport.Late {
        LiveReport.Late(
            count: all.reduce(0) { $0 + $1.count },
            half: all.map { $0.quantile(thousandths: 500) }.max() ?? .zero,
            most: all.map { $0.quantile(thousandths: 990) }.max() ?? .zero,
            longest: all.map(\.longest).max() ?? .zero)
    }

    // MARK: Expectations

    /// A scenario of one strategy speaks of the client, whatever it is; else the one that it is compared with.
    private func judge(_ report: inout LiveReport) throws {
        let names = Set(scenario.strategies.map(\.name))
        let own = names.contains(name) ? name : names.count == 1 ? names.first : nil
        for demand in scenario.expectations where demand.strategy == own && demand.group == nil {
            guard let metric = Catalogue.metric(named: demand.metric) else { continue }
            let threshold = try Threshold(demand.bound, in: metric.unit)
            if threshold.reference != nil {
                report.unjudged.append("\(demand.metric) \(demand.bound): only one program ran")
            } else if !report.seen.contains(demand.metric) {
                report.unjudged.append("\(demand.metric) \(demand.bound): it could not be seen")
            } else {
                let expectation = Expectation(strategy: name, metric: demand.metric, threshold: threshold)
                report.outcomes.append(try expectation.judged(by: [Subject(name): report.measurement]))
            }
        }
    }
}

extension LiveReport.Flow {
    fileprivate init(_ flow: LiveFlow, run: Int) {
        self.init(
            run: run, name: "\(flow.isUDP ? "udp" : "tcp") \(flow.serverPort)", beganAt: flow.beganAt,
            openedAt: flow.openedAt, endedAt: flow.endedAt, ending: flow.ending?.name, up: Half(flow.up),
            down: Half(flow.down), longestSilence: flow.longestSilence, resets: flow.resets)
    }
}

extension LiveReport.Flow.Half {
    fileprivate init(_ half: LiveFlow.Half) {
        self.init(
            packets: half.packets, bytes: half.bytes, repeats: half.repeats, lost: half.lost, pings: half.pings)
    }
}
