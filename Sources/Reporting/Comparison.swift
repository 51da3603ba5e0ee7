import DeadzoneMetrics

/// Who is best at one metric, as far as the intervals can tell.
struct Comparison {
    enum Mark: String {
        case none = ""
        /// Apart from every other strategy by its 95 % interval.
        case best = "*"
        /// Best or not: the intervals of this one and of the best overlap.
        case undecided = "~"
        /// Best only because more of its messages were still pending, which have no latency yet.
        case flattered = "?"
    }

    /// One for each strategy.
    let marks: [Mark]

    init(_ metric: Metric, _ measurements: [Measurement]) {
        let figures = measurements.map { $0.figure(metric.name) ?? .nothing }
        let intervals = measurements.map { $0.interval(metric.name) }
        let measured = figures.filter { $0 != .nothing }
        guard metric.better != .neither, measured.count > 1, Set(measured).count > 1,
            let best = Self.best(figures, isLower: metric.better == .lower)
        else {
            marks = figures.map { _ in .none }
            return
        }
        if measurements.indices.contains(where: { Self.flatters(metric, measurements[best], beside: measurements[$0]) })
        {
            marks = figures.indices.map { $0 == best ? .flattered : .none }
            return
        }
        // Without intervals nothing is decided: one replica is one story.
        let rivals = figures.indices.filter { index in
            guard index != best, figures[index] != .nothing else { return false }
            guard let own = intervals[index], let other = intervals[best] else { return true }
            return !own.isApart(from: other)
        }
        marks = figures.indices.map { index in
            if rivals.isEmpty { return index == best ? .best : .none }
            return index == best || rivals.contains(index) ? .undecided : .none
        }
    }

    /// By more than this share of all messages pending instead of delivered, latencies are not of the same messages.
    private static let fewPending = 0.01

    /// A latency of only those messages that this strategy had delivered, while others, which the rival had delivered,
    /// were still pending. What is lost counts in a latency; what is pending does not.
    private static func flatters(_ metric: Metric, _ own: Measurement, beside rival: Measurement) -> Bool {
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
