package import DeadzoneBase
package import DeadzoneClient
import DeadzoneHost
package import DeadzoneMetrics
package import DeadzoneScenarios
import DeadzoneSimulator
import Synchronization

/// Plan of a simulation run: all strategies under the same random conditions, repeated in several replicas (seeds).
package struct SimulationPlan: Sendable {
    private var sharedWorld: SharedWorld
    let strategies: [AnyStrategy]
    /// Fixed strategy of each population group; `nil` for a group that runs the compared strategy. Empty if all
    /// phones run the compared strategy.
    let groupStrategies: [AnyStrategy?]
    let prices: Prices
    /// Seed of each replica.
    package let seeds: [UInt64]
    /// `true` if the results also keep each replica's own metrics and a hash of each simulated minute.
    package var keepsReplicaDetails = false
    /// `true` if metrics are also aggregated for each phone when phones share a server (coupled run). `WitnessFinder`
    /// then need not run the replica again.
    package var foldsByPhone = false
    /// Number of the replica that `seeds[0]` belongs to.
    package let firstReplica: Int
    /// The only phone to record; `nil` records all phones.
    let phone: UInt32?
    /// Hashes of the world and of each strategy; `nil` if results are not kept for later runs.
    private var identities: (world: Fingerprint, groups: [Fingerprint?], strategies: [Fingerprint])?

    /// Plans the run of some strategies in a scenario.
    /// - Parameters:
    ///   - replicas: number of replicas, counted from the one that the focus selects (by default 0).
    ///   - focus: limits the run to one replica, one phone or both.
    package init(
        _ scenario: Scenario, _ strategies: [AnyStrategy], seed: UInt64, replicas: Int, focus: Focus = Focus()
    ) {
        sharedWorld = scenario.sharedWorld
        prices = scenario.prices
        self.strategies = strategies
        groupStrategies = scenario.groupStrategies
        let first = focus.replica ?? 0
        firstReplica = first
        phone = focus.phone.map { UInt32($0) }
        seeds = (first..<(first + replicas)).map(seed.seed(ofReplica:))
    }

    /// Plans the run of named strategies. Their results can be kept for later runs.
    package init(
        _ scenario: Scenario, _ strategies: [NamedStrategy], seed: UInt64, replicas: Int, focus: Focus = Focus()
    ) {
        self.init(scenario, strategies.map(\.strategy), seed: seed, replicas: replicas, focus: focus)
        identities = (scenario.worldHash, scenario.population.map { $0.strategy?.hash }, strategies.map(\.hash))
    }

    private(set) var world: World {
        _read { yield sharedWorld.world }
        _modify { yield &sharedWorld.world }
    }

    /// The same plan without some changes of the timeline.
    func without(_ changes: [Int]) -> Self {
        var plan = self
        plan.world = world.without(changes)
        plan.foldsByPhone = false
        plan.identities = nil
        return plan
    }

    /// The results of a simulation run, by strategy. They cover the replicas that every strategy finished, up to the
    /// first unfinished one.
    package struct RunResults: Sendable {
        package let byStrategy: [StrategyResults]
        /// `false` if the run was stopped before its end.
        package let isComplete: Bool
        /// For each strategy, the facts that determine its results; `nil` if results are not kept for later runs.
        let facts: [[String]?]

        /// Number of replicas with results.
        package var replicaCount: Int { byStrategy.first?.replicas.count ?? 0 }
    }

    /// A unit of simulation work for one thread: some phones of one strategy in one replica.
    struct SimulationPart: Hashable, Sendable {
        let replica: Int
        let strategy: Int
        let phones: Range<UInt32>
    }

    /// All parts, ordered by replica. If the run is stopped, the finished replicas can still be compared.
    var parts: [SimulationPart] {
        let blocks = blocks
        return seeds.indices.flatMap { replica in
            strategies.indices.flatMap { strategy in
                blocks.map { SimulationPart(replica: replica, strategy: strategy, phones: $0) }
            }
        }
    }

    func simulation(_ strategy: Int, _ replica: Int) -> Simulation {
        var simulation = Simulation(
            world: world, strategy: strategies[strategy], groupStrategies: groupStrategies, seed: seeds[replica])
        simulation.memory = Self.memory
        return simulation
    }

    /// The memory of phones: `DEADZONE_MEMORY=plain` is for tests of the compact one (`Base/Memory/README.md`).
    private static let memory = PhoneMemory(rawValue: Environment.process["DEADZONE_MEMORY"] ?? "") ?? .compact

    /// The first phone without a fixed group strategy; phone 0 if every phone has one.
    var firstComparedPhone: UInt32 {
        let group = groupStrategies.firstIndex { $0 == nil }
        return group.map { world.groups[$0].phones.lowerBound } ?? 0
    }

    /// Phone ranges of the groups with metrics of their own. Empty if only one phone is recorded, or if the number of
    /// groups is outside `Scenario.reportedGroupCounts`.
    var reportedGroups: [Range<UInt32>] {
        let all = world.groups.map(\.phones)
        return phone == nil && Scenario.reportedGroupCounts.contains(all.count) ? all : []
    }

    /// Phone ranges that can be simulated separately. Random conditions are addressed by phone, so an uncoupled phone
    /// has the same day when it is simulated alone. A coupled world needs all phones.
    private var blocks: [Range<UInt32>] {
        guard let phone, !world.isCoupled else { return world.blocks() }
        return [phone..<(phone + 1)]
    }

    private func run(
        _ phones: Range<UInt32>, of simulation: Simulation, into recorder: inout some Recorder,
        _ isStopped: () -> Bool
    ) {
        guard let phone, world.isCoupled else {
            return simulation.run(phones, into: &recorder, isCancelled: isStopped)
        }
        var lane = SinglePhoneRecorder(phone: phone, recorder: recorder)
        simulation.run(phones, into: &lane, isCancelled: isStopped)
        recorder = lane.recorder
    }

    /// Simulates one replica of one strategy again and records everything. Uncoupled phones run one after another.
    /// The records and their order are the same as in the original run.
    /// - Parameter selected: phones of interest; `nil` means all. In a coupled world other phones are recorded as
    ///   well.
    package func rerun(
        _ strategy: Int, _ replica: Int, of selected: [Range<UInt32>]? = nil, into recorder: inout some Recorder,
        _ isStopped: () -> Bool
    ) {
        let simulation = simulation(strategy, replica)
        let parts = world.isCoupled ? nil : selected
        for phones in parts ?? blocks { run(phones, of: simulation, into: &recorder, isStopped) }
    }

    /// Number of parts, for progress output.
    package var partCount: Int { seeds.count * strategies.count * blocks.count }

    /// Runs all parts on the executor's threads. The number of threads does not affect the results.
    /// - Parameters:
    ///   - gathered: part results from shards; `nil` simulates the parts now.
    ///   - onReplica: called for each replica in order, with its number.
    package func run(
        by executor: ParallelExecutor, from gathered: ShardSet.ShardResults? = nil,
        onPart: @escaping @Sendable () -> Void = {}, onReplica: (@Sendable (Int, ReplicaResult) -> Void)? = nil
    ) -> RunResults {
        let parts = parts
        let partsPerStrategy = strategies.map { _ in blocks.count }
        let first = firstReplica
        let orderedDelivery = onReplica.map { deliver in OrderedDelivery<ReplicaResult> { deliver(first + $0, $1) } }
        let (planned, prices, keepsReplicaDetails) = (
            seeds.count * max(1, reportedGroups.count), prices, keepsReplicaDetails
        )
        let collector = ResultCollector(partsPerStrategy: partsPerStrategy, orderedDelivery: orderedDelivery) {
            result in
            StrategyResults(
                result, Replicas(of: result.fold, prices: prices, planned: seeds.count),
                groups: result.groups.folds.map { Replicas(of: $0, prices: prices, planned: planned) },
                keepsReplicaDetails: keepsReplicaDetails)
        }
        forEachPartResult(parts.indices, by: executor, onPart, from: gathered) {
            collector.add($1, parts[$0].strategy, of: parts[$0].replica)
        }
        let byStrategy = collector.byStrategy
        let finished = byStrategy.first?.replicas.count ?? 0
        return RunResults(
            byStrategy: byStrategy, isComplete: finished == seeds.count,
            facts: strategies.indices.map { facts(of: $0, seeds.prefix(finished)) })
    }

    /// Results of the selected parts, in their order; fewer if the run was stopped.
    func partResults(
        ofParts selected: [Int], by executor: ParallelExecutor, onPart: @escaping @Sendable () -> Void
    ) -> [PartResult] {
        let kept = Mutex<[Int: PartResult]>([:])
        forEachPartResult(selected, by: executor, onPart) { index, partResult in
            kept.withLock { $0[index] = partResult }
        }
        return kept.withLock { kept in selected.compactMap { kept[$0] } }
    }

    /// Calls `take` with the result of each selected part, in the order in which threads finish them.
    private func forEachPartResult(
        _ selected: some RandomAccessCollection<Int> & Sendable, by executor: ParallelExecutor,
        _ onPart: @escaping @Sendable () -> Void,
        from gathered: ShardSet.ShardResults? = nil, _ take: @escaping @Sendable (Int, PartResult) -> Void
    ) {
        let (selected, parts) = (Array(selected), parts)
        let first = executor.firstShare?.begin(of: selected.count) ?? 0
        // In a coupled world, threads without a part of their own simulate phones of another thread's part.
        let jobs = world.isCoupled ? executor.jobs : max(1, min(executor.jobs, selected.count))
        _ = executor.mapSharingWork(selected.count, jobs: jobs) { place, pool in
            let index = selected[(first + place) % selected.count]
            let partResult =
                if let gathered { gathered.partResult(ofPart: index) } else {
                    partResult(of: parts[index], jobs: jobs, pool, executor)
                }
            // A part that was interrupted is discarded.
            guard let partResult, !executor.isStopped() else { return }
            take(index, partResult)
            onPart()
        }
    }

    /// Maximum number of per-phone metric aggregates (folds) in memory, summed over all strategies and replicas.
    private static let maximumPhoneFolds = 4_096

    private var keepsPhoneFolds: Bool {
        let folds = seeds.count * strategies.count * min(world.phones, PhoneFolds.maximumFolds)
        return foldsByPhone && world.isCoupled && phone == nil && folds <= Self.maximumPhoneFolds
    }

    /// Minimum number of phones for each additional recorder.
    private static let phonesPerRecorder = 32

    /// The result of a part: of an earlier run, or simulated now.
    private func partResult(
        of part: SimulationPart, jobs: Int, _ pool: WorkSharingPool, _ executor: ParallelExecutor
    ) -> PartResult {
        guard let cache = executor.cache, let name = entryName(of: part, cache) else {
            return simulated(part, jobs: jobs, pool, executor.isStopped)
        }
        if let known = cache.partResult(name, like: emptyResult(of: part)),
            known.groups.folds.count == reportedGroups.count
        {
            return known
        }
        let result = simulated(part, jobs: jobs, pool, executor.isStopped)
        // An interrupted part is incomplete.
        if !executor.isStopped() { cache.store(result, as: name) }
        return result
    }

    /// The name of the part's entry in the cache; `nil` if its result is not kept. Results by phone are large and seldom
    /// needed twice.
    func entryName(of part: SimulationPart, _ cache: ResultCache) -> String? {
        guard !keepsPhoneFolds, let facts = facts(of: part.strategy, [seeds[part.replica]]) else { return nil }
        return cache.name(facts + ["\(part.phones)", keepsReplicaDetails ? "minutes" : ""])
    }

    /// The facts that determine the results of a strategy with these seeds; `nil` if results are not kept. A result of
    /// plain memory is computed to be compared.
    private func facts(of strategy: Int, _ seeds: some Sequence<UInt64>) -> [String]? {
        guard let identities, Self.memory == .compact else { return nil }
        let groups = identities.groups.map { $0?.hex ?? "compared" }
        return [
            ([identities.world.hex] + groups).joined(separator: " "), identities.strategies[strategy].hex,
            seeds.map { "\($0)" }.joined(separator: " "), phone.map { "phone \($0)" } ?? "all phones",
        ]
    }

    private func emptyResult(of part: SimulationPart) -> PartResult {
        PartResult(
            minutes: keepsReplicaDetails ? MinuteDigests(until: world.horizon) : nil,
            phoneFolds: keepsPhoneFolds ? PhoneFolds(of: world.slices(of: part.phones).map(\.phones)) : nil,
            groups: reportedGroups)
    }

    private func simulated(
        _ part: SimulationPart, jobs: Int, _ pool: WorkSharingPool, _ isStopped: () -> Bool
    ) -> PartResult {
        let simulation = simulation(part.strategy, part.replica)
        var partResult = emptyResult(of: part)
        guard world.isCoupled, phone == nil else {
            run(part.phones, of: simulation, into: &partResult, isStopped)
            partResult.finish()
            return partResult
        }
        var partResults = Array(
            repeating: partResult, count: max(1, min(jobs, part.phones.count / Self.phonesPerRecorder)))
        simulation.run(into: &partResults, by: PoolParallelFor(pool: pool), isCancelled: isStopped)
        for crowd in partResults { partResult.merge(crowd) }
        partResult.finish()
        return partResult
    }

    private struct PoolParallelFor: ParallelFor {
        let pool: WorkSharingPool
        func each(_ count: Int, _ body: @Sendable (Int) -> Void) { pool.each(count, body) }
    }

    /// A recorder that forwards only the records of one phone to another recorder.
    private struct SinglePhoneRecorder<R: Recorder>: Recorder {
        let phone: UInt32
        var recorder: R

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            for run in batch.runsOfOnePhone where batch[run.lowerBound].phone == phone {
                recorder.record(UnsafeBufferPointer(rebasing: batch[run]))
            }
        }

        mutating func merge(_ other: Self) { recorder.merge(other.recorder) }
    }
}

extension UnsafeBufferPointer<Record> {
    /// Ranges of consecutive records of the same phone.
    var runsOfOnePhone: [Range<Int>] {
        var runs: [Range<Int>] = []
        for index in indices {
            if let last = runs.last, self[last.lowerBound].phone == self[index].phone {
                runs[runs.count - 1] = last.lowerBound..<(index + 1)
            } else {
                runs.append(index..<(index + 1))
            }
        }
        return runs
    }
}
