import DeadzoneBase

/// The setting `sample:` of a matrix, which draws random points from the ranges of the axes. The number of points is
/// fixed, or as large as a budget of runs allows. The points form a Latin hypercube. Each range is divided into n equal
/// parts, and each part contains exactly one point, however many ranges there are.
struct MatrixSample {
    enum Size {
        case cells(Int)
        /// A total number of runs over all cells. Each replica of each strategy is one run.
        case runs(Int)
    }

    private let size: Size?
    private let seed: Int64

    init(reading settings: inout SettingsReader) {
        let cells = settings.count("cells", in: 2...Int64(Matrix.largest), "number of points from the ranges")
        let runs = settings.count(
            "runs", in: 2...1_000_000_000,
            "instead of `cells`: total number of runs; each replica of a strategy is one run")
        seed = settings.count("seed", default: 1, in: 0 ... .max, "seed of the drawn points")
        size = cells.map { .cells(Int($0)) } ?? runs.map { .runs(Int($0)) }
        if !settings.isDescribing, (cells == nil) == (runs == nil) {
            settings.note(
                Fault(
                    .matrixAxis, at: settings.mark(of: "runs"), "a sample needs `cells` or `runs`, but not both",
                    label: "set the number of points", help: "sample: {cells: 64}"))
        }
    }

    /// - Parameter runs: Number of runs for one point: the product of other axes, strategies and replicas.
    func count(runs each: Int) -> Int {
        switch size {
        case .cells(let count): count
        case .runs(let runs): min(Matrix.largest, runs / max(1, each))
        case nil: 0
        }
    }

    /// Positions of the points on their range, from 0 to 1. They depend on the name of this axis, not on the other
    /// axes.
    func positions(of axis: String, count: Int) -> [Double] {
        let bytes = Fingerprint(of: "sample \(seed) \(axis)").bytes
        let key = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        var dice = Dice(seed: key, phone: PhoneID(0), purpose: .test)
        let order = (0..<count).map { (dice.next(), $0) }.sorted { $0 < $1 }
        return order.map { _, stratum in
            // A Double has 53 bits of precision. The fraction is always below 1, so each point stays in its part.
            (Double(stratum) + Double(dice.next() >> 11) / 0x1p53) / Double(count)
        }
    }
}
