import DeadzoneBase
import DeadzoneMetrics
import DeadzoneSimulator

/// Claims of the WebSocket article on the memory for recognising duplicate messages. They are computed with the values
/// that the simulated server uses.
extension ArticleClaim {
    static let webSocketMemory: [ArticleClaim] = [
        ArticleClaim(
            "B9", "A hash set of 16-byte identifiers for a thousand messages takes per session",
            value: "16 KB",
            by: .computation(command: "deadzone claims B9", sessions(1)),
            .holds(["hash set": "15kB to 17kB"]),
            instead: """
                The identifiers alone are 16,000 bytes, and a hash table is never full. In this article, message \
                numbers only grow. The highest number and one bit for each number below it are enough.
                """),
        ArticleClaim(
            "B10", "For a hundred thousand sessions, this takes", value: "1.6 GB",
            by: .computation(command: "deadzone claims B10", sessions(100_000)),
            .holds(["hash set": "1.5GB to 1.7GB"]),
            instead:
                "Expect twice as much for a hash table, or a hundredth of it for a bitmap over growing numbers."),
        ArticleClaim(
            "B11", "A Bloom filter of 512 bytes rejects one new message in a thousand as a duplicate", value: "0.1%",
            by: .computation(command: "deadzone claims B11", bloom),
            .holds(["after 1000 messages": "at most 0.1%"]),
            instead: """
                The user never sees a message that the filter wrongly rejects, and entries cannot be removed from the \
                filter. Store the number of the last message instead: it takes eight bytes and has no errors.
                """,
            picture: .bars(
                "False duplicates of a Bloom filter of 512 bytes",
                "Share of new messages that are rejected as duplicates, by number of messages. The article's window has a thousand.",
                of: "after 100 messages", "after 284 messages", "after 500 messages", "after 1000 messages",
                "after 2000 messages",
                "1798 bytes after 1000")),
    ]

    private static func sessions(_ count: Int) -> @Sendable () -> [ClaimReport.ClaimCell] {
        {
            let kinds: [(String, Dedup)] = [("hash set", .set(window: 1_000)), ("bitmap", .bitmap(window: 1_000))]
            return [
                ClaimReport.ClaimCell(
                    "",
                    kinds.map { name, rules in
                        ClaimReport.ClaimFinding(name, .bytes, Figure(Double(rules.bytes) * Double(count)))
                    })
            ]
        }
    }

    private static let bloom: @Sendable () -> [ClaimReport.ClaimCell] = {
        var findings = ([100, 284, 500, 1_000, 2_000] as [UInt32]).map { messages in
            ClaimReport.ClaimFinding(
                "after \(messages) messages", .ratio, Figure(mistakes(bytes: 512, after: messages)))
        }
        findings.append(
            ClaimReport.ClaimFinding("1798 bytes after 1000", .ratio, Figure(mistakes(bytes: 1_798, after: 1_000))))
        return [ClaimReport.ClaimCell("", findings)]
    }

    /// Share of later messages that the best Bloom filter of this size mistakes for duplicates, as a mean over several
    /// sessions.
    private static func mistakes(bytes: UInt32, after messages: UInt32) -> Double {
        // The error rate is lowest at bits · ln 2 / keys hash functions.
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
