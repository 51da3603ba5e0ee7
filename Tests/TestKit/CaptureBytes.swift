/// Byte buffer for building captures and packets, big-endian or little-endian.
package struct CaptureBytes: Sendable {
    package var bytes: [UInt8] = []
    package var isBigEndian: Bool

    package init(isBigEndian: Bool = true) { self.isBigEndian = isBigEndian }

    package mutating func put<Word: FixedWidthInteger>(_ word: Word) {
        withUnsafeBytes(of: isBigEndian ? word.bigEndian : word.littleEndian) { bytes += $0 }
    }

    package mutating func put(_ more: [UInt8]) { bytes += more }

    package mutating func pad(to multiple: Int) {
        while bytes.count % multiple != 0 { bytes.append(0) }
    }
}

/// Writes a classic pcap file, packet by packet.
package struct PcapWriter: Sendable {
    package private(set) var file: CaptureBytes
    private let isNanoseconds: Bool

    package init(
        linkType: UInt32 = 1, isBigEndian: Bool = false, isNanoseconds: Bool = false, snapLength: UInt32 = 262_144,
        version: (UInt16, UInt16) = (2, 4), magic: UInt32? = nil
    ) {
        file = CaptureBytes(isBigEndian: isBigEndian)
        self.isNanoseconds = isNanoseconds
        file.put(magic ?? (isNanoseconds ? 0xa1b2_3c4d : 0xa1b2_c3d4))
        file.put(version.0)
        file.put(version.1)
        file.put(UInt64(0))
        file.put(snapLength)
        file.put(linkType)
    }

    package var bytes: [UInt8] { file.bytes }

    /// - Parameter nanoseconds: Time since 1970.
    package mutating func add(_ packet: [UInt8], at nanoseconds: UInt64, wireLength: Int? = nil) {
        let fraction = nanoseconds % 1_000_000_000
        add(
            packet, seconds: UInt32(nanoseconds / 1_000_000_000),
            fraction: UInt32(isNanoseconds ? fraction : fraction / 1_000), captured: UInt32(packet.count),
            wire: UInt32(wireLength ?? packet.count))
    }

    /// Adds a record with these header fields, which may contradict the packet.
    package mutating func add(_ packet: [UInt8], seconds: UInt32, fraction: UInt32, captured: UInt32, wire: UInt32) {
        for word in [seconds, fraction, captured, wire] { file.put(word) }
        file.put(packet)
    }
}

/// Writes a pcapng file, block by block.
package struct PcapngWriter: Sendable {
    package private(set) var file: CaptureBytes

    package init(isBigEndian: Bool = false) {
        file = CaptureBytes(isBigEndian: isBigEndian)
        addSection()
    }

    package var bytes: [UInt8] { file.bytes }

    package struct Option: Sendable {
        package var code: UInt16
        package var value: [UInt8]

        package init(_ code: UInt16, _ value: [UInt8]) {
            self.code = code
            self.value = value
        }

        package init(_ code: UInt16, _ text: String) { self.init(code, Array(text.utf8)) }
    }

    /// Returns the bytes that `build` writes, in the byte order of the file.
    package func part(_ build: (inout CaptureBytes) -> Void) -> [UInt8] {
        var part = CaptureBytes(isBigEndian: file.isBigEndian)
        build(&part)
        return part.bytes
    }

    package mutating func addBlock(_ type: UInt32, _ body: [UInt8], options: [Option] = []) {
        let content = part { part in
            part.put(body)
            part.pad(to: 4)
            for option in options {
                part.put(option.code)
                part.put(UInt16(option.value.count))
                part.put(option.value)
                part.pad(to: 4)
            }
            if !options.isEmpty { part.put(UInt32(0)) }
        }
        file.put(type)
        file.put(UInt32(content.count + 12))
        file.put(content)
        file.put(UInt32(content.count + 12))
    }

    package mutating func addSection(isBigEndian: Bool? = nil) {
        file.isBigEndian = isBigEndian ?? file.isBigEndian
        let body = part { part in
            part.put(UInt32(0x1a2b_3c4d))
            part.put(UInt16(1))
            part.put(UInt16(0))
            part.put(UInt64.max)
        }
        addBlock(0x0a0d_0d0a, body)
    }

    package mutating func addInterface(linkType: UInt16 = 1, snapLength: UInt32 = 0, options: [Option] = []) {
        let body = part { part in
            part.put(linkType)
            part.put(UInt16(0))
            part.put(snapLength)
        }
        addBlock(1, body, options: options)
    }

    /// - Parameter count: Timestamp in the units of the interface: microseconds unless an interface option says
    /// otherwise.
    package mutating func add(
        _ packet: [UInt8], at count: UInt64, interface: UInt32 = 0, wireLength: Int? = nil, options: [Option] = []
    ) {
        let body = part { part in
            part.put(interface)
            part.put(UInt32(count >> 32))
            part.put(UInt32(truncatingIfNeeded: count))
            part.put(UInt32(packet.count))
            part.put(UInt32(wireLength ?? packet.count))
            part.put(packet)
        }
        addBlock(6, body, options: options)
    }
}
