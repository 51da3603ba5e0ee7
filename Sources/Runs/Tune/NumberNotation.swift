import DeadzoneBase

/// The notation of the numbers of one setting: durations and other quantities with units, shares, or plain numbers.
/// A number is an integer in the smallest unit that the notation can express.
struct NumberNotation: Sendable {
    private enum Form: Sendable {
        case quantity(QuantityKind, isSpan: Bool)
        /// In millionths, written as a percentage.
        case percent
        case whole
        /// In millionths.
        case decimal
    }

    private static let kinds: [QuantityKind] = [.span, .size, .power, .rate, .energy, .charge, .voltage]

    private static let second: Int64 = 1_000_000_000

    private let form: Form

    /// The notation of a value; `nil` if the text is not a number.
    /// - Parameter shapes: the shapes that the setting accepts.
    init?(of text: String, accepting shapes: [Shape]) {
        if let index = Self.kinds.firstIndex(where: { $0.value(of: text) != nil }) {
            // The first kind are durations.
            form = .quantity(Self.kinds[index], isSpan: index == 0)
        } else if text.hasSuffix("%"), Double(text.dropLast()) != nil {
            form = .percent
        } else if Double(text) != nil {
            let isWhole = shapes.contains { if case .integer = $0 { true } else { false } }
            form = isWhole ? .whole : .decimal
        } else {
            return nil
        }
    }

    /// `true` for durations.
    var isSpan: Bool { if case .quantity(_, let isSpan) = form { isSpan } else { false } }

    /// `true` for sizes and other quantities that are not durations.
    var isOtherQuantity: Bool { if case .quantity(_, let isSpan) = form { !isSpan } else { false } }

    /// The number of a text; `nil` if the text has another notation.
    func number(of text: String) -> Int64? {
        switch form {
        case .quantity(let kind, _): kind.value(of: text)
        case .percent:
            text.hasSuffix("%") ? Self.scaled(text.dropLast(), by: 10_000) : Self.scaled(text[...], by: 1_000_000)
        case .whole: Int64(text)
        case .decimal: Self.scaled(text[...], by: 1_000_000)
        }
    }

    /// The number as people write it.
    func text(of number: Int64) -> String {
        switch form {
        // 2.6s instead of 2600ms.
        case .quantity(_, isSpan: true) where number > Self.second && !number.isMultiple(of: Self.second):
            decimalText(Int128(number), places: 9) + "s"
        case .quantity(let kind, _): kind.text(number)
        case .percent: decimalText(Int128(number), places: 4) + "%"
        case .whole: String(number)
        case .decimal: decimalText(Int128(number), places: 6)
        }
    }

    /// The text of an end of a range. A decimal keeps a decimal point, so that the values between are not rounded to
    /// integers.
    func rangeText(of number: Int64) -> String {
        let text = text(of: number)
        if case .decimal = form, !text.contains(".") { return text + ".0" }
        return text
    }

    /// Round numbers near a number, the roundest first.
    func roundNumbers(near number: Int64) -> [Int64] {
        if isSpan { return RoundNumbers.spans(near: number) }
        return RoundNumbers.plain(near: number)
    }

    private static func scaled(_ text: Substring, by factor: Double) -> Int64? {
        Double(text).flatMap { Int64(exactly: ($0 * factor).rounded()) }
    }
}
