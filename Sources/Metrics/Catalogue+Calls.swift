import DeadzoneBase

extension Catalogue {
    static let calls: [Metric] =
        [500, 950, 990, 1_000].map(latencyOfCalls) + [
            count(
                "calls.sent", "Calls", .neither,
                "Calls that the app made: requests to the server that expect an answer.",
                "The same for every strategy: sent = ok + failed + pending."
            ) { Int128($0.fold.count(of: .called)) },
            count(
                "calls.ok", "Calls answered", .higher, "Calls that were answered in time.",
                "An answer that arrives after the call was given up does not count."
            ) { Int128($0.fold.count(of: .answered)) },
            count(
                "calls.failed", "Calls failed", .lower, "Calls for which the app received a failure.",
                "The sum of calls.deadline_exceeded, calls.unavailable and calls.rejected."
            ) { Int128($0.fold.count(of: .callFailed)) },
            count(
                "calls.deadline_exceeded", "Calls past their deadline", .lower,
                "Calls that failed because no answer arrived before their deadline.",
                "The server may still have done the work."
            ) { Int128($0.fold.failedCalls.count(.deadlineExceeded)) },
            count(
                "calls.unavailable", "Calls failed (unavailable)", .lower,
                """
                Calls that failed because there was no connection, because the connection or the app's process ended, \
                or because the server had an error or a full queue.
                """,
                """
                If the app still runs, it gets the failure at once and may try again. A call that the client retried \
                by itself counts only if it failed in the end.
                """
            ) { Int128($0.fold.failedCalls.count(.unavailable)) },
            count(
                "calls.rejected", "Calls refused", .lower,
                "Calls that the server refused: too many, or never allowed.",
                "RESOURCE_EXHAUSTED and PERMISSION_DENIED. An error or a full queue of the server counts in calls.unavailable."
            ) { fold in
                Int128(fold.fold.failedCalls.count(.resourceExhausted) + fold.fold.failedCalls.count(.permissionDenied))
            },
            count(
                "calls.repeats", "Calls asked again", .lower,
                "Number of times that a call was sent on a connection again.",
                "Retries, hedges, and calls sent again because their connection was lost: extra load on the server that exists only "
                    + "because of failures."
            ) { Int128($0.fold.count(of: .callRepeated)) },
            count(
                "calls.pending", "Calls pending", .lower, "Calls that were neither answered nor failed at the horizon.",
                "Without a deadline a call may wait for ever. Latencies count these calls with their age."
            ) { $0.fold.sum(of: .callPending) },
            count(
                "calls.answers_unused", "Answers that nobody waited for", .lower,
                "Answers that arrived after their call was given up, or a second time.",
                "They cost the server work and the radio bytes without any use."
            ) { Int128($0.fold.count(of: .answerUnused)) },
            Metric(
                "calls.success_ratio", "Calls that succeeded", .ratio, .higher,
                "Share of the ended calls that were answered in time.",
                "calls.ok divided by the sum of calls.ok and calls.failed; pending calls count on neither side. If no call ended, "
                    + "there is nothing to measure.",
                .ratio({ Int128($0.fold.count(of: .answered)) }, times: 1) {
                    Int128($0.fold.count(of: .answered) + $0.fold.count(of: .callFailed))
                }),
            Metric(
                "calls.failed_in_a_row.max", "Most calls failed in a row", .count, .lower,
                "The most failed calls in a row of one phone.",
                "The largest value over all phones and replicas; counted up to 65,535. Without a failed call it is 0.",
                .quantile(.tags(.callOutage), .all, perUnit: 1, isZeroIfEmpty: true)),
            Metric(
                "outage.calls.max_s", "Longest time with failing calls", .seconds, .lower,
                "The longest time in which calls were made and none succeeded.",
                """
                It starts when the app makes the first call that fails. It ends at the next answer of any call, or at \
                the horizon. For this long a user sees errors. Without a failed call it is 0: a call without a deadline \
                can wait without failing, and latency.call.max has its time.
                """, .seconds(.all, of: .values(.callOutage), isZeroIfEmpty: true)),
        ]

    private static func latencyOfCalls(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "latency.call.\(q.suffix)", "Call, \(q.words)", .milliseconds, .lower,
            "Time from when the app makes a call until its answer: \(q.phrase).",
            """
            The clock runs while the call waits for a connection. A failed call never gets its answer and counts as \
            longer than all others. If the quantile falls among the failed calls, there is no number, and no upper \
            bound holds. A call that is pending at the horizon has taken at least its age. If the quantile falls among \
            those, the number is a lower limit. The samples of all replicas are pooled; the number is exact to 0.05 %.
            """, .milliseconds(q, of: .values(.answered)))
    }

    private static func count(
        _ name: String, _ label: String, _ better: Metric.Better, _ meaning: String, _ explanation: String,
        _ quantity: @escaping Formula.ReplicaQuantity
    ) -> Metric {
        Metric(name, label, .count, better, meaning, explanation + " A mean over replicas.", .mean(quantity))
    }
}
