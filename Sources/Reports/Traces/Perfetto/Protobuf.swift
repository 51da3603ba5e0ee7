import DeadzoneBase

/// An encoder for Protocol Buffers messages. It writes fields in call order and integers as varints.
/// <https://protobuf.dev/programming-guides/encoding/>
struct Protobuf {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ field: UInt64, _ value: UInt64) {
        raw(field << 3)
        raw(value)
    }

    mutating func fixed64(_ field: UInt64, _ value: UInt64) {
        raw(field << 3 | 1)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func double(_ field: UInt64, _ value: Double) { fixed64(field, value.bitPattern) }

    mutating func string(_ field: UInt64, _ text: String) { delimited(field, Array(text.utf8)) }

    mutating func message(_ field: UInt64, _ build: (inout Protobuf) -> Void) {
        var inner = Protobuf()
        build(&inner)
        delimited(field, inner.bytes)
    }

    private mutating func delimited(_ field: UInt64, _ content: [UInt8]) {
        raw(field << 3 | 2)
        raw(UInt64(content.count))
        bytes += content
    }

    private mutating func raw(_ value: UInt64) { Varint.append(value, to: &bytes) }
}
