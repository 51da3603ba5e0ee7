import DeadzoneBase

extension Catalogue {
    static let connection: [Metric] =
        [
            Metric(
                "connection.attempts", "Connection attempts", .count, .lower,
                "Number of attempts of the client to connect.",
                "Every attempt counts, including those that failed at once because there was no network. A mean over replicas.",
                .mean { attempts($0.fold) }),
            Metric(
                "connection.handshakes", "Connections opened", .count, .neither, "Number of connections that opened.",
                "Each one cost a transport handshake, and a TLS handshake if TLS is used. A mean over replicas.",
                .mean { Int128($0.fold.count(of: .opened)) }),
            Metric(
                "connection.attempts_per_hour", "Connection attempts per hour", .perHour, .lower,
                "Attempts to connect per hour by the client of one phone.",
                "connection.attempts divided by simulated time, so that runs of different length can be compared.",
                .perHour { attempts($0.fold) }),
            Metric(
                "connection.handshakes_per_hour", "Connections opened per hour", .perHour, .lower,
                "Connections that opened per hour on one phone.",
                "connection.handshakes divided by simulated time, so that runs of different length can be compared.",
                .perHour { Int128($0.fold.count(of: .opened)) }),
            Metric(
                "connection.drops", "Connections dropped", .count, .lower,
                "Open connections that ended without a close by the client, as the client learned.",
                "The network was lost, the transport gave up, or the server reset the connection. A mean over replicas.",
                .mean { Int128($0.fold.drops) }),
            Metric(
                "connection.goaways", "Goodbyes of the server", .count, .lower,
                "Number of times that the server sent GOAWAY or an equivalent message.",
                """
                After this message the server accepts nothing new on the connection and closes it soon. It sends the \
                message before a deploy, for example, or because of too many pings (keepalive.rejected). A mean over \
                replicas.
                """, .mean { Int128($0.fold.count(of: .goAway)) }),
            Metric(
                "connection.false_drops", "Good connections given up", .count, .lower,
                "Connections that the client or its kernel closed although they would have worked.",
                """
                The cost of timeouts that are too short: each false drop needs a new handshake. The app may give a \
                connection up, for example after an unanswered ping. Its kernel may do so by TCP_USER_TIMEOUT, \
                keepalive, or the last retransmission. A connection that is given up while it is cut off counts when \
                its path works again, if the server would still have had it. A connection does not count if its work \
                is done: a finished visit, an idle channel, an app that goes to the background. Neither does one that \
                was replaced for a better network, or that the server sent away. A mean over replicas.
                """, .mean { Int128($0.fold.count(of: .falseDrop)) }),
            Metric(
                "availability.ratio", "Truly connected", .ratio, .higher,
                "Share of the time in which the client had an open connection that worked.",
                "Time with an open connection that worked, divided by simulated time. Zombie time and blocked time are not included.",
                .ratio({ $0.fold.sum(of: .available) }, times: 1) { $0.fold.elapsed }),
            Metric(
                "silence.total", "Time without a working connection", .seconds, .lower,
                "Time in which no connection of the phone worked.",
                """
                Every moment of it has one cause, the first that applies: the system has stopped the app, its process \
                has ended, a connection is dead and believed open, there is no working network, the server is away, or \
                the client is not connected although it could be. `losses.silence_s` in the JSON has the time by \
                cause, and `entries` by entry of the timeline. A mean per phone over replicas.
                """, .seconds { $0.fold.sum(of: .silent) }),
        ] + zombie + [500, 950, 1_000].map(detection) + [500, 950, 1_000].map(recovery)

    private static let zombieDefinition = """
        A connection is a zombie while the client believes it open although no byte sent on it now could ever be \
        answered. A dead zone after which the connection works again makes no zombie; that time is in blocked.total. A \
        period that is cut by the horizon counts with its length until then. Only time in which the app runs, or could \
        set an alarm, counts. While the system has frozen or suspended the app, no policy can notice anything; that \
        time is in zombie.frozen. A period is split where the app is stopped and where it runs again.
        """

