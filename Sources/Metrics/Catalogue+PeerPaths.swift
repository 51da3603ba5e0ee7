import DeadzoneBase

extension Catalogue {
    /// Metrics of a client with two paths to its peer. They are zero for other clients.
    static let peerPaths = [
        Metric(
            "path.switches", "Changes of the path", .count, .lower,
            "Number of times that the client began to use another path to its peer.",
            """
            From the direct path to the relay or back. A restart of both paths begins with the relay, so it usually \
            counts twice. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .pathSelected)) }),
        Metric(
            "path.direct_ratio", "Share of the direct path", .ratio, .higher,
            "Share of the time with a selected path in which the client used the direct one.",
            "The rest went over the relay, which takes longer and costs its operator.",
            .ratio({ $0.fold.sum(of: .usedDirect) }, times: 1) {
                $0.fold.sum(of: .usedDirect) + $0.fold.sum(of: .usedRelay)
            }),
    ]
}
