import DeadzoneBase
import DeadzoneMetrics

/// The first section of the report page: a card for each headline metric with the best strategy, then the expectations.
/// A card also shows the lead of the best strategy.
struct SummarySection {
    let report: RunReport
    /// The headline metrics of each replica. Without them, a card names no interval of a difference.
    var series: BaselineRun?

    var html: String {
        "<section class=\"answer\"><h2 class=\"unseen\">The answer</h2><div class=\"cards\">\n"
            + StrategyRecommendation(report: report).html
            + HeadlineMetric.cards(report).map(card).joined() + "</div>\n" + expectations
            + "</section>\n"
    }

    /// The verdict as one sentence, for the page header.
    static func verdict(_ report: RunReport) -> String {
        let outcomes = report.strategies.flatMap(\.outcomes)
        let failed = outcomes.count { $0.verdict == .fail }
        let trouble = report.troubles.count
        let isPass = report.verdict == .pass
        let unjudged = report.unjudged.count
        let words =
            !isPass && failed == 0
            ? (trouble == 1 ? "Invalid run: 1 problem" : "Invalid run: \(trouble) problems")
            : outcomes.isEmpty
                ? (unjudged == 0 ? "No expectations" : CompareReport.count(unjudged, "expectation", "expectations"))
                : failed == 0
                    ? (outcomes.count == 1 ? "The one expectation holds" : "All \(outcomes.count) expectations hold")
                    : "\(failed) of \(outcomes.count) expectations not met"
        let rest = unjudged == 0 ? "" : outcomes.isEmpty && isPass ? " not judged" : "; \(unjudged) not judged"
        if isPass && outcomes.isEmpty { return "<span class=\"verdict\">\(words)\(rest)</span>" }
        return "<span class=\"verdict \(isPass ? "pass" : "fail")\">\(isPass ? "✓" : "✗") \(words)\(rest)</span>"
    }

    private func card(_ goal: HeadlineMetric) -> String {
        guard let metric = Catalogue.metric(named: goal.name) else { return "" }
        let measurements = report.strategies.map(\.measurement)
        let figures = measurements.map { $0.figure(goal.name) ?? .nothing }
        let marks = Ranking(metric, measurements).marks
        let best = marks.firstIndex { $0 == .best }
        let shown = best ?? Self.least(figures, isLower: metric.better == .lower)
        let big = shown.map { HeadlineMetric.text(figures[$0], metric) } ?? "never"
        return """
            <article class="card"><h3>\(goal.heading)</h3><p class="winner">\(winner(goal, marks, figures, best))</p>
            <p class="big">\(big)</p><p class="delta">\(delta(metric, figures, shown))</p>
            \(aboveIdle(goal))\(pending(goal))\(dotPlot(goal, metric, figures))</article>

            """
    }

    private func winner(_ goal: HeadlineMetric, _ marks: [Ranking.RankMark], _ figures: [Figure], _ best: Int?)
        -> String
    {
        if figures.count == 1 { return report.label(0) }
        if let best { return report.label(best) + " \(goal.superlative)" + caveat(goal, best) }
        if Set(figures).count == 1 { return "All the same" }
        if let least = marks.firstIndex(of: .flattered) {
            return report.label(least) + " \(goal.superlative)" + caveat(goal, least)
        }
        let open = marks.indices.filter { marks[$0] == .undecided }
        guard !open.isEmpty else { return "No difference above 1%" }
        if let tied = tied(goal, figures), Set(open).isSubset(of: tied) { return "Equal: " + names(tied) }
        let isLower = Catalogue.metric(named: goal.name)?.better == .lower
        if report.replicas == 1, let least = Self.least(figures, isLower: isLower) {
            return report.label(least) + " \(goal.superlative)" + caveat(goal, least)
                + " <span class=\"hint\">(one replica, no interval)</span>"
        }
        // The big number belongs to the first name.
        let sign: Double = isLower ? 1 : -1
        let sorted = open.sorted { one, other in
            let (a, b) = (figures[one].double.map { $0 * sign }, figures[other].double.map { $0 * sign })
            return (a ?? .infinity, one) < (b ?? .infinity, other)
        }
        return "Undecided: " + names(sorted)
    }

    private func names(_ indices: [Int]) -> String {
        let shown = indices.prefix(3).map { "<span class=\"nowrap\">\(report.label($0)),</span>" }.joined(
            separator: " ")
        return shown.replacing(/,<\/span>$/, with: "</span>")
            + (indices.count > 3 ? " and \(indices.count - 3) more" : "")
    }

