import DeadzoneBase
import DeadzoneScenarios

/// One setting of a strategy that `tune` varies, with the values that it may try.
struct VariedSetting: Sendable {
    enum Values: Sendable {
        case numbers(ValueRange, NumberNotation, from: Int64, to: Int64)
        case words([String])
    }

    /// Keys from the strategy to the setting.
    let path: [String]
    /// The present value, with defaults filled in. `nil` if the setting is absent.
    let present: String?
    let values: Values

    var name: String { path.joined(separator: ".") }

    var dimension: SearchDimension {
        switch values {
        case .numbers: .scale
        case .words(let words): .choice(count: words.count)
        }
    }

    /// The values in words, such as `20s to 30m`.
    var range: String {
        switch values {
        case .numbers(_, let notation, let low, let high): "\(notation.text(of: low)) to \(notation.text(of: high))"
        case .words(let words): words.joined(separator: ", ")
        }
    }

    /// The value at a position from 0 to 1; `nil` if it is the present one.
    func value(at position: Double) -> String? {
        switch values {
        case .numbers(let range, _, _, _): unlessPresent(range.naturalValue(at: position))
        case .words(let words): unlessPresent(words[dimension.alternative(at: position)])
        }
    }

    /// The value; `nil` if it is the present one.
    private func unlessPresent(_ value: String) -> String? {
        guard let present else { return value }
        if value == present { return nil }
        guard case .numbers(_, let notation, _, _) = values else { return value }
        return notation.number(of: value) == notation.number(of: present) ? nil : value
    }

    /// The position of the present value; the nearest end if the present value is outside the range, and the middle if
    /// there is none.
    var presentPosition: Double {
        guard let present else { return 0.5 }
        switch values {
        case .words(let words):
            return SearchDimension.position(of: words.firstIndex(of: present) ?? 0, among: words.count)
        case .numbers(let range, let notation, _, _):
            guard let wanted = notation.number(of: present) else { return 0.5 }
            var (low, high) = (0.0, 1.0)
            for _ in 0..<40 {
                let middle = (low + high) / 2
                let isBelow = notation.number(of: range.naturalValue(at: middle)).map { $0 < wanted } ?? false
                (low, high) = isBelow ? (middle, high) : (low, middle)
            }
            return (low + high) / 2
        }
    }

    /// Values near a value that are rounder than it, the roundest first, inside the range.
    func rounderValues(near value: String) -> [String] {
        guard case .numbers(_, let notation, let low, let high) = values, let number = notation.number(of: value) else {
            return []
        }
        return notation.roundNumbers(near: number).filter { low <= $0 && $0 <= high }.map(notation.text)
    }

    /// The value changed by a share and rounded; `nil` for words, outside the range, or if rounding undoes the change.
    func value(near value: String, changedBy share: Double) -> String? {
        guard case .numbers(_, let notation, let low, let high) = values, let number = notation.number(of: value) else {
            return nil
        }
        let moved = Int64((Double(number) * (1 + share)).rounded())
        let round = notation.roundNumbers(near: moved).last { ($0 < number) == (share < 0) && $0 != number } ?? moved
        return low <= round && round <= high && round != number ? notation.text(of: round) : nil
    }

    /// Round values over the range, the lowest first, with the present one among them. Empty for words.
    /// - Parameter count: maximum number of values; fewer if neighbours round to the same one.
    func stops(atMost count: Int) -> [String] {
        guard case .numbers(let range, let notation, _, _) = values else { return [] }
        var numbers: Set<Int64> = []
        for index in 0..<count {
            let value = range.naturalValue(at: Double(index) / Double(count - 1))
            if let number = notation.number(of: rounderValues(near: value).last ?? value) { numbers.insert(number) }
        }
        if let present = present.flatMap(notation.number) { numbers.insert(present) }
        return numbers.sorted().map(notation.text)
    }
}
