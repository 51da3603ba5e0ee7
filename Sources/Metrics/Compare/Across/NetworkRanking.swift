/// The order of the strategies by one metric on several networks. Two strategies tie if their paired difference cannot
/// be told from zero, or is negligible.
package struct NetworkRanking: Sendable {
    /// The order of two strategies on one network.
    package enum PairOrder: String, Hashable, CaseIterable, Sendable {
        case before, after, tie

        var reversed: Self {
            switch self {
            case .before: .after
            case .after: .before
            case .tie: .tie
            }
        }
    }

    /// Two strategies on all networks.
    package struct RankedPair: Hashable, Sendable {
        /// Indices of strategies.
        package var first: Int
        package var second: Int
        /// The place of `first` relative to `second`, by network.
        package var orders: [PairOrder]

        package init(first: Int, second: Int, orders: [PairOrder]) {
            (self.first, self.second, self.orders) = (first, second, orders)
        }

        /// The most frequent order. If several are equally frequent: `before`, then `after`.
        package var common: PairOrder {
            let counts = PairOrder.allCases.map { order in orders.count { $0 == order } }
            return zip(PairOrder.allCases, counts).first { $0.1 == counts.max() }?.0 ?? .tie
        }

        /// `true` if each of the two is before the other on some network.
        package var turns: Bool { orders.contains(.before) && orders.contains(.after) }

        fileprivate var reversed: Self {
            RankedPair(first: second, second: first, orders: orders.map(\.reversed))
        }
    }

    /// How far the ranking depends on the network.
    package enum RankingStability: String, Hashable, CaseIterable, Sendable {
        /// No two strategies differ on any network.
        case alike
        /// The same ranking on all networks.
        case holds
        /// Some pairs tie on some networks, but no pair is in the opposite order.
        case ties
        /// Some pair is in opposite orders on two networks.
        case turns
    }

    package let metric: Metric
    /// Strategies in their common order: by the number of pairs that each one leads on most networks. Equal ones are in
    /// the order of the scenario.
    package let order: [Int]
    /// All pairs. `first` stands before `second` in the common order.
    package let pairs: [RankedPair]
    /// Strategies that lead another one on some network only because they did less: more of their messages were lost or
    /// still pending there.
    package let flattered: [Int]

    /// - Parameter pairs: all pairs of the strategies, in any order.
    package init(_ metric: Metric, strategies: Int, _ pairs: [RankedPair], flattered: Set<Int> = []) {
        var lead = [Int](repeating: 0, count: strategies)
        for pair in pairs where pair.common != .tie {
            lead[pair.common == .before ? pair.first : pair.second] += 1
            lead[pair.common == .before ? pair.second : pair.first] -= 1
        }
        let order = lead.indices.sorted { (-lead[$0], $0) < (-lead[$1], $1) }
        var place = lead
        for (index, strategy) in order.enumerated() { place[strategy] = index }
        self.metric = metric
        self.order = order
        self.flattered = order.filter(flattered.contains)
        self.pairs = pairs.map { place[$0.first] < place[$0.second] ? $0 : $0.reversed }
            .sorted { (place[$0.first], place[$0.second]) < (place[$1.first], place[$1.second]) }
    }

    package func pair(_ one: Int, _ other: Int) -> RankedPair? {
        pairs.first { $0.first == one && $0.second == other }
    }

    /// `true` if no pair is in the opposite order on most networks. Otherwise the strategies have no common order.
    package var hasCommonOrder: Bool { pairs.allSatisfy { $0.common != .after } }

    /// Networks on which every pair is in its common order.
    package func networksLikeMost(of count: Int) -> [Int] {
        (0..<count).filter { network in pairs.allSatisfy { $0.orders[network] == $0.common } }
    }

    package var stability: RankingStability {
        if pairs.contains(where: \.turns) { return .turns }
        let orders = pairs.flatMap(\.orders)
        if orders.allSatisfy({ $0 == .tie }) { return .alike }
        return pairs.allSatisfy { Set($0.orders).count < 2 } ? .holds : .ties
    }

    /// The strategy that is before all others on a network. `nil` if the first place is shared.
    package func best(on network: Int) -> Int? {
        order.first { strategy in
            pairs.filter { $0.first == strategy || $0.second == strategy }.allSatisfy {
                $0.orders[network] == ($0.first == strategy ? .before : .after)
            }
        }
    }
}
