import DeadzoneJournal
public import DeadzoneMetrics
import DeadzonePrimitives
import Synchronization

/// What is kept of neighbouring replicas of one strategy.
public struct Crop: Sendable {
    public private(set) var replicas: Replicas
    /// Of each group of the population that is told apart.
    public private(set) var groups: [Replicas]
    private(set) var digests: [Digest]
    private(set) var stops: Stops
    /// Of each replica by itself; empty where nobody asked for them. Of each metric a column, in the order of the catalogue.
    private(set) var minutes: [MinuteDigests] = []
    private(set) var each: [FigureColumn] = []
    /// The same of each group.
    private(set) var eachOfGroups: [[FigureColumn]] = []
    /// Of each replica, where all were sorted by phone.
    private(set) var sorted: [PhoneFolds] = []

    init(_ harvest: Assignment.Harvest, _ replicas: Replicas, groups: [Replicas] = [], keepsEach: Bool) {
        self.replicas = replicas
        self.groups = groups
        digests = [harvest.digest]
        stops = harvest.stops
        sorted = [harvest.sorted].compactMap(\.self)
        guard keepsEach else { return }
        minutes = [harvest.minutes].compactMap(\.self)
        // Of one replica nothing is drawn, so no seed shows.
        each = Self.columns(replicas)
        eachOfGroups = groups.map(Self.columns)
    }

    private static func columns(_ replica: Replicas) -> [FigureColumn] {
        Measurement(of: replica, seed: 0).figures.map { FigureColumn(CollectionOfOne($0)) }
    }

    /// Those of the other come behind.
    mutating func append(_ other: Self) {
        replicas.append(other.replicas)
        for index in groups.indices { groups[index].append(other.groups[index]) }
        digests += other.digests
        stops.merge(other.stops)
        minutes += other.minutes
        sorted += other.sorted
        for index in each.indices { each[index].append(other.each[index]) }
        for group in eachOfGroups.indices {
            for index in eachOfGroups[group].indices {
                eachOfGroups[group][index].append(other.eachOfGroups[group][index])
            }
        }
    }

    /// One digest of all replicas, in sixteen hexadecimal digits.
    public var digest: String { Digest.combined(digests.map(\.value)).hex }
}

/// Where threads bring what they have harvested, in whatever order. Replicas that are whole are laid to their neighbours, so that
/// there are never more stacks than threads, and one.
final class Barn: Sendable {
    fileprivate struct Replica {
        var harvests: [Assignment.Harvest?]
        var missing: [Int]
    }

    fileprivate struct Stack {
        let from: Int
        var crops: [Crop]
        var end: Int { from + (crops.first?.replicas.count ?? 0) }
    }

    fileprivate struct State {
        var open: [Int: Replica] = [:]
        /// In the order of their replicas.
        var stacks: [Stack] = []
    }

    /// How many parts a replica of each strategy has.
    private let blocks: [Int]
    private let pack: @Sendable (Assignment.Harvest) -> Crop
    /// Nil where nobody wants to know of each replica.
    private let turns: Turns<ReplicaResult>?
    private let state = Mutex(State())

    init(
        blocks: [Int], turns: Turns<ReplicaResult>? = nil, pack: @escaping @Sendable (Assignment.Harvest) -> Crop
    ) {
        self.blocks = blocks
        self.turns = turns
        self.pack = pack
    }

    func bring(_ harvest: Assignment.Harvest, _ strategy: Int, of index: Int) {
        let whole = state.withLock { state -> [Assignment.Harvest]? in
            var replica =
                state.open.removeValue(forKey: index)
                ?? Replica(harvests: Array(repeating: nil, count: blocks.count), missing: blocks)
            if replica.harvests[strategy] == nil {
                replica.harvests[strategy] = harvest
            } else {
                replica.harvests[strategy]?.merge(harvest)
            }
            replica.missing[strategy] -= 1
            if replica.missing.allSatisfy({ $0 == 0 }) { return replica.harvests.compactMap(\.self) }
            state.open[index] = replica
            return nil
        }
        guard let whole else { return }
        let crops = whole.map(pack)
        turns?.bring(ReplicaResult(of: crops), index)
        state.withLock { $0.lay(Stack(from: index, crops: crops)) }
    }

    /// Of the replicas from the first to the last before one that is missing.
    var crops: [Crop] {
        state.withLock { state in state.stacks.first.flatMap { $0.from == 0 ? $0.crops : nil } ?? [] }
    }
}

extension Barn.State {
    fileprivate mutating func lay(_ stack: Barn.Stack) {
        var place = stacks.firstIndex { $0.from > stack.from } ?? stacks.count
        if place > 0, stacks[place - 1].end == stack.from {
            place -= 1
            stacks[place].append(stack)
        } else {
            stacks.insert(stack, at: place)
        }
        guard place + 1 < stacks.count, stacks[place].end == stacks[place + 1].from else { return }
        stacks[place].append(stacks.remove(at: place + 1))
    }
}

extension Barn.Stack {
    fileprivate mutating func append(_ other: Self) {
        for index in crops.indices { crops[index].append(other.crops[index]) }
    }
}
