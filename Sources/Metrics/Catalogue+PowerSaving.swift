import DeadzoneBase
import DeadzoneDevice

extension Catalogue {
    /// Metrics of devices with PSM or eDRX. They are zero if the radio profile has neither.
    static let powerSaving = [
        Metric(
            "psm.asleep_ratio", "Time asleep (PSM)", .ratio, .neither,
            "Share of the time in which the device sleeps and cannot be reached.",
            """
            With PSM a device sleeps after its active time, until it sends data or its periodic update is due. The \
            network holds what is sent to it meanwhile. With several phones it is the mean per phone.
            """,
            .ratio({ $0.fold.ledger.nanoseconds(in: .powerSaving, on: .cellular) }, times: 1) { $0.fold.elapsed }),
        Metric(
            "downlink.held", "Packets held by the network", .count, .lower,
            "Number of downlink packets that the network held because the device did not listen.",
            """
            The device slept (PSM), or was idle between two paging occasions, which are far apart with eDRX. Only \
            radios whose profile has PSM or eDRX count. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .downlinkHeld)) }),
        Metric(
            "downlink.held_s", "Longest wait in the network", .seconds, .lower,
            "Longest time that a downlink packet would wait in the network if the device sent nothing before.",
            """
            At most the time until the periodic update (PSM), or an eDRX cycle. If the device sends data before, the \
            packet is delivered then: `latency.down` contains the real wait.
            """, .seconds(.all, of: .values(.downlinkHeld), isZeroIfEmpty: true)),
        Metric(
            "downlink.dropped", "Packets dropped by the network", .count, .lower,
            "Number of downlink packets that the network dropped because it held no more for the device.",
            """
            The network holds a limited number of packets for a device that it cannot reach: `psm-buffer` of the \
            radio profile. A mean over replicas.
            """, .mean { $0.fold.sum(of: .downlinkDropped) }),
    ]

    /// Metrics of confirmable messages and of DTLS sessions. They are zero for other strategies than `coap`.
    static let datagrams = [
        Metric(
            "coap.repeats", "Repeated messages", .count, .lower,
            "Number of times that a client repeated a message because it was not confirmed in time.",
            "The first wait is drawn anew for each message, and doubles for each repeat (RFC 7252). A mean over replicas.",
            .mean { Int128($0.fold.count(of: .exchangeRepeated)) }),
        Metric(
            "coap.abandoned", "Messages given up", .count, .lower,
            "Number of times that a client gave up a message after its last repeat.",
            """
            Without DTLS the message is dropped. With DTLS the client sets up a new session and sends the message again. \
            A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .exchangeAbandoned)) }),
        Metric(
            "dtls.handshakes", "DTLS handshakes", .count, .lower,
            "Number of DTLS sessions that were set up or resumed.",
            "Each one costs round trips and bytes, which count for `cause.tls`. A mean over replicas.",
            .mean { Int128($0.fold.count(of: .dtlsOpened)) }),
        Metric(
            "dtls.ignored", "Packets of unknown sessions", .count, .lower,
            "Number of packets that the server dropped because it knew no DTLS session at their source address.",
            """
            A NAT forgot the mapping, so the packets have another source address. A server that finds sessions by a \
            connection id (RFC 9146) accepts them. A mean over replicas.
            """, .mean { Int128($0.fold.count(of: .dtlsIgnored)) }),
    ]
}
