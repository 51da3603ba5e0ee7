import DeadzoneBase
import DeadzoneCaptures
import DeadzoneReplay
import DeadzoneRuns

/// Parses times on the command line of `replay`: seconds since 1970, or `+360s` after the first packet.
enum ReplayMomentParser {
    static func read(_ text: String, _ flag: String) throws(ToolFault) -> ReplayMoment {
        if text.hasPrefix("+") {
            var faults = Faults()
            if let span = ValueFormat<TimeSpan>.span().read(.text(String(text.dropFirst())), &faults) {
                return .afterFirst(span)
            }
        } else if let stamp = seconds(text) {
            return .at(stamp)
        }
        let word = flag == "--until" ? ", or `tail`" : ""
        throw ToolFault(
            .badFlagValue, "`\(flag)` cannot be \(quote(text))",
            help: ["seconds since 1970 such as 20.5, or +360s after the first packet" + word])
    }

    /// Parses decimal digits exactly, with at most nine after the point.
    private static func seconds(_ text: String) -> Timestamp? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        func isDigits(_ word: Substring) -> Bool { !word.isEmpty && word.utf8.allSatisfy { (48...57).contains($0) } }
        guard isDigits(parts[0]), parts.count == 1 || isDigits(parts[1]), fraction.count <= 9,
            let whole = Int64(parts[0]),
            let billionths = Int64(fraction + String(repeating: "0", count: 9 - fraction.count))
        else { return nil }
        return Timestamp(seconds: whole, nanoseconds: billionths)
    }
}
