/// Predicts one objective anywhere in the space from noisy evaluated points, together with the uncertainty of the
/// prediction (Rasmussen and Williams, "Gaussian processes for machine learning", 2006, algorithm 2.1).
///
/// The kernel is rational quadratic, because it needs no exponential function of a math library: its last bits would
/// differ between machines. A setting without influence gets a weight near zero, so it does not separate points.
struct GaussianProcess {
    /// The numbers that are learnt from the points before a prediction.
    struct PointKernel: Hashable {
        /// One for each dimension: how fast the objective changes along it.
        var weights: [Double]
        /// Variance of the noise of one point, as a share of the variance of the objective.
        var noise = 0.1
    }

    /// Squared distance of two alternatives of a setting that is no number.
    private static let choiceDistance = 0.25
    private static let (largestWeight, leastNoise) = (300.0, 1e-4)
    /// Improvement of the log likelihood that is worth another weight.
    private static let leastImprovement = 0.5

    private let dimensions: [SearchDimension]
    private let positions: [[Double]]
    private let weights: [Double]
    private let mean: Double
    private let variance: Double
    private let factor: CholeskyFactor
    private let coefficients: [Double]

    init(_ dimensions: [SearchDimension], _ positions: [[Double]], _ values: [Double], _ kernel: PointKernel) {
        self.dimensions = dimensions
        self.positions = positions
        weights = kernel.weights
        let mean = values.reduce(0, +) / Double(values.count)
        let centred = values.map { $0 - mean }
        let distances = Self.distances(dimensions, positions)
        factor = CholeskyFactor(size: values.count, Self.covariance(distances, kernel, count: values.count))
        coefficients = factor.solved(centred)
        variance = zip(centred, coefficients).reduce(0) { $0 + $1.0 * $1.1 } / Double(values.count)
        self.mean = mean
    }

    /// Mean and standard deviation of the objective without noise.
    func prediction(at position: [Double]) -> (mean: Double, deviation: Double) {
        let row = positions.map { other -> Double in
            var sum = 1.0
            for index in dimensions.indices {
                sum += weights[index] * Self.squared(dimensions[index], position[index], other[index])
            }
            return 1 / sum
        }
        let own = zip(row, coefficients).reduce(mean) { $0 + $1.0 * $1.1 }
        let known = factor.halfSolved(row).reduce(0) { $0 + $1 * $1 }
        return (own, (variance * max(0, 1 - known)).squareRoot())
    }

    /// Improves a kernel for these points by single changes of its numbers, as long as the points become more likely.
    static func fitted(
        _ kernel: PointKernel, _ dimensions: [SearchDimension], _ positions: [[Double]], _ values: [Double]
    ) -> PointKernel {
        let distances = distances(dimensions, positions)
        let mean = values.reduce(0, +) / Double(values.count)
        let centred = values.map { $0 - mean }
        var best = kernel
        var most = logLikelihood(distances, centred, best)
        func improve(_ change: (inout PointKernel) -> Void) -> Bool {
            var changed = best
            change(&changed)
            guard changed.noise >= leastNoise, changed.weights.allSatisfy({ $0 <= largestWeight }) else { return false }
            let likelihood = logLikelihood(distances, centred, changed)
            guard likelihood > most + leastImprovement else { return false }
            (best, most) = (changed, likelihood)
            return true
        }
        for step in [0.3, 3] {
            while improve({ kernel in for index in kernel.weights.indices { kernel.weights[index] *= step } }) {}
            while improve({ $0.noise *= step }) {}
        }
        for index in dimensions.indices {
            for step in [0.2, 5] where improve({ $0.weights[index] *= step }) { break }
        }
        return best
    }

    /// Log likelihood of the values with the variance that suits them best, without constants.
    private static func logLikelihood(_ distances: [[Double]], _ centred: [Double], _ kernel: PointKernel) -> Double {
        let count = centred.count
        let factor = CholeskyFactor(size: count, covariance(distances, kernel, count: count))
        let sum = factor.halfSolved(centred).reduce(0) { $0 + $1 * $1 } / Double(count)
        let fit = ParetoOrder.binaryLogarithm(max(sum, .leastNormalMagnitude)) * Double(count) / 2
        return -(fit + factor.logDeterminant / 2) / 1.442_695_040_888_963_4
    }

    /// One list for each dimension: the squared distances of all pairs of points, in the order of a lower triangle.
    private static func distances(_ dimensions: [SearchDimension], _ positions: [[Double]]) -> [[Double]] {
        dimensions.indices.map { index in
            positions.indices.flatMap { row in
                (0...row).map { squared(dimensions[index], positions[row][index], positions[$0][index]) }
            }
        }
    }

    private static func squared(_ dimension: SearchDimension, _ one: Double, _ other: Double) -> Double {
        if case .choice = dimension {
            return dimension.alternative(at: one) == dimension.alternative(at: other) ? 0 : choiceDistance
        }
        return (one - other) * (one - other)
    }

    private static func covariance(_ distances: [[Double]], _ kernel: PointKernel, count: Int) -> [Double] {
        var sums = [Double](repeating: 1, count: count * (count + 1) / 2)
        for (weight, distances) in zip(kernel.weights, distances) where weight > 0 {
            for pair in sums.indices { sums[pair] += weight * distances[pair] }
        }
        for pair in sums.indices { sums[pair] = 1 / sums[pair] }
        for row in 0..<count { sums[row * (row + 1) / 2 + row] += kernel.noise }
        return sums
    }
}

/// The triangle L of a symmetric positive matrix A = L Lᵀ.
struct CholeskyFactor {
    private let size: Int
    /// Rows of the lower triangle.
    private var rows: [Double]

    /// - Parameter rows: rows of the lower triangle of the matrix.
    init(size: Int, _ rows: [Double]) {
        self.size = size
        self.rows = rows
        self.rows.withUnsafeMutableBufferPointer { rows in
            for row in 0..<size {
                let own = row * (row + 1) / 2
                for column in 0...row {
                    let other = column * (column + 1) / 2
                    var sum = rows[own + column]
                    for index in 0..<column { sum -= rows[own + index] * rows[other + index] }
                    rows[own + column] = column == row ? max(sum, 1e-12).squareRoot() : sum / rows[other + column]
                }
            }
        }
    }

    /// Binary logarithm of the determinant of A.
    var logDeterminant: Double {
        (0..<size).reduce(0) { $0 + 2 * ParetoOrder.binaryLogarithm(rows[$1 * ($1 + 1) / 2 + $1]) }
    }

    /// The solution x of L x = values.
    func halfSolved(_ values: [Double]) -> [Double] {
        var solution = values
        rows.withUnsafeBufferPointer { rows in
            solution.withUnsafeMutableBufferPointer { solution in
                for row in 0..<size {
                    let own = row * (row + 1) / 2
                    var sum = solution[row]
                    for index in 0..<row { sum -= rows[own + index] * solution[index] }
                    solution[row] = sum / rows[own + row]
                }
            }
        }
        return solution
    }

    /// The solution x of A x = values.
    func solved(_ values: [Double]) -> [Double] {
        var solution = halfSolved(values)
        for row in stride(from: size - 1, through: 0, by: -1) {
            let own = row * (row + 1) / 2
            solution[row] /= rows[own + row]
            for index in 0..<row { solution[index] -= rows[own + index] * solution[row] }
        }
        return solution
    }
}
