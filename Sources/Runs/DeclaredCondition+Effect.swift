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
    package func tookEffect(in fold: RunFold) -> Bool { noEffectMessage(in: [fold]) == nil }

    /// Message for a condition that did not take effect in any of the runs, or of which one keyword did not; `nil` if
    /// each keyword took effect.
    func noEffectMessage(in folds: [RunFold]) -> String? {
        guard origin == .timeline else { return folds.contains { $0.slowdowns > 0 } ? nil : place }
        func isIdle(_ changes: [Int]) -> Bool {
            !folds.contains { fold in changes.contains { fold.occurrences(ofChange: $0) > 0 } }
        }
        guard parts.values.contains(where: isIdle) else { return nil }
        let idle = parts.filter { isIdle($1) }
        if idle.count == parts.count { return place }
        return idle.keys.sorted().map { "`\($0)`" }.joined(separator: " and ") + " in " + place
    }

    private var place: String { "line \(mark.line) of the \(origin) never took effect: \(text)" }
}
