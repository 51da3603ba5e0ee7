import DeadzoneBase

/// Checks the size, encoding and characters of a YAML file before the parser runs. Lines and columns are counted here,
/// because the parser would report only a byte offset.
struct TextCheck {
    private let bytes: [UInt8]
    private let file: Int
    private var line = 1
    private var column = 1

    static func fault(in bytes: [UInt8], file: Int, limit: Int) -> Fault? {
        if bytes.count > limit {
            return Fault(
                .tooLarge, at: SourceMark(line: 0, column: 0, file: file),
                "the file has \(bytes.count) bytes, more than the limit of \(limit)",
                help: limit == 1 << 20 ? "a file may have at most 1 MiB: split it, or leave out parts of it" : "")
        }
        var check = TextCheck(bytes: bytes, file: file)
        return check.firstFault()
    }

    private init(bytes: [UInt8], file: Int) {
        self.bytes = bytes
        self.file = file
    }

    private mutating func firstFault() -> Fault? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return fault(.notUTF8, "the file is UTF-16", help: "save it as UTF-8")
        }
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < bytes.count {
            // Fast path: nearly all bytes are printable ASCII.
            if 0x20...0x7E ~= bytes[index] {
                index += 1
                column += 1
                continue
            }
            guard let (value, length) = scalar(at: index) else {
                let byte = String(bytes[index], radix: 16, uppercase: true)
                return fault(.notUTF8, "the byte 0x\(byte) is not UTF-8", help: "save the file as UTF-8")
            }
            if let fault = forbidden(value) { return fault }
            index += length
            if value == 10 || value == 13 && !(index < bytes.count && bytes[index] == 10) {
                line += 1
                column = 1
            } else if value != 13 {
                column += 1
            }
        }
        return nil
    }

    /// The characters that YAML 1.1 §5.1 allows, without the line breaks that editors do not count.
    private func forbidden(_ value: UInt32) -> Fault? {
        switch value {
        case 9, 10, 13, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD,
            0x10000...0x10FFFF:
            nil
        case 0x85, 0x2028, 0x2029:
            fault(.lineSeparator, "the line separator \(name(value))", help: "remove it, or escape it in double quotes")
        case 0xFEFF:
            fault(.controlCharacter, "a byte order mark inside the file", help: "remove it; files were probably joined")
        case 0: fault(.controlCharacter, "a NUL byte", help: "the file is binary or damaged")
        default: fault(.controlCharacter, "the control character \(name(value))", help: "remove it")
        }
    }

    private func name(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    private func fault(_ code: FaultCode, _ message: String, help: String) -> Fault {
        Fault(code, at: SourceMark(line: line, column: column, file: file), message, help: help)
    }

    /// The scalar at an index; `nil` if the bytes are not UTF-8 (Unicode 15, table 3-7).
    private func scalar(at index: Int) -> (UInt32, length: Int)? {
        let first = bytes[index]
        let length: Int
        switch first {
        case 0..<0x80: return (UInt32(first), 1)
        case 0xC2..<0xE0: length = 2
        case 0xE0..<0xF0: length = 3
        case 0xF0..<0xF5: length = 4
        default: return nil
        }
        guard index + length <= bytes.count else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for byte in bytes[(index + 1)..<(index + length)] {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let least: UInt32 = [0, 0, 0x80, 0x800, 0x10000][length]
        guard value >= least, value <= 0x10FFFF, !(0xD800..<0xE000 ~= value) else { return nil }
        return (value, length)
    }
}
