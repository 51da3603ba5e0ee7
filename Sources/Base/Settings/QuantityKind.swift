/// A physical quantity that settings use, such as a duration or a size, with its units. Each unit is a multiple of the
/// base unit. A setting stores an integer number of base units.
///
/// A quantity is a class: formats of settings share its list of units instead of copying the list.
public final class QuantityKind: Sendable {
    struct QuantityUnit: Sendable {
        let name: String
        let base: Int64
        /// `true` if canonical text uses this unit. Other spellings are only read.
        let isCanonical: Bool
    }

    let noun: String
    let example: String
    /// Canonical units from the largest to the smallest, then alternative spellings.
    let units: [QuantityUnit]
    /// `true` if several units may be combined, such as `1h30m` for `90m`.
    let isCompound: Bool
    /// The units that a message suggests for a number without a unit, for numbers from `from` on. The first row begins
    /// at 0. Empty for the unit of the example.
    let bareUnits: [(from: Int64, names: [String])]

    init(
        _ noun: String, example: String, isCompound: Bool = false, _ units: [(String, Int64)],
        also: [(String, Int64)] = [], bare: [(from: Int64, names: [String])] = []
    ) {
        bareUnits = bare
        self.noun = noun
        self.example = example
        self.isCompound = isCompound
        self.units =
            units.map { QuantityUnit(name: $0.0, base: $0.1, isCanonical: true) }
            + also.map { QuantityUnit(name: $0.0, base: $0.1, isCanonical: false) }
    }

    /// A duration, in nanoseconds.
    public static let span = QuantityKind(
        "a duration", example: "45s", isCompound: true,
        [
            ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000),
            ("ns", 1),
        ],
        also: [("d", 86_400_000_000_000), ("min", 60_000_000_000), ("µs", 1_000), ("μs", 1_000)],
        bare: [(0, ["s"]), (1_000, ["s", "ms"])])
    /// A data size, in bytes.
    public static let size = QuantityKind(
        "a size", example: "64KiB",
        [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)],
        also: [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)], bare: [(0, ["B"])])
    /// A power, in microwatts.
    package static let power = QuantityKind(
        "a power", example: "350mW", [("W", 1_000_000), ("mW", 1_000), ("uW", 1)], also: [("µW", 1), ("μW", 1)])
    /// The energy cost of a bit, in femtojoules; 1 mW/Mbps is 1 nJ per bit.
    package static let bitCost = QuantityKind(
        "an energy per bit", example: "14.55mW/Mbps",
        [("W/Mbps", 1_000_000_000), ("mW/Mbps", 1_000_000), ("uW/Mbps", 1_000), ("fJ/bit", 1)],
        also: [("nJ/bit", 1_000_000), ("pJ/bit", 1_000)])
    /// A data rate, in bits per second.
    public static let rate = QuantityKind(
        "a rate", example: "20Mbps", [("Gbps", 1_000_000_000), ("Mbps", 1_000_000), ("kbps", 1_000), ("bps", 1)],
        also: [("Gbit/s", 1_000_000_000), ("Mbit/s", 1_000_000), ("kbit/s", 1_000), ("bit/s", 1)],
        bare: [(0, ["Mbps"]), (10_000, ["bps"])])
    /// An energy, in microjoules.
    package static let energy = QuantityKind(
        "an energy", example: "15.4Wh",
        [("Wh", 3_600_000_000), ("mWh", 3_600_000), ("J", 1_000_000), ("mJ", 1_000), ("uJ", 1)],
        also: [("kWh", 3_600_000_000_000), ("kJ", 1_000_000_000)])
    /// An electric charge, such as a battery capacity, in microampere-hours.
    package static let charge = QuantityKind(
        "a charge", example: "4300mAh", [("Ah", 1_000_000), ("mAh", 1_000), ("uAh", 1)])
    /// A voltage, in millivolts.
    package static let voltage = QuantityKind("a voltage", example: "3.85V", [("V", 1_000), ("mV", 1)])

    /// Text in the largest canonical unit that leaves a whole number.
    package func text(_ value: Int64) -> String {
        let unit = value == 0 ? usualUnit : units.first { $0.isCanonical && value % $0.base == 0 } ?? usualUnit
        return "\(value / unit.base)\(unit.name)"
    }

    /// The unit of the example, so that zero is written `0s`, not `0h`.
    private var usualUnit: QuantityUnit {
        let name = example.drop { $0.isNumber || $0 == "." }
        return units.first { $0.name == name } ?? units[0]
    }

    var unitNames: String { units.map(\.name).filter { $0.utf8.allSatisfy { $0 < 128 } }.joined(separator: ", ") }

    /// The pattern for JSON Schema: a number and a unit, repeated if the quantity is compound.
    var pattern: String {
        let names = units.map(\.name).joined(separator: "|")
        let one = "[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)? *(\(names))"
        return isCompound ? "^\\+?(\(one) *)+$" : "^\\+?\(one)$"
    }
}

