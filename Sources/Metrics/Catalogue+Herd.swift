import DeadzoneJournal
import DeadzonePrimitives

// Fleets: what all phones of a replica do to the server they share, or would share.
extension Catalogue {
    private static let definition = """
        A herd begins with a change of the timeline that takes effect after the start and may take the connections of all phones \
        at once, or wake them at once: a network or its coverage that comes or goes, a handoff, an address or a mapping that is \
        lost, a server that goes down, freezes, drains, deploys or refuses logins, an app that comes to the front or is ended. \
        Where the timeline has none, the run's own start begins it.
        """

    static let herd = [
        Metric(
            "herd.attempts", "Attempts of the herd", .count, .lower,
            "How often the clients of all phones tried to connect, from the first common trigger on.",
            definition + """
                 Attempts are counted where they begin, at the clients, so also those that never reach the server; until the \
                horizon. With one phone they are that phone's. A mean over replicas.
                """, .mean { Int128($0.fold.herdAttempts.total) }),
        Metric(
            "herd.peak_per_100ms", "Most attempts in 100 ms", .count, .lower,
            "The most attempts of all phones to connect in a tenth of a second, from the first common trigger on.",
            definition + """
                 The most attempts that clients begin in one whole tenth of a second of the clock: what a server must bear whose \
                clients come in step. With one phone it is seldom more than 1. A mean over replicas.
                """, .mean { Int128($0.fold.herdAttempts.most) }),
        Metric(
            "herd.peak_per_s", "Most attempts in a second", .count, .lower,
            "The most attempts of all phones to connect in a second, from the first common trigger on.",
            definition + """
                 The most attempts that clients begin in one whole second of the clock. A phone that tries several times in that \
                second counts each time, so it may be more than there are phones. A mean over replicas.
                """, .mean { Int128($0.fold.herdAttempts.mostInASecond) }),
        Metric(
            "herd.all_connected_s", "All connected again after", .seconds, .lower,
            "Time from a common trigger to the moment when the last phone that it cost its connection has one that works.",
            definition + """
                 From the trigger, so a server's absence is part of it. A phone counts once, from the trigger after which it \
                first had no working connection to the first one after that; one that goes through without a break does not. \
                The longest over all phones, triggers and replicas; if a phone is not back at the horizon there is no number, \
                and no upper bound holds. With one phone it is that phone's.
                """, .seconds(.all, of: .herdReturns, isZeroIfEmpty: true)),
        Metric(
            "server.connections_max", "Most connections at once", .count, .lower,
            "The most connections that the server had at once, of all phones.",
            """
            From the SYN, or the first flight of QUIC, that it takes to its own end of the connection, so also those that wait \
            for its accept queue, and those whose phone has left without a goodbye that came through, until it notices or the \
            phone's next session takes their place. Looked at every tenth of a second of the whole run. The largest over all \
            replicas.
            """,
            .quantile(.heldAtOnce, .all, perUnit: 1, isZeroIfEmpty: true)),
        Metric(
            "server.queue_peak_bytes", "Most bytes queued for one phone", .bytes, .lower,
            "The most bytes of messages that the server's program held for one phone because its connection took no more.",
            """
            Beside what the kernel's send buffer holds: that is full, or the window of the phone is shut. With their framing, \
            without the overhead of any object, for the session's present connection; what a history keeps does not count. The \
            largest over all phones and replicas, exact to 0.05 %.
            """, .quantile(.values(.serverQueuePeak), .all, perUnit: 1, isZeroIfEmpty: true)),
        Metric(
            "server.queue_dropped", "Messages the server left out", .count, .lower,
            "Messages that the server left out because newer ones had come before the connection took them.",
            """
            By the scenario's `server: slow-consumers: conflate`. The phone never gets them: they count as lost in \
            delivery.down.lost, unless it resumes from before them. A mean over replicas.
            """, .mean { $0.fold.sum(of: .serverQueueDropped) }),
        Metric(
            "server.cuts", "Connections ended for slowness", .count, .lower,
            "Connections that the server ended because they did not take what it had to say.",
            "By the scenario's `server: slow-consumers: cut`. They are not in server.expired, which is of silence. A mean over replicas.",
            .mean { Int128($0.fold.expiries.count(.slow)) }),
    ]
}
