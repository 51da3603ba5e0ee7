/// The format of tcpdump: a file header, then records, each with a header of its own.
///
/// What the numbers mean follows libpcap's sf-pcap.c. The framing is our own all the same: libpcap reads through stdio, a call
/// and a copy for each header and each packet, which alone takes longer than everything done here.
struct ClassicFraming {
    /// Versions before 2.3 have the two lengths the other way round; those of 2.3 are either.
    private enum LengthOrder { case capturedFirst, wireFirst, either }

    static let headerLength = 24
    private static let microseconds: UInt32 = 0xa1b2_c3d4
    private static let nanoseconds: UInt32 = 0xa1b2_3c4d
    /// Alexey Kuznetzov's, of Red Hat Linux 6: eight bytes more in each record.
    private static let patched: UInt32 = 0xa1b2_cd34

    /// Its place in the roster.
    let interface: Int
    private let order: ByteOrder
    private let lengthOrder: LengthOrder
    private let recordLength: Int
    /// Nanoseconds in a unit of the fraction.
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

        interface = try roster.add(CapturedInterface(linkType: linkType, snapLength: snapLength), order, at: 0)
        window.pass(Self.headerLength)
    }

    @inline(__always) mutating func next(
        _ frame: inout Frame, _ window: inout Window, _ roster: inout Roster
    ) throws(CaptureFault) -> Bool {
        if unread > 0 { try passUnread(&window) }
        guard window.hold(recordLength) else { return try end(window) }
        let head = order.fourWords(window.bytes)
        let isTurned = lengthOrder != .capturedFirst && (lengthOrder == .wireFirst || head.2 > head.3)
        let captured = isTurned ? head.3 : head.2
        let wire = isTurned ? head.2 : head.3
        guard captured <= longest else { throw tooLong(captured, window) }
        let kept = Int(min(captured, snapLength, Limits.packet))
        guard window.hold(recordLength &+ kept) else { throw cutShort(captured, window) }
        frame.stamp = Stamp(seconds: head.0, fraction: head.1, worth: fraction)
        unread = UInt64(captured) &- UInt64(kept)
        frame.wireLength = wire
        // As libpcap reports it, where a record holds more than the header of the file allows.
        frame.capturedLength = min(captured, snapLength)
        frame.bytes = window.bytes.part(recordLength, kept)
        window.pass(recordLength &+ kept)
        return true
    }

    /// Nothing left is the end; a part of a header is a fault.
    @inline(never) private func end(_ window: borrowing Window) throws(CaptureFault) -> Bool {
        if window.bytes.count == 0, window.failure == nil { return false }
        throw window.cutShort("the header of a record", needs: UInt64(recordLength))
    }

    @inline(never) private func tooLong(_ captured: UInt32, _ window: borrowing Window) -> CaptureFault {
        CaptureFault(
            at: window.offset,
            "a record claims \(captured) captured bytes, more than the \(longest) a packet can have",
            help: "the file is damaged here; everything before this byte is used")
    }

    @inline(never) private func cutShort(_ captured: UInt32, _ window: borrowing Window) -> CaptureFault {
        window.cutShort("a record", needs: UInt64(recordLength) + UInt64(captured))
    }

    @inline(never) private mutating func passUnread(_ window: inout Window) throws(CaptureFault) {
        guard window.skip(unread) else { throw window.cutShort("a record", needs: unread) }
        unread = 0
    }
}
