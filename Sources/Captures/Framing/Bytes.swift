/// Bytes that somebody else keeps, with their end. Every look is within them: a look past the end is our bug, and ends the
/// program rather than reading on.
struct Bytes {
    let start: UnsafeRawPointer
    let count: Int

    @inline(__always) init(_ start: UnsafeRawPointer, count: Int) {
        self.start = start
        self.count = count
    }

    @inline(__always) func holds(_ length: Int, at offset: Int) -> Bool {
        // As unsigned numbers, what is negative is too large.
        UInt(bitPattern: length) <= UInt(bitPattern: count)
            && UInt(bitPattern: offset) <= UInt(bitPattern: count &- length)
    }

    @inline(__always) subscript(offset: Int) -> UInt8 {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: count), "byte \(offset) of \(count)")
        return start.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// As the host keeps it; whoever calls knows the order of the bytes.
    @inline(__always) func load<Word: BitwiseCopyable>(_ offset: Int, as: Word.Type) -> Word {
        precondition(holds(MemoryLayout<Word>.size, at: offset), "\(Word.self) at \(offset) of \(count)")
        return start.loadUnaligned(fromByteOffset: offset, as: Word.self)
    }

    /// In network order.
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

    /// What follows `offset`; nothing if it lies past the end.
    @inline(__always) func dropFirst(_ offset: Int) -> Bytes {
        let kept = Swift.max(0, Swift.min(offset, count))
        return Bytes(start + kept, count: count - kept)
    }

    @inline(__always) func prefix(_ length: Int) -> Bytes {
        Bytes(start, count: Swift.max(0, Swift.min(length, count)))
    }

    /// Text up to the first zero byte, repaired where it is not UTF-8.
    func text(_ offset: Int, atMost length: Int) -> String {
        let part = dropFirst(offset).prefix(length)
        let bytes = UnsafeRawBufferPointer(start: part.start, count: part.count)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// In which order a file keeps the bytes of its numbers, beside the host's.
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

    /// The first sixteen bytes.
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
