import DeadzoneBase
package import DeadzoneMetrics
package import DeadzoneScenarios

extension Scenario {
    /// Text of each timeline condition, by the number of its change.
    package var changeTexts: [Int: String] {
        var texts: [Int: String] = [:]
        for condition in conditions { for change in condition.changes { texts[change] = condition.text } }
        return texts
    }
}

/// Checks whether the declared conditions of a scenario took effect. A run in which one did not proves nothing and
/// fails.
extension DeclaredCondition {
    package func tookEffect(in fold: RunFold) -> Bool {
        switch origin {
        case .timeline: changes.contains { fold.occurrences(ofChange: $0) > 0 }
        case .server: fold.slowdowns > 0
        }
    }

    /// Message for a condition that did not take effect.
    var noEffectMessage: String { "line \(mark.line) of the \(origin) never took effect: \(text)" }
}
