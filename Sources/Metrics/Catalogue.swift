/// Every metric there is, in the order in which lists print them.
public enum Catalogue {
    public static let all: [Metric] =
        battery + energyByState + energyByCause + processor + app + latency + freshness + delivery + truth + calls
        + connection + keepalive
        + resumption + paths + bytes + flow + server + herd

    /// The metric of this exact name.
    public static func metric(named name: String) -> Metric? { index[name].map { all[$0] } }

    // Looked up by name only; its order is never seen.
    static let index = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
}
