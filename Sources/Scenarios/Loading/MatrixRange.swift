import DeadzoneBase

/// A matrix axis with values between two bounds. It is written as `{range: [30s, 10m], scale: log, steps: 8}`. With
/// `steps` its values are evenly spaced, including both bounds. Without `steps` the matrix's sample draws them.
struct MatrixRange {
    enum AxisScale: String, CaseIterable, Sendable {
        case linear, log
    }

    let steps: Int?
    private let values: ValueRange

    /// `true` if the node describes a range. A map of labels has other keys.
    static func describes(_ node: Node) -> Bool {
        guard let entries = node.entries, node["range"] != nil else { return false }
        return entries.allSatisfy { ["range", "scale", "steps"].contains($0.key) }
    }

    init?(reading settings: inout SettingsReader) {
        let bounds = settings.list("range", of: .text, counts: 2...2, "smallest and largest value") ?? []
        let scale = settings.word(
            "scale", of: AxisScale.allCases.map { ($0.rawValue, $0) }, default: .linear, "spacing of the values")
        steps = settings.count(
            "steps", in: 2...Int64(Matrix.largest), "number of values, including both bounds"
        ).map(Int.init)
        guard bounds.count == 2 else { return nil }
        guard let values = ValueRange(from: bounds[0], to: bounds[1], isLog: scale == .log) else {
            settings.note(
                Fault(
                    .matrixAxis, at: settings.mark(of: "range"), width: 5, "this is not a range",
                    label: "expected two values of the same unit, the smaller first",
                    help: "range: [30s, 10m]; on a log scale both are above zero"))
            return nil
        }
        self.values = values
    }

    /// All values of an axis with `steps`.
    func grid(_ steps: Int) -> [String] { (0..<steps).map { value(at: Double($0) / Double(steps - 1)) } }

    /// The value at a fraction of the range, from 0 to 1.
    func value(at part: Double) -> String { values.value(at: part) }
}
