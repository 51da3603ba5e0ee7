/// Variable-length integers of Protocol Buffers: seven bits in a byte, the lowest first. The highest bit of a byte says
/// that another byte follows. <https://protobuf.dev/programming-guides/encoding/#varints>
package enum Varint {
    /// Most bytes of a number of 64 bits.
    package static let maximumBytes = 10

    package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Reads a number. `nil` if the bytes end before the number does, or if the number has more than 64 bits.
    /// - Parameter next: returns the next byte, or `nil` at the end.
    @inline(__always) package static func read(_ next: () -> UInt8?) -> UInt64? {
        guard let first = next() else { return nil }
        if first < 0x80 { return UInt64(first) }
        var value = UInt64(first & 0x7f)
        for place in 1..<maximumBytes {
            guard let byte = next() else { return nil }
            // Only one bit is left for the tenth byte.
            if place == maximumBytes - 1, byte > 1 { return nil }
            value |= UInt64(byte & 0x7f) << UInt64(7 * place)
            if byte < 0x80 { return value }
        }
        return nil
    }
}
