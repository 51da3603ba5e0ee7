public import DeadzoneClient
public import DeadzoneCompare
import DeadzoneEngine
import DeadzoneHost
public import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
public import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneWorld
import Synchronization

/// What is to be simulated: every strategy, under the same weathers.
public struct Assignment: Sendable {
    let world: World
    let strategies: [AnyStrategy]
    /// By group of the population: what it runs whatever is compared. Empty: all phones run what is compared.
    let own: [AnyStrategy?]
    let prices: Prices
    /// The seed of each replica.
    public let seeds: [UInt64]
    /// Whether each replica is kept by itself, too: its own numbers, and what each minute was like.
    var keepsEach = false
    /// Whether what happens where phones meet is sorted by phone while it runs, for who will ask whose a longest is: see `WitnessFinder`.
    public var sortsByPhone = false
    /// The number of the replica that the first seed is of.
    public let firstReplica: Int
    /// The one phone of which anything is recorded; nil: all.
    let phone: UInt32?

    /// Of the replicas that the focus leaves, so many.
    public init(
        _ scenario: Scenario, _ strategies: [AnyStrategy], seed: UInt64, replicas: Int, focus: Focus = Focus()
    ) {
        world = scenario.world
        prices = scenario.prices
        self.strategies = strategies
        own = scenario.ownStrategies
        let first = focus.replica ?? 0
        firstReplica = first
        phone = focus.phone.map { UInt32($0) }
        seeds = (first..<(first + replicas)).map(seed.seed(ofReplica:))
    }

    /// What came of it: for each strategy, of each replica that every strategy finished.
    public struct Yield: Sendable {
        public let crops: [Crop]
        /// False if it was stopped before its end.
        public let isComplete: Bool

        /// How many replicas there are.
        public var count: Int { crops.first?.replicas.count ?? 0 }
    }

    /// A part that one thread does at once: some phones of one replica of one strategy.
    struct Part: Sendable {
        let replica: Int
        let strategy: Int
        let phones: Range<UInt32>
    }

    /// Replica by replica, so that what is finished when someone stops it can be compared.
    var parts: [Part] {
        seeds.indices.flatMap { replica in
            strategies.indices.flatMap { strategy in
                blocks(simulation(strategy, replica)).map {
                    Part(replica: replica, strategy: strategy, phones: $0)
                }
            }
        }
    }

    func simulation(_ strategy: Int, _ replica: Int) -> Simulation {
        Simulation(world: world, strategy: strategies[strategy], own: own, seed: seeds[replica])
    }

    /// The first phone that has no strategy of its own; the first of all where every phone has one.
    var firstCompared: UInt32 {
        let group = own.firstIndex { $0 == nil }
        return group.map { world.groups[$0].phones.lowerBound } ?? 0
    }

    /// The groups that are told apart in numbers: none where one phone is asked for, and none of very many.
    var groups: [Range<UInt32>] {
        let all = world.groups.map(\.phones)
        return phone == nil && Scenario.toldApart.contains(all.count) ? all : []
    }

    /// Weather is addressed by phone, so one that meets nobody lives the same day alone; where phones meet, all are needed.
    private func blocks(_ simulation: Simulation) -> [Range<UInt32>] {
        guard let phone, !world.isCoupled else { return simulation.blocks() }
        return [phone..<(phone + 1)]
    }

    private func run(
        _ phones: Range<UInt32>, of simulation: Simulation, into recorder: inout some Recorder,
        _ isStopped: () -> Bool
    ) {
        guard let phone, world.isCoupled else {
            return simulation.run(phones, into: &recorder, isCancelled: isStopped)
        }
        var lane = OneLane(lane: phone, recorder: recorder)
        simulation.run(phones, into: &lane, isCancelled: isStopped)
        recorder = lane.recorder
    }

    /// Everything that happens in one replica of one strategy, once more. Phones that do not meet come one after another; the
    /// same records as in the run, in the same order.
    /// - Parameter wanted: the phones of interest; where phones meet, others are recorded as well. Nil: all.
    public func again(
        _ strategy: Int, _ replica: Int, of wanted: [Range<UInt32>]? = nil, into recorder: inout some Recorder,
        _ isStopped: () -> Bool
    ) {
        let simulation = simulation(strategy, replica)
        let parts = world.isCoupled ? nil : wanted
        for phones in parts ?? blocks(simulation) { run(phones, of: simulation, into: &recorder, isStopped) }
    }

    /// The number of parts, for who shows progress.
    public var size: Int { parts.count }

