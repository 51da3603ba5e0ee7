/// pcapng: sections of blocks (draft-ietf-opsawg-pcapng). libpcap refuses files whose interfaces differ in link type or snap
/// length, which phones and Wireshark write all day; here every interface keeps its own.
struct SectionFraming {
    enum Block {
        static let section: UInt32 = 0x0a0d_0d0a
        static let interface: UInt32 = 1
        static let oldPacket: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let names: UInt32 = 4
        static let statistics: UInt32 = 5
        static let enhancedPacket: UInt32 = 6
        static let custom: UInt32 = 0xbad
        static let customNotCopied: UInt32 = 0x4000_0bad
        /// Process of an Apple capture: its number, then options.
        static let appleProcess: UInt32 = 0x8000_0001
    }

    struct Local {
        let scale: StampScale
        let snapLength: UInt32
        let linkType: UInt32
        /// In the roster.
        let place: Int
    }

    private static let byteOrderMagic: UInt32 = 0x1a2b_3c4d
    /// What every block has: type, length, and the length again.
    static let frameLength = 12

    var order: ByteOrder
    /// The interfaces of this section.
    var locals: [Local] = []
    /// Processes of this section.
    var processes: [AppID] = []
    var nameRecords = NameRecords()
    /// Bytes of the last block that have not been passed yet.
    private var rest: UInt64 = 0

    /// The byte order that the first block says, if it is one of this format. Needs twelve bytes.
    static func order(_ bytes: Bytes) -> ByteOrder? {
        guard bytes.load(0, as: UInt32.self) == Block.section else { return nil }
        let magic = bytes.load(8, as: UInt32.self)
        if magic == byteOrderMagic { return ByteOrder(isSwapped: false) }
        return magic == byteOrderMagic.byteSwapped ? ByteOrder(isSwapped: true) : nil
    }

    init(_ order: ByteOrder) { self.order = order }

    mutating func next(
        _ frame: inout Frame, _ window: inout Window, _ roster: inout Roster
    ) throws(CaptureFault) -> Bool {
        while true {
            if rest > 0 { try passRest(&window) }
            guard window.hold(Self.frameLength) else {
                if window.bytes.count == 0, window.failure == nil { return false }
                throw window.cutShort("the header of a block", needs: UInt64(Self.frameLength))
            }
            let type = order.u32(window.bytes, 0)
            if type == Block.section { try turn(&window) }
            let length = order.u32(window.bytes, 4)
            guard length >= Self.frameLength, length % 4 == 0 else {
                throw CaptureFault(
                    at: window.offset, "a block claims to be \(length) bytes long",
                    help: "the file is damaged here; everything before this byte is used")
            }
            if try take(type, length, &frame, &window, &roster) { return true }
        }
    }

    /// A section says its own byte order.
    private mutating func turn(_ window: inout Window) throws(CaptureFault) {
        guard let order = Self.order(window.bytes) else {
            throw CaptureFault(at: window.offset + 8, "a section begins with an unknown byte order")
        }
        self.order = order
    }

    private mutating func passRest(_ window: inout Window) throws(CaptureFault) {
        let count = rest
        rest = 0
        guard window.skip(count) else { throw window.cutShort("a block", needs: count) }
    }

    /// Reads a block; true if it was a packet.
    @inline(__always) private mutating func take(
        _ type: UInt32, _ length: UInt32, _ frame: inout Frame, _ window: inout Window, _ roster: inout Roster
    ) throws(CaptureFault) -> Bool {
        switch type {
        case Block.enhancedPacket, Block.simplePacket, Block.oldPacket, Block.section, Block.interface, Block.names,
            Block.statistics, Block.custom, Block.customNotCopied, Block.appleProcess:
            break
        default:
            rest = UInt64(length)
            return false
        }
        let kept = min(Int(length), Window.capacity)
        guard window.hold(kept) else { throw window.cutShort("a block", needs: UInt64(length)) }
        let offset = window.offset
        // The length stands again at the end, where the whole block is in view.
        if kept == Int(length), order.u32(window.bytes, kept - 4) != length {
            throw CaptureFault(
                at: offset, "a block says at its end that it has another length than at its beginning",
                help: "the file is damaged here; everything before this byte is used")
        }
        let body = window.bytes.prefix(kept == Int(length) ? kept - 4 : kept).dropFirst(8)
        window.pass(kept)
        rest = UInt64(length) - UInt64(kept)
        switch type {
        case Block.enhancedPacket: try readEnhancedPacket(body, offset, &frame, &roster)
        case Block.simplePacket: try readSimplePacket(body, offset, &frame)
        case Block.oldPacket: try readOldPacket(body, offset, &frame, &roster)
        default:
            try readOther(type, body, offset, &roster)
            return false
        }
        return true
    }
}
