extension Metric.Unit {
    /// Factor from the named unit to this unit, as a fraction. `nil` if the name does not fit. Zero needs no unit.
    func scale(_ name: String, isZero: Bool) -> (times: Int128, over: Int128)? {
        if name.isEmpty && isZero { return (1, 1) }
        return names.first { $0.0 == name }.map { ($0.1, $0.2) }
    }

    private var names: [(String, Int128, Int128)] {
        switch self {
        case .joules:
            [("J", 1, 1), ("mJ", 1, 1_000), ("uJ", 1, 1_000_000), ("kJ", 1_000, 1), ("Wh", 3_600, 1), ("mWh", 18, 5)]
        case .joulesPerHour: [("J/h", 1, 1), ("mW", 18, 5)]
        case .joulesPerDay: [("J/d", 1, 1), ("J/h", 24, 1), ("mW", 432, 5)]
        case .percent: [("%", 1, 1)]
        case .milliampereHours: [("mAh", 1, 1), ("Ah", 1_000, 1), ("uAh", 1, 1_000)]
        case .milliampereHoursPerHour: [("mAh/h", 1, 1), ("mA", 1, 1), ("mAh/d", 1, 24)]
        case .milliampereHoursPerDay: [("mAh/d", 1, 1), ("mAh/h", 24, 1), ("mAh", 1, 1)]
        case .percentPerHour: [("%/h", 1, 1), ("%", 1, 1)]
        case .percentPerDay: [("%/d", 1, 1), ("%/h", 24, 1), ("%", 1, 1)]
        case .milliseconds: Self.time.map { ($0.0, $0.1, 1_000_000) }
        case .seconds: Self.time.map { ($0.0, $0.1, 1_000_000_000) }
        case .bytes:
            [
                ("B", 1, 1), ("kB", 1_000, 1), ("MB", 1_000_000, 1), ("GB", 1_000_000_000, 1), ("KiB", 1 << 10, 1),
                ("MiB", 1 << 20, 1), ("GiB", 1 << 30, 1),
            ]
        case .ratio: [("%", 1, 100), ("", 1, 1)]
        case .count: [("", 1, 1)]
        case .perHour: [("/h", 1, 1), ("/min", 60, 1), ("/d", 1, 24)]
        }
    }

    /// Time units in nanoseconds.
    private static let time: [(String, Int128)] = [
        ("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
        ("min", 60_000_000_000), ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
    ]

    var isTime: Bool { self == .milliseconds || self == .seconds }

    /// Unit that an example puts after a number.
    var exampleSuffix: String {
        switch self {
        case .ratio: "%"
        case .count: ""
        default: rawValue
        }
    }
}
