import DeadzonePrimitives
import DeadzoneSettings

/// An axis that is no list but everything between two bounds: `{range: [30s, 10m], scale: log, steps: 8}`. With `steps` its
/// values lie evenly from bound to bound; without, the sample of the matrix draws them.
struct MatrixRange {
    enum Scale: String, CaseIterable, Sendable {
        case linear, log
    }

    let steps: Int?
    private let scale: Scale
    private let low: Double
    private let high: Double
    /// As the upper bound has it: values are written in it.
    private let unit: String
    /// True where the smallest step is one unit.
    private let isWhole: Bool

    /// Whether an axis is meant as one: a map of labels has other keys.
    static func describes(_ node: Node) -> Bool {
        guard let entries = node.entries, node["range"] != nil else { return false }
        return entries.allSatisfy { ["range", "scale", "steps"].contains($0.key) }
    }

    init?(reading settings: inout SettingsReader) {
        let bounds = settings.list("range", of: .text, counts: 2...2, "the least and the greatest value") ?? []
        scale = settings.word(
            "scale", of: Scale.allCases.map { ($0.rawValue, $0) }, default: .linear, "how values lie between them")
        steps = settings.count(
            "steps", in: 2...Int64(Matrix.largest), "so many values from bound to bound, both of them taken"
        ).map(Int.init)
        guard bounds.count == 2 else { return nil }
        guard let quantity = Quantity(bounds[0], bounds[1]), quantity.low < quantity.high,
            scale == .linear || quantity.low > 0
        else {
            settings.note(
                Fault(
                    .matrixAxis, at: settings.mark(of: "range"), width: 5, "this is no range",
                    label: "expected two values of one unit, the lesser first",
                    help: "range: [30s, 10m]; on a log scale both are more than nothing"))
            return nil
        }
        (low, high, unit, isWhole) = (quantity.low, quantity.high, quantity.unit, quantity.isWhole)
    }

    /// All values of an axis with `steps`.
    func grid(_ steps: Int) -> [String] { (0..<steps).map { value(at: Double($0) / Double(steps - 1)) } }

    /// What lies at this part of the way, in three digits.
    func value(at part: Double) -> String {
        let value = scale == .linear ? low + (high - low) * part : low * Self.power(high / low, part)
        return Self.digits(value, isWhole: isWhole) + unit
    }

    /// By square roots alone, which are the same on every machine; what libm says of logarithms is not.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        if exponent >= 1 { return base }
        var (result, root, rest) = (1.0, base, exponent)
        while rest > 0, root != 1 {
            root = root.squareRoot()
            rest *= 2
            if rest >= 1 {
                result *= root
                rest -= 1
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

/// Two texts of one unit.
private struct Quantity {
    let low: Double
    let high: Double
    let unit: String
    let isWhole: Bool

    private static let measures: [Measure] = [.span, .size, .power, .bitCost, .rate, .energy, .charge, .voltage]

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
