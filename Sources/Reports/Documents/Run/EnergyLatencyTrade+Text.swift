package import DeadzoneMetrics

extension EnergyLatencyTrade {
    /// For example `15m saves 98 J, but takes 273 s longer than 4m (Server to app, 95th percentile)`.
    package func tradeText(_ name: (Int) -> String) -> String {
        let saved = Figure.value(joules).text(.joules)
        let wait =
            milliseconds.map { "takes \(Figure.value($0).text(.milliseconds)) longer than \(name(fastest))" }
            ?? "loses so much that its latency has no number, unlike \(name(fastest))"
        return "\(name(cheapest)) saves \(saved), but \(wait) (\(latency.label))"
    }

    /// The bound to write, such as `latency.down.p95: under 5s`.
    package var boundText: String {
        "\(latency.name): under " + (bound % 1_000 == 0 ? "\(bound / 1_000)s" : "\(bound)ms")
    }
}
