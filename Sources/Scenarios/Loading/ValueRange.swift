import DeadzonePrimitives
import DeadzoneSettings

/// A range of values of a setting, from which values are computed as text, such as `30s` to `10m`.
public struct ValueRange: Sendable {
    private let isLog: Bool
    private let low: Double
    private let high: Double
    /// The unit of the upper bound, in which all values are written.
    private let unit: String
    /// `true` if values are whole multiples of the unit.
    private let isWhole: Bool

    /// `nil` unless both bounds have the same kind of unit and the lower bound is first. On a log scale both must be
    /// positive.
    public init?(from low: String, to high: String, isLog: Bool = false) {
        guard let quantity = ParsedBounds(low, high), quantity.low < quantity.high, !isLog || quantity.low > 0 else {
            return nil
        }
        (self.low, self.high, unit, isWhole) = (quantity.low, quantity.high, quantity.unit, quantity.isWhole)
        self.isLog = isLog
    }

    /// The value at a fraction of the range, from 0 to 1, with three significant digits.
    public func value(at part: Double) -> String {
        let value = isLog ? low * Self.power(high / low, part) : low + (high - low) * part
        return Self.digits(value, isWhole: isWhole) + unit
    }

    /// Power by square roots alone, which give the same result on every machine. Logarithms of libm do not.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        if exponent >= 1 { return base }
        var (result, root, fraction) = (1.0, base, exponent)
        while fraction > 0, root != 1 {
            root = root.squareRoot()
            fraction *= 2
            if fraction >= 1 {
                result *= root
                fraction -= 1
            }
        }
        return result
    }

    private static func digits(_ value: Double, isWhole: Bool) -> String {
        if isWhole { return String(Int128(value.rounded())) }
        var (places, scaled) = (2, value)
        while scaled.magnitude >= 10 { (places, scaled) = (places - 1, scaled / 10) }
        while scaled.magnitude < 1, scaled != 0, places < 15 { (places, scaled) = (places + 1, scaled * 10) }
        let coefficient = Int128((scaled * 100).rounded())
        guard places < 0 else { return decimalText(coefficient, places: places) }
        return decimalText((0..<(-places)).reduce(coefficient) { value, _ in value * 10 }, places: 0)
    }
}

/// The lower and upper bound of a range of setting values, parsed and converted to the upper bound's unit.
private struct ParsedBounds {
    let low: Double
    let high: Double
    let unit: String
    let isWhole: Bool

    private static let measures: [QuantityKind] = [.span, .size, .power, .bitCost, .rate, .energy, .charge, .voltage]

    init?(_ low: String, _ high: String) {
        for measure in Self.measures {
            guard let least = measure.value(of: low), let greatest = measure.value(of: high) else { continue }
            unit = String(high.reversed().prefix { !$0.isNumber && $0 != " " }.reversed())
            guard let base = measure.value(of: "1" + unit) else { return nil }
            self.low = Double(least) / Double(base)
            self.high = Double(greatest) / Double(base)
            isWhole = base == 1
            return
        }
        unit = high.hasSuffix("%") ? "%" : ""
        guard low.hasSuffix("%") == high.hasSuffix("%"), let least = Double(low.filter { $0 != "%" }),
            let greatest = Double(high.filter { $0 != "%" }), least.isFinite, greatest.isFinite,
            max(least.magnitude, greatest.magnitude) < 1e15
        else { return nil }
        (self.low, self.high) = (least, greatest)
        isWhole = unit.isEmpty && !(low + high).contains { ".eE".contains($0) }
    }
}
