import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSettings

/// Whether what a scenario declares came to anything: one that proves nothing fails.
extension Condition {
    func tookEffect(in fold: RunFold) -> Bool {
        switch place {
        case .timeline: changes.contains { fold.occurrences(ofChange: $0) > 0 }
        case .server: fold.slowdowns > 0
        }
    }

    /// To be said of one that took none.
    var vacuity: String { "line \(mark.line) of the \(place) never took effect: \(text)" }
}
