/// The list of metrics that the terminal shows by default, in groups. All others are in the JSON.
enum Headlines {
    /// The condition under which the terminal shows a group of metrics. A group without traffic is hidden instead of
    /// showing zeros.
    enum RowCondition {
        /// Shown if the metric is measured and not zero in some strategy.
        case isNonzero(String)
        /// Shown if the metric was measured in some strategy, even if it is zero.
        case isMeasured(String)
        /// Shown without condition, since it was requested.
        case always

        func holds(_ measurements: [Measurement]) -> Bool {
            switch self {
            case .always: true
            case .isNonzero(let name): measurements.contains { $0.figure(name)?.isNonzero ?? false }
            case .isMeasured(let name): measurements.contains { $0.figure(name) ?? .nothing != .nothing }
            }
        }
    }

    struct HeadlineGroup {
        let title: String
        let condition: RowCondition
        let metrics: [String]
        /// Shown only if at least one strategy has a value other than zero.
        var rare: [String] = []
        /// Rows of the full table only.
        var details: Set<String> = []
        /// Rows that the short table shows only if at least one strategy has a value other than zero.
        var quiet: Set<String> = []
        /// Rows that the short table shows in place of another row that is zero for all strategies.
        var substitutes: [String: String] = [:]

        func rows(_ measurements: [Measurement], isFull: Bool) -> [Metric] {
            guard condition.holds(measurements) else { return [] }
            let steady = metrics.filter { name in
                let isQuiet = quiet.contains(name) && !isFull
                return (isQuiet ? RowCondition.isNonzero(name) : .isMeasured(name)).holds(measurements)
            }
            let some = rare.filter { RowCondition.isNonzero($0).holds(measurements) }
            func isShown(_ name: String) -> Bool {
                if isFull || !details.contains(name) { return true }
                return substitutes[name].map { !RowCondition.isNonzero($0).holds(measurements) } ?? false
            }
            return (steady + some).filter(isShown).compactMap(Catalogue.metric(named:))
        }
    }

    /// All metrics that a table of a run can show by default.
    static let names: Set<String> = Set(groups.flatMap { $0.metrics + $0.rare })

    static let groups = [
        HeadlineGroup(
            title: "Battery", condition: .isNonzero("battery.joules"),
            metrics: [
                "battery.joules", "battery.above_idle_joules", "battery.joules_per_hour", "battery.joules_per_day",
                "battery.percent_per_hour", "battery.percent_per_day", "battery.charge_per_hour",
                "battery.charge_per_day", "battery.radio_active_ratio", "battery.promotions",
            ],
            details: [
                "battery.joules_per_hour", "battery.joules_per_day", "battery.percent_per_hour",
                "battery.percent_per_day", "battery.charge_per_hour", "battery.charge_per_day",
                "battery.radio_active_ratio", "battery.promotions",
            ]),
        HeadlineGroup(
            title: "Processor and app", condition: .isMeasured("cpu.wakes"),
            metrics: ["cpu.wakes", "cpu.awake_s", "cpu.windows", "app.suspended_s"],
            rare: [
                "app.kills", "app.crashes", "app.abandoned_consumers", "timer.late.p95", "timer.late.max", "push.woken",
                "push.latency.p95",
            ],
            details: ["cpu.awake_s", "cpu.windows", "timer.late.max"]),
        HeadlineGroup(
            title: "Latency to the app", condition: .isNonzero("delivery.down.sent"),
            metrics: ["latency.down.p50", "latency.down.p95", "latency.down.max"], details: ["latency.down.max"]),
        HeadlineGroup(
            title: "Opening the app", condition: .isNonzero("freshness.max"),
            metrics: ["freshness.p50", "freshness.p95", "freshness.max"], details: ["freshness.p50", "freshness.max"]),
        HeadlineGroup(
            title: "Latency to the server and back", condition: .isNonzero("delivery.up.sent"),
            metrics: ["latency.up.p50", "latency.up.p95", "latency.up.max"], details: ["latency.up.max"]),
        HeadlineGroup(
            title: "Latency of probes", condition: .isNonzero("latency.probe.p50"),
            metrics: [
                "latency.probe.p5", "latency.probe.p25", "latency.probe.p50", "latency.probe.p75", "latency.probe.p95",
                "latency.probe.max",
            ]),
        HeadlineGroup(
            title: "Delivery to the app", condition: .isNonzero("delivery.down.sent"),
            metrics: ["delivery.down.sent", "delivery.down.lost", "delivery.down.pending"],
            details: ["delivery.down.sent"], quiet: ["delivery.down.pending"]),
        HeadlineGroup(
            title: "Delivery to the server", condition: .isNonzero("delivery.up.sent"),
            metrics: ["delivery.up.sent", "delivery.up.lost", "delivery.up.pending"],
            details: ["delivery.up.sent"], quiet: ["delivery.up.pending"]),
        HeadlineGroup(
            title: "Calls", condition: .isNonzero("calls.sent"),
            metrics: [
                "calls.sent", "calls.success_ratio", "latency.call.p50", "latency.call.p95", "latency.call.max",
                "outage.calls.max_s",
            ],
            rare: ["calls.deadline_exceeded", "calls.unavailable", "calls.pending"],
            details: ["calls.sent", "latency.call.max"]),
        HeadlineGroup(
            title: "Connection", condition: .isNonzero("connection.attempts"),
            metrics: [
                "availability.ratio", "zombie.max", "zombie.total", "detection.p95", "recovery.p95",
                "connection.handshakes", "connection.false_drops", "keepalive.pings",
            ],
            rare: [
                "zombie.frozen.max", "zombie.frozen.total", "blocked.total", "connection.goaways", "middlebox.expired",
                "server.expired", "dns.failed",
            ],
            details: ["zombie.total", "detection.p95", "zombie.frozen.total", "blocked.total"],
            quiet: ["connection.false_drops"], substitutes: ["blocked.total": "zombie.max"]),
        HeadlineGroup(
            title: "Data", condition: .isNonzero("bytes.per_month"),
            metrics: ["bytes.per_month", "bytes.overhead_ratio"], details: ["bytes.overhead_ratio"]),
    ]
}

