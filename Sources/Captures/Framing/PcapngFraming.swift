/// Splits a capture file in pcapng format (sections of blocks) into frames. The format is in draft-ietf-opsawg-pcapng.
///
/// libpcap refuses files with interfaces of different link types or snap lengths. Phones and Wireshark write such files
/// often; here every interface has its own settings.
struct PcapngFraming {
    enum BlockType {
        static let section: UInt32 = 0x0a0d_0d0a
        static let interface: UInt32 = 1
        static let oldPacket: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let names: UInt32 = 4
        static let statistics: UInt32 = 5
        static let enhancedPacket: UInt32 = 6
        static let custom: UInt32 = 0xbad
        static let customNotCopied: UInt32 = 0x4000_0bad
        /// Apple's process block: the process number, then options.
        static let appleProcess: UInt32 = 0x8000_0001
    }

    struct SectionInterface {
        let scale: TimestampScale
        let snapLength: UInt32
        let linkType: UInt32
        /// Index in the registry, and the link type there.
        let place: Int
        let link: LinkKind
    }

    private static let byteOrderMagic: UInt32 = 0x1a2b_3c4d
    /// Bytes of framing in every block: type, length, and the length repeated at the end.
    static let frameLength = 12

    var order: ByteOrder
    /// The interfaces of this section.
    var sectionInterfaces: [SectionInterface] = []
    /// Processes of this section.
    var processes: [AppID] = []
    var nameRecords = NameRecords()
    /// Bytes of the last block that still have to be skipped.
    private var remainder: UInt64 = 0

    /// Byte order given by the first block; `nil` if the file is not pcapng. Needs twelve bytes.
    static func order(_ bytes: Bytes) -> ByteOrder? {
        guard bytes.load(0, as: UInt32.self) == BlockType.section else { return nil }
        let magic = bytes.load(8, as: UInt32.self)
        if magic == byteOrderMagic { return ByteOrder(isSwapped: false) }
        return magic == byteOrderMagic.byteSwapped ? ByteOrder(isSwapped: true) : nil
    }

    init(_ order: ByteOrder) { self.order = order }

    mutating func next(
        _ frame: inout Frame, _ window: inout ReadWindow, _ registry: inout CaptureRegistry
    ) throws(CaptureFault) -> Bool {
        while true {
            if remainder > 0 { try skipRemainder(&window) }
            guard window.ensureAvailable(Self.frameLength) else {
                if window.bytes.count == 0, window.failure == nil { return false }
                throw window.truncationFault("the header of a block", needs: UInt64(Self.frameLength))
            }
            let type = order.u32(window.bytes, 0)
            if type == BlockType.section { try readByteOrder(&window) }
            let length = order.u32(window.bytes, 4)
            guard length >= Self.frameLength, length % 4 == 0 else {
                throw CaptureFault(
                    at: window.offset, "a block claims to be \(length) bytes long",
                    help: "the file is damaged here; everything before this byte is used")
            }
            if try readBlock(type, length, &frame, &window, &registry) { return true }
        }
    }

    /// Switches to the byte order of a new section.
    private mutating func readByteOrder(_ window: inout ReadWindow) throws(CaptureFault) {
        guard let order = Self.order(window.bytes) else {
            throw CaptureFault(at: window.offset + 8, "a section begins with an unknown byte order")
        }
        self.order = order
    }

    private mutating func skipRemainder(_ window: inout ReadWindow) throws(CaptureFault) {
        let count = remainder
        remainder = 0
        guard window.skip(count) else { throw window.truncationFault("a block", needs: count) }
    }

    /// Reads a block. Returns `true` if it was a packet.
    @inline(__always) private mutating func readBlock(
        _ type: UInt32, _ length: UInt32, _ frame: inout Frame, _ window: inout ReadWindow,
        _ registry: inout CaptureRegistry
    ) throws(CaptureFault) -> Bool {
        switch type {
        case BlockType.enhancedPacket, BlockType.simplePacket, BlockType.oldPacket, BlockType.section,
            BlockType.interface, BlockType.names,
            BlockType.statistics, BlockType.custom, BlockType.customNotCopied, BlockType.appleProcess:
            break
        default:
            remainder = UInt64(length)
            return false
        }
        let kept = min(Int(length), ReadWindow.capacity)
        guard window.ensureAvailable(kept) else { throw window.truncationFault("a block", needs: UInt64(length)) }
        let offset = window.offset
        // The length is repeated at the end; check it if the window holds the whole block.
        if kept == Int(length), order.u32(window.bytes, kept - 4) != length {
            throw CaptureFault(
                at: offset, "the lengths at the beginning and the end of a block differ",
                help: "the file is damaged here; everything before this byte is used")
        }
        let body = window.bytes.prefix(kept == Int(length) ? kept - 4 : kept).dropFirst(8)
        window.consume(kept)
        remainder = UInt64(length) - UInt64(kept)
        switch type {
        case BlockType.enhancedPacket: try readEnhancedPacket(body, offset, &frame, &registry)
        case BlockType.simplePacket: try readSimplePacket(body, offset, &frame)
        case BlockType.oldPacket: try readOldPacket(body, offset, &frame, &registry)
        default:
            try readOther(type, body, offset, &registry)
            return false
        }
        return true
    }
}
