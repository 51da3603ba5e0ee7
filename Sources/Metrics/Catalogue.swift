/// The list of all metrics, in the order in which the program prints them.
package enum Catalogue {
    package static let all: [Metric] =
        battery + energyByState + energyByCause + processor + app + latency + freshness + delivery + truth + calls
        + connection + keepalive
        + resumption + queue + streams + credentials + presence + peerPaths + tunnel + paths + powerSaving + datagrams
        + bytes + flow + server + herd

    /// The metric with exactly this name. `nil` if there is none.
    package static func metric(named name: String) -> Metric? { index[name].map { all[$0] } }

    // For lookup by name only. The dictionary's order never shows.
    package static let index = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
}
