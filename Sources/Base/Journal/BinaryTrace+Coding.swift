extension BinaryTrace {
    /// Magic number in the style of PNG (RFC 2083, 12.11): a byte with the high bit set, the name, CR LF, control-Z and
    /// LF. A transfer that treats the file as text damages the first eight bytes.
    static let magic: [UInt8] = [0x89, 0x44, 0x5A, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]
    package static let version: UInt32 = 1
    static let headerSize = 24
    static let recordSize = 24

    /// The file format: header and records, little-endian.
    package var bytes: [UInt8] {
        let records = records
        let size = Self.headerSize + records.count * Self.recordSize
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            raw.copyBytes(from: Self.magic)
            raw.storeBytes(of: Self.version.littleEndian, toByteOffset: 8, as: UInt32.self)
            raw.storeBytes(of: UInt32(Self.recordSize).littleEndian, toByteOffset: 12, as: UInt32.self)
            raw.storeBytes(of: UInt64(records.count).littleEndian, toByteOffset: 16, as: UInt64.self)
            for (index, record) in records.enumerated() {
                Self.store(record, in: raw, at: Self.headerSize + index * Self.recordSize)
            }
            count = size
        }
    }

    /// Reads a trace written by `bytes`. Throws for anything else.
    package init(bytes: [UInt8]) throws(TraceFault) {
        guard bytes.starts(with: Self.magic.prefix(bytes.count)), !bytes.isEmpty else { throw .notATrace }
        guard bytes.count >= Self.headerSize else { throw .truncated(expected: Self.headerSize, found: bytes.count) }
        let version = bytes.integer(at: 8, UInt32.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        let recordSize = bytes.integer(at: 12, UInt32.self)
        guard recordSize == Self.recordSize else { throw .unknownRecordSize(recordSize) }
        let count = bytes.integer(at: 16, UInt64.self)
        // A size that no file has is clamped to `Int.max`, so the sum cannot overflow.
        let expected = Int(clamping: UInt128(Self.headerSize) + UInt128(count) * UInt128(Self.recordSize))
        guard bytes.count >= expected else { throw .truncated(expected: expected, found: bytes.count) }
        guard bytes.count == expected else { throw .trailingBytes(bytes.count - expected) }

        self.init()
        var records: [Record] = []
        records.reserveCapacity(Int(count))
        for index in 0..<Int(count) {
            let record = try Self.load(index, from: bytes)
            if let last = records.last, last.phone > record.phone {
                throw .phoneOutOfOrder(record.phone, record: index)
            }
            records.append(record)
        }
        records.withUnsafeBufferPointer { self.record($0) }
    }

    private static func store(_ record: Record, in raw: UnsafeMutableRawBufferPointer, at offset: Int) {
        raw.storeBytes(of: record.at.nanoseconds.littleEndian, toByteOffset: offset, as: Int64.self)
        raw.storeBytes(of: record.phone.littleEndian, toByteOffset: offset + 8, as: UInt32.self)
        raw.storeBytes(of: record.kind.rawValue.littleEndian, toByteOffset: offset + 12, as: UInt16.self)
        raw.storeBytes(of: record.tag.littleEndian, toByteOffset: offset + 14, as: UInt16.self)
        raw.storeBytes(of: record.value.littleEndian, toByteOffset: offset + 16, as: Int64.self)
    }

    private static func load(_ index: Int, from bytes: [UInt8]) throws(TraceFault) -> Record {
        let offset = headerSize + index * recordSize
        let code = bytes.integer(at: offset + 12, UInt16.self)
        guard let kind = RecordKind(rawValue: code) else { throw .unknownKind(code, record: index) }
        return Record(
            at: Instant(nanoseconds: bytes.integer(at: offset, Int64.self)),
            phone: bytes.integer(at: offset + 8, UInt32.self),
            kind: kind,
            tag: bytes.integer(at: offset + 14, UInt16.self),
            value: bytes.integer(at: offset + 16, Int64.self))
    }
}

extension [UInt8] {
    fileprivate func integer<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _: Value.Type) -> Value {
        withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
    }
}
