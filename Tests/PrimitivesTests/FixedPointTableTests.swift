import DeadzoneTestKit
import Testing

@testable import DeadzoneBase

/// The constants of the fixed-point functions, computed again from their definitions and from the published decimals.
struct FixedPointTableTests {
    // Numbers below 256 in units of 2^-120.
    private static let one = UInt128(1) << 120

    private static func times(_ a: UInt128, _ b: UInt128) -> UInt128 {
        let product = a.multipliedFullWidth(by: b)
        return product.high << 8 | product.low >> 120
    }

    /// The logarithm of a / b for a ≥ b, by the series of the inverse hyperbolic tangent.
    private static func log(_ a: UInt128, _ b: UInt128) -> UInt128 {
        let z = (a - b) * (one / (a + b)) + (a - b) * (one % (a + b)) / (a + b)
        var (power, sum, divisor) = (z, UInt128(0), UInt128(1))
        while power > 0 {
            sum += power / divisor
            power = times(times(power, z), z)
            divisor += 2
        }
        return 2 * sum
    }

    /// e to the power of x, by its series.
    private static func exponential(_ x: UInt128) -> UInt128 {
        var (term, sum, count) = (one, UInt128(0), UInt128(1))
        while term > 0 {
            sum += term
            term = times(term, x) / count
            count += 1
        }
        return sum
    }

    /// A number in units of 2^-120, rounded to the nearest multiple of 2^-bits.
    private static func rounded(_ number: UInt128, _ bits: Int) -> UInt128 { (number >> (119 - bits) + 1) >> 1 }

    @Test func tablesAreTheNearestNumbers() {
        // Broken: a row of a table is another number, so that a draw moves by its last bits.
        let log2 = Self.log(2, 1)
        #expect(UInt128(FixedPointTables.log2) == Self.rounded(log2, 64))
        let inverse = UInt128(FixedPointTables.log2OfE)
        // One over ln 2 in units of 2^-62: the product with ln 2 is one, within half a unit.
        let product = Self.times(inverse << 58, log2)
        #expect((product > Self.one ? product - Self.one : Self.one - product) <= UInt128(1) << 57)
        #expect(FixedPointTables.powers.count == 64 && FixedPointTables.reciprocals.count == 128)
        #expect(FixedPointTables.logs.count == 128)
        for (index, power) in FixedPointTables.powers.enumerated() {
            let exact = Self.exponential(log2 / 64 * UInt128(index) + log2 % 64 * UInt128(index) / 64)
            #expect(UInt128(power) == Self.rounded(exact, 63), "\(index)")
        }
        for (index, reciprocal) in FixedPointTables.reciprocals.enumerated() {
            let width = UInt64(257 + 2 * index)
            #expect(reciprocal == (2 * 1_024 * 256 + width) / (2 * width), "\(index)")
            let exact = Self.log(UInt128(reciprocal), 512)
            #expect(UInt128(FixedPointTables.logs[index]) == Self.rounded(exact, 57), "\(index)")
        }
    }

