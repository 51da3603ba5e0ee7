import DeadzoneMetrics

/// A card on the comparison page for one metric: the number of changes by decision, and the largest change. It covers
/// all comparisons.
struct ChangeCard {
    /// Titles and names of the four metrics that every comparison shows first.
    static let goals: [(title: String, metric: String)] = [
        ("Energy above idle", "battery.above_idle_joules"), ("Latency to the app, 95th percentile", "latency.down.p95"),
        ("Lost, server to app", "delivery.down.lost"), ("Longest dead connection believed open", "zombie.max"),
    ]

    private struct MetricChangeEntry {
        let scenario: String
        let strategy: String
        let change: MetricChange
    }

    private let title: String
    private let changes: [MetricChangeEntry]

    /// `nil` if no comparison measured the metric.
    init?(goal: (title: String, metric: String), in report: CompareReport) {
        title = goal.title
        changes = report.scenarios.flatMap { scenario in
            scenario.allComparisons.compactMap { comparison in
                comparison.change(of: goal.metric).flatMap { change in
                    change.new == .nothing && change.old == .nothing
                        ? nil
                        : MetricChangeEntry(scenario: scenario.name, strategy: comparison.subject.name, change: change)
                }
            }
        }
        if changes.isEmpty { return nil }
    }

    var html: String {
        guard let largestChange else {
            let undecided = changes.count { $0.change.decision != .same }
            return card("", undecided == 0 ? "no change" : "undecided", counts)
        }
        let (change, metric) = (largestChange.change, largestChange.change.metric)
        let words =
            "\(Markup.escaped(largestChange.strategy, atMost: 40))"
            + (Set(changes.map(\.scenario)).count > 1
                ? " in \(Markup.escaped(largestChange.scenario, atMost: 60))" : "")
        let fromTo =
            "\(HeadlineMetric.text(change.old, metric)) → \(HeadlineMetric.text(change.new, metric))"
            + (change.isMeanOfReplicas ? " (means of the replicas)" : "")
        let big =
            change.changeText.isEmpty || change.changeText == "from 0"
            ? HeadlineMetric.text(change.new, metric) : change.changeText
        return card(
            "<b>\(words)</b>: \(change.decision.rawValue), <span class=\"nowrap\">\(fromTo)</span>",
            Markup.escaped(big).replacing("-", with: "−"), changes.count > 1 ? counts : "",
            isBad: change.decision == .worse)
    }

    private func card(_ words: String, _ big: String, _ counts: String, isBad: Bool = false) -> String {
        """
        <article class="card"><h3>\(title)</h3><p class="big\(isBad ? " but" : "")">\(big)</p>\
        <p class="winner">\(words)</p><p class="delta">\(counts)</p></article>

        """
    }

    /// Largest change with the first decision that occurs, in the order worse, better, changed, small. `nil` if none
    /// occurs.
    private var largestChange: MetricChangeEntry? {
        for decision in [MetricChange.Assessment.worse, .better, .changed, .small] {
            let alike = changes.filter { $0.change.decision == decision }
            if let most = alike.max(by: { $0.change.relativeChange < $1.change.relativeChange }) { return most }
        }
        return nil
    }

    private var counts: String {
        let order: [(MetricChange.Assessment, String)] = [
            (.worse, "worse"), (.better, "better"), (.changed, "changed"), (.small, "negligible"),
            (.undecided, "undecided"), (.same, "the same"),
        ]
        return order.compactMap { decision, word in
            let count = changes.count { $0.change.decision == decision }
            return count == 0 ? nil : "\(count) \(word)"
        }.joined(separator: ", ")
    }
}

extension MetricChange {
    /// Relative change; infinite if the old value is zero, or if a value that changed is not a number.
    var relativeChange: Double {
        guard case .value(let old) = old, case .value(let new) = new else { return old == new ? 0 : .infinity }
        if old == new { return 0 }
        return old == .zero ? .infinity : abs(new.double - old.double) / abs(old.double)
    }
}
