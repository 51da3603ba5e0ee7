import DeadzoneSettings

/// An axis that is no list but everything between two bounds: `{range: [30s, 10m], scale: log, steps: 8}`. With `steps` its
/// values lie evenly from bound to bound; without, the sample of the matrix draws them.
struct MatrixRange {
    enum Scale: String, CaseIterable, Sendable {
        case linear, log
    }

    let steps: Int?
    private let values: ValueRange

    /// Whether an axis is meant as one: a map of labels has other keys.
    static func describes(_ node: Node) -> Bool {
        guard let entries = node.entries, node["range"] != nil else { return false }
        return entries.allSatisfy { ["range", "scale", "steps"].contains($0.key) }
    }

    init?(reading settings: inout SettingsReader) {
        let bounds = settings.list("range", of: .text, counts: 2...2, "the least and the greatest value") ?? []
        let scale = settings.word(
            "scale", of: Scale.allCases.map { ($0.rawValue, $0) }, default: .linear, "how values lie between them")
        steps = settings.count(
            "steps", in: 2...Int64(Matrix.largest), "so many values from bound to bound, both of them taken"
        ).map(Int.init)
        guard bounds.count == 2 else { return nil }
        guard let values = ValueRange(from: bounds[0], to: bounds[1], isLog: scale == .log) else {
            settings.note(
                Fault(
                    .matrixAxis, at: settings.mark(of: "range"), width: 5, "this is no range",
                    label: "expected two values of one unit, the lesser first",
                    help: "range: [30s, 10m]; on a log scale both are more than nothing"))
            return nil
        }
        self.values = values
    }

    /// All values of an axis with `steps`.
    func grid(_ steps: Int) -> [String] { (0..<steps).map { value(at: Double($0) / Double(steps - 1)) } }

    /// What lies at this part of the way.
    func value(at part: Double) -> String { values.value(at: part) }
}
