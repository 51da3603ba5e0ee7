public import DeadzoneMetrics
public import DeadzoneScenarios
import DeadzoneSettings

extension Scenario {
    /// What stands in its timeline, by the number of the change that comes of it.
    public var textsOfChanges: [Int: String] {
        var texts: [Int: String] = [:]
        for condition in conditions { for change in condition.changes { texts[change] = condition.text } }
        return texts
    }
}

/// Whether what a scenario declares came to anything: one that proves nothing fails.
extension Condition {
    public func tookEffect(in fold: RunFold) -> Bool {
        switch place {
        case .timeline: changes.contains { fold.occurrences(ofChange: $0) > 0 }
        case .server: fold.slowdowns > 0
        }
    }

    /// To be said of one that took none.
    var vacuity: String { "line \(mark.line) of the \(place) never took effect: \(text)" }
}