    /// Runs on the threads of a crew; how many these are cannot show in the yield.
    /// - Parameters:
    ///   - gathered: what the parts came to elsewhere; nil: they are simulated now.
    ///   - onReplica: told of each replica, in their order, with its number.
    public func run(
        by crew: Crew, from gathered: ShardSet.Gathered? = nil,
        onPart: @escaping @Sendable () -> Void = {}, onReplica: (@Sendable (Int, ReplicaResult) -> Void)? = nil
    ) -> Yield {
        let parts = parts
        let blocks = strategies.indices.map { strategy in parts.count { $0.replica == 0 && $0.strategy == strategy } }
        let first = firstReplica
        let turns = onReplica.map { told in Turns<ReplicaResult> { told(first + $0, $1) } }
        let (planned, prices, keepsEach) = (seeds.count * max(1, groups.count), prices, keepsEach)
        let barn = Barn(blocks: blocks, turns: turns) { harvest in
            Crop(
                harvest, Replicas(of: harvest.fold, prices: prices, planned: seeds.count),
                groups: harvest.groups.folds.map { Replicas(of: $0, prices: prices, planned: planned) },
                keepsEach: keepsEach)
        }
        each(parts.indices, by: crew, onPart, from: gathered) {
            barn.bring($1, parts[$0].strategy, of: parts[$0].replica)
        }
        let crops = barn.crops
        return Yield(crops: crops, isComplete: crops.first?.replicas.count == seeds.count)
    }

    /// What some parts come to, in their order; fewer if somebody stopped it.
    func harvests(
        ofParts wanted: [Int], by crew: Crew, onPart: @escaping @Sendable () -> Void
    ) -> [Harvest] {
        let kept = Mutex<[Int: Harvest]>([:])
        each(wanted, by: crew, onPart) { index, harvest in kept.withLock { $0[index] = harvest } }
        return kept.withLock { kept in wanted.compactMap { kept[$0] } }
    }

    /// Hands on what each of these parts comes to, in whatever order threads are done with them.
    private func each(
        _ wanted: some RandomAccessCollection<Int> & Sendable, by crew: Crew, _ onPart: @escaping @Sendable () -> Void,
        from gathered: ShardSet.Gathered? = nil, _ take: @escaping @Sendable (Int, Harvest) -> Void
    ) {
        let (wanted, parts) = (Array(wanted), parts)
        // Phones that meet are split among threads that have nothing else to do.
        let jobs = world.isCoupled ? crew.jobs : max(1, min(crew.jobs, wanted.count))
        _ = Workers.runTogether(count: wanted.count, jobs: jobs, stop: crew.isStopped) { place, team in
            let index = wanted[place]
            let harvest =
                if let gathered { gathered.harvest(ofPart: index) } else {
                    harvest(of: parts[index], jobs: jobs, team, crew.isStopped)
                }
            // A part that was cut short counts for nothing.
            guard let harvest, !crew.isStopped() else { return }
            take(index, harvest)
            onPart()
        }
    }

    /// Folds of phones that may be kept at once, of all strategies and replicas.
    private static let mostSorted = 4_096

    private var keepsPhones: Bool {
        let folds = seeds.count * strategies.count * min(world.phones, PhoneFolds.most)
        return sortsByPhone && world.isCoupled && phone == nil && folds <= Self.mostSorted
    }

    /// Phones that are worth a recorder of their own.
    private static let crowd = 32

    private func harvest(of part: Part, jobs: Int, _ team: Team, _ isStopped: () -> Bool) -> Harvest {
        let simulation = simulation(part.strategy, part.replica)
        var harvest = Harvest(
            minutes: keepsEach ? MinuteDigests(until: world.horizon) : nil,
            sorted: keepsPhones ? PhoneFolds(of: world.parts(of: part.phones).map(\.phones)) : nil, groups: groups)
        guard world.isCoupled, phone == nil else {
            run(part.phones, of: simulation, into: &harvest, isStopped)
            harvest.settle()
            return harvest
        }
        var harvests = Array(repeating: harvest, count: max(1, min(jobs, part.phones.count / Self.crowd)))
        simulation.run(into: &harvests, by: Teammates(team: team), isCancelled: isStopped)
        for crowd in harvests { harvest.merge(crowd) }
        harvest.settle()
        return harvest
    }

    private struct Teammates: Helpers {
        let team: Team
        func each(_ count: Int, _ body: @Sendable (Int) -> Void) { team.each(count, body) }
    }

    /// Hands on what happens to one phone.
    private struct OneLane<R: Recorder>: Recorder {
        let lane: UInt32
        var recorder: R

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            for run in batch.runsOfOnePhone where batch[run.lowerBound].lane == lane {
                recorder.record(UnsafeBufferPointer(rebasing: batch[run]))
            }
        }

        mutating func merge(_ other: Self) { recorder.merge(other.recorder) }
    }
}

extension UnsafeBufferPointer<Record> {
    /// Stretches of records that follow each other and are of the same phone.
    var runsOfOnePhone: [Range<Int>] {
        var runs: [Range<Int>] = []
        for index in indices {
            if let last = runs.last, self[last.lowerBound].lane == self[index].lane {
                runs[runs.count - 1] = last.lowerBound..<(index + 1)
            } else {
                runs.append(index..<(index + 1))
            }
        }
        return runs
    }
}
