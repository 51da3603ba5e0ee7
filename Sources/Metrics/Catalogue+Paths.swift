import DeadzoneJournal
import DeadzonePrimitives

extension Catalogue {
    static let paths = [
        count(
            "middlebox.expired", "Mappings expired", .lower,
            "How often a middlebox forgot a connection that was still open.",
            "It said nothing for longer than the middlebox remembers. What is sent on it then vanishes, or is reset."
        ) { Int128($0.fold.count(of: .mappingExpired)) },
        count(
            "server.expired", "Silent connections closed by the server", .lower,
            "How often the server closed a connection that said nothing for too long.",
            "An idle limit of the server, or of the load balancer that ends the connection."
        ) { Int128($0.fold.expiries.count(.silent)) },
        count(
            "server.unanswered", "Connections closed for want of an answer", .lower,
            "How often the server closed a connection because its heartbeat was not answered, or the client's did not come.",
            "The server's keepalive of gRPC, and the heartbeats of other protocols."
        ) { Int128($0.fold.expiries.count(.unanswered)) },
        count(
            "server.retired", "Connections that the server wanted no longer", .neither,
            "How often the server sent a connection away because no stream was open on it, or because of its age.",
            "MAX_CONNECTION_IDLE and MAX_CONNECTION_AGE of gRPC (gRFC A9)."
        ) { Int128($0.fold.expiries.count(.idle) + $0.fold.expiries.count(.age)) },
        count(
            "server.pings", "Heartbeats of the server", .lower, "Heartbeats that the server sent by itself.",
            "Whether they ask for an answer or not."
        ) { Int128($0.fold.count(of: .serverPinged)) },
        count(
            "dns.queries", "Name look-ups", .lower, "How often the network was asked for the server's address.",
            "Answered or failed; what the cache knew is dns.cached."
        ) { Int128($0.fold.resolutions.count(.answered) + $0.fold.resolutions.count(.failed)) },
        count(
            "dns.cached", "Names known from the cache", .neither, "Look-ups that the cache of the phone answered.",
            "They cost neither time nor bytes."
        ) { Int128($0.fold.resolutions.count(.cached)) },
        count(
            "dns.failed", "Name look-ups failed", .lower, "Look-ups that came to no address.",
            "They are part of dns.queries."
        ) { Int128($0.fold.resolutions.count(.failed)) },
    ]

    private static func count(
        _ name: String, _ label: String, _ better: Metric.Better, _ meaning: String, _ explanation: String,
        _ quantity: @escaping Formula.Quantity
    ) -> Metric {
        Metric(name, label, .count, better, meaning, explanation + " A mean over replicas.", .mean(quantity))
    }
}
