import DeadzoneJournal
import DeadzonePrimitives

extension Catalogue {
    static let connection: [Metric] =
        [
            Metric(
                "connection.attempts", "Connection attempts", .count, .lower, "How often the client tried to connect.",
                "Every attempt counts, also one that failed at once because there was no network. A mean over replicas.",
                .mean { attempts($0.fold) }),
            Metric(
                "connection.handshakes", "Connections opened", .count, .neither, "How often a connection opened.",
                "Each one cost a transport handshake, and a TLS handshake where there is TLS. A mean over replicas.",
                .mean { Int128($0.fold.count(of: .opened)) }),
            Metric(
                "connection.attempts_per_hour", "Connection attempts per hour", .perHour, .lower,
                "How often the client of one phone tried to connect, in an hour.",
                "connection.attempts over simulated time, so that runs of different length can be compared.",
                .perHour { attempts($0.fold) }),
            Metric(
                "connection.handshakes_per_hour", "Connections opened per hour", .perHour, .lower,
                "How often a connection of one phone opened, in an hour.",
                "connection.handshakes over simulated time, so that runs of different length can be compared.",
                .perHour { Int128($0.fold.count(of: .opened)) }),
            Metric(
                "connection.drops", "Connections dropped", .count, .lower,
                "Open connections that ended otherwise than by the client's will, as the client learned.",
                "The network was taken away, the transport gave up, or the server reset it. A mean over replicas.",
                .mean { Int128($0.fold.drops) }),
            Metric(
                "connection.goaways", "Goodbyes of the server", .count, .lower,
                "How often the server told the client to go away.",
                """
                GOAWAY, and its like in other protocols: the server takes nothing new on the connection and closes it soon, as \
                before a deploy, or because it was pinged too often (keepalive.rejected). A mean over replicas.
                """, .mean { Int128($0.fold.count(of: .goAway)) }),
            Metric(
                "connection.false_drops", "Good connections given up", .count, .lower,
                "Connections that the client or its kernel gave up though they would have worked.",
                """
                The price of impatience: each one costs a new handshake for nothing. Given up by the app, as after a ping \
                without an answer, or by its kernel, as by TCP_USER_TIMEOUT, its keepalive, or its last retransmission. One that \
                is given up while it is cut off counts when its path works again, if the server would have had it until then. Not \
                counted: one whose work is done (a visit that is over, an idle channel, an app that goes to the background), one \
                left for a better network, one that the server sent away. A mean over replicas.
                """, .mean { Int128($0.fold.count(of: .falseDrop)) }),
            Metric(
                "availability.ratio", "Truly connected", .ratio, .higher,
                "Share of the time in which the client had an open connection that really worked.",
                "Time in which a connection was open and true, over simulated time. Zombie time and blocked time are not in it.",
                .ratio({ $0.fold.sum(of: .available) }, times: 1) { $0.fold.elapsed }),
        ] + zombie + [500, 950, 1_000].map(detection) + [500, 950, 1_000].map(recovery)

    private static let zombieDefinition = """
        A connection is a zombie while the client believes it open and no byte sent on it now could ever be answered on it. A \
        dead zone after which the connection works again makes no zombie; that time is blocked.total. A period that the \
        horizon cuts counts with the length it had. Of an app that runs, or could set an alarm: while the system has frozen \
        or suspended it no policy can notice anything, and that time is in zombie.frozen; a period is split where the app is \
        stopped and where it runs again.
        """

    private static let frozenDefinition = """
        Time that a connection was dead while the system did not let the app run that believed in it: frozen by Android, \
        suspended by iOS. No policy can notice anything then, and what the server has to say comes by push, or when the app \
        is opened. A policy can close the connection before it is stopped. A processor that only sleeps an alarm can wake: \
        that time is in zombie. A process that was ended believes nothing.
        """

    private static let zombie = [
        Metric(
            "zombie.max", "Longest dead connection believed open", .seconds, .lower,
            "The longest time that a client which runs believed in one dead connection.",
            zombieDefinition + " Without any it is 0.",
            .seconds(.all, of: .values(.zombie), isZeroIfEmpty: true)),
        Metric(
            "zombie.p95", "Dead connection believed open, 95th percentile", .seconds, .lower,
            "Of the times that a client which runs believed in a dead connection, 95 % are no longer.",
            zombieDefinition + " Pooled over the periods of all replicas; without any it is 0.",
            .seconds(.percent(95), of: .values(.zombie), isZeroIfEmpty: true)),
        Metric(
            "zombie.total", "Time on dead connections", .seconds, .lower,
            "Time that a client which runs believed in dead connections, in one phone's whole run.", zombieDefinition,
            .seconds { $0.fold.sum(of: .zombie) }),
        Metric(
            "zombie.frozen.max", "Longest dead connection of a frozen app", .seconds, .lower,
            "The longest time that an app which the system did not let run had a dead connection.",
            frozenDefinition + " Without any it is 0.",
            .seconds(.all, of: .values(.zombieFrozen), isZeroIfEmpty: true)),
        Metric(
            "zombie.frozen.p95", "Dead connection of a frozen app, 95th percentile", .seconds, .lower,
            "Of the times that a frozen app had a dead connection, 95 % are no longer.",
            frozenDefinition + " Pooled over the periods of all replicas; without any it is 0.",
            .seconds(.percent(95), of: .values(.zombieFrozen), isZeroIfEmpty: true)),
        Metric(
            "zombie.frozen.total", "Time of a frozen app on dead connections", .seconds, .lower,
            "Time that an app which the system did not let run had dead connections, in one phone's whole run.",
            frozenDefinition, .seconds { $0.fold.sum(of: .zombieFrozen) }),
        Metric(
            "blocked.total", "Time cut off on live connections", .seconds, .lower,
            "Time in which an open connection lived but no byte sent on it could be answered then, in one phone's whole run.",
            """
            No coverage, no internet behind the network, one direction that does not pass, a portal, a server that is frozen: the \
            connection goes on when that is over, so it is no zombie. A strategy can do little about it: a number that differs \
            between strategies says how often they were connected at all.
            """, .seconds { $0.fold.sum(of: .blocked) }),
    ]

