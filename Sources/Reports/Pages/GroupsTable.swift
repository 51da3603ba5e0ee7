import DeadzoneMetrics

/// An HTML table that compares the phone groups of a population, metric by metric.
struct GroupsTable {
    let report: RunReport

    /// Empty if the run has no groups.
    var html: String {
        let metrics = report.metricsOfGroups(isFull: true)
        guard let groups = report.strategies.first?.groups, !groups.isEmpty, !metrics.isEmpty else { return "" }
        var text =
            "<section class=\"part\"><h2>By group</h2><div class=\"wide\"><table class=\"numbers\"><thead><tr><td></td>"
        text +=
            report.strategies.indices.map { "<th scope=\"col\">\(report.label($0))</th>" }.joined()
            + "</tr></thead>\n"
        for metric in metrics {
            text +=
                "<tbody><tr class=\"group\"><th scope=\"rowgroup\" title=\"\(metric.name)\" "
                + "colspan=\"\(report.strategies.count + 1)\">\(report.title(of: metric))</th></tr>\n"
            for (place, group) in groups.enumerated() {
                text += "<tr><th scope=\"row\">\(Markup.escaped(group.title, atMost: 120))</th>"
                for strategy in report.strategies {
                    text += cell(metric, strategy.groups[place].measurement)
                }
                text += "</tr>\n"
            }
            text += "</tbody>\n"
        }
        return text + "</table></div></section>\n"
    }

    private func cell(_ metric: Metric, _ measurement: Measurement) -> String {
        var text = "<td>" + HeadlineMetric.number(metric.name, measurement)
        if let interval = measurement.interval(metric.name), interval.low != interval.high {
            text +=
                "<small>\(HeadlineMetric.text(interval.low, metric)) – \(HeadlineMetric.text(interval.high, metric))</small>"
        }
        return text + "</td>"
    }
}
