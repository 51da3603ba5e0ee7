/// A point of the search with its results. Lower objectives are better.
package struct SearchPoint: Hashable, Sendable {
    /// One position from 0 to 1 for each varied setting.
    package let position: [Double]
    /// One finite number for each goal.
    package var objectives: [Double]
    /// Amount by which the demands are broken; 0 if all are met.
    package var violation: Double

    package var isFeasible: Bool { violation == 0 }

    /// `true` if this point is at least as good in every goal and better in one, or breaks the demands less (Deb, "An
    /// efficient constraint handling method for genetic algorithms", 2000).
    package func dominates(_ other: SearchPoint) -> Bool {
        if violation != other.violation { return violation < other.violation }
        if violation > 0 { return false }
        var isBetter = false
        for (own, theirs) in zip(objectives, other.objectives) {
            if own > theirs { return false }
            if own < theirs { isBetter = true }
        }
        return isBetter
    }
}
