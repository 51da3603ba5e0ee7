import DeadzoneBase

extension Catalogue {
    static let paths = [
        count(
            "middlebox.expired", "Mappings expired", .lower,
            "Number of times that a middlebox forgot a connection that was still open.",
            "The connection was silent for longer than the middlebox remembers it. Later packets on it are dropped or reset."
        ) { Int128($0.fold.count(of: .mappingExpired)) },
        count(
            "middlebox.blocked", "Connections over a blocked protocol", .lower,
            "Number of connections, or of moves to another path, whose first packet a middlebox dropped because it blocks UDP.",
            "No packet of such a connection ever arrives, so the attempt ends with its time limit. A client without another "
                + "transport never connects on this network: setting `ladder` of `transport`."
        ) { Int128($0.fold.count(of: .protocolBlocked)) },
        count(
            "connection.transport_changes", "Changes of the transport", .neither,
            "Number of connection attempts with another transport than the attempt before.",
            "A client with several transports falls to the next one after failures, and later tries the first one again: "
                + "setting `ladder` of `transport`."
        ) { Int128($0.fold.count(of: .transportChanged)) },
        count(
            "server.expired", "Silent connections closed by the server", .lower,
            "Number of times that the server closed a connection that was silent for too long.",
            "The idle limit of the server, or of the load balancer that terminates the connection."
        ) { Int128($0.fold.expiries.count(.silent)) },
        count(
            "server.unanswered", "Connections closed for want of an answer", .lower,
            "Number of times that the server closed a connection because an answer to its heartbeat, or the client's heartbeat, was missing.",
            "The server's keepalive in gRPC, and the heartbeats of other protocols."
        ) { Int128($0.fold.expiries.count(.unanswered)) },
        count(
            "server.retired", "Connections that the server wanted no longer", .neither,
            "Number of times that the server closed a connection because it had no open stream, or because of its age.",
            "MAX_CONNECTION_IDLE and MAX_CONNECTION_AGE of gRPC (gRFC A9)."
        ) { Int128($0.fold.expiries.count(.idle) + $0.fold.expiries.count(.age)) },
        count(
            "server.pings", "Heartbeats of the server", .lower, "Heartbeats that the server sent on its own clock.",
            "They count whether they request an answer or not."
        ) { Int128($0.fold.count(of: .serverPinged)) },
        count(
            "dns.queries", "Name look-ups", .lower, "Number of queries to the network for the server's address.",
            "Answered or failed; answers from a cache are in dns.cached."
        ) { Int128($0.fold.resolutions.count(of: .answered, .failed, .stale)) },
        count(
            "dns.cached", "Names known from the cache", .neither, "Look-ups that a cache on the phone answered.",
            "They cost neither time nor bytes. The cache is that of the system, or of the client's library, which may "
                + "also keep failures: setting `names`."
        ) { Int128($0.fold.resolutions.count(of: .cached, .kept, .keptFailure)) },
        count(
            "dns.failed", "Name look-ups failed", .lower, "Look-ups that returned no address.",
            "They are also in dns.queries."
        ) { Int128($0.fold.resolutions.count(of: .failed, .stale)) },
    ]

    private static func count(
        _ name: String, _ label: String, _ better: Metric.Better, _ meaning: String, _ explanation: String,
        _ quantity: @escaping Formula.ReplicaQuantity
    ) -> Metric {
        Metric(name, label, .count, better, meaning, explanation + " A mean over replicas.", .mean(quantity))
    }
}
