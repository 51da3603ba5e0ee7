import DeadzoneMetrics

/// Recommends a strategy to ship. Candidates meet all expectations and leave at most 1 % more undone than the best; the
/// candidate that spends least energy is recommended. If the data cannot decide, the text says so. If some candidates
/// trade energy for latency, in whichever direction, the text names each trade and the bound that would decide it.
struct StrategyRecommendation {
    private static let maxNames = 3

    let report: RunReport

    var html: String {
        let all = report.strategies
        guard all.count > 1, let metric = Catalogue.metric(named: "battery.joules") else { return "" }
        let fit = report.shippable
        let measured = fit.filter { all[$0].measurement.figure(metric.name)?.isNonzero ?? false }
        return """
            <article class="card ship"><h3>Strategy to ship</h3><p class="winner">\(words(fit, measured, metric))</p></article>

            """
    }

    private func words(_ fit: [Int], _ measured: [Int], _ metric: Metric) -> String {
        guard let first = fit.first else {
            return "None. Each strategy fails an expectation, or delivers fewer messages than another."
        }
        if fit.count == 1 { return "Only \(report.label(first)) \(reason(isMany: false))." }
        let trades = EnergyLatencyTrade.all(report, among: fit)
        if !trades.isEmpty {
            let count = Set(trades.flatMap(\.front)).count
            let sentences = trades.map { $0.tradeText(report.label) + "." }.joined(separator: " ")
            let bounds = trades.map { "<code>\($0.boundText)</code>" }.joined(separator: " and ")
            return
                "Not decided: \(count) of the \(fit.count) strategies that \(reason(isMany: true)) trade energy for "
                + "latency. \(sentences) Write the latency that you accept as an expectation, such as \(bounds)."
        }
        guard report.replicas > 1 else {
            return "Not decided: one replica shows one possible course. Use more with <code>--replicas</code>."
        }
        let marks = Ranking(metric, measured.map { report.strategies[$0].measurement }).marks
        if let best = marks.firstIndex(of: .best) {
            return
                "\(report.label(measured[best])) uses the least energy of the \(fit.count) strategies that \(reason(isMany: true))."
        }
        let open = marks.indices.filter { marks[$0] != .none }.map { measured[$0] }
        let equal = open.isEmpty ? fit : open
        let names = equal.prefix(Self.maxNames).map(report.label).joined(separator: " or ")
        let more = equal.count > Self.maxNames ? " or others" : ""
        return "\(names)\(more): they \(reason(isMany: true)), and their energy does not differ significantly."
    }

    /// Text of the criteria that the candidates meet. A candidate without an expectation meets none, and fails none.
    private func reason(isMany: Bool) -> String {
        let ending = isMany ? "" : "s"
        let isDemanded = report.strategies.contains { !$0.outcomes.isEmpty }
        let isJudged = report.shippable.allSatisfy { !report.strategies[$0].outcomes.isEmpty }
        let success = isJudged ? "meet\(ending) all expectations and " : "fail\(ending) no expectation and "
        return (isDemanded ? success : "") + "deliver\(ending) about as much as the best"
    }
}
