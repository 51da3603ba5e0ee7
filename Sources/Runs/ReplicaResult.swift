import DeadzoneBase
package import DeadzoneMetrics
import Synchronization

/// The results of all strategies in one replica (one repetition of a scenario with different random numbers). They are
/// reported as soon as they are known and then discarded.
package struct ReplicaResult: Sendable {
    package struct StrategyFigures: Sendable {
        package let digest: String
        /// Figures in the order of the catalogue, equal to those of a run of this replica alone.
        package let figures: [Figure]
        /// Figures of each population group that has metrics of its own.
        package let groups: [[Figure]]
    }

    /// One entry per strategy.
    package let strategies: [StrategyFigures]

    /// - Parameter byStrategy: results of this replica alone.
    init(of byStrategy: [StrategyResults]) {
        // A single replica is not resampled, so the seed has no effect.
        func figures(_ replica: Replicas) -> [Figure] { Measurement(of: replica, seed: 0).figures }
        strategies = byStrategy.map {
            StrategyFigures(digest: $0.digests[0].hex, figures: figures($0.replicas), groups: $0.groups.map(figures))
        }
    }
}

/// Passes on numbered items in the order of their numbers, although several threads submit them in any order. The
/// numbers start at 0.
final class OrderedDelivery<Item: Sendable>: Sendable {
    private struct State {
        var next = 0
        var pending: [Int: Item] = [:]
    }

    private let deliver: @Sendable (Int, Item) -> Void
    private let state = Mutex(State())

    init(_ take: @escaping @Sendable (Int, Item) -> Void) { self.deliver = take }

    func submit(_ item: Item, _ number: Int) {
        state.withLock { state in
            state.pending[number] = item
            while let item = state.pending.removeValue(forKey: state.next) {
                deliver(state.next, item)
                state.next += 1
            }
        }
    }
}
