import DeadzoneBase

/// The reason for which a bound breaks between two neighbouring trials: the cause that changes most between them.
///
/// Candidates are only quantities that the program charges to a cause: lost messages, silence, energy, and counts of
/// events such as expired mappings. The first group of candidates with a notable change decides.
package struct BoundaryReason: Hashable, Sendable {
    /// A quantity at both trials.
    package struct CauseChange: Hashable, Sendable {
        package enum CauseKind: String, Hashable, Sendable {
            case lostDown = "lost-down"
            case lostUp = "lost-up"
            case silence
            case metric
        }

        package let kind: CauseKind
        /// Name of the cause or of the metric, as in JSON.
        package let name: String
        /// A few plain words.
        package let title: String
        package let unit: Metric.Unit
        /// Value where the bound is kept.
        package let kept: Billionths
        /// Value where the bound is broken.
        package let broken: Billionths

        var size: UInt128 { (broken.count - kept.count).magnitude }
        private var largest: UInt128 { max(kept.count.magnitude, broken.count.magnitude) }

        /// `true` if at least a twentieth of the larger value changed.
        var isNotable: Bool { size > 0 && size * 20 >= largest }

        /// `true` if this quantity moved with another one, and by at least a quarter of its change.
        func explains(_ total: CauseChange) -> Bool {
            size > 0 && (kept < broken) == (total.kept < total.broken) && size * 4 >= total.size
        }

        /// `true` if a larger share of this quantity changed than of another one.
        func isSurer(than other: CauseChange) -> Bool {
            let (own, others) = (
                size.multipliedFullWidth(by: other.largest), other.size.multipliedFullWidth(by: largest)
            )
            return (own.high, own.low) > (others.high, others.low)
        }
    }

    package let change: CauseChange
    /// The events behind the cause, such as the number of expired mappings, if they changed too.
    package let events: CauseChange?

    /// - Parameter metric: The metric of the bound.
    /// - Returns: `nil` if nothing that is charged to a cause changes notably.
    package init?(kept: Measurement, broken: Measurement, metric: String) {
        let candidates = Candidates(kept: kept, broken: broken, metric: metric)
        guard let change = candidates.best else { return nil }
        self.change = change
        events = candidates.events(behind: change)
    }
}

/// The quantities that can explain the change of one metric, in groups.
private struct Candidates {
    let kept: Measurement
    let broken: Measurement
    let metric: String

    /// Counts of events that break connections or refuse work. They have different units, so the largest relative
    /// change decides.
    private static let eventMetrics = [
        "middlebox.expired", "middlebox.blocked", "server.expired", "server.unanswered", "server.retired",
        "server.cuts", "server.shed",
        "server.rejected", "server.queue_dropped", "keepalive.rejected", "connection.goaways",
        "connection.false_drops", "buffer.dropped", "flow.stalls", "flow.saturations", "flow.up.stalls", "dns.failed",
        "resume.refused", "resume.full_syncs", "app.kills", "app.crashes", "connection.drops", "connection.attempts",
        "keepalive.pings", "battery.promotions",
    ]
    private static let callFailures = ["calls.deadline_exceeded", "calls.unavailable", "calls.rejected"]
    /// Metrics that count the events behind a cause of losses or silence, by the name of the cause.
    private static let eventsByCause = [
        "mapping_forgotten": ["middlebox.expired"],
        "server_unavailable": [
            "server.expired", "server.unanswered", "server.retired", "server.cuts", "keepalive.rejected",
            "connection.goaways",
        ],
        "dead_connection": ["zombie.total"],
        "app_stopped": ["app.suspended_s"],
        "process_ended": ["app.kills", "app.crashes"],
    ]

    var best: BoundaryReason.CauseChange? {
        let total = change(of: metric)
        for group in groups {
            // The energy of a cause is a part of the metric, so its share of the change counts.
            let notable = group.filter { change in isEnergy ? total.map(change.explains) ?? false : change.isNotable }
            // The first of equal changes.
            if let first = notable.first {
                return notable.dropFirst().reduce(first) { $1.size > $0.size ? $1 : $0 }
            }
        }
        return largestShare(of: Self.eventMetrics)
    }

    /// Groups of quantities with the same unit.
    private var groups: [[BoundaryReason.CauseChange]] {
        let area = metric.prefix { $0 != "." }
        if metric.hasPrefix("delivery.up") { return [losses(.up), silence] }
        if area == "delivery" { return [losses(.down), silence] }
        if area == "calls" { return [figures(Self.callFailures), silence] }
        if isEnergy { return [figures(Cause.allCases.map { "cause.\($0.name)" })] }
        let timed = ["latency", "zombie", "recovery", "detection", "availability", "silence", "outage", "push", "herd"]
        return timed.contains(String(area)) ? [silence] : []
    }

    private var isEnergy: Bool {
        Catalogue.metric(named: metric)?.isPartOfEnergy == true || metric.hasPrefix("battery.")
    }

    func events(behind change: BoundaryReason.CauseChange) -> BoundaryReason.CauseChange? {
        change.kind == .metric ? nil : largestShare(of: Self.eventsByCause[change.name] ?? [])
    }

    private func largestShare(of names: [String]) -> BoundaryReason.CauseChange? {
        let notable = figures(names).filter(\.isNotable)
        return notable.first.map { first in notable.dropFirst().reduce(first) { $1.isSurer(than: $0) ? $1 : $0 } }
    }

    private func losses(_ direction: Direction) -> [BoundaryReason.CauseChange] {
        changes(
            direction == .down ? .lostDown : .lostUp, .count, kept.losses.byCause(direction),
            broken.losses.byCause(direction))
    }

    private var silence: [BoundaryReason.CauseChange] {
        changes(.silence, .seconds, kept.losses.silenceByCause, broken.losses.silenceByCause)
    }

    private func changes(
        _ kind: BoundaryReason.CauseChange.CauseKind, _ unit: Metric.Unit, _ kept: [LossTables.LossRow],
        _ broken: [LossTables.LossRow]
    ) -> [BoundaryReason.CauseChange] {
        zip(kept, broken).map {
            BoundaryReason.CauseChange(
                kind: kind, name: $0.name, title: $0.title, unit: unit, kept: $0.value, broken: $1.value)
        }
    }

    /// The metrics that have a number in both trials, without the metric of the bound.
    private func figures(_ names: [String]) -> [BoundaryReason.CauseChange] {
        names.filter { $0 != metric }.compactMap { change(of: $0) }
    }

    /// The change of a metric. `nil` if it has no number in a trial.
    private func change(of name: String) -> BoundaryReason.CauseChange? {
        guard let metric = Catalogue.metric(named: name), case .value(let before) = kept.figure(name),
            case .value(let after) = broken.figure(name)
        else { return nil }
        return BoundaryReason.CauseChange(
            kind: .metric, name: name, title: metric.label, unit: metric.unit, kept: before, broken: after)
    }
}
