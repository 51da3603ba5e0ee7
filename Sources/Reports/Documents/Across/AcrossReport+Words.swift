package import DeadzoneMetrics

/// The sentences of a comparison across networks, for every output format.
extension AcrossReport {
    /// Most networks that a sentence names.
    private static let mostNetworks = 6
    /// Most pairs of strategies that a sentence names besides the common order.
    private static let mostPairs = 3

    /// `networks`, or `platforms` if only the platform differs.
    package var noun: String { axes == ["phone.platform"] ? "platforms" : "networks" }

    /// The question that the report answers.
    package var title: String { "Does the ranking depend on the \(noun.dropLast())?" }

    /// The answer in one sentence.
    package func headline(_ escaped: (String) -> String) -> String {
        guard strategies.count > 1 else { return "One strategy: there is no ranking." }
        let total = "\(networks.count) \(noun)"
        let turning = rankings(.turns).map { escaped($0.metric.sentenceLabel.lowercasedFirst) }
        if !turning.isEmpty { return "Yes, on \(total), for \(Self.list(turning))." }
        if hasTooFewReplicas, rankings.allSatisfy({ $0.stability == .alike }) {
            return "Open: \(replicas == 1 ? "one replica decides" : "\(replicas) replicas decide") nothing."
        }
        if rankings.allSatisfy({ $0.stability == .alike }) { return "No: the strategies tie on all \(total)." }
        return rankings(.ties).isEmpty
            ? "No: the same ranking on all \(total)."
            : "No: no metric has opposite rankings on two of \(total); some strategies tie on some."
    }

    /// One sentence for each metric that ranks strategies on some network, the least stable first.
    package func rankingLines(_ escaped: (String) -> String) -> [(
        stability: NetworkRanking.RankingStability, text: String
    )] {
        let shown = rankings(.turns) + rankings(.ties) + rankings(.holds)
        return shown.map { ($0.stability, "\(escaped($0.metric.sentenceLabel)): \(words($0, escaped))") }
    }

    /// The metrics in which no strategies differ on any network. `nil` if there are none.
    package func alikeLine(_ escaped: (String) -> String) -> String? {
        let alike = rankings(.alike).map { escaped($0.metric.sentenceLabel) }
        guard !alike.isEmpty, alike.count < rankings.count else { return nil }
        return "Tie on all \(networks.count) \(noun): \(alike.joined(separator: "; "))"
    }

    /// How many replicas would decide. `nil` if there are enough.
    package var replicasHint: String? {
        guard hasTooFewReplicas, let neededReplicas else { return nil }
        return "\(replicas == 1 ? "One replica" : "\(replicas) replicas") cannot tell a difference from chance; "
            + "--replicas \(neededReplicas) or more can."
    }

    /// On how many networks the expectations hold, and where they do not. `nil` without expectations.
    package func expectationLine(_ escaped: (String) -> String) -> String? {
        guard let expectations else { return nil }
        let failing = networks.filter { !$0.isKept }.map { network in
            let why = network.isInvalid ? ["invalid run"] : network.failed
            return "\(escaped(network.name)) (\(why.map(escaped).joined(separator: ", ")))"
        }
        let held =
            failing.isEmpty
            ? "Expectations hold on all \(networks.count) \(noun)"
            : "Expectations hold on \(expectations.kept) of \(networks.count) \(noun)"
        let bound = expectations.needed.count < 1_000_000_000 ? " (at least \(expectations.needed.text(.ratio)))" : ""
        return held + bound + (failing.isEmpty ? "" : "; not on \(Self.list(failing))")
    }

    /// `patient before eager on 9 of 12 networks; eager before patient on lte-x, nr-y; tie on umts-z`.
    private func words(_ ranking: NetworkRanking, _ escaped: (String) -> String) -> String {
        let like = ranking.networksLikeMost(of: networks.count).count
        let names = strategies.map(escaped)
        let common = ranking.hasCommonOrder ? Self.chain(ranking, names) : "no common order"
        let count = like == networks.count ? "all \(like) \(noun)" : "\(like) of \(networks.count) \(noun)"
        var parts = [ranking.hasCommonOrder ? "\(common) on \(count)" : common]
        // The opposite order matters more than a tie.
        var (opposite, ties): ([String], [String]) = ([], [])
        for pair in ranking.pairs {
            for order in NetworkRanking.PairOrder.allCases where order != pair.common {
                let found = networks.indices.filter { pair.orders[$0] == order }.map { escaped(networks[$0].name) }
                guard !found.isEmpty else { continue }
                let (one, other) = (names[pair.first], names[pair.second])
                let place = " on \(Self.list(found))"
                switch order {
                case .before: opposite.append("\(one) before \(other)" + place)
                case .after: opposite.append("\(other) before \(one)" + place)
                case .tie: ties.append((strategies.count == 2 ? "tie" : "\(one) and \(other) tie") + place)
                }
            }
        }
        let others = opposite + ties
        parts += others.prefix(Self.mostPairs)
        if others.count > Self.mostPairs { parts.append("and \(others.count - Self.mostPairs) more") }
        if let caveat = Self.caveat(ranking.flattered.map { names[$0] }) { parts.append(caveat) }
        return parts.joined(separator: "; ")
    }

    /// The meaning of `?` in the table of a run. `nil` if no strategy leads only because it did less.
    private static func caveat(_ names: [String]) -> String? {
        guard let last = names.last else { return nil }
        return names.count == 1
            ? "\(last) is lower only because it delivered fewer messages"
            : "\(names.dropLast().joined(separator: ", ")) and \(last) are lower only because they delivered fewer "
                + "messages"
    }

    /// The strategies in their common order. Neighbours that tie on most networks are joined by `=`.
    private static func chain(_ ranking: NetworkRanking, _ names: [String]) -> String {
        guard let first = ranking.order.first else { return "" }
        return zip(ranking.order, ranking.order.dropFirst()).reduce(names[first]) { text, pair in
            text + (ranking.pair(pair.0, pair.1)?.common == .before ? " before " : " = ") + names[pair.1]
        }
    }

    /// The first items of a list, and the number of the others.
    private static func list(_ items: [String]) -> String {
        let shown = items.prefix(mostNetworks).joined(separator: ", ")
        return items.count > mostNetworks ? "\(shown) and \(items.count - mostNetworks) more" : shown
    }
}

extension Metric {
    /// The label outside a table, which would name latencies in its heading.
    fileprivate var sentenceLabel: String {
        name.hasPrefix("latency.") ? "Latency, " + label.lowercasedFirst : label
    }
}

extension String {
    /// The text with a small first letter, unless the first word is an abbreviation.
    fileprivate var lowercasedFirst: String {
        guard let first, dropFirst().first?.isUppercase != true else { return self }
        return first.lowercased() + dropFirst()
    }
}
