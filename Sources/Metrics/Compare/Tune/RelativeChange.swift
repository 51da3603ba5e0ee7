/// The change of one metric from one set of settings to another, in paired replicas, relative to the old value.
package struct RelativeChange: Hashable, Sendable {
    /// New mean divided by the old mean, minus 1. `nil` if the old mean is zero, or if some replica has no number.
    package let change: Double?
    /// 95 % confidence interval of `change`. `nil` if the replicas do not determine it, or if nothing differs.
    package let interval: ClosedRange<Double>?
    /// Two-sided p-value of the paired test.
    package let p: Double
    /// -1 if the new values tend to be lower, 1 if higher, 0 if neither.
    package let direction: Int
    /// `true` if some replica has different values.
    package let differs: Bool

    /// One minus the level of the interval.
    package static let level = 0.05

    /// Compares replica by replica. `nil` marks a replica without a measured value.
    package init(new: [Int128?], old: [Int128?], permutations: (Int) -> Permutations) {
        var contrast = Contrast(new: new, old: old, permutations: permutations)
        p = contrast.p
        direction = contrast.direction
        differs = contrast.differs
        guard let before = contrast.old, let difference = contrast.difference, before > 0 else {
            (change, interval) = (nil, nil)
            return
        }
        let change = Double(difference) / Double(before)
        self.change = change
        let pairs = zip(new, old).compactMap { new, old in new.flatMap { new in old.map { (new: new, old: $0) } } }
        guard differs, pairs.allSatisfy({ $0.old >= 0 }) else {
            contrast.computeInterval(at: Self.level)
            interval = contrast.interval.map {
                Double($0.lowerBound) / Double(before)...Double($0.upperBound) / Double(before)
            }
            return
        }
        let shifts = permutations(pairs.count).relativeShifts(
            of: pairs.map { ReplicaValue.difference($0.new, $0.old) }, old: pairs.map(\.old))
        interval = shifts.range(at: Self.level).flatMap { range in
            // Old values of zero can leave the upper end open. The share is an end itself if all replicas agree on it.
            range.upperBound.isFinite ? min(range.lowerBound, change)...max(range.upperBound, change) : nil
        }
    }

    /// `true` if the test finds a difference, beyond chance.
    package var isDecided: Bool { differs && p < Self.level && direction != 0 }

    /// `true` if the new values are worse beyond chance.
    package func isWorse(_ better: Metric.Better) -> Bool { isDecided && direction == (better == .higher ? -1 : 1) }

    /// `true` if the new values are better beyond chance.
    package func isBetter(_ better: Metric.Better) -> Bool { isDecided && direction == (better == .higher ? 1 : -1) }
}
