/// The kind of one varied setting, as the search sees it. A position is a number from 0 to 1.
package enum SearchDimension: Hashable, Sendable {
    /// A number. Position 0 is the lowest value, position 1 the highest.
    case scale
    /// One of a few alternatives. Equal parts of the positions belong to each.
    case choice(count: Int)

    /// Index of the alternative at a position; 0 for a number.
    package func alternative(at position: Double) -> Int {
        guard case .choice(let count) = self else { return 0 }
        return min(count - 1, max(0, Int(position * Double(count))))
    }

    /// The middle of the positions of an alternative.
    package static func position(of alternative: Int, among count: Int) -> Double {
        (Double(alternative) + 0.5) / Double(count)
    }
}
