package import DeadzoneBase

/// Formats a simulated duration as text for people, such as `1 h 30 min`.
package enum DurationText {
    /// Clock time such as `1:02:03.250`, or `02:03.250` within the first hour.
    package static func clock(_ milliseconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let thousandths = milliseconds % 1_000
        let fraction =
            String(repeating: "0", count: thousandths < 10 ? 2 : thousandths < 100 ? 1 : 0) + "\(thousandths)"
        return (hours > 0 ? "\(hours):" : "") + two(minutes) + ":" + two(milliseconds / 1_000 % 60) + "." + fraction
    }

    package static func short(_ span: TimeSpan) -> String {
        let units: [(Int64, String)] = [
            (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "min"), (1_000_000_000, "s"),
            (1_000_000, "ms"), (1_000, "µs"), (1, "ns"),
        ]
        var rest = span.nanoseconds
        var parts: [String] = []
        for (size, name) in units where rest >= size {
            parts.append("\(rest / size) \(name)")
            rest %= size
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }
}
