/// Probability that a standard normal variable is at least `z`. It uses only the four basic operations, which IEEE 754
/// rounds identically everywhere. The last bit of a libm function depends on the machine, but p-values appear in
/// results that must be byte-identical on every machine.
func normalTail(_ z: Double) -> Double {
    guard z >= 0 else { return 1 - normalTail(-z) }
    let x = z / rootOfTwo
    return x < 1.5 ? (1 - errorFunction(x)) / 2 : errorTail(x) / 2
}

private let rootOfTwo = 1.414_213_562_373_095_1
private let rootOfPi = 1.772_453_850_905_516

/// Error function by series (Abramowitz and Stegun, 7.1.6). Every term is positive, so nothing cancels. Good for small
/// x.
private func errorFunction(_ x: Double) -> Double {
    var term = x
    var sum = x
    var n = 1.0
    while term > sum * 1e-18 {
        term *= 2 * x * x / (2 * n + 1)
        sum += term
        n += 1
    }
    return 2 / rootOfPi * bell(x) * sum
}

/// One minus the error function by its continued fraction (Abramowitz and Stegun, 7.1.14), evaluated from the innermost
/// term. At 1.5, two hundred steps are exact to the last digits; for larger x fewer would do.
private func errorTail(_ x: Double) -> Double {
    var rest = 0.0
    for step in stride(from: 200, through: 1, by: -1) { rest = Double(step) / 2 / (x + rest) }
    return bell(x) / rootOfPi / (x + rest)
}

/// e to the power of −x². The square is computed in two parts, because its rounding error alone would cost the last
/// three digits for large x.
private func bell(_ x: Double) -> Double {
    let coarse = (x * 16).rounded() / 16
    return exponential(-coarse * coarse) * exponentialNearZero(-(x - coarse) * (x + coarse))
}

/// e to the power of `x`, for `x` ≤ 0: a number near one, halved repeatedly.
func exponential(_ x: Double) -> Double {
    // The result is below the smallest double.
    guard x > -745 else { return 0 }
    let halvings = (-x / logOfTwo).rounded()
    // Cody and Waite: the high part has so few digits that its product is exact.
    let rest = (x + halvings * logOfTwoHigh) + halvings * logOfTwoLow
    // Halved in two steps, because the result may be a subnormal number.
    let half = Int(halvings) / 2
    return exponentialNearZero(rest) * powerOfHalf(half) * powerOfHalf(Int(halvings) - half)
}

/// Power series of the exponential function, for `x` up to about two.
private func exponentialNearZero(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    for n in 1...24 {
        term *= x / Double(n)
        sum += term
    }
    return sum
}

private let logOfTwo = 0.693_147_180_559_945_3
private let logOfTwoHigh = 0.693_145_751_953_125
private let logOfTwoLow = 1.428_606_820_309_417_2e-6

private func powerOfHalf(_ count: Int) -> Double { Double(sign: .plus, exponent: -count, significand: 1) }
