import DeadzoneBase
import DeadzoneHost
import DeadzoneLaws
import DeadzoneMetrics

/// Searches for worlds in which demands break. Worlds are drawn in generations. A world depends on the seed, its number
/// and the generations before it, so any number of threads gives the same worlds. Most worlds are new, because worlds of
/// many pairs of disturbances find faults sooner than changes of earlier worlds do.
struct HuntSearch {
    /// Worlds of one generation.
    private static let generation = 64
    /// Parts of a generation that threads run. Each reads the scenario's files once.
    private static let chunks = 8
    /// New worlds at the start, before any is changed.
    private static let drawnFirst = 64
    /// After these, one world in this many is a changed one.
    private static let changedShare = 4
    /// Most worlds that are kept because they showed something new. Later ones replace the oldest.
    private static let mostKept = 2_048
    /// Worlds that came nearest to breaking a demand.
    private static let nearest = 8

    struct FoundWorld: Sendable {
        let demand: Int
        let genome: WorldGenome
        let breach: HuntEvaluator.Breach
        /// Number of the world, from 1.
        let number: Int
    }

    let task: HuntTask
    let executor: ParallelExecutor
    let seed: UInt64
    let budget: Int
    let isUnguided: Bool
    private(set) var found: [FoundWorld] = []
    private(set) var worlds = 0
    private(set) var refused = 0
    private var coverage = CoverageMap()
    private var kept: [WorldGenome] = []
    /// For each demand, the worlds nearest to breaking it, nearest first.
    private(set) var closest: [[(closeness: Double, genome: WorldGenome)]]
    private var keptCount = 0

    var situations: Int { coverage.buckets }

    init(
        _ task: HuntTask, by executor: ParallelExecutor, seed: UInt64, budget: Int, isUnguided: Bool
    ) {
        self.task = task
        self.executor = executor
        self.seed = seed
        self.budget = budget
        self.isUnguided = isUnguided
        closest = task.demands.map { _ in [] }
    }

    /// Demands that no world has broken yet.
    private var open: [Int] {
        task.demands.indices.filter { demand in !found.contains { $0.demand == demand } }
    }

    /// Searches until every demand is broken or the budget is used. `false` if the search was stopped.
    mutating func run(_ progress: Progress) -> Bool {
        while !open.isEmpty, worlds < budget {
            let first = worlds
            let genomes = (first..<min(first + Self.generation, budget)).map(genome)
            let trials = trials(genomes, progress)
            guard !executor.isStopped() else { return false }
            worlds += genomes.count
            for (index, trial) in trials.enumerated() {
                guard let trial else {
                    refused += 1
                    continue
                }
                note(trial, genomes[index])
            }
            keepBreaches(genomes, trials, first)
        }
        return true
    }

    /// Runs the worlds, some of them on each thread. The result is `nil` for a world that was refused.
    private func trials(_ genomes: [WorldGenome], _ progress: Progress) -> [HuntEvaluator.HuntTrial?] {
        let task = task
        let chunks = executor.map(Self.chunks) { chunk in
            let evaluator = HuntEvaluator(task)
            return stride(from: chunk, to: genomes.count, by: Self.chunks).map { index in
                defer { progress.advance() }
                return evaluator.trial(genomes[index])
            }
        }
        return genomes.indices.map { index in
            guard let chunk = chunks[index % Self.chunks], chunk.indices.contains(index / Self.chunks) else {
                return nil
            }
            return chunk[index / Self.chunks]
        }
    }

    /// Keeps the simplest breach of the generation for each open demand.
    private mutating func keepBreaches(_ genomes: [WorldGenome], _ trials: [HuntEvaluator.HuntTrial?], _ first: Int) {
        for demand in open {
            let broken = trials.indices.filter { trials[$0]?.breaches[demand] != nil }
            guard let best = broken.min(by: { genomes[$0].complexity < genomes[$1].complexity }),
                let breach = trials[best]?.breaches[demand], let earliest = broken.first
            else { continue }
            found.append(
                FoundWorld(demand: demand, genome: genomes[best], breach: breach, number: first + earliest + 1))
        }
    }

    private mutating func note(_ trial: HuntEvaluator.HuntTrial, _ genome: WorldGenome) {
        if coverage.add(trial.coverage) > 0 {
            if kept.count < Self.mostKept { kept.append(genome) } else { kept[keptCount % Self.mostKept] = genome }
            keptCount += 1
        }
        for demand in task.demands.indices {
            let closeness = trial.closeness[demand]
            guard closeness > (closest[demand].count < Self.nearest ? 0 : closest[demand].last?.closeness ?? 0) else {
                continue
            }
            let place = closest[demand].firstIndex { $0.closeness < closeness } ?? closest[demand].count
            closest[demand].insert((closeness, genome), at: place)
            closest[demand] = Array(closest[demand].prefix(Self.nearest))
        }
    }

    private func genome(_ number: Int) -> WorldGenome {
        var drawer = GenomeDrawer(seed: seed, number: number, on: task.worlds.ground, isPlain: isUnguided)
        let isFresh = isUnguided || number < Self.drawnFirst || kept.isEmpty || drawer.below(Self.changedShare) != 0
        if isFresh { return isUnguided ? drawer.genome() : drawer.guidedGenome() }
        let parent = parent(&drawer)
        let other = kept[drawer.below(kept.count)]
        return drawer.changed(parent, and: other)
    }

    /// A recent world with something new, any such world, or one near to breaking a demand, with equal chances.
    private func parent(_ drawer: inout GenomeDrawer) -> WorldGenome {
        switch drawer.below(3) {
        case 0:
            let recent = min(kept.count, Self.generation)
            return kept[(keptCount - 1 - drawer.below(recent)) % Self.mostKept]
        case 1:
            let open = open.filter { !closest[$0].isEmpty }
            guard !open.isEmpty else { return kept[drawer.below(kept.count)] }
            let near = closest[open[drawer.below(open.count)]]
            return near[drawer.below(near.count)].genome
        default: return kept[drawer.below(kept.count)]
        }
    }
}
