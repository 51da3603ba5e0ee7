public import DeadzoneMetrics

/// Which metrics the terminal shows: what a reader asks first. Everything else is in the JSON.
enum Headlines {
    /// A group is left out if its condition fails: no traffic, no row of zeros.
    enum Condition {
        /// The metric came to something in some strategy.
        case comesToSomething(String)
        /// There was something to measure, though it may have come to nothing.
        case isMeasured(String)
        /// Somebody asked for it.
        case always

        func holds(_ measurements: [Measurement]) -> Bool {
            switch self {
            case .always: true
            case .comesToSomething(let name): measurements.contains { $0.figure(name)?.isSomething ?? false }
            case .isMeasured(let name): measurements.contains { $0.figure(name) ?? .nothing != .nothing }
            }
        }
    }

    struct Group {
        let title: String
        let condition: Condition
        let metrics: [String]
        /// Rows that stand only where they came to something.
        var rare: [String] = []

        func rows(_ measurements: [Measurement]) -> [Metric] {
            guard condition.holds(measurements) else { return [] }
            let some = rare.filter { Condition.comesToSomething($0).holds(measurements) }
            return (metrics.filter { Condition.isMeasured($0).holds(measurements) } + some)
                .compactMap(Catalogue.metric(named:))
        }
    }

    /// Everything that any table of a run may show.
    static let names: Set<String> = Set(groups.flatMap { $0.metrics + $0.rare })

    static let groups = [
        Group(
            title: "Battery", condition: .comesToSomething("battery.joules"),
            metrics: [
                "battery.joules", "battery.above_idle_joules", "battery.percent_per_hour", "battery.radio_active_ratio",
                "battery.promotions",
            ]),
        Group(
            title: "Processor and app", condition: .isMeasured("cpu.wakes"),
            metrics: ["cpu.wakes", "cpu.awake_s", "cpu.windows", "app.suspended_s"],
            rare: ["app.kills", "app.crashes", "timer.late.p95", "timer.late.max", "push.woken", "push.latency.p95"]),
        Group(
            title: "Latency to the app", condition: .comesToSomething("delivery.down.sent"),
            metrics: ["latency.down.p50", "latency.down.p95", "latency.down.max"]),
        Group(
            title: "Latency to the server and back", condition: .comesToSomething("delivery.up.sent"),
            metrics: ["latency.up.p50", "latency.up.p95", "latency.up.max"]),
        Group(
            title: "Latency of probes", condition: .comesToSomething("latency.probe.p50"),
            metrics: [
                "latency.probe.p5", "latency.probe.p25", "latency.probe.p50", "latency.probe.p75", "latency.probe.p95",
                "latency.probe.max",
            ]),
        Group(
            title: "Delivery to the app", condition: .comesToSomething("delivery.down.sent"),
            metrics: ["delivery.down.sent", "delivery.down.lost", "delivery.down.pending"]),
        Group(
            title: "Delivery to the server", condition: .comesToSomething("delivery.up.sent"),
            metrics: ["delivery.up.sent", "delivery.up.lost", "delivery.up.pending"]),
        Group(
            title: "Calls", condition: .comesToSomething("calls.sent"),
            metrics: [
                "calls.sent", "calls.success_ratio", "latency.call.p50", "latency.call.p95", "latency.call.max",
                "outage.calls.max_s",
            ], rare: ["calls.deadline_exceeded", "calls.unavailable", "calls.pending"]),
        Group(
            title: "Connection", condition: .comesToSomething("connection.attempts"),
            metrics: [
                "availability.ratio", "zombie.max", "zombie.total", "detection.p95", "recovery.p95",
                "connection.handshakes", "connection.false_drops", "keepalive.pings",
            ],
            rare: [
                "zombie.frozen.max", "zombie.frozen.total", "connection.goaways", "middlebox.expired", "server.expired",
                "dns.failed",
            ]),
        Group(
            title: "Data", condition: .comesToSomething("bytes.per_month"),
            metrics: ["bytes.per_month", "bytes.overhead_ratio"]),
    ]
}

extension Figure {
    public var isSomething: Bool { self != .nothing && self != .value(.zero) }
}

extension RunReport {
    /// The rows of its tables: what is always shown, and what else its scenario names as a column or in an expectation.
    public var groups: [(title: String, metrics: [Metric])] {
        let measurements = strategies.map(\.measurement)
        var groups = Headlines.groups.map { (title: $0.title, metrics: $0.rows(measurements)) }
        let shown = Set(groups.flatMap { $0.metrics.map(\.name) })
        var asked: [String] = []
        for name in scenario.columns + strategies.flatMap({ $0.outcomes.map(\.expectation.metric) })
        where !shown.contains(name) && !asked.contains(name) {
            asked.append(name)
        }
        let rest = Headlines.Group(title: "Asked for by the scenario", condition: .always, metrics: asked)
        groups.append((rest.title, rest.rows(measurements)))
        return groups.filter { !$0.metrics.isEmpty }
    }
}

extension RunReport {
    /// The rows of a table of the groups of a population: what most ask first, and what its scenario names.
    private static let asked = [
        "battery.joules", "latency.down.p95", "latency.up.p95", "latency.call.p95", "calls.success_ratio",
        "delivery.down.lost", "delivery.up.lost", "recovery.p95",
    ]

    /// Empty where no groups are told apart.
    /// - Parameter isFull: all that the table of the whole has.
    public func metricsOfGroups(isFull: Bool) -> [Metric] {
        let measurements = strategies.flatMap { $0.groups.map(\.measurement) }
        let named = Set(scenario.columns + strategies.flatMap { $0.outcomes.map(\.expectation.metric) })
        return groups.flatMap(\.metrics).filter { metric in
            (isFull || Self.asked.contains(metric.name) || named.contains(metric.name))
                && measurements.contains { $0.figure(metric.name)?.isSomething ?? false }
        }
    }
}

extension GroupReport {
    /// `old, always ably: 18 phones`
    public var title: String {
        name + (strategy.map { ", always \($0)" } ?? "") + ": \(phones) \(phones == 1 ? "phone" : "phones")"
    }
}
