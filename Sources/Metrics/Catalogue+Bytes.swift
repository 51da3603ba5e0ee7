import DeadzoneBase
import DeadzoneDevice

extension Catalogue {
    static let bytes = [
        Metric(
            "bytes.up", "Bytes sent", .bytes, .lower, "Bytes that the phone sent over the air, with all headers.",
            "Every packet counts, including retransmissions and useless packets. A mean over replicas.",
            .mean { $0.fold.ledger.bytes(.up) }),
        Metric(
            "bytes.down", "Bytes received", .bytes, .lower,
            "Bytes that the phone received over the air, with all headers.",
            "Every packet counts, including retransmissions and useless packets. A mean over replicas.",
            .mean { $0.fold.ledger.bytes(.down) }),
        Metric(
            "bytes.overhead_ratio", "Overhead bytes per message byte", .ratio, .lower,
            "Bytes of packets without a message, per byte of packets with one.",
            """
            Pings, acknowledgements, handshakes, resumption and retransmissions, divided by payload. Headers count \
            with their packet. Other apps, the push service and the server's probes count on neither side. Without \
            payload there is nothing to measure.
            """, .ratio({ $0.fold.ledger.overhead }, times: 1) { $0.fold.ledger.payload }),
        Metric(
            "bytes.per_month", "Bytes in a month", .bytes, .lower,
            "Bytes of one phone in both directions, at this rate for 30 days.",
            "bytes.up and bytes.down divided by simulated time, times 30 days: the use of a data plan if every day were like this.",
            .ratio(
                { $0.fold.ledger.bytes(.up) + $0.fold.ledger.bytes(.down) }, times: 30 * 86_400 * 1_000_000_000,
                over: { $0.fold.elapsed }, of: .onePhone)),
    ]
}

extension Ledger {
    func bytes(_ direction: Direction) -> Int128 {
        bytes(direction, on: .wifi) + bytes(direction, on: .cellular)
    }

    /// Bytes of this cause in both directions.
    private func bytes(for cause: Cause) -> Int128 {
        Direction.allCases.reduce(0) { $0 + bytes($1, for: cause, on: .wifi) + bytes($1, for: cause, on: .cellular) }
    }

    var payload: Int128 { bytes(for: .payload) }

    /// Bytes that are neither payload nor caused by other apps, the push service or server probes.
    var overhead: Int128 {
        [.payload, .otherApps, .push, .probe].reduce(bytes(.up) + bytes(.down)) { $0 - bytes(for: $1) }
    }
}
