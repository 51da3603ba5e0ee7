/// A decimal number, stored exactly as the user wrote it, without rounding. Its value is `coefficient` / 10^`places`,
/// with at most 18 significant digits.
package struct ExactDecimal: Hashable, Sendable {
    package var coefficient: Int64
    /// Digits after the point, 0 to 18.
    package var places: Int

    package init(_ coefficient: Int64, places: Int = 0) {
        self.coefficient = coefficient
        self.places = places
    }

    enum Problem: Error {
        case notANumber, tooLarge, tooFine
    }

    /// Converts to base units: multiplies by `numerator` / `denominator`, without rounding. Throws if the result is no
    /// integer.
    func scaled(by numerator: Int64, over denominator: Int64 = 1) throws(Problem) -> Int64 {
        let product = Int128(coefficient).multipliedReportingOverflow(by: Int128(numerator))
        guard !product.overflow else { throw .tooLarge }
        let (quotient, remainder) = product.partialValue.quotientAndRemainder(
            dividingBy: Int128(power(ofTen: places)) * Int128(denominator))
        guard let result = Int64(exactly: quotient) else { throw .tooLarge }
        guard remainder == 0 else { throw .tooFine }
        return result
    }

    /// The digits before the point, without the sign.
    var wholePart: UInt64 { coefficient.magnitude / UInt64(power(ofTen: places)) }

    package var description: String { decimalText(Int128(coefficient), places: places) }
}

/// 10^exponent, for exponents from 0 to 18.
func power(ofTen exponent: Int) -> Int64 {
    var result: Int64 = 1
    for _ in 0..<exponent { result *= 10 }
    return result
}

/// Text of `coefficient` / 10^`places`, without trailing zeros.
package func decimalText(_ coefficient: Int128, places: Int) -> String {
    var digits = Array(String(coefficient.magnitude).utf8)
    if digits.count <= places { digits.insert(contentsOf: repeatElement(48, count: places + 1 - digits.count), at: 0) }
    var whole = digits.prefix(digits.count - places)
    var fraction = digits.suffix(places)
    while fraction.last == 48 { fraction.removeLast() }
    if !fraction.isEmpty { whole += [46] + fraction }
    return (coefficient < 0 ? "-" : "") + String(decoding: whole, as: UTF8.self)
}

/// Reads numbers and unit names from the text of one YAML value, byte by byte.
struct NumberScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }
    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skipSpaces() {
        while next == 32 { position += 1 }
    }

    /// Reads a number: sign, digits, point, digits, exponent.
    mutating func number() throws(ExactDecimal.Problem) -> ExactDecimal {
        let isNegative = next == 45
        if next == 45 || next == 43 { position += 1 }
        var digits: [UInt8] = []
        var places = 0
        let start = position
        while let byte = next, isDigit(byte) { digits.append(byte - 48); position += 1 }
        let wholeDigits = position - start
        if next == 46 {
            position += 1
            while let byte = next, isDigit(byte) { digits.append(byte - 48); places += 1; position += 1 }
        }
        guard wholeDigits > 0, places > 0 || bytes[position - 1] != 46 else { throw .notANumber }
        places -= exponent()
        return try decimal(digits, places: places, isNegative: isNegative)
    }

    /// Reads a unit: letters (and `%`, `/`) up to the next digit, sign, point or space.
    mutating func word() -> String {
        let start = position
        while let byte = next, !isDigit(byte), byte != 32, byte != 43, byte != 45, byte != 46 { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    var remainder: String { String(decoding: bytes[position...], as: UTF8.self) }

    private func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }

    /// Reads the exponent, or returns 0 if there is none. Saturates at 1,000, which is out of range like any larger
    /// exponent.
    private mutating func exponent() -> Int {
        guard next == 101 || next == 69 else { return 0 }
        var ahead = position + 1
        let isNegative = ahead < bytes.count && bytes[ahead] == 45
        if ahead < bytes.count, bytes[ahead] == 45 || bytes[ahead] == 43 { ahead += 1 }
        guard ahead < bytes.count, isDigit(bytes[ahead]) else { return 0 }
        var value = 0
        while ahead < bytes.count, isDigit(bytes[ahead]) {
            value = min(1_000, value * 10 + Int(bytes[ahead] - 48))
            ahead += 1
        }
        position = ahead
        return isNegative ? -value : value
    }

    private func decimal(
        _ digits: [UInt8], places: Int, isNegative: Bool
    ) throws(ExactDecimal.Problem) -> ExactDecimal {
        var significant = digits.drop { $0 == 0 }
        var places = places
        while places > 0, significant.last == 0 { significant.removeLast(); places -= 1 }
        if significant.isEmpty { return ExactDecimal(0) }
        if significant.count - places > 19 { throw .tooLarge }
        while places < 0 { significant.append(0); places += 1 }
        if places > 18 || significant.count > 19 { throw .tooFine }
        var coefficient: Int64 = 0
        for digit in significant {
            let (tens, overflow) = coefficient.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int64(digit))
            guard !overflow, !carry else { throw places > 0 ? .tooFine : .tooLarge }
            coefficient = sum
        }
        return ExactDecimal(isNegative ? -coefficient : coefficient, places: places)
    }
}