    /// The coefficients as Wichura publishes them, in the order of their degree.
    private static let published: [(name: String, coefficients: [String], polynomial: @Sendable (UInt64) -> UInt64)] = [
        (
            "a",
            [
                "3.3871328727963666080e0", "1.3314166789178437745e+2", "1.9715909503065514427e+3",
                "1.3731693765509461125e+4", "4.5921953931549871457e+4", "6.7265770927008700853e+4",
                "3.3430575583588128105e+4", "2.5090809287301226727e+3",
            ],
            { Wichura.a($0) }
        ),
        (
            "b",
            [
                "1", "4.2313330701600911252e+1", "6.8718700749205790830e+2", "5.3941960214247511077e+3",
                "2.1213794301586595867e+4", "3.9307895800092710610e+4", "2.8729085735721942674e+4",
                "5.2264952788528545610e+3",
            ],
            { Wichura.b($0) }
        ),
        (
            "c",
            [
                "1.42343711074968357734e0", "4.63033784615654529590e0", "5.76949722146069140550e0",
                "3.64784832476320460504e0", "1.27045825245236838258e0", "2.41780725177450611770e-1",
                "2.27238449892691845833e-2", "7.74545014278341407640e-4",
            ],
            { Wichura.c($0) }
        ),
        (
            "d",
            [
                "1", "2.05319162663775882187e0", "1.67638483018380384940e0", "6.89767334985100004550e-1",
                "1.48103976427480074590e-1", "1.51986665636164571966e-2", "5.47593808499534494600e-4",
                "1.05075007164441684324e-9",
            ],
            { Wichura.d($0) }
        ),
        (
            "e",
            [
                "6.65790464350110377720e0", "5.46378491116411436990e0", "1.78482653991729133580e0",
                "2.96560571828504891230e-1", "2.65321895265761230930e-2", "1.24266094738807843860e-3",
                "2.71155556874348757815e-5", "2.01033439929228813265e-7",
            ],
            { Wichura.e($0) }
        ),
        (
            "f",
            [
                "1", "5.99832206555887937690e-1", "1.36929880922735805310e-1", "1.48753612908506148525e-2",
                "7.86869131145613259100e-4", "1.84631831751005468180e-5", "1.42151175831644588870e-7",
                "2.04426310338993978564e-15",
            ],
            { Wichura.f($0) }
        ),
    ]