    private static let frozenDefinition = """
        Time that a connection was dead while the system did not let the app run: frozen by Android, or suspended by \
        iOS. No policy can notice anything then. The server's messages arrive by push, or when the app is opened. A \
        policy can close the connection before the app is stopped. An alarm can wake a processor that only sleeps, so \
        that time is in zombie. A process that was ended has no connections.
        """

    private static let zombie = [
        Metric(
            "zombie.max", "Longest dead connection believed open", .seconds, .lower,
            "The longest time that a running client believed one dead connection open.",
            zombieDefinition + " Without such a period it is 0.",
            .seconds(.all, of: .values(.zombie), isZeroIfEmpty: true)),
        Metric(
            "zombie.p95", "Dead connection believed open, 95th percentile", .seconds, .lower,
            "95 % of the times that a running client believed a dead connection open are no longer.",
            zombieDefinition + " Pooled over the periods of all replicas; without such a period it is 0.",
            .seconds(.percent(95), of: .values(.zombie), isZeroIfEmpty: true)),
        Metric(
            "zombie.total", "Time on dead connections", .seconds, .lower,
            "Time that a running client believed dead connections open, in one phone's whole run.", zombieDefinition,
            .seconds { $0.fold.sum(of: .zombie) }),
        Metric(
            "zombie.frozen.max", "Longest dead connection of a frozen app", .seconds, .lower,
            "The longest time that a frozen or suspended app had a dead connection.",
            frozenDefinition + " Without such a period it is 0.",
            .seconds(.all, of: .values(.zombieFrozen), isZeroIfEmpty: true)),
        Metric(
            "zombie.frozen.p95", "Dead connection of a frozen app, 95th percentile", .seconds, .lower,
            "95 % of the times that a frozen or suspended app had a dead connection are no longer.",
            frozenDefinition + " Pooled over the periods of all replicas; without such a period it is 0.",
            .seconds(.percent(95), of: .values(.zombieFrozen), isZeroIfEmpty: true)),
        Metric(
            "zombie.frozen.total", "Time of a frozen app on dead connections", .seconds, .lower,
            "Time that a frozen or suspended app had dead connections, in one phone's whole run.",
            frozenDefinition, .seconds { $0.fold.sum(of: .zombieFrozen) }),
        Metric(
            "blocked.total", "Time cut off on live connections", .seconds, .lower,
            "Time in which an open connection was alive but no byte sent on it could be answered, in one phone's whole run.",
            """
            Causes are no coverage, no internet behind the network, one blocked direction, a captive portal, or a \
            frozen server. The connection continues afterwards, so it is no zombie. A strategy can do little about \
            this time. A difference between strategies shows how much of the time they were connected.
            """, .seconds { $0.fold.sum(of: .blocked) }),
    ]

