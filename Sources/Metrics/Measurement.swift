import DeadzoneDevice
import DeadzonePrimitives

/// Everything that one strategy came to over its replicas: the value of every metric, its interval, and the tables of energy
/// and radio time. Made of folds, profiles and a seed, so a saved trace gives the numbers of the run that wrote it.
public struct Measurement: Sendable {
    /// In the order of the catalogue.
    public private(set) var figures = [Figure](repeating: .nothing, count: Catalogue.all.count)
    /// Of each metric, the replica that holds its figure.
    private(set) var witnesses = [Int?](repeating: nil, count: Catalogue.all.count)
    /// What each quantile was made of.
    private(set) var answers = [SpanHistogram.Quantile?](repeating: nil, count: Catalogue.all.count)
    private var intervals = [Interval?](repeating: nil, count: Catalogue.all.count)
    /// Joules per phone and replica; the rows of each add up to the same number of billionths.
    public let energyByState: [(name: String, joules: Billionths)]
    public let energyByCause: [(name: String, joules: Billionths)]
    /// Seconds per phone and replica in each state, for every radio that the phone has.
    public let radioTime: [(radio: String, states: [(name: String, seconds: Billionths)])]
    /// Records that no fold could understand.
    public let unreadable: Int64

    /// - Parameters:
    ///   - strategies: of each its replicas, at least one, in the order of their numbers; each with the same number of phones.
    ///   - seed: that of the run; the intervals are drawn from it.
    ///   - hands: do the resamples. Where they are stopped, intervals are missing.
    public static func all(of strategies: [Replicas], seed: UInt64, hands: some Hands) -> [Measurement] {
        var all = strategies.map { Measurement(figuresOf: $0) }
        let draws = strategies.indices.flatMap { strategy in Draw.all(of: strategies[strategy]).map { (strategy, $0) } }
        guard let replicas = strategies.first?.count, !draws.isEmpty,
            let bootstrap = Bootstrap(seed: seed, replicas: replicas, hands)
        else { return all }
        precondition(strategies.allSatisfy { $0.count == replicas }, "strategies that did not live the same weathers")
        let drawn = hands.each(draws.count) { draws[$0].1.intervals(bootstrap) }
        for ((strategy, _), intervals) in zip(draws, drawn) {
            for (metric, interval) in intervals ?? [] { all[strategy].intervals[metric] = interval }
        }
        return all
    }

    /// How many parts of work that hands out, for who shows progress.
    public static func steps(of strategies: [Replicas]) -> Int {
        let draws = strategies.reduce(0) { $0 + Draw.all(of: $1).count }
        return draws > 0 ? Bootstrap.parts + draws : 0
    }

    public init(of replicas: Replicas, seed: UInt64) {
        self = Self.all(of: [replicas], seed: seed, hands: OneHand())[0]
    }

    /// Of one replica, or before anything is drawn.
    private init(figuresOf replicas: Replicas) {
        precondition(replicas.count > 0, "a measurement needs a replica")
        let phones = Int128(replicas.whole.phones)
        let prices = replicas.prices
        let mean = EnergyTable(meanOf: replicas.energy, phones: phones)
        energyByState = Self.byState(mean, prices)
        energyByCause = Cause.allCases.map { ("\($0.name)", Billionths(count: mean.sum($0))) }
        radioTime = Self.radioTime(replicas.whole, phones, prices.radios)
        unreadable = replicas.whole.unreadable

        let ratios = Ratio.all(of: replicas)
        for ratio in ratios {
            figures[ratio.metric] = ratio.figure(ratio.result)
            if case .energy(let part, _) = Catalogue.all[ratio.metric].formula, figures[ratio.metric] != .nothing {
                figures[ratio.metric] = .value(Billionths(count: part(mean)))
            }
        }
        for (book, questions) in zip(replicas.books, Catalogue.questions) {
            for question in questions {
                let answer = book.pooled.quantile(question.share)
                figures[question.metric] = question.figure(question.result(answer))
                witnesses[question.metric] = book.witness(answer)
                answers[question.metric] = answer
            }
        }
        guard replicas.count > 1 else { return }
        for ratio in ratios where ratio.isCertain && figures[ratio.metric] != .nothing {
            intervals[ratio.metric] = Interval(low: figures[ratio.metric], high: figures[ratio.metric])
        }
        for (book, questions) in zip(replicas.books, Catalogue.questions) where book.isEmpty {
            for question in questions where question.isZeroIfEmpty {
                intervals[question.metric] = Interval(low: .value(.zero), high: .value(.zero))
            }
        }
    }

    public init(of folds: [RunFold], prices: Prices, seed: UInt64) {
        var replicas = Replicas(prices: prices, planned: folds.count)
        for fold in folds { replicas.add(fold) }
        self.init(of: replicas, seed: seed)
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
        _ whole: RunFold, _ phones: Int128, _ radios: Radios
    ) -> [(radio: String, states: [(name: String, seconds: Billionths)])] {
        radios.present.map { interface in
            let states = RadioState.allCases.map { state in
                let sum = whole.ledger.nanoseconds(in: state, on: interface)
                return ("\(state.name)", Billionths(sum, over: phones * 1_000_000_000) ?? .zero)
            }
            return (interface.name, states)
        }
    }
}