    /// A decimal such as `1.5e-7` times 2^`bits`, rounded to the nearest integer, without floating point.
    private static func scaled(_ text: String, _ bits: Int) -> UInt64 {
        let parts = text.split(separator: "e")
        let digits = parts[0].filter { $0 != "." }
        let places =
            (parts[0].split(separator: ".").dropFirst().first?.count ?? 0) - (parts.count > 1 ? Int(parts[1])! : 0)
        var (value, divisor) = (UInt128(digits)!, UInt128(1))
        for _ in 0..<max(0, places) { divisor *= 10 }
        for _ in 0..<max(0, -places) { value *= 10 }
        var (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        for _ in 0...bits {
            rest *= 2
            quotient = quotient * 2 + (rest >= divisor ? 1 : 0)
            if rest >= divisor { rest -= divisor }
        }
        return UInt64((quotient + 1) / 2)
    }

    @Test func coefficientsAreThosePublished() {
        // Broken: a coefficient of the normal quantile is another one, or a term of a polynomial is left out.
        for (index, (name, coefficients, polynomial)) in Self.published.enumerated() {
            #expect(coefficients.count == 8)
            let own = coefficients.enumerated().map { degree, text in
                Self.scaled(text, 53 + (index < 2 ? -2 : 2) * degree)
            }
            for t in [0, 1 << 20, 1 << 40, 0x1234_5678_9ABC_DEF0, 1 << 62, 1 << 63, 0xFEDC_BA98_7654_3210, UInt64.max] {
                var sum = own[7]
                for degree in (0..<7).reversed() { sum = own[degree] + sum.multipliedFullWidth(by: t).high }
                #expect(polynomial(t) == sum, "\(name) at \(t)")
            }
        }
        // Rounded up, so that no distance of the centre is above 0.425, and its square is at most the constant.
        #expect(Wichura.tailBegins == Self.scaled("0.075", 64) + 1 && Wichura.tailOrigin == Self.scaled("1.6", 61))
        // Rounded down, like the squares that are subtracted from it.
        #expect(Wichura.farTailBegins == Self.scaled("5", 61) && Wichura.centre == Self.scaled("0.180625", 64) - 1)
    }

    @Test func functionsAreThoseOfTables() {
        // Broken: a logarithm, a power or a quantile is wrong in a bit that the law of order does not see.
        // Logarithms and quantiles to sixteen digits, from tables of the functions (Abramowitz and Stegun, 4.2 and 26.1).
        let unit = 0x1p-57
        let logs: [(UInt64, Double)] = [
            (1 << 63, 0.6931471805599453), (3 << 62, 0.28768207245178096), (5 << 61, 0.4700036292457356),
            (7 << 61, 0.13353139262452263),
            (1, 44.3614195558365), (10, 42.05883446284245), (1_000_000, 30.545908997872225),
        ]
        for (word, log) in logs {
            #expect(abs(Double(FixedPoint.minusLog(of: word).units) * unit - log) < 2e-14, "\(word)")
        }
        let quantiles: [(Double, Double)] = [
            (0.5, 0), (0.6, 0.2533471031357997), (0.75, 0.6744897501960817), (0.9, 1.2815515655446004),
            (0.925, 1.4395314709384563),
            (0.975, 1.959963984540054), (0.99, 2.3263478740408408), (0.999, 3.090232306167813),
            (0.1, -1.2815515655446004),
            (1e-5, -4.264890793922825), (1e-8, -5.612001244174789), (1e-10, -6.361340902404056),
            (1e-12, -7.034483825301132),
            (0x1p-30, -6.009353565530742), (0x1p-50, -7.956038125481531), (0x1p-64, -9.080155124873613),
        ]
        for (probability, quantile) in quantiles {
            let found = Double(FixedPoint.normalQuantile(of: UInt64(probability * 0x1p64)).units) * unit
            #expect(abs(found - quantile) < 1e-9 * max(1, abs(quantile)), "\(probability): \(found)")
        }
        let powers: [(Double, Double)] = [
            (0, 1), (1, 2.718281828459045), (-1, 0.36787944117144233), (0.5, 1.6487212707001282),
            (10, 22026.465794806718), (-10, 4.5399929762484854e-05),
            (40, 2.3538526683701998e+17), (-40, 4.248354255291589e-18), (0.010830424696249145, 1.0108892860517005),
            (3.3, 27.112638920657883),
        ]
        for (x, power) in powers {
            let (mantissa, exponent) = FixedPoint(units: Int64(x * 0x1p57)).exponential
            let found = Double(mantissa) * 0x1p-63 * Double(sign: .plus, exponent: exponent, significand: 1)
            #expect(abs(found / power - 1) < 1e-14, "\(x): \(found)")
        }
    }

    @Test func scaledNumbersAreRoundedAndSaturate() {
        // Broken: a product is cut instead of rounded, or overflows.
        let one = Int64(1) << 57
        let half = FixedPoint(units: one / 2)
        #expect(
            half.scaled(by: 3) == 2 && half.scaled(by: -3) == -1 && half.scaled(by: 1) == 1
                && half.scaled(by: 3, plus: 10) == 12)
        #expect(
            FixedPoint(units: one / 2 - 1).scaled(by: 1) == 0 && FixedPoint(units: 3 * one).scaled(by: .max) == .max)
        #expect(
            FixedPoint(units: -3 * one).scaled(by: .max) == .min
                && FixedPoint(units: one).scaled(by: 5, plus: .max) == .max)
        #expect(
            FixedPoint(units: 7).times(3, over: 2) == FixedPoint(units: 10)
                && FixedPoint(units: -7).times(3, over: 2) == FixedPoint(units: -10))
        #expect(
            FixedPoint(units: 7).times(.max, over: 1) == FixedPoint(units: .max)
                && FixedPoint(units: -7).times(.max, over: 1) == FixedPoint(units: .min))
        #expect(
            FixedPoint(units: .max).times(2, over: 2) == FixedPoint(units: .max)
                && FixedPoint(units: 0).times(9, over: 1) == FixedPoint(units: 0))
        #expect(FixedPoint(units: 1) < FixedPoint(units: 2) && FixedPoint.fractionBits == 57)
        #expect(
            FixedPoint(units: 0).exponential(times: 5) == 5
                && FixedPoint(units: one).exponential(times: 1_000_000) == 2_718_282)
        #expect(
            FixedPoint(units: -one).exponential(times: 1_000_000) == 367_879
                && FixedPoint(units: 44 * one).exponential(times: 1) == .max)
        #expect(
            FixedPoint(units: -44 * one).exponential(times: .max) == 1
                && FixedPoint(units: -63 * one).exponential(times: 1) == 0)
        #expect(
            FixedPoint(units: 44 * one).exponential(times: 0) == 0
                && FixedPoint(units: -63 * one).exponential(times: .max) == 0)
        #expect(
            FixedPoint(units: 62 * one).exponential(times: 1) == .max
                && FixedPoint(units: 62 * one).exponential(times: 0) == 0)
    }
}