    private static func detection(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "detection.\(q.suffix)", "Dead connection noticed after, \(q.words)", .seconds, .lower,
            "Time from a connection's death to the client's knowing: \(q.phrase).",
            """
            The client knows when it is told, or when it closes the connection itself; time in which the system did not let it \
            run is in it. A death that it had not noticed at the \
            horizon counts as never noticed: where the quantile falls among those there is no number, and no upper bound holds. \
            Pooled over the deaths of all replicas.
            """, .seconds(q, of: .values(.detected)))
    }

    private static func recovery(_ thousandths: Int64) -> Metric {
        let q = Share(thousandths: thousandths)
        return Metric(
            "recovery.\(q.suffix)", "Served again after, \(q.words)", .seconds, .lower,
            "Time from the moment that a working path exists to the first byte served on it: \(q.phrase).",
            """
            The clock starts when the network works again, not when the client notices. Served is the first word of the server's \
            program on a new connection, its answer to the session, which needs no traffic of the app; on one that had only been \
            cut off, the first packet that comes. Where nothing asks for a session, as with datagrams, the first attempt counts. \
            A client that closes its connection on purpose waits for nothing. A path that had served nothing at the horizon \
            counts as never: where the quantile falls among those there is no number, and no upper bound holds. Pooled over the \
            recoveries of all replicas.
            """, .seconds(q, of: .values(.recovered)))
    }

    static let keepalive = [
        Metric(
            "keepalive.pings", "Pings", .count, .lower, "Pings that the client sent.",
            "Pings on a connection that was dead by then count as well. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .pinged)) }),
        Metric(
            "keepalive.strikes", "Pings that came too soon", .count, .lower,
            "Pings that the server found too early.",
            "Too many of them, and it sends the client away (keepalive.rejected). A mean over replicas.",
            .mean { Int128($0.fold.count(of: .pingStruck)) }),
        Metric(
            "keepalive.rejected", "Goodbyes for too many pings", .count, .lower,
            "How often the server sent the client away because it pinged too often.",
            "ENHANCE_YOUR_CALM with too_many_pings, as gRPC servers enforce it. A mean over replicas.",
            .mean { Int128($0.fold.goAways.count(.tooManyPings)) }),
        Metric(
            "resume.count", "Resumptions", .count, .neither,
            "Connections on which the client asked to go on from its cursor.",
            "The first connection of a phone has nothing to go on from and is not one of them. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .resumed)) }),
    ]

    static let server = [
        Metric(
            "server.accepted", "Connections the server set up", .count, .neither,
            "Connections that the accept queue of a shared server has set up.",
            "Counted where the scenario limits how many the server accepts in a second. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .serverAccepted)) }),
        Metric(
            "server.dedup_bytes", "Memory of what was had", .bytes, .lower,
            "What the server keeps, of all sessions, to know messages that it has had.",
            """
            By the scenario's `server: dedup:`; a table of the last 1,000 keys is counted as a hash set is allocated, not as its \
            payload. One whose `window` is a time grows with what comes in it, and counts as large as it was at most. Sessions that \
            end and begin again count once. A mean over replicas.
            """, .mean { $0.fold.sum(of: .dedupMemory) }),
        Metric(
            "server.requests", "Calls that reached the server", .count, .lower,
            "Calls that the server's program has seen, each as often as it came.",
            "All phones together; also those that it refused, and those whose client had given up. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .serverAsked)) }),
        Metric(
            "server.requests_per_s", "Calls to the server in a second", .count, .lower,
            "Calls that the server's program has seen, from all phones together, per second of simulated time.",
            "server.requests over the length of the scenario.",
            .ratio(
                { Int128($0.fold.count(of: .serverAsked)) * $0.phones }, times: 1_000_000_000,
                over: { $0.fold.elapsed },
                of: .allPhones)),
        Metric(
            "server.rejected", "Refusals of the server", .count, .lower,
            "How often the server would not do what it was asked.",
            """
            Calls answered with an error, and sessions that it would not open: an error, a limit of its rate, too long a queue. \
            A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .serverRejected)) }),
        Metric(
            "server.shed", "Arrivals that found no place", .count, .lower,
            "Sessions and calls that the server did not take because too much waited, or nobody was there.",
            """
            A full queue of its capacity, a wait there beyond its timeout, a full accept queue, no instance that may have more connections, one that stands still; \
            whether they were told so or heard nothing. They are also in server.rejected. A mean over replicas.
            """,
            .mean {
                Int128($0.fold.rejections.count(.overloaded) + $0.fold.rejections.count(.unheard))
            }),
        Metric(
            "server.goodput", "Calls to the server that were of use", .ratio, .higher,
            "Share of the calls which the server has seen whose answer came while its client waited for it.",
            """
            calls.ok over server.requests: the rest is work for clients that had given up, that asked twice, or that it refused. \
            Where no call reached the server there is nothing to measure.
            """,
            .ratio({ Int128($0.fold.count(of: .answered)) }, times: 1) { Int128($0.fold.count(of: .serverAsked)) }),
    ]

    private static func attempts(_ fold: RunFold) -> Int128 {
        Int128(fold.count(of: .connecting) + fold.count(of: .attemptedOffline))
    }
}
