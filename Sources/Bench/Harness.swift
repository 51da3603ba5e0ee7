import DeadzoneHost

/// What several rounds of one loop come to.
struct Timing: Sendable {
    private(set) var samples: [Sample] = []

    mutating func add(_ sample: Sample) { samples.append(sample) }

    private var sorted: [Sample] { samples.sorted { $0.perEvent < $1.perEvent } }

    var best: Sample { sorted[0] }
    var median: Double { sorted[samples.count / 2].perEvent }
}

struct Finding: Sendable {
    let benchmark: Benchmark
    let clients: Int
    let ours: Timing
    let bare: [(name: String, timing: Timing)]
    let peakMemory: Int64
    /// By how much the peak grew.
    let growth: Int64

    /// Least time of ours over the least time of the best bare loop.
    var ratio: Double? { bare.map { ours.best.perEvent / $0.timing.best.perEvent }.max() }

    /// The median over rounds of ours over the best bare loop of the same round: steadier than the least on a busy machine.
    var pairedRatio: Double? {
        guard let best = bare.min(by: { $0.timing.best.perEvent < $1.timing.best.perEvent }) else { return nil }
        let ratios = zip(ours.samples, best.timing.samples).map { $0.perEvent / $1.perEvent }.sorted()
        return ratios[ratios.count / 2]
    }

    /// A bare loop that did something else than we did makes the ratio worthless.
    var contradiction: String? {
        guard benchmark.isSameWork else { return nil }
        return bare.first { $0.timing.best.check != ours.best.check }?.name
    }

    var isGoalMet: Bool? {
        switch benchmark.goal {
        case nil: nil
        case .ratio(let bound): pairedRatio.map { $0 <= bound }
        case .nanosecondsPerEvent(let bound): ours.best.perEvent <= bound
        case .seconds(let bound): Double(ours.best.nanoseconds) <= bound * 1e9
        }
    }
}

extension Benchmark {
    /// Ours and the bare loops in turn, so that a change in the machine's temper meets all of them.
    func measure(quick: Bool) -> Finding {
        let before = Machine.peakMemory
        var ours = Timing()
        ours.add(self.ours(quick))
        let growth = Machine.peakMemory - before
        var timings = bare.map { _ in Timing() }
        for index in bare.indices { timings[index].add(bare[index].run(quick)) }
        for _ in 1..<max(1, quick ? (rounds + 4) / 5 : rounds) {
            ours.add(self.ours(quick))
            for index in bare.indices { timings[index].add(bare[index].run(quick)) }
        }
        return Finding(
            benchmark: self, clients: clients(quick), ours: ours, bare: zip(bare, timings).map { ($0.name, $1) },
            peakMemory: Machine.peakMemory, growth: growth)
    }
}
