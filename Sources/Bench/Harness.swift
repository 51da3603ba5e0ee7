import DeadzoneHost

/// The timings of all rounds of one benchmark loop, with minimum and median.
struct LoopTiming: Sendable {
    private(set) var samples: [BenchmarkSample] = []

    mutating func add(_ sample: BenchmarkSample) { samples.append(sample) }

    private var sorted: [BenchmarkSample] { samples.sorted { $0.perEvent < $1.perEvent } }

    var best: BenchmarkSample { sorted[0] }
    var median: Double { sorted[samples.count / 2].perEvent }
}

struct BenchmarkResult: Sendable {
    let benchmark: Benchmark
    let clients: Int
    let ours: LoopTiming
    let bare: [(name: String, timing: LoopTiming)]
    let peakMemory: Int64
    /// Growth of the peak memory.
    let memoryGrowth: Int64

    /// Minimum time of ours divided by the minimum time of the best bare loop.
    var ratio: Double? { bare.map { ours.best.perEvent / $0.timing.best.perEvent }.max() }

    /// Median over rounds of the ratio between ours and the best bare loop in the same round. On a busy machine it is
    /// steadier than the ratio of minima.
    var pairedRatio: Double? {
        guard let best = bare.min(by: { $0.timing.best.perEvent < $1.timing.best.perEvent }) else { return nil }
        let ratios = zip(ours.samples, best.timing.samples).map { $0.perEvent / $1.perEvent }.sorted()
        return ratios[ratios.count / 2]
    }

    /// Name of a bare loop that did different work from ours, which makes the ratio meaningless.
    var mismatchedLoop: String? {
        guard benchmark.checksMustAgree else { return nil }
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
    /// Runs ours and the bare loops alternately, so that changes in the machine's speed affect all of them.
    func measure(quick: Bool) -> BenchmarkResult {
        let before = HostMachine.peakMemory
        var ours = LoopTiming()
        ours.add(self.ours(quick))
        let memoryGrowth = HostMachine.peakMemory - before
        var timings = bare.map { _ in LoopTiming() }
        for index in bare.indices { timings[index].add(bare[index].run(quick)) }
        for _ in 1..<max(1, quick ? (rounds + 4) / 5 : rounds) {
            ours.add(self.ours(quick))
            for index in bare.indices { timings[index].add(bare[index].run(quick)) }
        }
        return BenchmarkResult(
            benchmark: self, clients: clients(quick), ours: ours, bare: zip(bare, timings).map { ($0.name, $1) },
            peakMemory: HostMachine.peakMemory, memoryGrowth: memoryGrowth)
    }
}
