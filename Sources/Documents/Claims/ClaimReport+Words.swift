public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

extension ClaimReport {
    /// More worlds than these are summed up in a line: the table has them all.
    private static let mostCells = 6

    /// What was measured, in a line: every finding that the rule judges or measures by, in every cell; of many cells from
    /// the least to the most.
    public var measured: String {
        guard cells.count <= Self.mostCells else { return ranges }
        let findings = cells.map { cell in
            cell.findings.filter { finding in
                rule.bounds.contains { $0.finding == finding.name || $0.words.hasSuffix(" of \(finding.name)") }
            }
        }
        if cells.count > 1, let name = findings.first?.first?.name, findings.allSatisfy({ $0.count == 1 }) {
            return "\(name): " + zip(cells, findings).map { "\($0.name) \($1[0].text)" }.joined(separator: "; ")
        }
        return zip(cells, findings).map { cell, findings in
            (cell.labels.isEmpty ? "" : cell.name + ": ")
                + findings.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private var ranges: String {
        let all = cells.flatMap(judged)
        var names: [String] = []
        for name in all.map(\.name) where !names.contains(name) { names.append(name) }
        let ranges = names.map { name in
            let own = all.filter { $0.name == name }
            let sorted = own.map(\.figure).sorted(by: Figure.isLower)
            guard let least = sorted.first, let most = sorted.last else { return name }
            return "\(name) \(least.text(own[0].unit)) to \(most.text(own[0].unit))"
        }
        return ranges.joined(separator: ", ") + " in \(cells.count) worlds"
    }

    /// The sentence with its number.
    public var sentence: String { "\(claim): \(value)" }
}

extension ClaimReport.Finding {
    /// The number, and where the replicas leave it.
    public var text: String {
        figure.text(unit) + (intervalText.map { " (\($0))" } ?? "")
    }

    /// Nil where there is none, and where it is no wider than the number that is printed.
    public var intervalText: String? {
        guard let (low, high) = interval.map({ ($0.low.text(unit), $0.high.text(unit)) }), low != high else {
            return nil
        }
        return "\(low) to \(high)"
    }
}

extension ClaimVerdict {
    /// What it says of a claim, in a few words.
    public var words: String {
        switch self {
        case .confirmed: "true"
        case .conditional: "true in some worlds, and not in others"
        case .refuted: "not so"
        case .inert: "changes nothing"
        case .contradiction: "contradicts what the same article says elsewhere"
        case .open: "could not be measured"
        }
    }
}

extension Article {
    /// What it is, and what it does well.
    public var about: String {
        switch self {
        case .workshop:
            """
            A walk through a whole mobile stream: contract, channel, reconnection, deadlines, buffer. It takes changes of network for the \
            usual case and the radio for the cost that it is, as few texts do.
            """
        case .webSocket:
            """
            How to keep up one conversation over sockets that die: numbers and acknowledgements, backoff with jitter, the background, \
            push, and a chaos test at the end.
            """
        case .transitions:
            """
            A note of the gRPC project on what iOS does to the connections of its clients when networks come and go, and on two \
            generations of a remedy.
            """
        case .flowControl:
            """
            A design document: how a client in Objective-C learns when it may write the next message, and says when it wants to read one.
            """
        }
    }
}
