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
        ) { Int128($0.fold.count(of: .serverExpired)) },
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
