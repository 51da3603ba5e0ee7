import DeadzonePrimitives
import DeadzoneSettings

/// `sample:` says how many points of a matrix's ranges are tried: so many, or as many as a budget of runs allows. They form a
/// Latin hypercube: of each range every one of n equal parts is met exactly once, however many ranges there are.
struct MatrixSample {
    enum Size {
        case cells(Int)
        /// Replicas of strategies, over all cells.
        case runs(Int)
    }

    private let size: Size?
    private let seed: Int64

    init(reading settings: inout SettingsReader) {
        let cells = settings.count("cells", in: 2...Int64(Matrix.largest), "so many points of the ranges")
        let runs = settings.count(
            "runs", in: 2...1_000_000_000,
            "instead: as many as come to this many runs, each replica of a strategy being one")
        seed = settings.count("seed", default: 1, in: 0 ... .max, "draws other points")
        size = cells.map { .cells(Int($0)) } ?? runs.map { .runs(Int($0)) }
        if !settings.isDescribing, (cells == nil) == (runs == nil) {
            settings.note(
                Fault(
                    .matrixAxis, at: settings.mark(of: "runs"), "a sample has `cells` or `runs`, and one of them",
                    label: "say how many", help: "sample: {cells: 64}"))
        }
    }

    /// - Parameter runs: what one point comes to: other axes, strategies and replicas multiplied.
    func count(runs each: Int) -> Int {
        switch size {
        case .cells(let count): count
        case .runs(let runs): min(Matrix.largest, runs / max(1, each))
        case nil: 0
        }
    }

    /// How far along its range a point lies, from 0 to 1. It depends on the axis by name, not on what other axes there are.
    func parts(of axis: String, count: Int) -> [Double] {
        let bytes = Fingerprint(of: "sample \(seed) \(axis)").bytes
        let key = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        var dice = Dice(seed: key, phone: PhoneID(0), purpose: .test)
        let order = (0..<count).map { (dice.next(), $0) }.sorted { $0 < $1 }
        return order.map { _, stratum in
            // 53 bits are a Double's; the last is never 1, so no point leaves its part.
            (Double(stratum) + Double(dice.next() >> 11) / 0x1p53) / Double(count)
        }
    }
}
