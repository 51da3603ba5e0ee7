import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneServer

/// The WebSocket article on what it takes to know a message again: asked of the values that the simulated server counts with.
extension ArticleClaim {
    static let webSocketMemory: [ArticleClaim] = [
        ArticleClaim(
            "B9", "To know a thousand messages again by a hash set of identifiers of 16 bytes a session takes",
            value: "16 KB",
            by: .computation(command: "deadzone claims B9", sessions(1)),
            .holds(["hash set": "15kB to 17kB"]),
            instead: """
                Sixteen thousand bytes are the identifiers alone: a table is never full. And as the same article's numbers only grow, the \
                highest one and a bit for each below it do the same.
                """),
        ArticleClaim(
            "B10", "For a hundred thousand sessions that makes", value: "1.6 GB",
            by: .computation(command: "deadzone claims B10", sessions(100_000)),
            .holds(["hash set": "1.5GB to 1.7GB"]),
            instead:
                "Reckon with twice as much for a table, or with a hundredth of it for a bitmap over growing numbers."),
        ArticleClaim(
            "B11", "A Bloom filter of 512 bytes takes one new message in a thousand for an old one", value: "0.1%",
            by: .computation(command: "deadzone claims B11", bloom),
            .holds(["after 1000 messages": "at most 0.1%"]),
            instead: """
                What a filter wrongly knows the user never sees, and nothing can be taken out of it again. Keep the number of the last \
                message: it is eight bytes and never errs.
                """,
            picture: .bars(
                "What 512 bytes can remember",
                "How often a new message is taken for an old one, after so many messages. The article's window has a thousand.",
                of: "after 100 messages", "after 284 messages", "after 500 messages", "after 1000 messages",
                "after 2000 messages",
                "1798 bytes after 1000")),
    ]

    private static func sessions(_ count: Int) -> @Sendable () -> [ClaimReport.Cell] {
        {
            let kinds: [(String, Dedup)] = [("hash set", .set(window: 1_000)), ("bitmap", .bitmap(window: 1_000))]
            return [
                ClaimReport.Cell(
                    "",
                    kinds.map { name, rules in
                        ClaimReport.Finding(name, .bytes, Figure(Double(rules.bytes) * Double(count)))
                    })
            ]
        }
    }

    private static let bloom: @Sendable () -> [ClaimReport.Cell] = {
        var findings = ([100, 284, 500, 1_000, 2_000] as [UInt32]).map { messages in
            ClaimReport.Finding("after \(messages) messages", .ratio, Figure(mistakes(bytes: 512, after: messages)))
        }
        findings.append(
            ClaimReport.Finding("1798 bytes after 1000", .ratio, Figure(mistakes(bytes: 1_798, after: 1_000))))
        return [ClaimReport.Cell("", findings)]
    }

    /// How many of the messages that come then the best filter of this size takes for one that it has had; a mean over those of
    /// several sessions.
    private static func mistakes(bytes: UInt32, after messages: UInt32) -> Double {
        // The fewest mistakes are at bits · ln 2 for each key.
        let best = (Double(bytes * 8) / Double(messages) * 0.693_147).rounded()
        let rules = Dedup.bloom(bits: bytes * 8, hashes: UInt8(min(max(best, 1), 32)), keys: nil)
        let (sessions, probes) = (8, 10_000 as UInt32)
        var mistaken = 0
        for session in 0..<sessions {
            var filter = [UInt64](repeating: 0, count: rules.words)
            for key in 0..<messages { _ = admits(key, rules, UInt64(session), &filter) }
            for key in messages..<messages + probes {
                var copy = filter
                if !admits(key, rules, UInt64(session), &copy) { mistaken += 1 }
            }
        }
        return Double(mistaken) / Double(sessions) / Double(probes)
    }

    private static func admits(_ key: UInt32, _ rules: Dedup, _ salt: UInt64, _ words: inout [UInt64]) -> Bool {
        var memory = DedupMemory()
        return words.withUnsafeMutableBufferPointer { buffer in
            memory.admits(key, rules, at: .zero, salt: salt, &buffer)
        }
    }
}