extension QuantityKind {
    /// Reads a scalar in base units, or returns the reason why it is not valid.
    func parse(_ text: String) -> Result<Int64, NumberError> {
        if let trap = NumberError.pitfall(text) { return .failure(trap) }
        var scanner = NumberScanner(text)
        var total: Int64 = 0
        var previous = Int64.max
        do throws(ExactDecimal.Problem) {
            repeat {
                let number = try scanner.number()
                scanner.skipSpaces()
                if scanner.isAtEnd { return .failure(.bareNumber(fix: fix(text, number, previous))) }
                let word = scanner.word()
                guard let unit = units.first(where: { $0.name == word }) else {
                    return .failure(.unknownUnit(word + scanner.remainder, unitHint(word)))
                }
                guard unit.base < previous, previous == .max || number.coefficient >= 0 else { throw .notANumber }
                previous = unit.base
                let (sum, overflow) = total.addingReportingOverflow(try number.scaled(by: unit.base))
                if overflow { throw .tooLarge }
                total = sum
                scanner.skipSpaces()
            } while isCompound && !scanner.isAtEnd
        } catch {
            return .failure(NumberError(error))
        }
        return scanner.isAtEnd ? .success(total) : .failure(.notANumber)
    }

    /// The text to write instead of a number without a unit: `400B` for `400`, `1h30m` for `1h30`.
    private func fix(_ text: String, _ number: ExactDecimal, _ previous: Int64) -> String {
        let next = units.first { $0.isCanonical && $0.base < previous }
        let row = bareUnits.last { number.wholePart >= $0.from }
        let names = previous < .max ? [next?.name].compactMap(\.self) : row?.names ?? []
        let texts = names.map { text + $0 }.filter { (try? parse($0).get()) != nil }
        return texts.isEmpty ? text + usualUnit.name : texts.joined(separator: " or ")
    }

    private func unitHint(_ word: String) -> String {
        let isSize = units.contains { $0.name == "kB" }
        if isSize, word == "KB" || word == "K" { return "kB is 1000 bytes, KiB is 1024" }
        let match = units.first { $0.name.lowercased() == word.lowercased() }?.name ?? spelledOut(word)
        return match.map { "did you mean `\($0)`?" } ?? ""
    }

    private func spelledOut(_ word: String) -> String? {
        let words = [
            "sec": "s", "secs": "s", "second": "s", "seconds": "s", "mins": "m", "minute": "m", "minutes": "m",
            "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d", "days": "d", "msec": "ms",
            "milliseconds": "ms", "byte": "B", "bytes": "B", "b": "B", "k": "KiB", "mbit": "Mbps", "mb/s": "Mbps",
        ]
        return words[word.lowercased()].flatMap { name in units.contains { $0.name == name } ? name : nil }
    }
}

/// The reason why a text in a user's file is not a valid number.
enum NumberError: Error, Hashable {
    case notANumber, tooLarge, tooFine, sexagesimal, octal, notFinite
    case bareNumber(fix: String)
    case unknownUnit(String, String)

    init(_ problem: ExactDecimal.Problem) {
        self =
            switch problem {
            case .notANumber: .notANumber
            case .tooLarge: .tooLarge
            case .tooFine: .tooFine
            }
    }

    /// Detects texts that YAML 1.1 reads as a different number (base 60, octal, hexadecimal), and NaN and infinity.
    static func pitfall(_ text: String) -> NumberError? {
        let unsigned = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
        let lower = unsigned.lowercased()
        if ["nan", ".nan", "inf", ".inf", "infinity"].contains(lower) { return .notFinite }
        let isDigit = { (byte: UInt8) in 48...57 ~= byte }
        if lower.utf8.contains(58), lower.utf8.allSatisfy({ isDigit($0) || $0 == 58 || $0 == 46 }) {
            return .sexagesimal
        }
        if lower.utf8.count > 1, lower.hasPrefix("0"), lower.utf8.allSatisfy(isDigit) { return .octal }
        if lower.hasPrefix("0x") || lower.hasPrefix("0o")
            || lower.hasPrefix("0b") && lower.utf8.count > 2 && lower.utf8.dropFirst(2).allSatisfy({ 48...49 ~= $0 })
        {
            return .octal
        }
        return nil
    }
}

extension QuantityKind {
    /// The value of a text in base units; `nil` if the text is not valid. For texts that were validated before.
    package func value(of text: String) -> Int64? {
        guard case .success(let value) = parse(text) else { return nil }
        return value
    }
}

extension TimeSpan {
    /// A duration that is not negative as users write it, in several units: `1h8m` instead of `4080s`.
    package var compoundText: String {
        var rest = nanoseconds
        var text = ""
        for (unit, length) in [("h", Int64(3_600_000_000_000)), ("m", 60_000_000_000), ("s", 1_000_000_000)] {
            if rest >= length { text += "\(rest / length)\(unit)" }
            rest %= length
        }
        return rest > 0 || text.isEmpty ? text + QuantityKind.span.text(rest) : text
    }
}
