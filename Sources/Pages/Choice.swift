import DeadzoneCompare
import DeadzoneMetrics

/// Which strategy to ship, before any single goal: of those that keep what was demanded and leave hardly more undone than the
/// best, the one that spends least. Where that cannot be told, it says so.
struct Choice {
    /// So much more of all messages undone rules a strategy out.
    private static let undone = 0.01
    private static let mostNames = 3

    let report: RunReport

    var html: String {
        let all = report.strategies
        guard all.count > 1, let metric = Catalogue.metric(named: "battery.joules") else { return "" }
        let undone = all.map { Ranking.undone($0.measurement) }
        let least = undone.min() ?? 0
        let isKept = all.map { strategy in
            strategy.outcomes.allSatisfy { $0.verdict == .pass } && strategy.stops.isEmpty
        }
        let fit = all.indices.filter { isKept[$0] && undone[$0] <= least + Self.undone }
        let measured = fit.filter { all[$0].measurement.figure(metric.name)?.isSomething ?? false }
        return """
            <article class="card ship"><h3>Which to ship</h3><p class="winner">\(words(fit, measured, metric))</p></article>

            """
    }

    private func words(_ fit: [Int], _ measured: [Int], _ metric: Metric) -> String {
        guard let first = fit.first else {
            return "None: each breaks what was demanded, or leaves more undone than another."
        }
        if fit.count == 1 { return "\(report.label(first)) alone \(reason(isMany: false))." }
        let marks = Ranking(metric, measured.map { report.strategies[$0].measurement }).marks
        if let best = marks.firstIndex(of: .best) {
            return "\(report.label(measured[best])): of the \(fit.count) that \(reason(isMany: true)), it spends least."
        }
        let open = marks.indices.filter { marks[$0] != .none }.map { measured[$0] }
        let equal = open.isEmpty ? fit : open
        let names = equal.prefix(Self.mostNames).map(report.label).joined(separator: " or ")
        let more = equal.count > Self.mostNames ? " or others" : ""
        return "\(names)\(more): they \(reason(isMany: true)), and none is shown to spend less."
    }

    /// What sets a strategy apart that may be chosen.
    private func reason(isMany: Bool) -> String {
        let isDemanded = report.strategies.contains { !$0.outcomes.isEmpty }
        let ending = isMany ? "" : "s"
        return (isDemanded ? "keep\(ending) what was demanded and " : "") + "deliver\(ending) about as much as the best"
    }
}
