import DeadzoneBase

/// Reads the fields of one Protocol Buffers message, in file order, without copying. Lengths and numbers are checked
/// before use, so a damaged message ends early and never reads outside its bytes.
/// <https://protobuf.dev/programming-guides/encoding/>
struct ProtobufReader {
    enum ProtobufValue {
        case number(UInt64)
        /// A text, a nested message or packed numbers.
        case bytes(Bytes)
    }

    private static let highestField: UInt64 = 1 << 29 - 1

    private let bytes: Bytes
    private var offset = 0
    /// `true` if the message ends inside a field, or has a field that no encoder writes.
    private(set) var isDamaged = false

    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Returns the next field; `nil` at the end of the message, and at damage.
    mutating func next() -> (field: UInt32, value: ProtobufValue)? {
        guard offset < bytes.count, !isDamaged else { return nil }
        guard let key = readNumber(), (1...Self.highestField).contains(key >> 3), let value = readValue(key & 7) else {
            isDamaged = true
            return nil
        }
        return (UInt32(key >> 3), value)
    }

    /// Groups (wire types 3 and 4) are obsolete, and traces contain none.
    private mutating func readValue(_ wireType: UInt64) -> ProtobufValue? {
        switch wireType {
        case 0: return readNumber().map(ProtobufValue.number)
        case 1: return readFixed(8)
        case 2:
            guard let length = readNumber(), length <= UInt64(bytes.count - offset) else { return nil }
            let part = bytes.part(offset, Int(length))
            offset += part.count
            return .bytes(part)
        case 5: return readFixed(4)
        default: return nil
        }
    }

    private mutating func readFixed(_ length: Int) -> ProtobufValue? {
        guard bytes.holds(length, at: offset) else { return nil }
        defer { offset += length }
        return .number(
            length == 4
                ? UInt64(bytes.little32(offset))
                : UInt64(bytes.little32(offset)) | UInt64(bytes.little32(offset + 4)) << 32)
    }

    private mutating func readNumber() -> UInt64? { Self.readNumber(bytes, &offset) }

    /// Reads a varint at an offset, and moves the offset behind it.
    static func readNumber(_ bytes: Bytes, _ offset: inout Int) -> UInt64? {
        Varint.read {
            guard offset < bytes.count else { return nil }
            defer { offset += 1 }
            return bytes[offset]
        }
    }

    /// Appends the numbers of a repeated field, which is packed or not. Returns `false` if they are damaged.
    static func append(_ value: ProtobufValue, to numbers: inout [UInt64]) -> Bool {
        switch value {
        case .number(let number): numbers.append(number)
        case .bytes(let bytes):
            var offset = 0
            while offset < bytes.count {
                guard let number = readNumber(bytes, &offset) else { return false }
                numbers.append(number)
            }
        }
        return true
    }
}

extension ProtobufReader.ProtobufValue {
    /// The number; `nil` if the field has another type.
    var number: UInt64? { if case .number(let number) = self { number } else { nil } }
    var bytes: Bytes? { if case .bytes(let bytes) = self { bytes } else { nil } }
    /// The number of a field of 32 bits, truncated as decoders of Protocol Buffers do.
    var number32: UInt32? { number.map { UInt32(truncatingIfNeeded: $0) } }
}
