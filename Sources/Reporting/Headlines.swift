/// Which metrics the terminal shows: what a reader asks first. Everything else is in the JSON.
enum Headlines {
    struct Group {
        let title: String
        /// The group is left out if this came to nothing in every strategy: no traffic, no row of zeros.
        let condition: String
        let metrics: [String]
    }

    static let groups = [
        Group(
            title: "Battery", condition: "battery.joules",
            metrics: [
                "battery.joules", "battery.percent_per_hour", "battery.radio_active_ratio", "battery.promotions",
            ]),
        Group(
            title: "Latency to the app", condition: "delivery.down.sent",
            metrics: ["latency.down.p50", "latency.down.p95", "latency.down.max"]),
        Group(
            title: "Latency to the server and back", condition: "delivery.up.sent",
            metrics: ["latency.up.p50", "latency.up.p95", "latency.up.max"]),
        Group(
            title: "Latency of probes", condition: "latency.probe.p50",
            metrics: [
                "latency.probe.p5", "latency.probe.p25", "latency.probe.p50", "latency.probe.p75", "latency.probe.p95",
                "latency.probe.max",
            ]),
        Group(
            title: "Delivery to the app", condition: "delivery.down.sent",
            metrics: ["delivery.down.sent", "delivery.down.lost", "delivery.down.pending"]),
        Group(
            title: "Delivery to the server", condition: "delivery.up.sent",
            metrics: ["delivery.up.sent", "delivery.up.lost", "delivery.up.pending"]),
        Group(
            title: "Connection", condition: "connection.attempts",
            metrics: [
                "availability.ratio", "zombie.max", "zombie.total", "detection.p95", "recovery.p95",
                "connection.handshakes", "connection.false_drops", "keepalive.pings",
            ]),
        Group(title: "Data", condition: "bytes.per_month", metrics: ["bytes.per_month", "bytes.overhead_ratio"]),
    ]
}
