import DeadzoneBase

extension Threshold {
    /// Amount by which a value breaks the bound, relative to the bound; 0 if the bound is kept. It orders settings that
    /// break a demand, so that a search can approach the demand.
    /// - Parameter reference: the value that a relative bound refers to; `nil` for bounds in plain numbers.
    package func excess(of value: Figure, reference: Figure? = nil) -> Double {
        guard let bounds = resolved(reference: reference) else { return Self.worstExcess }
        if isKept(by: value, bounds) { return 0 }
        guard case .value(let number) = value else { return Self.worstExcess }
        let (low, high) = (bounds.lowerBound.double, bounds.upperBound.double)
        let distance = number.double < low ? low - number.double : max(0, number.double - high)
        // A bound of zero has no size; then the distance counts in the metric's own unit.
        let size = max(low.magnitude, high.magnitude)
        return min(Self.worstExcess, distance / (size > 0 ? size : 1) + Self.leastExcess)
    }

    /// Excess of a value without a number.
    private static let worstExcess = 1e6
    /// A value on the edge of an open bound is not zero away from it.
    private static let leastExcess = 1e-9
}
