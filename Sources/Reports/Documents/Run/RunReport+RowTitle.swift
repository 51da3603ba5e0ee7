import DeadzoneBase
package import DeadzoneMetrics

extension RunReport {
    /// Runs shorter than this say beside a monthly figure that it comes from minutes.
    private static let leastForMonth = TimeSpan.seconds(600)

    /// Title of the row of a metric, such as `Bytes in a month, from 52 s of simulated time`.
    package func title(of metric: Metric) -> String {
        let title = metric.title(phones: shownPhones)
        guard metric.name == "bytes.per_month", scenario.duration < Self.leastForMonth else { return title }
        let seconds = scenario.duration.nanoseconds / 1_000_000_000
        return title + ", from \(DurationText.short(.seconds(max(1, seconds))))"
    }
}
