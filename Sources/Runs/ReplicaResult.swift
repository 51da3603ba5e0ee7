import DeadzoneJournal
public import DeadzoneMetrics
import DeadzonePrimitives
import Synchronization

/// What one replica came to, of every strategy: told as soon as it is known, and then forgotten.
public struct ReplicaResult: Sendable {
    public struct Side: Sendable {
        public let digest: String
        /// In the order of the catalogue: what a run of this replica alone would print.
        public let figures: [Figure]
        /// The same of each group of the population that is told apart.
        public let groups: [[Figure]]
    }

    /// By strategy.
    public let sides: [Side]

    /// - Parameter crops: of this replica alone.
    init(of crops: [Crop]) {
        // Of one replica nothing is drawn, so no seed shows.
        func figures(_ replica: Replicas) -> [Figure] { Measurement(of: replica, seed: 0).figures }
        sides = crops.map {
            Side(digest: $0.digests[0].hex, figures: figures($0.replicas), groups: $0.groups.map(figures))
        }
    }
}

/// Hands on what several threads bring, one after the other in the order of their numbers, from 0.
final class Turns<Item: Sendable>: Sendable {
    private struct State {
        var next = 0
        var waiting: [Int: Item] = [:]
    }

    private let take: @Sendable (Int, Item) -> Void
    private let state = Mutex(State())

    init(_ take: @escaping @Sendable (Int, Item) -> Void) { self.take = take }

    func bring(_ item: Item, _ number: Int) {
        state.withLock { state in
            state.waiting[number] = item
            while let item = state.waiting.removeValue(forKey: state.next) {
                take(state.next, item)
                state.next += 1
            }
        }
    }
}
