import DeadzoneBase
package import DeadzoneMetrics

/// The difference of a metric between two sets of replicas with the same seeds, as the mean of the differences of each
/// pair, with its confidence interval. The interval is that of `compare`: its level is adjusted for the number of metrics.
package struct PairedDifference {
    private let metric: Metric
    private let difference: Int128
    private let interval: ClosedRange<Int128>
    private let confidence: Double

    /// `nil` without an interval: the two are equal everywhere, some value never arrives, or there are too few replicas.
    package init?(_ change: MetricChange) {
        guard let difference = change.contrast.difference, let interval = change.contrast.interval,
            let confidence = change.contrast.confidence, interval.lowerBound < interval.upperBound
        else { return nil }
        (metric, self.difference, self.interval, self.confidence) = (change.metric, difference, interval, confidence)
    }

    init?(_ metric: Metric, of name: String, against other: String, in run: BaselineRun) {
        var comparer = Comparer(floor: .zero, seed: run.seed)
        guard let compared = comparer.compare(name, against: other, in: run),
            let change = compared.changes.first(where: { $0.metric.name == metric.name })
        else { return nil }
        self.init(change)
    }

    /// Such as `paired difference −1.2 s, 98% interval −1.5 to −0.9 s`.
    package var text: String {
        // Rounded down: the interval has at least the printed level.
        let percent = (confidence * 1_000).rounded(.down) / 10
        let level = percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
        return "paired difference \(signed(difference))\(unitText), \(level)% interval \(intervalText)"
    }

    /// Such as `−1.5 to −0.9 s`.
    package var intervalText: String { "\(signed(interval.lowerBound)) to \(signed(interval.upperBound))\(unitText)" }

    /// One unit for all numbers, so that they can be compared.
    private var unit: PrintedUnit {
        let largest = max(interval.lowerBound.magnitude, interval.upperBound.magnitude)
        return PrintedUnit(metric.unit, for: Billionths(count: Int128(largest)))
    }

    private var unitText: String { unit.name.isEmpty ? "" : " " + unit.name }

    private func signed(_ value: Int128) -> String {
        (value < 0 ? "−" : value > 0 ? "+" : "") + unit.text(Billionths(count: Int128(value.magnitude)))
    }
}
