/// Why a text is not JSON, and at which byte.
public struct JSONFault: Error, Hashable, Sendable {
    public let offset: Int
    public let message: String
}

extension JSON {
    /// Deeper nesting is refused: no result of ours is half as deep, and the reader calls itself.
    public static let mostDepth = 64

    /// Reads RFC 8259, strictly: one value, nothing behind it, no key twice. A number without point and exponent is an
    /// integer if it fits.
    public init(text bytes: [UInt8]) throws(JSONFault) {
        var reader = JSONReader(bytes)
        self = try reader.document()
    }
}

// What a reader of results asks for; nil where the value is of another kind.
extension JSON {
    public subscript(key: String) -> JSON? { if case .object(let members) = self { members[key] } else { nil } }
    public var items: [JSON]? { if case .array(let items) = self { items } else { nil } }
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
    public var integer: Int128? { if case .integer(let number) = self { number } else { nil } }
    public var double: Double? {
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
        guard next == bytes.count else { throw fault("something follows behind the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSON {
        guard depth < JSON.mostDepth else { throw fault("more than \(JSON.mostDepth) levels") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(_ depth: Int) throws(JSONFault) -> JSON {
        var members: [String: JSON] = [:]
        next += 1
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw fault("a key has to stand here") }
            let key = try string()
            skipSpace()
            guard take(":") else { throw fault("a colon has to stand here") }
            guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                throw fault("a key stands twice")
            }
            skipSpace()
        } while take(",")
        guard take("}") else { throw fault("a comma or } has to stand here") }
        return .object(members)
    }

    private mutating func array(_ depth: Int) throws(JSONFault) -> JSON {
        var items: [JSON] = []
        next += 1
        skipSpace()
        if take("]") { return .array(items) }
        repeat {
            items.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw fault("a comma or ] has to stand here") }
        return .array(items)
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONFault) -> JSON {
        let expected = Array("\(word)".utf8)
        guard bytes[next...].starts(with: expected) else { throw fault("a value has to stand here") }
        next += expected.count
        return value
    }

    private mutating func number() throws(JSONFault) -> JSON {
        let first = next
        _ = take("-")
        let isZero = take("0")
        guard isZero || digits() > 0 else { throw fault("a value has to stand here") }
        var isWhole = true
        if take(".") {
            isWhole = false
            guard digits() > 0 else { throw fault("a digit has to stand here") }
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            guard digits() > 0 else { throw fault("a digit has to stand here") }
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
            case 0..<0x20: throw fault("a control character has to be escaped")
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
        default: throw fault("no such escape")
        }
    }

    /// One code unit, or the two of a surrogate pair.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take("\\"), take("u") else { throw fault("half a character") }
        let second = try unit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half a character") }
        return scalar
    }

    private mutating func unit() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("four hexadecimal digits have to stand here")
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

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        next += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { next += 1 }
    }

    private func fault(_ message: String) -> JSONFault { JSONFault(offset: next, message: message) }
}
