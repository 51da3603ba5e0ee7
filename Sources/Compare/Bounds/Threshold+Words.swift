public import DeadzoneMetrics
import DeadzonePrimitives

/// What is wrong with the words of a threshold, and what to write instead.
public struct ThresholdFault: Error, Hashable, Sendable {
    public let message: String
    public let help: String
}

extension Threshold {
    public static let forms =
        "write 0, under 15s, at most 3, over 2m, at least 99%, 1s to 3s, at most 60% of NAME or within 1% of NAME"

    private static let words: [(String, Relation)] = [
        ("at most", .atMost), ("at least", .atLeast), ("under", .below), ("over", .above),
        ("<=", .atMost), (">=", .atLeast), ("==", .equal), ("<", .below), (">", .above),
    ]

    /// Reads words such as `under 15s` for a metric of this unit.
    public init(_ text: String, in unit: Metric.Unit) throws(ThresholdFault) {
        var words = Words(text)
        if words.take("within") {
            guard let (ratio, name) = try Self.share(&words) else {
                throw ThresholdFault(message: "`within` needs a percentage of something", help: Self.forms)
            }
            self.init(.between, .around(ratio, of: name))
        } else if let (_, relation) = Self.words.first(where: { words.take($0.0) }) {
            if let (ratio, name) = try Self.share(&words) {
                self.init(relation, .share(ratio, of: name))
            } else {
                self.init(relation, .value(try words.quantity(unit)))
            }
            try words.end()
        } else {
            let low = try words.quantity(unit)
            if words.take("to") {
                let high = try words.quantity(unit)
                guard low <= high else {
                    throw ThresholdFault(
                        message: "no number is in `\(text.visible)`", help: "write the lesser one first")
                }
                self.init(.between, .range(low, high))
            } else {
                self.init(.equal, .value(low))
            }
            try words.end()
        }
    }

    /// `60% of NAME`, or nil and nothing taken. The name is all that follows.
    private static func share(_ words: inout Words) throws(ThresholdFault) -> (Billionths, String)? {
        var ahead = words
        guard let ratio = try? ahead.quantity(.ratio), ahead.take("of") else { return nil }
        let name = ahead.rest
        guard !name.isEmpty else { throw ThresholdFault(message: "of whom?", help: Self.forms) }
        words = ahead
        words.takeRest()
        return (ratio, name)
    }
}

/// The words of a threshold, read from the left.
private struct Words {
    private var text: Substring

    init(_ text: String) { self.text = text[...] }

    var rest: String { String(trimmed) }

    private var trimmed: Substring {
        var trimmed = text.drop { $0 == " " }
        while trimmed.last == " " { trimmed.removeLast() }
        return trimmed
    }

    mutating func takeRest() { text = "" }

    /// A word ends at a space, a symbol where it likes.
    mutating func take(_ word: String) -> Bool {
        let trimmed = trimmed
        guard trimmed.hasPrefix(word) else { return false }
        let after = trimmed.dropFirst(word.count)
        if word.last!.isLetter && !(after.isEmpty || after.first == " ") { return false }
        text = after
        return true
    }

    func end() throws(ThresholdFault) {
        if !trimmed.isEmpty {
            throw ThresholdFault(message: "`\(rest.visible)` is left over", help: Threshold.forms)
        }
    }

    /// A number with its unit; durations may have several parts: `1m30s`.
    mutating func quantity(_ unit: Metric.Unit) throws(ThresholdFault) -> Billionths {
        var sum: Int128 = 0
        var parts = 0
        repeat {
            let number = try decimal()
            let name = unitName()
            guard let (times, over) = unit.scale(name, isZero: number.digits == 0) else {
                throw Self.wrongUnit(name, unit, number.written)
            }
            let (scaled, overflow) = number.digits.multipliedReportingOverflow(by: times * 1_000_000_000)
            guard !overflow else { throw ThresholdFault(message: "the number is too large", help: Threshold.forms) }
            sum += scaled / (over * number.divisor)
            parts += 1
        } while unit.isTime && text.first?.isNumber == true && parts < 6
        return Billionths(count: sum)
    }

    /// The unit may stand apart from its number, but `to` and `of` are none.
    private mutating func unitName() -> String {
        let ahead = text.first == " " ? trimmed : text
        let name = ahead.prefix { $0 != " " && !$0.isNumber }
        if ahead.startIndex != text.startIndex && (name == "to" || name == "of") { return "" }
        text = ahead.dropFirst(name.count)
        return String(name)
    }

    /// At most 15 digits, so that no unit can make it overflow.
    private mutating func decimal() throws(ThresholdFault) -> (digits: Int128, divisor: Int128, written: String) {
        text = trimmed
        let written = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let parts = written.split(separator: ".", omittingEmptySubsequences: false)
        let all = parts.joined()
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }), let digits = Int128(all) else {
            let what = text.isEmpty ? "a number is missing" : "`\(rest.visible)` is not a bound"
            throw ThresholdFault(message: what, help: Threshold.forms)
        }
        guard all.count <= 15 else {
            throw ThresholdFault(message: "`\(written)` has more than 15 digits", help: Threshold.forms)
        }
        text = text.dropFirst(written.count)
        var divisor: Int128 = 1
        if parts.count == 2 { for _ in parts[1] { divisor *= 10 } }
        return (digits, divisor, String(written))
    }

    private static func wrongUnit(_ name: String, _ unit: Metric.Unit, _ number: String) -> ThresholdFault {
        let example = number + unit.exampleSuffix
        return ThresholdFault(
            message: name.isEmpty ? "a bare number; of what?" : "`\(name.visible)` is no unit of this metric",
            help: "write for example `\(example)`")
    }
}