    /// The strategies that share the best value, if their intervals are the same as well: nothing is undecided there.
    private func tied(_ goal: HeadlineMetric, _ figures: [Figure]) -> [Int]? {
        let isLower = Catalogue.metric(named: goal.name)?.better != .higher
        guard let best = Self.least(figures, isLower: isLower) else { return nil }
        func interval(_ index: Int) -> Interval? { report.strategies[index].measurement.interval(goal.name) }
        let alike = figures.indices.filter {
            figures[$0] == figures[best] && interval($0)?.low == interval(best)?.low
                && interval($0)?.high == interval(best)?.high
        }
        return alike.count > 1 ? alike : nil
    }

    /// Caveat for a winner that left at least 1 % undelivered: a strategy that does less work scores better elsewhere.
    private func caveat(_ goal: HeadlineMetric, _ best: Int) -> String {
        guard !goal.name.hasPrefix("delivery."), !goal.name.hasPrefix("calls.") else { return "" }
        let undone = Ranking.undoneShare(report.strategies[best].measurement)
        guard undone >= 0.01 else { return "" }
        return
            "<span class=\"but\">, but \(Int((undone * 100).rounded()))% of its messages, both directions, did not "
            + "arrive</span>"
    }

    /// Energy above idle. Idling is the larger part of many totals, and no strategy changes it.
    private func aboveIdle(_ goal: HeadlineMetric) -> String {
        guard goal.name == "battery.joules" else { return "" }
        let shares = report.strategies.prefix(3).map { strategy in
            (report.strategies.count == 1 ? "" : Markup.shortened(strategy.name, to: 24) + " ")
                + HeadlineMetric.number("battery.above_idle_joules", strategy.measurement)
        }
        let more = report.strategies.count > 3 ? ", and \(report.strategies.count - 3) more" : ""
        return "<p class=\"delta\">Above idle: \(shares.joined(separator: ", "))\(more)</p>"
    }

    /// Names the strategies with at least 1 % of their messages or calls still pending, which have not ended in any way.
    private func pending(_ goal: HeadlineMetric) -> String {
        let families = [
            "delivery.down.lost": "delivery.down", "delivery.up.lost": "delivery.up", "calls.success_ratio": "calls",
        ]
        guard let family = families[goal.name] else { return "" }
        let late = report.strategies.indices.compactMap { index -> String? in
            let measurement = report.strategies[index].measurement
            guard let pending = measurement.figure("\(family).pending")?.double,
                let sent = measurement.figure("\(family).sent")?.double, sent > 0, pending >= sent / 100
            else { return nil }
            let name = Markup.shortened(report.strategies[index].name, to: 24)
            return "\(name): \(Int((pending / sent * 100).rounded()))%"
        }
        guard !late.isEmpty else { return "" }
        let more = late.count > 3 ? ", and \(late.count - 3) more" : ""
        return "<p class=\"delta but\">Pending at the end: \(late.prefix(3).joined(separator: ", "))\(more)</p>"
    }

    private func delta(_ metric: Metric, _ figures: [Figure], _ shown: Int?) -> String {
        guard let shown else { return "" }
        var words: [String] = []
        // The first strategy is the reference. If it is the one shown, the reference is the other of two, or none of
        // more.
        let rival = shown != 0 ? 0 : figures.count == 2 ? 1 : nil
        if let rival, case .value(let old) = figures[rival], case .value(let new) = figures[shown], old != new,
            let change = NumberText.change(from: old, to: new)
        {
            words.append(
                "<b>\(change.replacing("-", with: "−"))</b> against "
                    + Markup.escaped(report.strategies[rival].name, atMost: 30))
            if let series {
                let names = (report.strategies[shown].name, report.strategies[rival].name)
                words += [PairedDifference(metric, of: names.0, against: names.1, in: series)?.text].compactMap(\.self)
            }
        }
        if let interval = report.strategies[shown].measurement.interval(metric.name), interval.low != interval.high {
            words.append(
                "95% interval of the value: \(HeadlineMetric.text(interval.low, metric)) to \(HeadlineMetric.text(interval.high, metric))"
            )
        }
        return words.joined(separator: " · ")
    }

    private static func least(_ figures: [Figure], isLower: Bool) -> Int? {
        figures.indices.filter { figures[$0].double != nil }.min {
            let (a, b) = (figures[$0].double ?? 0, figures[$1].double ?? 0)
            return isLower ? a < b : a > b
        }
    }

