/// Marks the best strategies by one metric, as far as their confidence intervals allow.
package struct Ranking {
    package enum RankMark: String {
        case none = ""
        /// Best: the 95 % interval does not overlap that of any other strategy.
        case best = "*"
        /// Possibly best: its interval overlaps that of the best strategy.
        case undecided = "~"
        /// Best only because it did less: more of its messages were lost or still pending.
        case flattered = "?"
    }

    /// One mark per strategy.
    package let marks: [RankMark]

    package init(_ metric: Metric, _ measurements: [Measurement]) {
        let figures = measurements.map { $0.figure(metric.name) ?? .nothing }
        let intervals = measurements.map { $0.interval(metric.name) }
        let measured = figures.filter { $0 != .nothing }
        guard metric.better != .neither, measured.count > 1, Set(measured).count > 1,
            let best = Self.best(figures, isLower: metric.better == .lower)
        else {
            marks = figures.map { _ in .none }
            return
        }
        let isFlattered = measurements.indices.contains { index in
            Self.flatters(metric, measurements[best], beside: measurements[index])
                && !Self.areClose(figures[best], figures[index], metric)
        }
        if isFlattered {
            marks = figures.indices.map { $0 == best ? .flattered : .none }
            return
        }
        // Without intervals nothing is decided, because a single replica shows only one possible course.
        let rivals = figures.indices.filter { index in
            guard index != best, figures[index] != .nothing else { return false }
            guard let own = intervals[index], let other = intervals[best] else { return true }
            return !own.isDisjoint(from: other)
        }
        // Nearly equal values have no winner, however narrow the intervals are.
        let isClose = figures.indices.contains { $0 != best && Self.areClose(figures[$0], figures[best], metric) }
        marks = figures.indices.map { index in
            if rivals.isEmpty { return index == best && !isClose ? .best : .none }
            return index == best || rivals.contains(index) ? .undecided : .none
        }
    }

    /// `true` if the values differ by less than one percent. For a ratio that should be 100 %, the missing part is
    /// compared: 99.5 % is not close to 100 %.
    private static func areClose(_ one: Figure, _ other: Figure, _ metric: Metric) -> Bool {
        guard case .value(let one) = one, case .value(let other) = other else { return false }
        let whole: Int128 = metric.unit == .ratio && metric.better == .higher ? 1_000_000_000 : 0
        let (a, b) = ((whole - one.count).magnitude, (whole - other.count).magnitude)
        return (one.count - other.count).magnitude * 100 < max(a, b)
    }

    /// Difference in undone work above which a strategy's lower costs do not count as a win.
    private static let undoneMargin = 0.1
    private static let costs = ["battery.", "bytes.", "cpu.", "keepalive.pings", "connection.handshakes"]

    /// `true` for a metric that is low if a strategy does less.
    static func isCost(_ metric: Metric) -> Bool {
        metric.better == .lower && costs.contains(where: metric.name.hasPrefix)
    }

    /// Share of all messages and calls that were lost, failed or are still pending.
    package static func undoneShare(_ measurement: Measurement) -> Double {
        func sum(_ names: [String]) -> Double { names.reduce(0) { $0 + (measurement.figure($1)?.double ?? 0) } }
        let asked = sum(["delivery.down.sent", "delivery.up.sent", "calls.sent"])
        let failed = sum(["calls.sent"]) - sum(["calls.ok"])
        let undone = sum(["delivery.down.lost", "delivery.up.lost", "delivery.down.pending", "delivery.up.pending"])
        return asked > 0 ? min(1, (undone + max(0, failed)) / asked) : 0
    }

    /// Difference in the share of pending messages above which latencies cover different messages.
    private static let pendingMargin = 0.01

    /// `true` if the metric favours a strategy that did less work. Costs are low if much work stays undone. A latency
    /// covers only delivered messages, while those that the rival delivered may still be pending. Lost messages do
    /// count in a latency; pending ones count only with their age.
    static func flatters(_ metric: Metric, _ own: Measurement, beside rival: Measurement) -> Bool {
        if isCost(metric), undoneShare(own) > undoneShare(rival) + undoneMargin { return true }
        for direction in ["down", "up"] where metric.name.hasPrefix("latency.\(direction).") {
            func count(_ what: String, _ of: Measurement) -> Double {
                of.figure("delivery.\(direction).\(what)")?.double ?? 0
            }
            let few = pendingMargin * count("sent", own)
            return count("pending", own) > count("pending", rival) + few
                && count("delivered", own) < count("delivered", rival) - few
        }
        return false
    }

    private static func best(_ figures: [Figure], isLower: Bool) -> Int? {
        var best: Int?
        for (index, figure) in figures.enumerated() {
            guard case .value(let value) = figure else { continue }
            guard let other = best, case .value(let record) = figures[other] else {
                best = index
                continue
            }
            if isLower ? value < record : record < value { best = index }
        }
        return best
    }
}
