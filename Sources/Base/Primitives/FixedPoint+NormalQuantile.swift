extension FixedPoint {
    /// Returns the quantile of the standard normal distribution at probability word / 2^64. The word must not be zero.
    /// Error below 2^-44: the smaller tail is truncated to 45 significant bits (2^-44.3 at most), and the evaluation
    /// adds less than 2^-49. The result never decreases as the word increases, and is exactly antisymmetric about one
    /// half.
    ///
    /// Wichura, "Algorithm AS 241: the percentage points of the normal distribution" (Applied Statistics 37, 1988),
    /// version PPND16: three ratios of polynomials of degree 7, for the centre, the tails, and beyond z = 6.7.
    package static func normalQuantile(of word: UInt64) -> FixedPoint {
        precondition(word != 0, "the quantile of probability 0 is minus infinity")
        let half: UInt64 = 1 << 63
        let isLower = word < half
        let tail = firstBits(45, of: isLower ? word : 0 &- word)
        let size = tail >= Wichura.tailBegins ? central(half - tail) : outer(tail)
        return FixedPoint(units: isLower ? -size : size)
    }

    /// Returns the size of the normal quantile where |probability - 1/2| is at most 0.425. `distance` is |probability -
    /// 1/2| in units of 2^-64.
    @inline(__always) private static func central(_ distance: UInt64) -> Int64 {
        let t = (Wichura.centre &- distance.fraction(distance)) << 2
        let (high, low) = distance.multipliedFullWidth(by: Wichura.a(t))
        return Int64(Wichura.b(t).dividingFullWidth((high >> 7, high << 57 | low >> 7)).quotient)
    }

    private static func outer(_ tail: UInt64) -> Int64 {
        let root = squareRoot(ofLog: UInt64(minusLog(of: tail).units))
        let numerator: UInt64, denominator: UInt64
        if root <= Wichura.farTailBegins {
            let t = (root &- Wichura.tailOrigin) << 1
            (numerator, denominator) = (Wichura.c(t), Wichura.d(t))
        } else {
            let t = (root &- Wichura.farTailBegins) << 1
            (numerator, denominator) = (Wichura.e(t), Wichura.f(t))
        }
        return Int64(denominator.dividingFullWidth((numerator >> 7, numerator << 57)).quotient)
    }

    /// Returns the square root of a value from 2.59 to 44.4, from units of 2^-57 to units of 2^-61. It uses Heron's
    /// rule on the 64th part of the value. The initial linear approximation is within 12 %. Each step squares the error
    /// and halves it, so four steps leave 2^-63 of the value.
    @inline(__always) private static func squareRoot(ofLog units: UInt64) -> UInt64 {
        let part = units << 1
        var root = Wichura.rootAtZero &+ part &+ part.fraction(Wichura.rootSlopeBeyondOne)
        for _ in 0..<4 { root = root / 2 &+ root.dividingFullWidth((part, 0)).quotient / 2 }
        return root
    }

    @inline(__always) private static func firstBits(_ count: Int, of word: UInt64) -> UInt64 {
        let extra = 64 - count - word.leadingZeroBitCount
        return extra > 0 ? word & UInt64.max << UInt64(extra) : word
    }
}
