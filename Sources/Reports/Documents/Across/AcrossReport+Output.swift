import DeadzoneBase
import DeadzoneMetrics

/// The comparison across networks as terminal text, Markdown and JSON.
extension AcrossReport {
    /// - Parameter isAlone: `false` if the run has several such reports, so that each needs the name of its scenario.
    func text(_ style: Style, isAlone: Bool) -> String {
        func plain(_ name: String) -> String { name.escapedForTerminal }
        let subject = isAlone ? "" : ": \(scenario.escapedForTerminal)"
        var text = style.heading(title + subject)
        func line(_ words: String, _ mark: String = "", _ attribute: Style.TextAttribute = .dim) {
            let lead = mark.isEmpty ? "" : style.paint(mark.padded(to: Self.markWidth), attribute)
            let width = mark.isEmpty ? 2 : 2 + Self.markWidth
            text += "  " + lead + style.wrapped(words, indent: width, after: width) + "\n"
        }
        line(headline(plain))
        for (stability, words) in rankingLines(plain) {
            line(words, stability.rawValue, stability == .turns ? .bold : .dim)
        }
        if let alike = alikeLine(plain) { line(alike) }
        if let hint = replicasHint { line(hint) }
        if let words = expectationLine(plain) {
            let isKept = expectations?.verdict == .pass
            line(words, isKept ? "pass" : "FAIL", isKept ? .green : .red)
        }
        return text
    }

    private static let markWidth = 7

    var markdown: String {
        func escaped(_ name: String) -> String { Markdown.escaped(name) }
        var text = "**\(title)** \(headline(escaped))\n\n"
        for (stability, words) in rankingLines(escaped) {
            text += "- \(stability == .turns ? "**turns**" : stability.rawValue): \(words)\n"
        }
        if let alike = alikeLine(escaped) { text += "- \(alike)\n" }
        if let hint = replicasHint { text += "- \(hint)\n" }
        if let words = expectationLine(escaped) { text += "- \(expectations?.verdict == .pass ? "✅" : "❌") \(words)\n" }
        return text + "\n"
    }

    /// An element of `across` in a document of `DocumentSchema.runs`.
    var json: JSON {
        var members: [String: JSON] = [
            "scenario": .string(scenario), "axes": .array(axes.map { .string($0) }),
            "networks": .array(networks.map(\.json)), "strategies": .array(strategies.map { .string($0) }),
            "rankings": .array(rankings.map(json)),
        ]
        if let neededReplicas { members["needed_replicas"] = .integer(Int128(neededReplicas)) }
        if let expectations {
            members["expect"] = .object([
                "kept": .integer(Int128(expectations.kept)), "of": .integer(Int128(expectations.total)),
                "at_least": .number(expectations.needed.double), "verdict": .string(expectations.verdict.rawValue),
            ])
        }
        return .object(members)
    }

    private func json(_ ranking: NetworkRanking) -> JSON {
        let pairs = ranking.pairs.map { pair in
            var members: [String: JSON] = [
                "first": .string(strategies[pair.first]), "second": .string(strategies[pair.second]),
                "common": .string(pair.common.rawValue),
            ]
            for order in NetworkRanking.PairOrder.allCases {
                let found = networks.indices.filter { pair.orders[$0] == order }
                members[order.rawValue] = .array(found.map { .string(networks[$0].name) })
            }
            return JSON.object(members)
        }
        var members: [String: JSON] = [
            "metric": .string(ranking.metric.name), "stability": .string(ranking.stability.rawValue),
            "order": .array(ranking.order.map { .string(strategies[$0]) }),
            "kept": .integer(Int128(ranking.networksLikeMost(of: networks.count).count)),
            "of": .integer(Int128(networks.count)), "pairs": .array(pairs),
        ]
        if !ranking.flattered.isEmpty {
            members["flattered"] = .array(ranking.flattered.map { .string(strategies[$0]) })
        }
        return .object(members)
    }
}

extension AcrossReport.NetworkResult {
    /// `run` is the position in `runs`.
    fileprivate var json: JSON {
        .object([
            "name": .string(name), "run": .integer(Int128(run)), "failed": .array(failed.map { .string($0) }),
            "invalid": .bool(isInvalid),
        ])
    }
}
