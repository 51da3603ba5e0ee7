public import DeadzoneMetrics

/// Who is best at one metric, as far as the intervals can tell.
public struct Ranking {
    public enum Mark: String {
        case none = ""
        /// Apart from every other strategy by its 95 % interval.
        case best = "*"
        /// Best or not: the intervals of this one and of the best overlap.
        case undecided = "~"
        /// Best only because it did less: more of its messages were lost or still pending.
        case flattered = "?"
    }

    /// One for each strategy.
    public let marks: [Mark]

    public init(_ metric: Metric, _ measurements: [Measurement]) {
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
        // Without intervals nothing is decided: one replica is one story.
        let rivals = figures.indices.filter { index in
            guard index != best, figures[index] != .nothing else { return false }
            guard let own = intervals[index], let other = intervals[best] else { return true }
            return !own.isApart(from: other)
        }
        // What is as good as equal has no winner, however narrow the intervals are.
        let isClose = figures.indices.contains { $0 != best && Self.areClose(figures[$0], figures[best], metric) }
        marks = figures.indices.map { index in
            if rivals.isEmpty { return index == best && !isClose ? .best : .none }
            return index == best || rivals.contains(index) ? .undecided : .none
        }
    }

    /// Less than one percent apart. Of a share that should be all, what is missing is compared: 99.5% is not as good as 100%.
    private static func areClose(_ one: Figure, _ other: Figure, _ metric: Metric) -> Bool {
        guard case .value(let one) = one, case .value(let other) = other else { return false }
        let whole: Int128 = metric.unit == .ratio && metric.better == .higher ? 1_000_000_000 : 0
        let (a, b) = ((whole - one.count).magnitude, (whole - other.count).magnitude)
        return (one.count - other.count).magnitude * 100 < max(a, b)
    }

    /// Who leaves so much more undone than a rival has an easy win at what work costs.
    private static let muchUndone = 0.1
    private static let costs = ["battery.", "bytes.", "cpu.", "keepalive.pings", "connection.handshakes"]

    /// The share of all messages and calls that came to nothing: lost, failed, or still pending.
    public static func undone(_ measurement: Measurement) -> Double {
        func sum(_ names: [String]) -> Double { names.reduce(0) { $0 + (measurement.figure($1)?.double ?? 0) } }
        let asked = sum(["delivery.down.sent", "delivery.up.sent", "calls.sent"])
        let failed = sum(["calls.sent"]) - sum(["calls.ok"])
        let undone = sum(["delivery.down.lost", "delivery.up.lost", "delivery.down.pending", "delivery.up.pending"])
        return asked > 0 ? min(1, (undone + max(0, failed)) / asked) : 0
    }

    /// By more than this share of all messages pending instead of delivered, latencies are not of the same messages.
    private static let fewPending = 0.01

    /// A latency of only those messages that this strategy had delivered, while others, which the rival had delivered,
    /// were still pending. What is lost counts in a latency; what is pending with its age alone.
    private static func flatters(_ metric: Metric, _ own: Measurement, beside rival: Measurement) -> Bool {
        if metric.better == .lower, costs.contains(where: metric.name.hasPrefix),
            undone(own) > undone(rival) + muchUndone
        {
            return true
        }
        for direction in ["down", "up"] where metric.name.hasPrefix("latency.\(direction).") {
            func count(_ what: String, _ of: Measurement) -> Double {
                of.figure("delivery.\(direction).\(what)")?.double ?? 0
            }
            let few = fewPending * count("sent", own)
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
