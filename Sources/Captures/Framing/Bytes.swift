/// A bounds-checked view of bytes that another object owns. A read past the end is a bug in this program and traps
/// instead of reading on.
struct Bytes {
    let start: UnsafeRawPointer
    let count: Int

    @inline(__always) init(_ start: UnsafeRawPointer, count: Int) {
        self.start = start
        self.count = count
    }

    @inline(__always) func holds(_ length: Int, at offset: Int) -> Bool {
        // As unsigned numbers, negative values are too large and fail the comparison.
        UInt(bitPattern: length) <= UInt(bitPattern: count)
            && UInt(bitPattern: offset) <= UInt(bitPattern: count &- length)
    }

    @inline(__always) subscript(offset: Int) -> UInt8 {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: count), "byte \(offset) of \(count)")
        return start.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// Reads a value in host byte order; the caller converts the byte order.
    @inline(__always) func load<Word: BitwiseCopyable>(_ offset: Int, as: Word.Type) -> Word {
        precondition(holds(MemoryLayout<Word>.size, at: offset), "\(Word.self) at \(offset) of \(count)")
        return start.loadUnaligned(fromByteOffset: offset, as: Word.self)
    }

    /// Reads in network byte order (big), and in little-endian order.
    @inline(__always) func big16(_ offset: Int) -> UInt16 { UInt16(bigEndian: load(offset, as: UInt16.self)) }
    @inline(__always) func big32(_ offset: Int) -> UInt32 { UInt32(bigEndian: load(offset, as: UInt32.self)) }
    @inline(__always) func big64(_ offset: Int) -> UInt64 { UInt64(bigEndian: load(offset, as: UInt64.self)) }
    @inline(__always) func big128(_ offset: Int) -> UInt128 { UInt128(bigEndian: load(offset, as: UInt128.self)) }
    @inline(__always) func little16(_ offset: Int) -> UInt16 { UInt16(littleEndian: load(offset, as: UInt16.self)) }
    @inline(__always) func little32(_ offset: Int) -> UInt32 { UInt32(littleEndian: load(offset, as: UInt32.self)) }

    @inline(__always) func part(_ offset: Int, _ length: Int) -> Bytes {
        precondition(holds(length, at: offset), "\(length) bytes at \(offset) of \(count)")
        return Bytes(start + offset, count: length)
    }

    /// The bytes from `offset` on; empty if it is past the end.
    @inline(__always) func dropFirst(_ offset: Int) -> Bytes {
        let kept = Swift.max(0, Swift.min(offset, count))
        return Bytes(start + kept, count: count - kept)
    }

    @inline(__always) func prefix(_ length: Int) -> Bytes {
        Bytes(start, count: Swift.max(0, Swift.min(length, count)))
    }

    /// Text up to the first zero byte; invalid UTF-8 is repaired.
    func text(_ offset: Int, atMost length: Int) -> String {
        let part = dropFirst(offset).prefix(length)
        let bytes = UnsafeRawBufferPointer(start: part.start, count: part.count)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// Reads numbers in the byte order of a capture file, which may differ from the host's.
struct ByteOrder: Equatable {
    let isSwapped: Bool

    @inline(__always) func u16(_ bytes: Bytes, _ offset: Int) -> UInt16 {
        let raw = bytes.load(offset, as: UInt16.self)
        return isSwapped ? raw.byteSwapped : raw
    }

    @inline(__always) func u32(_ bytes: Bytes, _ offset: Int) -> UInt32 {
        let raw = bytes.load(offset, as: UInt32.self)
        return isSwapped ? raw.byteSwapped : raw
    }

    /// Reads the first sixteen bytes as four 32-bit words.
    @inline(__always) func fourWords(_ bytes: Bytes) -> (UInt32, UInt32, UInt32, UInt32) {
        let raw = bytes.load(0, as: SIMD4<UInt32>.self)
        return isSwapped
            ? (raw[0].byteSwapped, raw[1].byteSwapped, raw[2].byteSwapped, raw[3].byteSwapped)
            : (raw[0], raw[1], raw[2], raw[3])
    }

    @inline(__always) func u64(_ bytes: Bytes, _ offset: Int) -> UInt64 {
        let raw = bytes.load(offset, as: UInt64.self)
        return isSwapped ? raw.byteSwapped : raw
    }
}

extension UInt8 {
    /// The small letter of a capital letter of ASCII; other bytes are as they are.
    var lowercased: UInt8 { (65...90).contains(self) ? self + 32 : self }
}
