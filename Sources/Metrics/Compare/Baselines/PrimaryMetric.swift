/// A metric that decides a comparison. The list is fixed before any result is known, so it can be tested as one small
/// family: with eleven metrics, nine replicas can decide (2 / 2^9 × 11 = 0.043), and eight cannot (0.086).
package struct PrimaryMetric: Hashable, Sendable {
    package let name: String
    /// Differences below this value do not matter to a user, whatever share of the old number they are. In the unit of
    /// the metric; 0 if any difference matters.
    package let negligible: Billionths
    /// `true` if the metric counts what users lose. From none to some under the same seeds is a fact, not a test.
    package let isLoss: Bool

    private init(_ name: String, thousandths: Int128 = 0, isLoss: Bool = false) {
        self.name = name
        negligible = Billionths(count: thousandths * 1_000_000)
        self.isLoss = isLoss
    }

    /// In the order in which reports list them: what is lost, what is late, what it costs.
    ///
    /// The negligible differences are assumed: a tenth of the 0.1 s that people notice (Miller, "Response time in
    /// man-computer conversational transactions", 1968) for a latency, these 0.1 s for a broken connection, and 0.1 J,
    /// less than one promotion of an LTE radio with its tail.
    package static let all = [
        PrimaryMetric("delivery.down.lost", isLoss: true),
        PrimaryMetric("delivery.up.lost", isLoss: true),
        PrimaryMetric("calls.failed", isLoss: true),
        PrimaryMetric("delivery.down.pending"),
        PrimaryMetric("delivery.up.pending"),
        PrimaryMetric("latency.down.p95", thousandths: 10_000),
        PrimaryMetric("latency.up.p95", thousandths: 10_000),
        PrimaryMetric("latency.call.p95", thousandths: 10_000),
        PrimaryMetric("zombie.max", thousandths: 100),
        PrimaryMetric("recovery.p95", thousandths: 100),
        PrimaryMetric("battery.above_idle_joules", thousandths: 100),
    ]

    static func named(_ name: String) -> PrimaryMetric? { all.first { $0.name == name } }

    /// Fewest replicas that can decide about all primary metrics together. Every command that asks for more replicas
    /// names this number.
    package static let neededReplicas = fewestPairs(forTests: all.count)
}

/// Role of a metric in the verdict of a comparison.
package enum MetricFamily: String, Hashable, CaseIterable, Sendable {
    /// Decides the verdict. Tested as one family.
    case primary
    /// Exploratory. Tested as another family; never fails a comparison.
    case secondary
    /// Another metric in another unit, or its complement. Not tested: it would count one change several times.
    case copy
    /// A part of the energy, by state or by cause. Not tested.
    case part

    /// The tested metric that each copy repeats.
    static let originals = [
        "battery.joules": "battery.above_idle_joules",
        "battery.joules_per_hour": "battery.above_idle_joules",
        "battery.joules_per_day": "battery.above_idle_joules",
        "battery.percent_per_hour": "battery.above_idle_joules",
        "battery.percent_per_day": "battery.above_idle_joules",
        "battery.percent": "battery.above_idle_joules",
        "battery.milliampere_hours": "battery.above_idle_joules",
        "battery.charge_per_hour": "battery.above_idle_joules",
        "battery.charge_per_day": "battery.above_idle_joules",
        "delivery.down.delivered": "delivery.down.lost",
        "delivery.up.delivered": "delivery.up.lost",
        "calls.ok": "calls.failed",
        "calls.success_ratio": "calls.failed",
        "connection.attempts_per_hour": "connection.attempts",
        "connection.handshakes_per_hour": "connection.handshakes",
        "herd.attempts": "connection.attempts",
        "server.requests_per_s": "server.requests",
        "bytes.per_month": "bytes.down",
    ]

    /// - Parameter measured: Names of the metrics that both sides measured. If an old baseline lacks the energy above
    ///   idle, the total energy takes its place.
    static func of(_ metric: Metric, among measured: Set<String>) -> MetricFamily {
        if PrimaryMetric.named(metric.name) != nil { return .primary }
        if metric.name == "battery.joules", !measured.contains("battery.above_idle_joules") { return .primary }
        if let original = originals[metric.name], measured.contains(original) { return .copy }
        return metric.isPartOfEnergy ? .part : .secondary
    }
}

/// Fewest unequal pairs for which the adjusted p-value of this number of tests can fall below the level. The p-value of
/// n pairs is never below 2 / 2^n.
func fewestPairs(forTests tests: Int) -> Int {
    var count = 1
    while 2 / Double(UInt64(1) << UInt64(count)) * Double(max(1, tests)) >= MetricChange.level { count += 1 }
    return count
}
