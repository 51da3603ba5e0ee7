/// Solves linear least squares: finds the unknowns with the smallest squared error over all observations. Each
/// observation is a sum of unknowns, times known coefficients.
struct LeastSquares {
    private let count: Int
    private var products: [Double]
    private var sums: [Double]
    private var squares = 0.0
    private(set) var samples = 0

    init(unknowns count: Int) {
        self.count = count
        products = Array(repeating: 0, count: count * count)
        sums = Array(repeating: 0, count: count)
    }

    /// - Parameter parts: Coefficients of the unknowns that occur in this observation.
    mutating func add(_ parts: [(unknown: Int, part: Double)], seen: Double) {
        for (row, part) in parts {
            for (column, other) in parts { products[row * count + column] += part * other }
            sums[row] += part * seen
        }
        squares += seen * seen
        samples += 1
    }

    struct Solution {
        /// `nil` if the observations do not determine the unknown.
        var values: [Double?]
        /// Standard errors, assuming that the residual is noise.
        var errors: [Double]
        /// Sum of squared residuals.
        var residual: Double
        var variance: Double
    }

    /// Solves by Gauss-Jordan elimination, the largest pivot first. Unknowns without a pivot are undetermined.
    func solve() -> Solution {
        var matrix = products
        var inverse = (0..<count * count).map { $0 % (count + 1) == 0 ? 1.0 : 0.0 }
        var right = sums
        var isOpen = Array(repeating: true, count: count)
        for _ in 0..<count {
            let rows = (0..<count).filter {
                isOpen[$0] && matrix[$0 * count + $0] > 1e-7 * max(products[$0 * count + $0], 1e-9)
            }
            guard let pivot = rows.max(by: { matrix[$0 * count + $0] < matrix[$1 * count + $1] }) else { break }
            isOpen[pivot] = false
            let scale = 1 / matrix[pivot * count + pivot]
            for column in 0..<count {
                matrix[pivot * count + column] *= scale
                inverse[pivot * count + column] *= scale
            }
            right[pivot] *= scale
            for row in 0..<count where row != pivot {
                let factor = matrix[row * count + pivot]
                guard factor != 0 else { continue }
                for column in 0..<count {
                    matrix[row * count + column] -= factor * matrix[pivot * count + column]
                    inverse[row * count + column] -= factor * inverse[pivot * count + column]
                }
                right[row] -= factor * right[pivot]
            }
        }
        let determined = (0..<count).filter { !isOpen[$0] }
        let rest = max(0, squares - determined.reduce(0) { $0 + right[$1] * sums[$1] })
        let variance = rest / Double(max(1, samples - determined.count))
        return Solution(
            values: (0..<count).map { isOpen[$0] ? nil : right[$0] },
            errors: (0..<count).map { (max(0, inverse[$0 * count + $0]) * variance).squareRoot() }, residual: rest,
            variance: variance)
    }
}
