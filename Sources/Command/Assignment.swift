import DeadzoneClient
import DeadzoneEngine
import DeadzoneHost
import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives

/// What is to be simulated: every strategy, under the same weathers.
struct Assignment: Sendable {
    let world: World
    let strategies: [AnyStrategy]
    /// The seed of each replica.
    let seeds: [UInt64]
    /// Whether it is kept what each minute was like.
    var keepsMinutes = false

    /// What came of it: for each strategy, for each replica that every strategy finished.
    struct Yield: Sendable {
        let replicas: [[Harvest]]
        /// False if it was stopped before its end.
        let isComplete: Bool
    }

    /// One strategy in one replica: metrics, digest and trouble from one pass.
    struct Harvest: Recorder {
        private(set) var fold = RunFold()
        private(set) var digest = Digest()
        private(set) var stops = Stops()
        /// Nil where nobody asked for them.
        private(set) var minutes: MinuteDigests?

        init(minutes: MinuteDigests? = nil) { self.minutes = minutes }

        mutating func record(_ batch: UnsafeBufferPointer<Record>) {
            let known = fold.count(of: .stopped)
            fold.record(batch)
            digest.record(batch)
            minutes?.record(batch)
            // Rare: the batch is looked through again only if it holds one.
            if fold.count(of: .stopped) != known { stops.record(batch) }
        }

        mutating func merge(_ other: Harvest) {
            fold.merge(other.fold)
            digest.merge(other.digest)
            stops.merge(other.stops)
            if let others = other.minutes { minutes?.merge(others) }
        }
    }

    /// A part that one thread does at once: some phones of one replica of one strategy.
    private struct Part: Sendable {
        let replica: Int
        let strategy: Int
        let phones: Range<UInt32>
    }

    /// Replica by replica, so that what is finished when someone stops it can be compared.
    private var parts: [Part] {
        seeds.indices.flatMap { replica in
            strategies.indices.flatMap { strategy in
                simulation(strategy, replica).shards().map {
                    Part(replica: replica, strategy: strategy, phones: $0)
                }
            }
        }
    }

    func simulation(_ strategy: Int, _ replica: Int) -> Simulation {
        Simulation(world: world, strategy: strategies[strategy], seed: seeds[replica])
    }

    /// The number of parts, for who shows progress.
    var size: Int { parts.count }

    /// Runs on so many threads; how many cannot show in the yield.
    func run(jobs: Int, isStopped: @escaping @Sendable () -> Bool, onPart: @escaping @Sendable () -> Void) -> Yield {
        let parts = parts
        let done = Workers.run(count: parts.count, jobs: jobs, stop: isStopped) { index -> Sheaf? in
            let part = parts[index]
            var harvest = Harvest(minutes: keepsMinutes ? MinuteDigests(until: world.horizon) : nil)
            simulation(part.strategy, part.replica).run(part.phones, into: &harvest, isCancelled: isStopped)
            // A part that was cut short counts for nothing.
            guard !isStopped() else { return nil }
            onPart()
            return Sheaf(harvest)
        }.map { $0.flatMap { $0 } }
        let finished = zip(parts, done).first { $0.1 == nil }?.0.replica ?? seeds.count
        var replicas = [[Harvest]](repeating: [], count: strategies.count)
        for (part, sheaf) in zip(parts, done) {
            guard part.replica < finished, let sheaf else { break }
            if replicas[part.strategy].count == part.replica {
                replicas[part.strategy].append(sheaf.harvest)
            } else {
                replicas[part.strategy][part.replica].merge(sheaf.harvest)
            }
        }
        return Yield(replicas: replicas, isComplete: finished == seeds.count)
    }

    /// Small in the list of all parts, of which few may ever be done.
    private final class Sheaf: Sendable {
        let harvest: Harvest
        init(_ harvest: Harvest) { self.harvest = harvest }
    }
}

extension [Assignment.Harvest] {
    /// One digest of all replicas, in sixteen hexadecimal digits.
    var combinedDigest: String { Digest.combined(map(\.digest.value)).hex }
}
