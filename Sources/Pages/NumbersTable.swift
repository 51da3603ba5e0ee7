import DeadzoneCompare
import DeadzoneMetrics

/// Every number of the terminal's table, with its interval.
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
                    "<tr><th scope=\"row\" title=\"\(metric.name)\">\(metric.title(phones: report.shownPhones))</th>"
                for (index, measurement) in measurements.enumerated() {
                    let mark = marks[index]
                    text +=
                        "<td class=\"\(mark == .best ? "best" : "")\"\(whose(metric, index))>\(Goal.number(metric.name, measurement))"
                        + (mark == .none ? "" : " <abbr title=\"\(Self.words(mark))\">\(mark.rawValue)</abbr>")
                    if let interval = measurement.interval(metric.name), interval.low != interval.high {
                        text +=
                            "<small>\(Goal.text(interval.low, metric)) – \(Goal.text(interval.high, metric))</small>"
                    }
                    text += "</td>"
                }
                text += "</tr>\n"
            }
            text += "</tbody>\n"
        }
        return text
            + "</table></div><p class=\"hint\">Small: 95% interval over replicas. * best, apart from the others; "
            + "~ undecided, intervals overlap; ? least, but it did less: more was lost or pending; > so much at least, too many are pending to say more.\(hover)</p></section>\n"
    }

    /// The phone behind a longest or a percentile, as the flags that show it.
    private func whose(_ metric: Metric, _ index: Int) -> String {
        report.strategies[index].witnesses[metric.name].map {
            " title=\"to see whose it is: \($0.flags)\""
        } ?? ""
    }

    private var hover: String {
        report.strategies.allSatisfy(\.witnesses.isEmpty)
            ? "" : " Hover over a longest or a percentile for the flags that show the phone it is of."
    }

    private static func words(_ mark: Ranking.Mark) -> String {
        switch mark {
        case .none: ""
        case .best: "best, its interval apart from the others"
        case .undecided: "undecided: intervals overlap"
        case .flattered: "least, but it did less: more of its messages were lost or pending"
        }
    }
}
