/// Splits a capture file in tcpdump's pcap format into frames. The file has a header, then records, each with a header
/// of its own.
///
/// The meaning of the numbers follows libpcap's sf-pcap.c. Framing is implemented here because libpcap reads through
/// stdio: a call and a copy for each header and each packet take longer than everything done here.
struct PcapFraming {
    /// The order of the two length fields in a pcap packet record. Versions before 2.3 have the wire length first;
    /// version 2.3 files use either order.
    private enum LengthOrder { case capturedFirst, wireFirst, either }

    static let headerLength = 24
    private static let microseconds: UInt32 = 0xa1b2_c3d4
    private static let nanoseconds: UInt32 = 0xa1b2_3c4d
    /// Alexey Kuznetzov's format of Red Hat Linux 6, with eight more bytes in each record.
    private static let patched: UInt32 = 0xa1b2_cd34

    /// Index in the registry.
    let interface: Int
    private let order: ByteOrder
    private let lengthOrder: LengthOrder
    private let hasCapturedFirst: Bool
    private let recordLength: Int
    /// Nanoseconds for each unit of the fraction.
    private let fraction: Int64
    private let snapLength: UInt32
    private let longest: UInt32
    /// Records up to this length are read as they are.
    private let unshortened: UInt32
    /// Bytes of the last packet that were not read into the window and must be skipped.
    private var unread: UInt64 = 0

    /// Byte order given by the first four bytes; `nil` if the file is not pcap.
    static func order(_ bytes: Bytes) -> ByteOrder? {
        let magic = bytes.load(0, as: UInt32.self)
        let known = [microseconds, nanoseconds, patched]
        if known.contains(magic) { return ByteOrder(isSwapped: false) }
        return known.contains(magic.byteSwapped) ? ByteOrder(isSwapped: true) : nil
    }

    init(_ window: inout ReadWindow, _ order: ByteOrder, _ registry: inout CaptureRegistry) throws(CaptureFault) {
        guard window.ensureAvailable(Self.headerLength) else {
            throw window.truncationFault("the header of a pcap file", needs: UInt64(Self.headerLength))
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
        hasCapturedFirst = lengthOrder == .capturedFirst
        let magic = order.u32(head, 0)
        self.order = order
        recordLength = magic == Self.patched ? 24 : 16
        fraction = magic == Self.nanoseconds ? 1 : 1_000
        // The upper half holds the length of the frame check sequence.
        let linkType = order.u32(head, 20) & 0xffff
        longest = CaptureLimits.packet(linkType)
        let snapLength = order.u32(head, 16)
        self.snapLength = snapLength == 0 || snapLength > UInt32(Int32.max) ? longest : snapLength
        unshortened = min(longest, self.snapLength, CaptureLimits.packet)

        interface = try registry.add(CapturedInterface(linkType: linkType, snapLength: snapLength), order, at: 0)
        window.consume(Self.headerLength)
    }

    @inline(__always) mutating func next(
        _ frame: inout Frame, _ window: inout ReadWindow, _ registry: inout CaptureRegistry
    ) throws(CaptureFault) -> Bool {
        if unread > 0 { try skipUnread(&window) }
        guard window.ensureAvailable(recordLength) else { return try end(window) }
        let head = order.fourWords(window.bytes)
        var (captured, wire) = (head.2, head.3)
        if !hasCapturedFirst, lengthOrder == .wireFirst || captured > wire { swap(&captured, &wire) }
        var kept = Int(captured)
        frame.capturedLength = captured
        if captured > unshortened { kept = try shorten(captured, &frame, window) }
        guard window.ensureAvailable(recordLength &+ kept) else { throw truncationFault(captured, window) }
        frame.stamp = Timestamp(seconds: head.0, fraction: head.1, worth: fraction)
        frame.wireLength = wire
        frame.bytes = window.consume(header: recordLength, kept)
        return true
    }

    /// The number of bytes that are read of a long record. The others are skipped before the next record.
    @inline(never) private mutating func shorten(
        _ captured: UInt32, _ frame: inout Frame, _ window: borrowing ReadWindow
    ) throws(CaptureFault) -> Int {
        guard captured <= longest else { throw tooLong(captured, window) }
        // Like libpcap: a record that holds more than the file's snap length reports the snap length.
        frame.capturedLength = min(captured, snapLength)
        let kept = min(captured, snapLength, CaptureLimits.packet)
        unread = UInt64(captured) &- UInt64(kept)
        return Int(kept)
    }

    /// Returns `false` at the end of the file; throws if part of a header is left.
    @inline(never) private func end(_ window: borrowing ReadWindow) throws(CaptureFault) -> Bool {
        if window.bytes.count == 0, window.failure == nil { return false }
        throw window.truncationFault("the header of a record", needs: UInt64(recordLength))
    }

    @inline(never) private func tooLong(_ captured: UInt32, _ window: borrowing ReadWindow) -> CaptureFault {
        CaptureFault(
            at: window.offset,
            "a record claims \(captured) captured bytes, more than the \(longest) a packet can have",
            help: "the file is damaged here; everything before this byte is used")
    }

    @inline(never) private func truncationFault(_ captured: UInt32, _ window: borrowing ReadWindow) -> CaptureFault {
        window.truncationFault("a record", needs: UInt64(recordLength) + UInt64(captured))
    }

    @inline(never) private mutating func skipUnread(_ window: inout ReadWindow) throws(CaptureFault) {
        guard window.skip(unread) else { throw window.truncationFault("a record", needs: unread) }
        unread = 0
    }
}
