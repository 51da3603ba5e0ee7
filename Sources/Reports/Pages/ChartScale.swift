/// Maps numbers to chart coordinates on a linear or logarithmic axis.
struct ChartScale {
    let from: Double
    let to: Double
    let start: Double
    let end: Double
    let isLog: Bool

    init(_ from: Double, _ to: Double, onto start: Double, _ end: Double, isLog: Bool = false) {
        self.from = from
        self.to = to > from ? to : from + 1
        self.start = start
        self.end = end
        self.isLog = isLog
    }

    func callAsFunction(_ value: Double) -> Double {
        let share =
            isLog
            ? (Self.log2(max(value, from)) - Self.log2(from)) / (Self.log2(to) - Self.log2(from))
            : (value - from) / (to - from)
        return start + share * (end - start)
    }

    /// About `wanted` round numbers from `from` to `to`.
    func ticks(_ wanted: Int) -> [Double] {
        let step = Self.roundUp((to - from) / Double(max(1, wanted)))
        var ticks: [Double] = []
        var next = (from / step).rounded(.up) * step
        while next <= to * 1.000_001 && ticks.count < 50 {
            ticks.append(next)
            next += step
        }
        return ticks
    }

    /// 1, 2, 5 times powers of ten, at most a dozen, for a logarithmic axis.
    var logTicks: [Double] {
        var ticks: [Double] = []
        var power = Self.roundUp(from)
        while power <= to && ticks.count < 12 {
            if power >= from { ticks.append(power) }
            power = Self.roundUp(power * 2.1)
        }
        return ticks
    }

    /// Rounds up to 1, 2 or 5 times a power of ten.
    static func roundUp(_ value: Double) -> Double {
        guard value > 0 else { return 1 }
        var power = 1.0
        while power * 10 <= value { power *= 10 }
        while power > value { power /= 10 }
        for factor in [1.0, 2, 5] where factor * power >= value { return factor * power }
        return 10 * power
    }

    /// Binary logarithm from exponent and significand, by the series of the inverse hyperbolic tangent. The result has
    /// the same bits on every machine, which no libm guarantees.
    static func log2(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return 0 }
        let z = (value.significand - 1) / (value.significand + 1)
        var (term, sum) = (z, z)
        for odd in stride(from: 3.0, through: 41, by: 2) {
            term *= z * z
            sum += term / odd
        }
        return Double(value.exponent) + 2 * sum * 1.442_695_040_888_963_4
    }
}
