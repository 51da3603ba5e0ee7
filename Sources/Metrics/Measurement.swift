import DeadzoneDevice
import DeadzonePrimitives

/// Everything that one strategy came to over its replicas: the value of every metric, its interval, and the tables of energy
/// and radio time. Made of folds, profiles and a seed, so a saved trace gives the numbers of the run that wrote it.
public struct Measurement: Sendable {
    private let figures: [Figure]
    private let intervals: [Interval?]
    /// Of each metric, the replica that holds its figure.
    let witnesses: [Int?]
    /// Joules per phone and replica; the rows of each add up to the same number of billionths.
    public let energyByState: [(name: String, joules: Billionths)]
    public let energyByCause: [(name: String, joules: Billionths)]
    /// Seconds per phone and replica in each state, for every radio that the phone has.
    public let radioTime: [(radio: String, states: [(name: String, seconds: Billionths)])]
    /// Records that no fold could understand.
    public let unreadable: Int64

    /// - Parameters:
    ///   - replicas: in the order of their numbers, at least one; each with the same number of phones.
    ///   - prices: of the phone's radios and processor, and what its battery holds.
    ///   - seed: that of the run; the intervals are drawn from it.
    ///   - isStopped: asked before each interval; once it says so, none is drawn any more.
    public init(
        of replicas: [RunFold], prices: Prices, seed: UInt64, isStopped: () -> Bool = { false }
    ) {
        precondition(!replicas.isEmpty, "a measurement needs a replica")
        let priced = replicas.map { Replica($0, prices) }
        let phones = priced.reduce(Int128(0)) { $0 + $1.phones }
        let mean = EnergyTable(meanOf: priced.map(\.energy), phones: phones)
        let bootstrap = replicas.count > 1 && !isStopped() ? Bootstrap(seed: seed, replicas: replicas.count) : nil

        var figures: [Figure] = []
        var intervals: [Interval?] = []
        var witnesses: [Int?] = []
        for metric in Catalogue.all {
            let statistic = Statistic(metric.formula, of: priced)
            let result = statistic.result(weights: Array(repeating: 1, count: replicas.count))
            var figure = statistic.figure(result)
            if case .energy(let part, _) = metric.formula, figure != .nothing {
                figure = .value(Billionths(count: part(mean)))
            }
            figures.append(figure)
            witnesses.append(statistic.witness(result))
            intervals.append(isStopped() ? nil : bootstrap.flatMap { statistic.interval(by: $0, around: figure) })
        }
        self.figures = figures
        self.intervals = intervals
        self.witnesses = witnesses

        energyByState = Self.byState(mean, prices)
        energyByCause = Cause.allCases.map { ("\($0.name)", Billionths(count: mean.sum($0))) }
        radioTime = Self.radioTime(replicas, phones, prices.radios)
        unreadable = replicas.reduce(0) { $0 + $1.unreadable }
    }

    /// Nil if there is no such metric.
    public func figure(_ name: String) -> Figure? { Catalogue.index[name].map { figures[$0] } }

    /// Nil if there is no such metric, or nothing to compare: one replica has no interval.
    public func interval(_ name: String) -> Interval? { Catalogue.index[name].flatMap { intervals[$0] } }

    private static func byState(_ energy: EnergyTable, _ prices: Prices) -> [(name: String, joules: Billionths)] {
        let radios = prices.radios.present.flatMap { interface in
            RadioState.allCases.map { ("\(interface.name).\($0.name)", Billionths(count: energy.sum(interface, $0))) }
        }
        return radios + (prices.processor == nil ? [] : [("cpu.wake", Billionths(count: energy.wake))])
    }

    private static func radioTime(
        _ replicas: [RunFold], _ phones: Int128, _ radios: Radios
    ) -> [(radio: String, states: [(name: String, seconds: Billionths)])] {
        radios.present.map { interface in
            let states = RadioState.allCases.map { state in
                let sum = replicas.reduce(Int128(0)) { $0 + $1.ledger.nanoseconds(in: state, on: interface) }
                return ("\(state.name)", Billionths(sum, over: phones * 1_000_000_000) ?? .zero)
            }
            return (interface.name, states)
        }
    }
}
