/// Error of the JSON parser: a message and the byte offset in the text.
package struct JSONFault: Error, Hashable, Sendable {
    package let offset: Int
    package let message: String
}

extension JSON {
    /// Deepest nesting that the reader accepts, because it is recursive. Deadzone's own results are not half as deep.
    package static let maxDepth = 64

    /// Parses JSON strictly (RFC 8259): one value, no trailing data, no duplicate keys. A number without point and
    /// exponent becomes an integer if it fits.
    package init(text bytes: [UInt8]) throws(JSONFault) {
        var reader = JSONReader(bytes)
        self = try reader.document()
    }
}

// Typed access; `nil` if the value has another type.
extension JSON {
    package subscript(key: String) -> JSON? { if case .object(let members) = self { members[key] } else { nil } }
    package var items: [JSON]? { if case .array(let items) = self { items } else { nil } }
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
    package var integer: Int128? { if case .integer(let number) = self { number } else { nil } }
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

private struct JSONReader {
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONFault) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard next == bytes.count else { throw fault("unexpected text after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSON {
        guard depth < JSON.maxDepth else { throw fault("nested deeper than \(JSON.maxDepth) levels") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func object(_ depth: Int) throws(JSONFault) -> JSON {
        var members: [String: JSON] = [:]
        next += 1
        skipSpace()
        if accept("}") { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw fault("a key is expected here") }
            let key = try string()
            skipSpace()
            guard accept(":") else { throw fault("a colon is expected here") }
            guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                throw fault("a key occurs twice")
            }
            skipSpace()
        } while accept(",")
        guard accept("}") else { throw fault("a comma or } is expected here") }
        return .object(members)
    }

    private mutating func array(_ depth: Int) throws(JSONFault) -> JSON {
        var items: [JSON] = []
        next += 1
        skipSpace()
        if accept("]") { return .array(items) }
        repeat {
            items.append(try value(depth: depth + 1))
            skipSpace()
        } while accept(",")
        guard accept("]") else { throw fault("a comma or ] is expected here") }
        return .array(items)
    }

    private mutating func literal(_ word: StaticString, _ value: JSON) throws(JSONFault) -> JSON {
        let expected = Array("\(word)".utf8)
        guard bytes[next...].starts(with: expected) else { throw fault("a value is expected here") }
        next += expected.count
        return value
    }

    private mutating func number() throws(JSONFault) -> JSON {
        let first = next
        _ = accept("-")
        let isZero = accept("0")
        guard isZero || digits() > 0 else { throw fault("a value is expected here") }
        var isWhole = true
        if accept(".") {
            isWhole = false
            guard digits() > 0 else { throw fault("a digit is expected here") }
        }
        if accept("e") || accept("E") {
            isWhole = false
            if !accept("+") { _ = accept("-") }
            guard digits() > 0 else { throw fault("a digit is expected here") }
        }
        let text = String(decoding: bytes[first..<next], as: UTF8.self)
        if isWhole, let integer = Int128(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw fault("the number is too large") }
        return .number(number)
    }

    private mutating func string() throws(JSONFault) -> String {
        next += 1
        var text: [UInt8] = []
        while let byte = peek {
            next += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: text, as: UTF8.self) else { throw fault("it is not UTF-8") }
                return text
            case UInt8(ascii: "\\"): text += try escaped()
            case 0..<0x20: throw fault("a control character must be escaped")
            default: text.append(byte)
            }
        }
        throw fault("the string does not end")
    }

    private mutating func escaped() throws(JSONFault) -> [UInt8] {
        guard let byte = peek else { throw fault("the string does not end") }
        next += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
        default: throw fault("unknown escape")
        }
    }

    /// Reads the character of a `\u` escape: one UTF-16 code unit, or the two of a surrogate pair.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, accept("\\"), accept("u") else { throw fault("incomplete surrogate pair") }
        let second = try codeUnit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("incomplete surrogate pair") }
        return scalar
    }

    private mutating func codeUnit() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("four hexadecimal digits are expected here")
            }
            value = value << 4 | UInt32(digit)
            next += 1
        }
        return value
    }

    private mutating func digits() -> Int {
        let first = next
        while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { next += 1 }
        return next - first
    }

    private var peek: UInt8? { next < bytes.count ? bytes[next] : nil }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        next += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { next += 1 }
    }

    private func fault(_ message: String) -> JSONFault { JSONFault(offset: next, message: message) }
}
