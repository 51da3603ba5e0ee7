import DeadzoneDocuments
import DeadzoneCompare
import DeadzoneMetrics

/// What all comparisons say of one goal: how many have become worse, and the one that has moved furthest.
struct ChangeCard {
    /// What a client is for; of a pull request the same four are asked every time.
    static let goals: [(title: String, metric: String)] = [
        ("Energy", "battery.joules"), ("Latency to the app, 95th percentile", "latency.down.p95"),
        ("Lost, server to app", "delivery.down.lost"), ("Longest dead connection believed open", "zombie.max"),
    ]

    private struct Found {
        let scenario: String
        let strategy: String
        let change: MetricChange
    }

    private let title: String
    private let found: [Found]

    /// Nil where nobody measured it.
    init?(goal: (title: String, metric: String), in report: CompareReport) {
        title = goal.title
        found = report.scenarios.flatMap { scenario in
            scenario.allComparisons.compactMap { comparison in
                comparison.change(of: goal.metric).flatMap { change in
                    change.new == .nothing && change.old == .nothing
                        ? nil : Found(scenario: scenario.name, strategy: comparison.subject.name, change: change)
                }
            }
        }
        if found.isEmpty { return nil }
    }

    var html: String {
        guard let extreme else {
            let undecided = found.count { $0.change.decision != .same }
            return card("", undecided == 0 ? "no change" : "undecided", counts)
        }
        let (change, metric) = (extreme.change, extreme.change.metric)
        let words =
            "\(Markup.escaped(extreme.strategy, atMost: 40))"
            + (Set(found.map(\.scenario)).count > 1 ? " in \(Markup.escaped(extreme.scenario, atMost: 60))" : "")
        let fromTo = "\(Goal.text(change.old, metric)) → \(Goal.text(change.new, metric))"
        let big =
            change.changeText.isEmpty || change.changeText == "from 0"
            ? Goal.text(change.new, metric) : change.changeText
        return card(
            "<b>\(words)</b>: \(change.decision.rawValue), <span class=\"nowrap\">\(fromTo)</span>",
            Markup.escaped(big).replacing("-", with: "−"), found.count > 1 ? counts : "",
            isBad: change.decision == .worse)
    }

    private func card(_ words: String, _ big: String, _ counts: String, isBad: Bool = false) -> String {
        """
        <article class="card"><h3>\(title)</h3><p class="big\(isBad ? " but" : "")">\(big)</p>\
        <p class="winner">\(words)</p><p class="delta">\(counts)</p></article>

        """
    }

    /// Of what is worse the furthest; where nothing is, of what is otherwise decided.
    private var extreme: Found? {
        for decision in [MetricChange.Decision.worse, .better, .changed, .small] {
            let alike = found.filter { $0.change.decision == decision }
            if let most = alike.max(by: { $0.change.share < $1.change.share }) { return most }
        }
        return nil
    }

    private var counts: String {
        let order: [(MetricChange.Decision, String)] = [
            (.worse, "worse"), (.better, "better"), (.changed, "changed"), (.small, "small"),
            (.undecided, "undecided"), (.same, "the same"),
        ]
        return order.compactMap { decision, word in
            let count = found.count { $0.change.decision == decision }
            return count == 0 ? nil : "\(count) \(word)"
        }.joined(separator: ", ")
    }
}

extension MetricChange {
    /// How far it has moved, as a part of what it was; what was nothing, or no number, has moved beyond any.
    var share: Double {
        guard case .value(let old) = old, case .value(let new) = new else { return old == new ? 0 : .infinity }
        if old == new { return 0 }
        return old == .zero ? .infinity : abs(new.double - old.double) / abs(old.double)
    }
}
