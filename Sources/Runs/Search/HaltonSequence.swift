import DeadzoneBase

/// Halton's low-discrepancy sequence ("On the efficiency of certain quasi-random sequences of points", 1960). Its
/// points fill a cube more evenly than random points.
///
/// Plain Halton points of neighbouring large bases lie on lines. So the digits of each base are permuted at random, and
/// each coordinate is shifted by a random amount (Owen, "A randomized Halton algorithm in R", 2017).
struct HaltonSequence: Sendable {
    private let permutations: [[Int]]
    private let shifts: [Double]

    init(dimensions: Int, seed: UInt64) {
        let bases = Self.primes(dimensions)
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .bootstrap)
        permutations = bases.map { base in
            var digits = Array(0..<base)
            // Digit 0 stays 0, because every number has infinitely many leading zeros.
            for place in stride(from: base - 1, to: 1, by: -1) {
                digits.swapAt(place, 1 + Int(dice.next().scaled(below: UInt64(place))))
            }
            return digits
        }
        shifts = bases.map { _ in dice.next().unitInterval }
    }

    /// The point with this number, counted from 0.
    func point(_ number: Int) -> [Double] {
        permutations.indices.map { dimension in
            let (digits, base) = (permutations[dimension], permutations[dimension].count)
            var (rest, scale, sum) = (number + 1, 1.0, 0.0)
            while rest > 0 {
                scale /= Double(base)
                sum += Double(digits[rest % base]) * scale
                rest /= base
            }
            let shifted = sum + shifts[dimension]
            return shifted >= 1 ? shifted - 1 : shifted
        }
    }

    private static func primes(_ count: Int) -> [Int] {
        var primes: [Int] = []
        var next = 2
        while primes.count < count {
            if primes.allSatisfy({ !next.isMultiple(of: $0) }) { primes.append(next) }
            next += 1
        }
        return primes
    }
}

extension UInt64 {
    /// This random word as a number from 0 up to but not including 1, with 53 random bits.
    var unitInterval: Double { Double(self >> 11) / 9_007_199_254_740_992 }
}
