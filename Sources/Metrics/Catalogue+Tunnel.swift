import DeadzoneBase

extension Catalogue {
    /// Metrics of a VPN tunnel. They are zero if the phone has no `tunnel`.
    static let tunnel = [
        Metric(
            "tunnel.handshakes", "Tunnel handshakes", .count, .neither,
            "Number of handshakes of the phone's tunnel that its gateway answered.",
            """
            The first packet after a silence starts one, and so does use of a session that is older than `rekey`. A \
            handshake that was repeated counts once, one of the gateway not at all. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .tunnelReady)) }),
        Metric(
            "tunnel.down_s", "Time without tunnel", .seconds, .lower,
            "Time with a working network in which no packet of the gateway could reach the phone.",
            """
            The tunnel's socket is on a network that is gone, the gateway does not know the phone's address yet, or a \
            middlebox has forgotten the flow. A session that is merely old does not count, because the next packet \
            renews it. Messages that are lost meanwhile have the cause `no_path`, or `mapping_forgotten`.
            """, .seconds { $0.fold.sum(of: .tunnelDown) }),
        Metric(
            "tunnel.dropped", "Packets that the tunnel dropped", .count, .lower,
            "Number of packets that waited for a session of the tunnel and were dropped.",
            "The queue was full, or the handshake was given up. A mean over replicas.",
            .mean { Int128($0.fold.sum(of: .tunnelDropped)) }),
    ]
}
