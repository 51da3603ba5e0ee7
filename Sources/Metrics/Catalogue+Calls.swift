import DeadzoneJournal
import DeadzonePrimitives

extension Catalogue {
    static let calls: [Metric] =
        [500, 950, 990, 1_000].map(latencyOfCalls) + [
            count(
                "calls.sent", "Calls", .neither,
                "Calls that the app made: it asks the server and waits for the answer.",
                "The same for every strategy: sent = ok + failed + pending."
            ) { Int128($0.fold.count(of: .called)) },
            count(
                "calls.ok", "Calls answered", .higher, "Calls that were answered in time.",
                "An answer that comes after the call was given up does not count."
            ) { Int128($0.fold.count(of: .answered)) },
            count(
                "calls.failed", "Calls failed", .lower, "Calls that the app was told have failed.",
                "It is calls.deadline_exceeded, calls.unavailable and calls.rejected together."
            ) { Int128($0.fold.count(of: .callFailed)) },
            count(
                "calls.deadline_exceeded", "Calls past their deadline", .lower,
                "Calls that failed because no answer came before their deadline.",
                "The caller has waited as long as it would; the server may have done the work all the same."
            ) { Int128($0.fold.failedCalls.count(.deadlineExceeded)) },
            count(
                "calls.unavailable", "Calls without a connection", .lower,
                """
                Calls that failed because there was no connection, because theirs or the app's process ended, or because the \
                server could not.
                """,
                """
                The caller, if it still lives, is told at once and may try again. What the client tried again by itself counts \
                only if it failed in the end.
                """
            ) { Int128($0.fold.failedCalls.count(.unavailable)) },
            count(
                "calls.rejected", "Calls refused", .lower,
                "Calls that failed because the server would not do them: too many, or never.",
                "RESOURCE_EXHAUSTED and PERMISSION_DENIED; a server that merely could not counts in calls.unavailable."
            ) { fold in
                Int128(fold.fold.failedCalls.count(.resourceExhausted) + fold.fold.failedCalls.count(.permissionDenied))
            },
            count(
                "calls.repeats", "Calls asked again", .lower,
                "How often a call was handed to a connection once more.",
                "Retries, hedges, and what is asked again because its connection was lost: load that the server would not have "
                    + "without the trouble."
            ) { Int128($0.fold.count(of: .callRepeated)) },
            count(
                "calls.pending", "Calls pending", .lower, "Calls that had not come to their end at the horizon.",
                "Neither answered nor failed: without a deadline a call may wait for ever. Latencies count them with their age."
            ) { $0.fold.sum(of: .callPending) },
            count(
                "calls.answers_unused", "Answers that nobody waited for", .lower,
                "Answers that came after their call was given up, or once more.",
                "Work of the server, and bytes on the air, for nothing."
            ) { Int128($0.fold.count(of: .answerUnused)) },
            Metric(
                "calls.success_ratio", "Calls that succeeded", .ratio, .higher,
                "Share of the calls that came to an end which were answered in time.",
                "calls.ok over calls.ok and calls.failed; pending calls count on neither side. Without a call that came to "
                    + "its end there is nothing to measure.",
                .ratio({ Int128($0.fold.count(of: .answered)) }, times: 1) {
                    Int128($0.fold.count(of: .answered) + $0.fold.count(of: .callFailed))
                }),
            Metric(
                "calls.failed_in_a_row.max", "Most calls failed in a row", .count, .lower,
                "The most calls of one phone that failed one after the other.",
                "The largest over all phones and replicas; counted up to 65,535. Without a failed call it is 0.",
                .quantile(.tags(.callOutage), .all, perUnit: 1, isZeroIfEmpty: true)),
            Metric(
                "outage.calls.max_s", "Longest time without a good call", .seconds, .lower,
                "The longest time in which calls were made and none succeeded.",
                """
                From the app's wish for the first call that failed to the next answer of any call, or to the horizon: how long \
                a user sees errors. Without a failed call it is 0.
                """, .seconds(.all, of: .values(.callOutage), isZeroIfEmpty: true)),
        ]

    private static func latencyOfCalls(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "latency.call.\(q.suffix)", "Call, \(q.words)", .milliseconds, .lower,
            "Time from the app's wish for a call to its answer: \(q.phrase).",
            """
            The clock runs while the call waits for a connection. A call that failed never gets its answer: it counts as longer \
            than everything else, and where the quantile falls among the failed there is no number, and no upper bound holds. \
            What is pending at the horizon has taken at least its age, and where the quantile falls among it the number is the \
            least that it can be. The samples of all replicas are pooled; the number is exact to 0.05 %.
            """, .milliseconds(q, of: .values(.answered)))
    }

    private static func count(
        _ name: String, _ label: String, _ better: Metric.Better, _ meaning: String, _ explanation: String,
        _ quantity: @escaping Formula.Quantity
    ) -> Metric {
        Metric(name, label, .count, better, meaning, explanation + " A mean over replicas.", .mean(quantity))
    }
}
