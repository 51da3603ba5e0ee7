import DeadzoneBase
package import DeadzoneMetrics

extension ClaimReport {
    /// With more cells than this, `measured` shows only ranges; the table has all cells.
    private static let maxCells = 6

    /// One line with the findings that the rule judges or compares with, for each cell. With many cells, the ranges
    /// from the smallest to the largest value.
    package var measured: String {
        guard cells.count <= Self.maxCells else { return ranges }
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

    /// The claim with its number.
    package var sentence: String { "\(claim): \(value)" }
}

extension ClaimReport.WorldChange {
    /// The changed world as text: `mine.yaml, server.think=1s, seed 7`. Empty without a change.
    package var words: String {
        let parts = [file].compactMap(\.self) + settings + [seed.map { "seed \($0)" }].compactMap(\.self)
        return (parts + [replicas.map { plural($0, "replica") }].compactMap(\.self)).joined(separator: ", ")
    }
}

extension ClaimReport.ClaimFinding {
    /// The value with its interval over the replicas.
    package var text: String {
        figure.text(unit) + (intervalText.map { " (\($0))" } ?? "")
    }

    /// Interval as text. `nil` if there is none, or if both ends print the same.
    package var intervalText: String? {
        guard let (low, high) = interval.map({ ($0.low.text(unit), $0.high.text(unit)) }), low != high else {
            return nil
        }
        return "\(low) to \(high)"
    }
}

extension ClaimVerdict {
    /// Meaning of the verdict in a few words.
    package var words: String {
        switch self {
        case .confirmed: "true"
        case .conditional: "true in some worlds, false in others"
        case .refuted: "false"
        case .inert: "has no effect"
        case .contradiction: "contradicts what the same article says elsewhere"
        case .open: "could not be measured"
        }
    }
}

extension Article {
    /// Content and merits of the article, in one or two sentences.
    package var about: String {
        switch self {
        case .workshop:
            """
            A complete mobile stream, step by step: contract, channel, reconnection, deadlines and buffer. Few texts \
            treat network changes as normal and the radio as a cost. This one does.
            """
        case .webSocket:
            """
            How to keep one conversation over connections that fail: sequence numbers and acknowledgements, backoff \
            with jitter, background, push, and a chaos test.
            """
        case .transitions:
            """
            A note of the gRPC project on iOS network changes: what they do to client connections, and two generations \
            of a workaround.
            """
        case .flowControl:
            """
            A design document for Objective-C: how a client learns when it can write the next message, and how it asks \
            for the next one to read.
            """
        }
    }
}