extension Figure {
    package var isNonzero: Bool { self != .nothing && self != .value(.zero) }
}

extension RunReport {
    /// All rows of its tables, by group: the headlines, and each metric that its scenario names as a column or in an
    /// expectation.
    package var groups: [(title: String, metrics: [Metric])] { groups(isFull: true) }

    /// - Parameter isFull: `false` leaves out the rows that most readers do not need.
    package func groups(isFull: Bool) -> [(title: String, metrics: [Metric])] {
        let measurements = strategies.map(\.measurement)
        var groups = Headlines.groups.map { (title: $0.title, metrics: $0.rows(measurements, isFull: isFull)) }
        let shown = Set(groups.flatMap { $0.metrics.map(\.name) })
        var asked: [String] = []
        for name in scenario.columns + strategies.flatMap({ $0.outcomes.map(\.expectation.metric) })
        where !shown.contains(name) && !asked.contains(name) {
            asked.append(name)
        }
        let rest = Headlines.HeadlineGroup(title: "Expected by the scenario", condition: .always, metrics: asked)
        groups.append((rest.title, rest.rows(measurements, isFull: isFull)))
        return groups.filter { !$0.metrics.isEmpty }
    }
}

extension RunReport {
    /// Metrics that a table of population groups shows by default.
    private static let asked = [
        "battery.joules", "latency.down.p95", "latency.up.p95", "latency.call.p95", "calls.success_ratio",
        "delivery.down.lost", "delivery.up.lost", "recovery.p95",
    ]

    /// Metrics for a table of population groups: the default ones and those that the scenario names. Empty if no groups
    /// are reported.
    /// - Parameter isFull: Includes all metrics of the table of all phones.
    package func metricsOfGroups(isFull: Bool) -> [Metric] {
        let measurements = strategies.flatMap { $0.groups.map(\.measurement) }
        let named = Set(scenario.columns + strategies.flatMap { $0.outcomes.map(\.expectation.metric) })
        return groups.flatMap(\.metrics).filter { metric in
            (isFull || Self.asked.contains(metric.name) || named.contains(metric.name))
                && measurements.contains { $0.figure(metric.name)?.isNonzero ?? false }
        }
    }
}

extension GroupReport {
    /// For example `old, always ably: 18 phones`.
    package var title: String {
        name + (strategy.map { ", always \($0)" } ?? "") + ": \(phones) \(phones == 1 ? "phone" : "phones")"
    }
}
