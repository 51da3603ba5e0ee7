/// The format of tcpdump: a file header, then records, each with a header of its own.
///
/// What the numbers mean follows libpcap's sf-pcap.c. The framing is our own all the same: libpcap reads through stdio, a call
/// and a copy for each header and each packet, which alone takes longer than everything done here.
struct ClassicFraming: Framing {
    /// Versions before 2.3 have the two lengths the other way round; those of 2.3 are either.
    private enum LengthOrder { case capturedFirst, wireFirst, either }

    static let headerLength = 24
    private static let microseconds: UInt32 = 0xa1b2_c3d4
    private static let nanoseconds: UInt32 = 0xa1b2_3c4d
    /// Alexey Kuznetzov's, of Red Hat Linux 6: eight bytes more in each record.
    private static let patched: UInt32 = 0xa1b2_cd34

    private let order: ByteOrder
    private let lengthOrder: LengthOrder
    private let recordLength: Int
    private let fraction: Int64
    private let snapLength: UInt32
    private let longest: UInt32
    /// Of the last packet, what lies beyond its part that was looked at.
    private var unread: UInt64 = 0

    /// The byte order that the first four bytes say, if they are those of this format.
    static func order(_ bytes: Bytes) -> ByteOrder? {
        let magic = bytes.load(0, as: UInt32.self)
        let known = [microseconds, nanoseconds, patched]
        if known.contains(magic) { return ByteOrder(isSwapped: false) }
        return known.contains(magic.byteSwapped) ? ByteOrder(isSwapped: true) : nil
    }

    init(_ window: inout Window, _ order: ByteOrder, _ roster: inout Roster) throws(CaptureFault) {
        guard window.hold(Self.headerLength) else {
            throw window.cutShort("the header of a pcap file", needs: UInt64(Self.headerLength))
        }
        let head = window.bytes
        let (major, minor) = (order.u16(head, 4), order.u16(head, 6))
        switch (major, minor) {
        case (2, 0...2), (543, 0): lengthOrder = .wireFirst  // 543.0 is tcpdump of DG/UX
        case (2, 3): lengthOrder = .either
        case (2, 4): lengthOrder = .capturedFirst
        default:
            throw CaptureFault(
                at: 4, "pcap version \(major).\(minor) is not known", help: "versions 2.0 to 2.4 are read")
        }
        let magic = order.u32(head, 0)
        self.order = order
        recordLength = magic == Self.patched ? 24 : 16
        fraction = magic == Self.nanoseconds ? 1 : 1_000
        // The upper half says how long the frame check sequence is.
        let linkType = order.u32(head, 20) & 0xffff
        longest = Limits.packet(linkType)
        let snapLength = order.u32(head, 16)
        self.snapLength = snapLength == 0 || snapLength > UInt32(Int32.max) ? longest : snapLength

        try roster.add(Interface(linkType: linkType, snapLength: snapLength), order, at: 0)
        window.pass(Self.headerLength)
    }

    mutating func next(
        _ frame: inout Frame, _ window: inout Window, _ roster: inout Roster
    ) throws(CaptureFault) -> Bool {
        if unread > 0 { try passUnread(&window) }
        guard window.hold(recordLength) else {
            if window.bytes.count == 0, window.failure == nil { return false }
            throw window.cutShort("the header of a record", needs: UInt64(recordLength))
        }
        let head = window.bytes
        let (first, second) = (order.u32(head, 8), order.u32(head, 12))
        let isTurned = lengthOrder == .wireFirst || (lengthOrder == .either && first > second)
        let (captured, wire) = isTurned ? (second, first) : (first, second)
        guard captured <= longest else {
            throw CaptureFault(
                at: window.offset,
                "a record claims \(captured) captured bytes, more than the \(longest) a packet can have",
                help: "the file is damaged here; everything before this byte is used")
        }
        let kept = Int(min(captured, snapLength, Limits.packet))
        guard window.hold(recordLength + kept) else {
            throw window.cutShort("a record", needs: UInt64(recordLength) + UInt64(captured))
        }
        let record = window.bytes
        frame.stamp = Stamp(
            seconds: Int64(order.u32(record, 0)), nanoseconds: Int64(order.u32(record, 4)) &* fraction)
        unread = UInt64(captured) - UInt64(kept)
        frame.wireLength = wire
        // As libpcap reports it, where a record holds more than the header of the file allows.
        frame.capturedLength = min(captured, snapLength)
        frame.bytes = record.dropFirst(recordLength).prefix(kept)
        window.pass(recordLength + kept)
        return true
    }

    private mutating func passUnread(_ window: inout Window) throws(CaptureFault) {
        guard window.skip(unread) else { throw window.cutShort("a record", needs: unread) }
        unread = 0
    }
}