    /// Dot plot: every strategy with its interval, on one axis from zero.
    private func dotPlot(_ goal: HeadlineMetric, _ metric: Metric, _ figures: [Figure]) -> String {
        let (width, left, row) = (260, 116, 20)
        let highs = report.strategies.indices.map { index in
            max(
                figures[index].double ?? 0,
                report.strategies[index].measurement.interval(goal.name)?.high.double ?? 0)
        }
        let scale = ChartScale(0, max(highs.max() ?? 0, 1e-9), onto: Double(left), Double(width - 62))
        var drawing = ""
        let shown = Self.shown(figures, isLower: metric.better == .lower)
        for (line, index) in shown.enumerated() {
            let y = line * row + 12
            let name = Markup.shortened(report.strategies[index].name, to: 18)
            drawing += "<text class=\"who\" x=\"0\" y=\"\(y + 4)\">\(name)</text>"
            drawing += "<path class=\"grid\" d=\"M\(left) \(y)H\(width - 62)\"/>"
            if let value = figures[index].double {
                if let interval = report.strategies[index].measurement.interval(goal.name),
                    let low = interval.low.double
                {
                    let high = interval.high.double ?? scale.to
                    drawing +=
                        "<path class=\"cross \(Palette.strategy(index))\" d=\"M\(Markup.coordinate(scale(low))) \(y)"
                        + "H\(Markup.coordinate(scale(high)))\"/>"
                }
                drawing += Marker(index: index).svg(scale(value), Double(y))
            }
            drawing +=
                "<text class=\"value\" x=\"\(width)\" y=\"\(y + 4)\">\(HeadlineMetric.text(figures[index], metric))</text>"
        }
        let rows = shown.count + (shown.count < figures.count ? 1 : 0)
        if shown.count < figures.count {
            let more = "and \(figures.count - shown.count) more, in the table"
            drawing += "<text class=\"who\" x=\"0\" y=\"\(shown.count * row + 16)\">\(more)</text>"
        }
        let words = shown.map {
            Markup.escaped(report.strategies[$0].name, atMost: 30) + " " + HeadlineMetric.text(figures[$0], metric)
        }.joined(separator: ", ")
        return """
            <svg class="strip" viewBox="0 0 \(width) \(rows * row + 4)" role="img" \
            aria-label="\(goal.heading): \(words)">\(drawing)</svg>
            """
    }

    /// Indices of the strategies that a card shows: all, or of more than eight the three best, the two worst and the
    /// first.
    private static func shown(_ figures: [Figure], isLower: Bool) -> [Int] {
        guard figures.count > 8 else { return Array(figures.indices) }
        let worst = Double.infinity
        let sorted = figures.indices.sorted { one, other in
            let sign: Double = isLower ? 1 : -1
            let (a, b) = (
                figures[one].double.map { $0 * sign } ?? worst, figures[other].double.map { $0 * sign } ?? worst
            )
            return (a, one) < (b, other)
        }
        let chosen = Set(sorted.prefix(3) + sorted.suffix(2) + [0])
        return sorted.filter(chosen.contains)
    }

    private static let maxOutcomes = 60

    private var expectations: String {
        let outcomes = report.strategies.flatMap { strategy in
            strategy.outcomes.map { ($0.expectation.subject.name, $0) }
        }
        let troubles = report.troubles.prefix(20).map { "<li>" + Markup.escaped($0, atMost: 400) + "</li>" }.joined()
        let alarm = troubles.isEmpty ? "" : "<ul class=\"troubles\">\(troubles)</ul>\n"
        let unjudged = report.unjudgedSentences.map { "<p class=\"hint\">\(Markup.escaped($0, atMost: 400))</p>\n" }
            .joined()
        guard !outcomes.isEmpty else { return alarm + unjudged }
        // Failures first.
        let sorted = outcomes.filter { $0.1.verdict == .fail } + outcomes.filter { $0.1.verdict == .pass }
        let rows = sorted.prefix(Self.maxOutcomes).map { name, outcome in
            let isKept = outcome.verdict == .pass
            let metric = Catalogue.metric(named: outcome.expectation.metric)
            let value =
                (metric.map { HeadlineMetric.text(outcome.value, $0) } ?? "") + (outcome.note.map { ", " + $0 } ?? "")
            return "<tr class=\"\(isKept ? "pass" : "fail")\"><td>\(isKept ? "✓" : "✗")</td>"
                + "<th scope=\"row\">\(Markup.escaped(name, atMost: 60))</th><td>\(Markup.escaped(outcome.expectation.metric))</td>"
                + "<td>\(bound(outcome))</td><td>\(value)</td></tr>\n"
        }
        let more = sorted.count - rows.count
        return alarm + unjudged + """
            <details class="expect"\(sorted[0].1.verdict == .fail ? " open" : "")><summary>Expectations\
            </summary><div class="wide"><table><thead><tr><td></td><th>strategy</th><th>metric</th><th>bound</th><th>is</th></tr></thead>
            <tbody>\(rows.joined())</tbody></table></div>\(more > 0 ? "<p>and \(more) more</p>" : "")</details>

            """
    }

    private func bound(_ outcome: Outcome) -> String {
        guard let metric = Catalogue.metric(named: outcome.expectation.metric) else { return "" }
        return Markup.escaped(outcome.expectation.threshold.words(metric.unit, outcome.bounds))
    }
}
