package import DeadzoneBase
import DeadzoneDevice

/// All results of one strategy over its replicas: values and intervals of all metrics, and tables of energy and radio
/// time. It is computed from aggregated records, profiles and a seed, so a saved trace gives the same numbers as the
/// run that wrote it.
package struct Measurement: Sendable {
    /// Values in the order of the catalogue.
    package private(set) var figures = [Figure](repeating: .nothing, count: Catalogue.all.count)
    /// For each metric, the replica that holds its value.
    private(set) var witnesses = [Int?](repeating: nil, count: Catalogue.all.count)
    /// For each quantile metric, the quantile before unit conversion.
    private(set) var answers = [SpanHistogram.QuantileResult?](repeating: nil, count: Catalogue.all.count)
    /// The interval of each metric that has one.
    package private(set) var intervals = IntervalList()
    /// Energy per phone and replica.
    private let energy: EnergyTable
    private let hasProcessor: Bool
    /// Seconds per phone and replica in each radio state, for every radio that the phone has.
    private let radioSeconds: [(interface: Interface, states: [Billionths])]
    /// Lost messages and silence by cause and by timeline entry.
    package let losses: LossTables
    /// Time for which timers were overdue, added up, per phone and replica. Several overdue timers count separately.
    package let timerDelay: TimeSpan
    /// Number of records that no fold could decode.
    package let unreadable: Int64

    /// Computes values and intervals of all strategies.
    /// - Parameters:
    ///   - strategies: The replicas of each strategy, at least one, in order. All have the same number of phones.
    ///   - seed: Seed of the run. The resamples are drawn from it.
    ///   - known: For each strategy, its intervals if they were computed before, from the same replicas and seed.
    ///   - workers: Runs the resampling. If it is stopped, intervals are missing.
    package static func all(
        of strategies: [Replicas], seed: UInt64, known: [IntervalList?] = [], workers: some ParallelMap
    ) -> [Measurement] {
        var all = strategies.map { Measurement(figuresOf: $0) }
        for (strategy, intervals) in known.enumerated() {
            if let intervals { all[strategy].intervals = intervals }
        }
        let open = strategies.indices.filter { !known.indices.contains($0) || known[$0] == nil }
        let draws = open.flatMap { strategy in
            ResampleTask.all(of: strategies[strategy]).map { (strategy, $0) }
        }
        guard let replicas = strategies.first?.count, !draws.isEmpty,
            let bootstrap = Bootstrap(seed: seed, replicas: replicas, workers)
        else { return all }
        precondition(
            strategies.allSatisfy { $0.count == replicas }, "the strategies have different numbers of replicas")
        let drawn = workers.map(draws.count) { draws[$0].1.intervals(bootstrap) }
        for ((strategy, _), intervals) in zip(draws, drawn) {
            for (metric, interval) in intervals ?? [] { all[strategy].intervals[metric] = interval }
        }
        return all
    }

    /// Number of work items that `all` distributes, for a progress display.
    package static func workItemCount(of strategies: [Replicas]) -> Int {
        let draws = strategies.reduce(0) { $0 + ResampleTask.all(of: $1).count }
        return draws > 0 ? Bootstrap.batchCount + draws : 0
    }

    package init(of replicas: Replicas, seed: UInt64) {
        self = Self.all(of: [replicas], seed: seed, workers: SerialMap())[0]
    }

    /// Values without intervals: for a single replica, or before any resampling.
    private init(figuresOf replicas: Replicas) {
        precondition(replicas.count > 0, "a measurement needs at least one replica")
        let phones = Int128(replicas.merged.phones)
        let prices = replicas.prices
        let mean = EnergyTable(meanOf: replicas.energy, phones: phones)
        energy = mean
        hasProcessor = prices.processor != nil
        radioSeconds = prices.radios.fitted.map { interface in
            let states = replicas.merged.ledger.nanosecondsByState(on: interface)
            return (interface, states.map { Billionths($0, over: phones * 1_000_000_000) ?? .zero })
        }
        losses = LossTables(replicas.merged.losses, replicas: replicas.count, phones: phones)
        timerDelay = .nanoseconds(
            Int64(clamping: replicas.merged[.values(.timerLate)].sum / max(1, phones)))
        unreadable = replicas.merged.unreadable

        for index in Catalogue.ratios.indices {
            let ratio = Catalogue.ratios[index]
            let value = Billionths(replicas.tops[index].sum, times: ratio.times, over: replicas.bottoms[index].sum)
            guard let value else { continue }
            let figure = Figure.value(ratio.energyPart.map { Billionths(count: $0(mean)) } ?? value)
            figures[ratio.metric] = figure
            if replicas.count > 1, replicas.tops[index].isConstant, replicas.bottoms[index].isConstant {
                intervals[ratio.metric] = Interval(low: figure, high: figure)
            }
        }
        for index in replicas.stores.indices { answer(Catalogue.queries[index], bySamples: index, of: replicas) }
    }

    /// Adds the figures of the quantile metrics that use one set of samples.
    private mutating func answer(_ queries: [QuantileQuery], bySamples index: Int, of replicas: Replicas) {
        let samples = replicas.stores[index].pooled
        for query in queries {
            let answer = samples.quantile(query.share)
            figures[query.metric] = query.figure(query.result(answer))
            if answer != .nothing { witnesses[query.metric] = replicas.stores[index].witness(answer) }
            answers[query.metric] = answer
            if replicas.count > 1, query.isZeroIfEmpty, replicas.stores[index].isEmpty {
                intervals[query.metric] = Interval(low: .value(.zero), high: .value(.zero))
            }
        }
    }

    package init(of folds: [RunFold], prices: Prices, seed: UInt64) {
        var replicas = Replicas(prices: prices, planned: folds.count)
        for fold in folds { replicas.add(fold) }
        self.init(of: replicas, seed: seed)
    }

    /// `nil` if the metric does not exist.
    package func figure(_ name: String) -> Figure? { Catalogue.index[name].map { figures[$0] } }

    /// `nil` if the metric does not exist, or if there is only one replica and so no interval.
    package func interval(_ name: String) -> Interval? { Catalogue.index[name].flatMap { intervals[$0] } }

    /// Joules per phone and replica. The rows of this table and of `energyByCause` add up to the same number of
    /// billionths.
    package var energyByState: [(name: String, joules: Billionths)] {
        let radios = radioSeconds.flatMap { interface, _ in
            RadioState.allCases.map { ("\(interface.name).\($0.name)", Billionths(count: energy.sum(interface, $0))) }
        }
        return radios + (hasProcessor ? [("cpu.wake", Billionths(count: energy.wake))] : [])
    }

    package var energyByCause: [(name: String, joules: Billionths)] {
        Cause.allCases.map { ("\($0.name)", Billionths(count: energy.sum($0))) }
    }

    /// Seconds per phone and replica in each radio state, for every radio that the phone has.
    package var radioTime: [(radio: String, states: [(name: String, seconds: Billionths)])] {
        radioSeconds.map { interface, states in
            (interface.name, zip(RadioState.allCases, states).map { ("\($0.name)", $1) })
        }
    }
}
