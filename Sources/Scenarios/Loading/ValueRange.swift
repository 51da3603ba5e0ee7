import DeadzoneBase

/// A range of values of a setting, from which values are computed as text, such as `30s` to `10m`.
package struct ValueRange: Sendable {
    private let isLog: Bool
    private let low: Double
    private let high: Double
    /// The unit of the upper bound, in which all values are written.
    private let unit: String
    /// `true` if values are whole multiples of the unit.
    private let isWhole: Bool
    /// Kind of both bounds; `nil` for plain numbers.
    private let measure: QuantityKind?
    /// Both bounds as durations; `nil` for other kinds.
    private let spans: ClosedRange<Int64>?

    /// `nil` unless both bounds have the same kind of unit and the lower bound is first. On a log scale both must be
    /// positive.
    package init?(from low: String, to high: String, isLog: Bool = false) {
        guard let quantity = ParsedBounds(low, high), quantity.low < quantity.high, !isLog || quantity.low > 0 else {
            return nil
        }
        (self.low, self.high, unit, isWhole) = (quantity.low, quantity.high, quantity.unit, quantity.isWhole)
        (measure, spans) = (quantity.measure, quantity.spans)
        self.isLog = isLog
    }

    /// `true` if the text is a value of the same kind, such as another duration.
    package func hasSameKind(as text: String) -> Bool {
        measure.map { $0.value(of: text) != nil } ?? (Double(text.filter { $0 != "%" }) != nil)
    }

    /// The value at a fraction of the range, as people write it: a duration such as `5m58s`, rounded to minutes from one
    /// hour on and to seconds from one minute on. Other kinds have three significant digits.
    package func naturalValue(at part: Double) -> String {
        guard let spans else { return value(at: part) }
        if part == 0 { return Self.compound(spans.lowerBound) }
        if part == 1 { return Self.compound(spans.upperBound) }
        let (least, greatest) = (Double(spans.lowerBound), Double(spans.upperBound))
        let nanoseconds = isLog ? least * Self.power(greatest / least, part) : least + (greatest - least) * part
        var step = 1.0
        if nanoseconds >= 3_600e9 {
            step = 60e9
        } else if nanoseconds >= 60e9 {
            step = 1e9
        } else {
            while nanoseconds / step >= 1_000 { step *= 10 }
        }
        let rounded = Int64((nanoseconds / step).rounded()) * Int64(step)
        return Self.compound(min(max(rounded, spans.lowerBound), spans.upperBound))
    }

    /// A duration in hours, minutes and seconds, or in one smaller unit.
    private static func compound(_ nanoseconds: Int64) -> String {
        let units: [(Int64, String)] = [(3_600_000_000_000, "h"), (60_000_000_000, "m")]
        var (rest, text) = (nanoseconds, "")
        for (size, name) in units where rest >= size {
            text += "\(rest / size)\(name)"
            rest %= size
        }
        if rest == 0, !text.isEmpty { return text }
        let last: [(Int64, Int, String)] = [
            (1_000_000_000, 9, "s"), (1_000_000, 6, "ms"), (1_000, 3, "us"), (1, 0, "ns"),
        ]
        let (_, places, name) = last.first { rest >= $0.0 || (!text.isEmpty && $0.2 == "s") } ?? last[0]
        return text + decimalText(Int128(rest), places: places) + name
    }

    /// The value at a fraction of the range, from 0 to 1, with three significant digits.
    package func value(at part: Double) -> String {
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
    /// `nil` for plain numbers.
    var measure: QuantityKind?
    /// Both bounds in nanoseconds, for durations.
    var spans: ClosedRange<Int64>?

    private static let measures: [QuantityKind] = [.span, .size, .power, .bitCost, .rate, .energy, .charge, .voltage]

    init?(_ low: String, _ high: String) {
        for (index, measure) in Self.measures.enumerated() {
            guard let least = measure.value(of: low), let greatest = measure.value(of: high) else { continue }
            unit = String(high.reversed().prefix { !$0.isNumber && $0 != " " }.reversed())
            guard let base = measure.value(of: "1" + unit) else { return nil }
            self.low = Double(least) / Double(base)
            self.high = Double(greatest) / Double(base)
            isWhole = base == 1
            self.measure = measure
            // The first kind are durations.
            if index == 0, least <= greatest { spans = least...greatest }
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
