import DeadzoneBase
package import DeadzoneMetrics
import Synchronization

/// The results of one strategy in consecutive replicas (repetitions with other random numbers).
package struct StrategyResults: Sendable {
    package private(set) var replicas: Replicas
    /// Replicas of each population group that has metrics of its own.
    package private(set) var groups: [Replicas]
    private(set) var digests: [Digest]
    private(set) var stops: StopSummary
    /// Hashes of each simulated minute, for each replica; empty unless `keepsReplicaDetails` was set.
    private(set) var minutes: [MinuteDigests] = []
    /// Metrics of each single replica: one column per metric, in the order of the catalogue. Empty unless
    /// `keepsReplicaDetails` was set.
    private(set) var replicaColumns: [FigureColumn] = []
    /// For each group, the metrics of each single replica, as in `replicaColumns`.
    private(set) var groupReplicaColumns: [[FigureColumn]] = []
    /// Phone folds of each replica; empty if the run kept none.
    private(set) var phoneFolds: [PhoneFolds] = []

    init(
        _ partResult: SimulationPlan.PartResult, _ replicas: Replicas, groups: [Replicas] = [],
        keepsReplicaDetails: Bool
    ) {
        self.replicas = replicas
        self.groups = groups
        digests = [partResult.digest]
        stops = partResult.stops
        phoneFolds = [partResult.phoneFolds].compactMap(\.self)
        guard keepsReplicaDetails else { return }
        minutes = [partResult.minutes].compactMap(\.self)
        // A single replica is not resampled, so the seed has no effect.
        replicaColumns = Self.columns(replicas)
        groupReplicaColumns = groups.map(Self.columns)
    }

    private static func columns(_ replica: Replicas) -> [FigureColumn] {
        Measurement(of: replica, seed: 0).figures.map { FigureColumn(CollectionOfOne($0)) }
    }

    /// Appends the replicas of `other`, which follow this object's replicas.
    mutating func append(_ other: Self) {
        replicas.append(other.replicas)
        for index in groups.indices { groups[index].append(other.groups[index]) }
        digests += other.digests
        stops.merge(other.stops)
        minutes += other.minutes
        phoneFolds += other.phoneFolds
        for index in replicaColumns.indices { replicaColumns[index].append(other.replicaColumns[index]) }
        for group in groupReplicaColumns.indices {
            for index in groupReplicaColumns[group].indices {
                groupReplicaColumns[group][index].append(other.groupReplicaColumns[group][index])
            }
        }
    }

    /// Combined digest of all replicas, as sixteen hexadecimal digits.
    package var digest: String { Digest.combined(digests.map(\.value)).hex }
}

/// Collects the results of simulation parts from all threads, in any order, and merges them by replica. A finished
/// replica is merged with its finished neighbours, so there are never more separate segments than threads plus one.
final class ResultCollector: Sendable {
    fileprivate struct PendingReplica {
        var partResults: [SimulationPlan.PartResult?]
        var missing: [Int]
    }

    fileprivate struct ResultSegment {
        let from: Int
        var byStrategy: [StrategyResults]
        var end: Int { from + (byStrategy.first?.replicas.count ?? 0) }
    }

    fileprivate struct State {
        var pending: [Int: PendingReplica] = [:]
        /// Finished replicas in order; adjacent ones are merged into one segment.
        var segments: [ResultSegment] = []
    }

    /// Number of parts in one replica of each strategy.
    private let partsPerStrategy: [Int]
    private let makeResults: @Sendable (SimulationPlan.PartResult) -> StrategyResults
    /// `nil` if results of single replicas are not reported.
    private let orderedDelivery: OrderedDelivery<ReplicaResult>?
    private let state = Mutex(State())

    init(
        partsPerStrategy: [Int], orderedDelivery: OrderedDelivery<ReplicaResult>? = nil,
        makeResults: @escaping @Sendable (SimulationPlan.PartResult) -> StrategyResults
    ) {
        self.partsPerStrategy = partsPerStrategy
        self.orderedDelivery = orderedDelivery
        self.makeResults = makeResults
    }

    func add(_ partResult: SimulationPlan.PartResult, _ strategy: Int, of index: Int) {
        let whole = state.withLock { state -> [SimulationPlan.PartResult]? in
            var replica =
                state.pending.removeValue(forKey: index)
                ?? PendingReplica(
                    partResults: Array(repeating: nil, count: partsPerStrategy.count), missing: partsPerStrategy)
            if replica.partResults[strategy] == nil {
                replica.partResults[strategy] = partResult
            } else {
                replica.partResults[strategy]?.merge(partResult)
            }
            replica.missing[strategy] -= 1
            if replica.missing.allSatisfy({ $0 == 0 }) { return replica.partResults.compactMap(\.self) }
            state.pending[index] = replica
            return nil
        }
        guard let whole else { return }
        let byStrategy = whole.map(makeResults)
        orderedDelivery?.submit(ReplicaResult(of: byStrategy), index)
        state.withLock { $0.insert(ResultSegment(from: index, byStrategy: byStrategy)) }
    }

    /// Results of the replicas from 0 up to the first missing one, by strategy.
    var byStrategy: [StrategyResults] {
        state.withLock { state in state.segments.first.flatMap { $0.from == 0 ? $0.byStrategy : nil } ?? [] }
    }
}

extension ResultCollector.State {
    fileprivate mutating func insert(_ segment: ResultCollector.ResultSegment) {
        var place = segments.firstIndex { $0.from > segment.from } ?? segments.count
        if place > 0, segments[place - 1].end == segment.from {
            place -= 1
            segments[place].append(segment)
        } else {
            segments.insert(segment, at: place)
        }
        guard place + 1 < segments.count, segments[place].end == segments[place + 1].from else { return }
        segments[place].append(segments.remove(at: place + 1))
    }
}

extension ResultCollector.ResultSegment {
    fileprivate mutating func append(_ other: Self) {
        for index in byStrategy.indices { byStrategy[index].append(other.byStrategy[index]) }
    }
}