    private static func detection(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "detection.\(q.suffix)", "Dead connection noticed after, \(q.words)", .seconds, .lower,
            "Time from a connection's death until the client knows: \(q.phrase).",
            """
            The client knows when it is notified, or when it closes the connection itself. Time in which the system \
            did not let it run is included. A death that is unnoticed at the horizon counts as never noticed. If the \
            quantile falls among those, there is no number, and no upper bound holds. Pooled over the deaths of all \
            replicas.
            """, .seconds(q, of: .values(.detected)))
    }

    private static func recovery(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "recovery.\(q.suffix)", "Served again after, \(q.words)", .seconds, .lower,
            "Time from when a working path exists until the first byte served on it: \(q.phrase).",
            """
            The clock starts when the network works again, not when the client notices. On a new connection, the first \
            byte served is the server program's answer to the session, which needs no traffic of the app. On a \
            connection that was only cut off, it is the first packet that arrives. If the client requests no session, \
            as with datagrams, the first attempt counts. A client that closes its connection on purpose does not wait. \
            A path without a byte served at the horizon counts as never served. If the quantile falls among those, \
            there is no number, and no upper bound holds. Pooled over the recoveries of all replicas.
            """, .seconds(q, of: .values(.recovered)))
    }

    static let keepalive = [
        Metric(
            "keepalive.pings", "Pings", .count, .lower, "Pings that the client sent.",
            "Pings on a connection that was already dead also count. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .pinged)) }),
        Metric(
            "keepalive.strikes", "Pings that came too soon", .count, .lower,
            "Pings that arrived too early for the server.",
            "After too many of them the server sends the client away (keepalive.rejected). A mean over replicas.",
            .mean { Int128($0.fold.count(of: .pingStruck)) }),
        Metric(
            "keepalive.rejected", "Goodbyes for too many pings", .count, .lower,
            "Number of times that the server closed a connection because of too many pings.",
            "ENHANCE_YOUR_CALM with too_many_pings, as gRPC servers enforce it. A mean over replicas.",
            .mean { Int128($0.fold.goAways.count(.tooManyPings)) }),
        Metric(
            "resume.count", "Resumptions", .count, .neither,
            "Connections on which the client requested to resume from its cursor.",
            "The first connection of a phone has nothing to resume and does not count. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .resumed)) }),
    ]

    static let server = [
        Metric(
            "server.accepted", "Connections the server set up", .count, .neither,
            "Connections that the accept queue of a shared server set up.",
            "Counted if the scenario limits the connections that the server accepts per second. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .serverAccepted)) }),
        Metric(
            "server.dedup_bytes", "Memory of what was had", .bytes, .lower,
            "Memory that the server needs, for all sessions, to recognise messages that it has received before.",
            """
            It depends on the scenario's `server: dedup:`. A table of the last 1,000 keys counts with the size that a \
            hash set allocates, not with its payload. A table with a time as its `window` grows with the messages in \
            it, and counts with its largest size. A session that ends and begins again counts once. A mean over \
            replicas.
            """, .mean { $0.fold.sum(of: .dedupMemory) }),
        Metric(
            "server.requests", "Calls that reached the server", .count, .lower,
            "Calls that reached the server's program, counted at each arrival.",
            "All phones together, including refused calls and calls that the client had already given up. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .serverAsked)) }),
        Metric(
            "server.requests_per_s", "Calls to the server in a second", .count, .lower,
            "Calls per second of simulated time that reached the server's program, from all phones together.",
            "server.requests divided by the length of the scenario.",
            .ratio(
                { Int128($0.fold.count(of: .serverAsked)) * $0.phones }, times: 1_000_000_000,
                over: { $0.fold.elapsed },
                of: .allPhones)),
        Metric(
            "server.rejected", "Refusals of the server", .count, .lower,
            "Number of calls and sessions that the server refused.",
            """
            Calls answered with an error and sessions not opened, because of an error, a rate limit or a queue that is \
            too long. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .serverRejected)) }),
        Metric(
            "server.shed", "Arrivals that found no place", .count, .lower,
            "Sessions and calls that the server did not accept because of a full queue or a missing instance.",
            """
            Causes are a full queue of its capacity, a wait there beyond the timeout, or a full accept queue. Others \
            are a cluster without a free connection, and a frozen instance. It does not matter whether the client got \
            an answer. They are also in server.rejected. A mean over replicas.
            """,
            .mean {
                Int128($0.fold.rejections.count(.overloaded) + $0.fold.rejections.count(.unheard))
            }),
        Metric(
            "server.goodput", "Calls to the server that were of use", .ratio, .higher,
            "Share of the calls at the server that were answered while the client still waited.",
            """
            calls.ok divided by server.requests. The rest is work for clients that had given up, for repeated calls, \
            or for refused calls. If no call reached the server, there is nothing to measure.
            """,
            .ratio({ Int128($0.fold.count(of: .answered)) }, times: 1) { Int128($0.fold.count(of: .serverAsked)) }),
    ]

    private static func attempts(_ fold: RunFold) -> Int128 {
        Int128(fold.count(of: .connecting) + fold.count(of: .attemptedOffline))
    }
}
