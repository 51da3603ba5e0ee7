import DeadzoneBase

extension Catalogue {
    private static let needsQueue = "0 without a map as `push` and without `push-token`. A mean over replicas."

    /// Metrics of a push service that stores several pushes, and of the app's push token.
    static let storedPushes = [
        Metric(
            "push.collapsed", "Pushes replaced", .count, .neither,
            "Number of pushes that a newer one with the same collapse key replaced before they reached the app.",
            """
            The newer push stands for all of them: a client that fetches everything after a push misses nothing. \
            \(needsQueue)
            """, .mean { $0.fold.sum(of: .pushCollapsed) }),
        Metric(
            "push.discarded", "Pushes discarded", .count, .lower,
            "Number of pushes that the push service discarded because too many waited for the phone.",
            """
            Beyond `pending-limit` all pushes that wait are discarded, and the app is notified once the phone is there \
            (`on-deleted`). Beyond `key-limit` the oldest push with a collapse key is discarded without notice. \
            \(needsQueue)
            """, .mean { $0.fold.sum(of: .pushDiscarded) }),
        Metric(
            "push.expired", "Pushes expired", .count, .lower,
            "Number of pushes whose time to live ended before the app received them.",
            """
            The app is not notified. It learns of such a message at its next connection. \(needsQueue)
            """, .mean { $0.fold.sum(of: .pushExpired) }),
        Metric(
            "push.unregistered", "Pushes to a void token", .count, .lower,
            "Number of pushes that the server sent to a push token that was void.",
            """
            They do not wake the app, and are not repeated when the server knows the new token. \(needsQueue)
            """, .mean { $0.fold.sum(of: .pushUnregistered) }),
        Metric(
            "push.deprioritised", "Pushes deprioritised", .count, .lower,
            "Number of pushes of high priority that the system treated as pushes of normal priority.",
            """
            The quota of the app's standby bucket was used up. In Doze such a push waits for a maintenance window. \
            \(needsQueue)
            """, .mean { Int128($0.fold.count(of: .pushDemoted)) }),
        Metric(
            "push.token_void_s", "Push token void", .seconds, .lower,
            "Time from the end of a push token of one phone until the server knew the next one, in the whole run.",
            """
            Meanwhile no push reaches the app. The client's `push-token` says when it sends its token. Time until the \
            horizon counts. 0 without `push-token` in the timeline.
            """, .platformSeconds { $0.fold.sum(of: .pushTokenVoid) }),
    ]
}
