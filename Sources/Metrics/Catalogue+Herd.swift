import DeadzoneBase

// Fleet metrics: the load that all phones of a replica put on the server that they share (or would share).
extension Catalogue {
    private static let definition = """
        A herd begins with a change of the timeline that takes effect after the start. The change may end or wake the \
        connections of all phones at once. Such changes are: a network or its coverage that appears or disappears; a \
        handoff; a lost address or mapping; a server that goes down, freezes, drains, deploys or refuses logins; an \
        app that enters the foreground or is ended. If the timeline has none, the start of the run begins the herd.
        """

    private static let heldDefinition = """
        A connection counts from the SYN, or the first flight of QUIC, that the server accepts, until the server's own \
        end of the connection or the horizon. If a phone has left silently, the server holds its connection until it \
        notices, or until the phone's next session replaces it.
        """

    static let herd = [
        Metric(
            "herd.attempts", "Attempts of the herd", .count, .lower,
            "Number of attempts to connect by all phones, from the first common trigger on.",
            definition + """
                Attempts are counted at the clients when they begin, until the horizon. Attempts that never reach the \
                server are included. With one phone they are that phone's. A mean over replicas.
                """, .mean { Int128($0.fold.herdAttempts.total) }),
        Metric(
            "herd.peak_per_100ms", "Most attempts in 100 ms", .count, .lower,
            "The most attempts to connect by all phones in a tenth of a second, from the first common trigger on.",
            definition + """
                The most attempts that clients begin in one whole tenth of a second of the clock: the load that \
                synchronised clients put on a server. With one phone it is seldom more than 1. A mean over replicas.
                """, .mean { Int128($0.fold.herdAttempts.maxCount) }),
        Metric(
            "herd.peak_per_s", "Most attempts in a second", .count, .lower,
            "The most attempts to connect by all phones in a second, from the first common trigger on.",
            definition + """
                The most attempts that clients begin in one whole second of the clock. A phone that tries several \
                times in that second counts each time, so the number may exceed the number of phones. A mean over \
                replicas.
                """, .mean { Int128($0.fold.herdAttempts.maxPerSecond) }),
        Metric(
            "herd.all_connected_s", "All connected again after", .seconds, .lower,
            "Time from a common trigger until the last phone that lost its connection has a working one again.",
            definition + """
                The clock starts at the trigger, so an outage of the server is included. A phone counts once: from the \
                trigger after which it first had no working connection until its next working connection. A phone \
                without an interruption does not count. The longest time over all phones, triggers and replicas. If a \
                phone is not connected again at the horizon, there is no number, and no upper bound holds. With one \
                phone it is that phone's time.
                """, .seconds(.all, of: .herdReturns, isZeroIfEmpty: true)),
        Metric(
            "server.connections_max", "Most connections at once", .count, .lower,
            "The most connections that the server had at once, from all phones.",
            """
            A connection counts from the SYN, or the first flight of QUIC, that the server accepts, until the server's \
            own end of the connection. Connections that wait in the accept queue are included. If a phone has left \
            silently, its connection counts until the server notices, or until the phone's next session replaces it. \
            Sampled every tenth of a second of the whole run. The largest value over all replicas.
            """,
            .quantile(.peakServerConnections, .all, perUnit: 1, isZeroIfEmpty: true)),
        Metric(
            "server.held_s", "Time the server held connections", .seconds, .lower,
            "Time for which the server held connections, added up over all phones.",
            heldDefinition + " A mean over replicas.",
            .ratio({ $0.fold.sum(of: .serverHeld) }, times: 1, over: { _ in 1_000_000_000 }, of: .allPhones)),
        Metric(
            "server.held.max", "Server held a connection, longest", .seconds, .lower,
            "Longest time for which the server held one connection.",
            heldDefinition + " The largest value over all phones and replicas, exact to 0.05 %.",
            .seconds(.all, of: .values(.serverHeld), isZeroIfEmpty: true)),
        Metric(
            "server.queue_peak_bytes", "Most bytes queued for one phone", .bytes, .lower,
            "The most bytes of messages that the server's program held for one phone because its connection accepted no more.",
            """
            In addition to the kernel's send buffer, which is full, or the phone's window is exhausted. Bytes include \
            framing, but no overhead of objects, for the session's present connection. The content of a history does \
            not count. The largest value over all phones and replicas, exact to 0.05 %.
            """, .quantile(.values(.serverQueuePeak), .all, perUnit: 1, isZeroIfEmpty: true)),
        Metric(
            "server.queue_dropped", "Messages the server left out", .count, .lower,
            "Messages that the server dropped because newer ones arrived before the connection accepted them.",
            """
            Set by the scenario's `server: slow-consumers: conflate`. The phone never gets them. They count as lost in \
            delivery.down.lost, unless the phone resumes from before them. A mean over replicas.
            """, .mean { $0.fold.sum(of: .serverQueueDropped) }),
        Metric(
            "server.cuts", "Connections ended for slowness", .count, .lower,
            "Connections that the server ended because they did not accept its messages.",
            "Set by the scenario's `server: slow-consumers: cut`. They are not in server.expired, which counts silent connections. A mean over replicas.",
            .mean { Int128($0.fold.expiries.count(.slow)) }),
    ]
}
