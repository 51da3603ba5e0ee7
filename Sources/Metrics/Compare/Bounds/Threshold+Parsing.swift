import DeadzoneBase

/// A syntax error in the text of a bound such as `under 15s`, with a suggested correction.
package struct ThresholdFault: Error, Hashable, Sendable {
    package let message: String
    package let help: String
}

extension Threshold {
    package static let forms =
        "write 0, under 15s, at most 3, over 2m, at least 99%, 1s to 3s, at most 60% of NAME or within 1% of NAME"

    private static let words: [(String, Relation)] = [
        ("at most", .atMost), ("at least", .atLeast), ("under", .below), ("over", .above),
        ("<=", .atMost), (">=", .atLeast), ("==", .equal), ("<", .below), (">", .above),
    ]

    /// Parses a text such as `under 15s` for a metric of this unit.
    package init(_ text: String, in unit: Metric.Unit) throws(ThresholdFault) {
        var words = ThresholdScanner(text)
        if words.consume("within") {
            guard let (ratio, name) = try Self.share(&words) else {
                throw ThresholdFault(message: "`within` needs a percentage and a reference", help: Self.forms)
            }
            self.init(.between, .around(ratio, of: name))
        } else if let (_, relation) = Self.words.first(where: { words.consume($0.0) }) {
            if let (ratio, name) = try Self.share(&words) {
                self.init(relation, .share(ratio, of: name))
            } else {
                self.init(relation, .value(try words.quantity(unit)))
            }
            try words.end()
        } else {
            let low = try words.quantity(unit)
            if words.consume("to") {
                let high = try words.quantity(unit)
                guard low <= high else {
                    throw ThresholdFault(
                        message: "the range `\(text.escapedForTerminal)` is empty", help: "write the lower number first"
                    )
                }
                self.init(.between, .range(low, high))
            } else {
                self.init(.equal, .value(low))
            }
            try words.end()
        }
    }

    /// Parses `60% of NAME`. The name is the rest of the text. Returns `nil` and consumes nothing if the text has
    /// another form.
    private static func share(_ words: inout ThresholdScanner) throws(ThresholdFault) -> (Billionths, String)? {
        var ahead = words
        // The number of `60 of NAME` lacks its `%`. Other text can be a number of the metric.
        let isShare = words.hasNumber(before: "of")
        guard let ratio = isShare ? try ahead.quantity(.ratio) : try? ahead.quantity(.ratio), ahead.consume("of")
        else { return nil }
        let name = ahead.rest
        guard !name.isEmpty else { throw ThresholdFault(message: "the name after `of` is missing", help: Self.forms) }
        words = ahead
        words.consumeRest()
        return (ratio, name)
    }
}

/// Reads the text of a bound such as `under 15s` word by word, from left to right.
private struct ThresholdScanner {
    private var text: Substring

    init(_ text: String) { self.text = text[...] }

    var rest: String { String(trimmed) }

    private var trimmed: Substring {
        var trimmed = text.drop { $0 == " " }
        while trimmed.last == " " { trimmed.removeLast() }
        return trimmed
    }

    mutating func consumeRest() { text = "" }

    /// `true` if a number without a unit comes next, and then this word.
    func hasNumber(before word: String) -> Bool {
        var ahead = self
        return (try? ahead.decimal()) != nil && ahead.consume(word)
    }

    /// Consumes a word if it comes next. Words must end at a space; symbols need not.
    mutating func consume(_ word: String) -> Bool {
        let trimmed = trimmed
        guard trimmed.hasPrefix(word) else { return false }
        let after = trimmed.dropFirst(word.count)
        if word.last!.isLetter && !(after.isEmpty || after.first == " ") { return false }
        text = after
        return true
    }

    func end() throws(ThresholdFault) {
        if !trimmed.isEmpty {
            throw ThresholdFault(message: "unexpected text `\(rest.escapedForTerminal)`", help: Threshold.forms)
        }
    }

    /// Parses a number with its unit. Durations may have several parts: `1m30s`.
    mutating func quantity(_ unit: Metric.Unit) throws(ThresholdFault) -> Billionths {
        var sum: Int128 = 0
        var parts = 0
        repeat {
            let number = try decimal()
            let name = unitName()
            guard let (times, over) = unit.scale(name, isZero: number.digits == 0) else {
                throw Self.wrongUnit(name, unit, number.written)
            }
            // `under 30` would be 3000 %, which every share keeps.
            if unit == .ratio, name.isEmpty, number.divisor < number.digits {
                throw ThresholdFault(
                    message: "`\(number.written)` has no `%`, and without it a share is at most 1",
                    help: "example: `\(number.written)%`")
            }
            let (scaled, overflow) = number.digits.multipliedReportingOverflow(by: times * 1_000_000_000)
            guard !overflow else { throw ThresholdFault(message: "the number is too large", help: Threshold.forms) }
            sum += scaled / (over * number.divisor)
            parts += 1
        } while unit.isTime && text.first?.isNumber == true && parts < 6
        return Billionths(count: sum)
    }

    /// Parses the unit, which a space may separate from its number. `to` and `of` are not units.
    private mutating func unitName() -> String {
        let ahead = text.first == " " ? trimmed : text
        let name = ahead.prefix { $0 != " " && !$0.isNumber }
        if ahead.startIndex != text.startIndex && (name == "to" || name == "of") { return "" }
        text = ahead.dropFirst(name.count)
        return String(name)
    }

    /// Parses a decimal of at most 15 digits, so that no unit can make it overflow.
    private mutating func decimal() throws(ThresholdFault) -> (digits: Int128, divisor: Int128, written: String) {
        text = trimmed
        let written = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let parts = written.split(separator: ".", omittingEmptySubsequences: false)
        let all = parts.joined()
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }), let digits = Int128(all) else {
            let what = text.isEmpty ? "a number is missing" : "`\(rest.escapedForTerminal)` is not a bound"
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
            message: name.isEmpty
                ? "the number has no unit" : "`\(name.escapedForTerminal)` is not a unit of this metric",
            help: "example: `\(example)`")
    }
}
