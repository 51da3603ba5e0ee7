import DeadzoneBase
import DeadzoneSimulator
import Testing

@Suite struct SlowConsumerTests {
    private static func rules(conflate: UInt64? = nil, keys: UInt32 = 1, cut: UInt64? = nil, after: Int64 = 0)
        -> SlowConsumers
    {
        var rules = SlowConsumers()
        rules.conflatesAbove = conflate
        rules.keys = keys
        rules.closesAbove = cut
        rules.closesAfter = .seconds(after)
        return rules
    }

    /// Runs a queue of messages of 100 bytes: the range `first ..< end` at each second from 0 on.
    private func run(
        _ rules: SlowConsumers, _ steps: [Range<UInt32>]
    ) -> [(newest: UInt32?, deadline: Int64?, bytes: UInt64)] {
        var queue = SlowConsumers.Queue()
        return steps.enumerated().map { second, step in
            let more = UInt64(step.upperBound - min(max(queue.end, step.lowerBound), step.upperBound)) * 100
            let less = UInt64(min(queue.end, step.lowerBound) - min(queue.first, step.lowerBound)) * 100
            queue.update(step, adding: more, removing: less)
            let now = Instant.zero + .seconds(Int64(second))
            let newest = rules.changed(&queue, at: now)
            let deadline = rules.deadline(queue)
            return (newest, deadline == .never ? nil : deadline.nanoseconds / 1_000_000_000, queue.bytes)
        }
    }

    /// Broken: a server conflates too early, too late or for ever. Or it cuts a connection that has caught up, or
    /// counts the time from the last check.
    @Test func followsItsRules() {
        let steps: [Range<UInt32>] = [0..<0, 0..<3, 0..<6, 5..<8, 8..<8, 8..<12]
        let table: [(SlowConsumers, newest: [UInt32?], deadlines: [Int64?])] = [
            (Self.rules(), [nil, nil, nil, nil, nil, nil], [nil, nil, nil, nil, nil, nil]),
            // Conflates any waiting messages at once: only the newest of one or two keys remains.
            (Self.rules(conflate: 0), [nil, 2, 5, 7, nil, 11], [nil, nil, nil, nil, nil, nil]),
            (Self.rules(conflate: 0, keys: 2), [nil, 1, 4, 6, nil, 10], [nil, nil, nil, nil, nil, nil]),
            // Starts above 500 bytes and continues until the queue is empty, so it does not stop at 400.
            (Self.rules(conflate: 500), [nil, nil, 5, 7, nil, nil], [nil, nil, nil, nil, nil, nil]),
            (Self.rules(cut: 0, after: 2), [nil, nil, nil, nil, nil, nil], [nil, 3, 3, 3, nil, 7]),
            (Self.rules(cut: 300, after: 5), [nil, nil, nil, nil, nil, nil], [nil, nil, 7, nil, nil, 10]),
            (Self.rules(cut: 300), [nil, nil, nil, nil, nil, nil], [nil, nil, 2, nil, nil, 5]),
        ]
        for (rules, newest, deadlines) in table {
            let run = run(rules, steps)
            #expect(run.map(\.newest) == newest, "\(rules)")
            #expect(run.map(\.deadline) == deadlines, "\(rules)")
            #expect(run.map(\.bytes) == [0, 300, 600, 300, 0, 400])
        }
    }
}
