import DeadzoneBase

/// Proposes points of a search: points of a low-discrepancy sequence, and children of the best known points by
/// differential evolution (Storn and Price, 1997).
///
/// Each random number is a function of the seed and of the number of the proposal. So proposals depend neither on
/// threads nor on other proposals.
package struct PointProposer: Sendable {
    private let dimensions: [SearchDimension]
    private let seed: UInt64
    private let sequence: HaltonSequence

    /// Standard deviation of the change that each child receives beside its differences.
    private static let noise = 0.06
    /// Probability that a choice of a child is drawn anew.
    private static let freshChoice = 0.15

    package init(_ dimensions: [SearchDimension], seed: UInt64) {
        self.dimensions = dimensions
        self.seed = seed
        sequence = HaltonSequence(dimensions: dimensions.count, seed: seed)
    }

    /// Point of the low-discrepancy sequence.
    package func spread(_ number: Int) -> [Double] { sequence.point(number) }

    /// A child of the given parents.
    /// - Parameter number: number of the proposal; another number gives another child.
    package func child(_ number: Int, of parents: [[Double]]) -> [Double] {
        guard parents.count > 3 else { return spread(number) }
        var dice = Dice(seed: seed, phone: PhoneID(UInt32(truncatingIfNeeded: number + 1)), purpose: .bootstrap)
        func parent(_ dice: inout Dice) -> [Double] { parents[Int(dice.next().scaled(below: UInt64(parents.count)))] }
        let (target, base, plus, minus) = (parent(&dice), parent(&dice), parent(&dice), parent(&dice))
        let factor = 0.4 + 0.6 * dice.next().unitInterval
        let crossover = [0.2, 0.5, 0.9][Int(dice.next().scaled(below: 3))]
        let forced = Int(dice.next().scaled(below: UInt64(dimensions.count)))
        return dimensions.indices.map { dimension in
            let (exchange, fresh, normal) = (dice.next().unitInterval, dice.next().unitInterval, Self.normal(&dice))
            guard exchange < crossover || dimension == forced else { return target[dimension] }
            if case .choice = dimensions[dimension] {
                return fresh < Self.freshChoice ? fresh / Self.freshChoice : base[dimension]
            }
            let moved = base[dimension] + factor * (plus[dimension] - minus[dimension]) + Self.noise * normal
            return Self.reflected(moved)
        }
    }

    /// Sum of twelve uniform numbers minus six: nearly a standard normal number, without a math library.
    private static func normal(_ dice: inout Dice) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + dice.next().unitInterval }
    }

    /// A position outside 0 to 1, reflected at the ends.
    static func reflected(_ position: Double) -> Double {
        var position = position
        while position < 0 || position > 1 { position = position < 0 ? -position : 2 - position }
        return position
    }
}
