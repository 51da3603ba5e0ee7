import DeadzoneMetrics

/// An HTML table of every number in the terminal's table, with its confidence interval.
struct NumbersTable {
    let report: RunReport
    var title = "All numbers"

    var html: String {
        let measurements = report.strategies.map(\.measurement)
        var text =
            "<section class=\"part\"><h2>\(title)</h2><div class=\"wide\"><table class=\"numbers\"><thead><tr><td></td>"
        text +=
            report.strategies.indices.map { "<th scope=\"col\">\(report.label($0))</th>" }.joined()
            + "</tr></thead>\n"
        for group in report.groups {
            text +=
                "<tbody><tr class=\"group\"><th scope=\"rowgroup\" colspan=\"\(report.strategies.count + 1)\">\(group.title)</th></tr>\n"
            for metric in group.metrics {
                let marks = Ranking(metric, measurements).marks
                text +=
                    "<tr><th scope=\"row\" title=\"\(metric.name)\">\(report.title(of: metric))</th>"
                for (index, measurement) in measurements.enumerated() {
                    let mark = marks[index]
                    text +=
                        "<td class=\"\(mark == .best ? "best" : "")\"\(witnessTitle(metric, index))>\(HeadlineMetric.number(metric.name, measurement))"
                        + (mark == .none ? "" : " <abbr title=\"\(Self.words(mark))\">\(mark.rawValue)</abbr>")
                    if let interval = measurement.interval(metric.name), interval.low != interval.high {
                        text +=
                            "<small>\(HeadlineMetric.text(interval.low, metric)) – \(HeadlineMetric.text(interval.high, metric))</small>"
                    }
                    text += "</td>"
                }
                text += "</tr>\n"
            }
            text += "</tbody>\n"
        }
        return text
            + "</table></div><p class=\"hint\">Small: 95% interval over replicas. * best (95% CI does not overlap the others); "
            + "~ undecided: 95% intervals overlap; ? lowest only because it delivered fewer messages; > at least this much: too many messages are pending.\(hover)\(battery)</p></section>\n"
    }

    /// Tooltip with the flags that show the phone behind a maximum or a percentile.
    private func witnessTitle(_ metric: Metric, _ index: Int) -> String {
        report.strategies[index].witnesses[metric.name].map {
            " title=\"flags for this replica and phone: \($0.flags)\""
        } ?? ""
    }

    private var battery: String {
        report.missingBattery.map { " Note: \(Markup.escaped($0))." } ?? ""
    }

    private var hover: String {
        report.strategies.allSatisfy(\.witnesses.isEmpty)
            ? "" : " Hover over a maximum or percentile to see the flags for its replica and phone."
    }

    private static func words(_ mark: Ranking.RankMark) -> String {
        switch mark {
        case .none: ""
        case .best: "best (95% CI does not overlap the others)"
        case .undecided: "undecided: 95% intervals overlap"
        case .flattered: "lowest only because it delivered fewer messages"
        }
    }
}
