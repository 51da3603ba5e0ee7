/// What a record or block of the file says of one packet, and the bytes it holds of it. The bytes are gone when the window
/// moves on.
struct Frame {
    var stamp = Stamp.epoch
    /// Simple packet blocks have no time.
    var isStamped = true
    var wireLength: UInt32 = 0
    var capturedLength: UInt32 = 0
    var bytes: Bytes
    /// Among the interfaces of the roster.
    var interface = 0
    /// What the file itself says, if it does.
    var direction = PacketDirection.unknown
    var app = AppID.none
}

enum Limits {
    /// MAXIMUM_SNAPLEN of libpcap and WTAP_MAX_PACKET_SIZE_STANDARD of Wireshark: a longer packet is a broken length.
    static let packet: UInt32 = 262_144
    /// Interfaces of all sections together; a file that describes more only wants memory.
    static let interfaces = 4_096
    /// Apps and processes that are told apart.
    static let apps = 4_096
    /// Bytes of a name or comment that are kept.
    static let text = 256
    /// Comments that are kept.
    static let comments = 64
    /// Outages between two batches of packets.
    static let outages = 1_024
    /// Remarks between two batches of packets.
    static let remarks = 1_024

    /// The longest packet of a link type: those of libpcap, `max_snaplen_for_dlt` in pcap-common.c.
    static func packet(_ linkType: UInt32) -> UInt32 {
        switch linkType {
        case 231: 128 * 1_024 * 1_024  // DBUS
        case 249: 1_024 * 1_024  // USBPCAP
        case 279: 8 * 1_024 * 1_024  // EBHSCR
        default: packet
        }
    }
}

extension Window {
    /// The file ends, or its source fails, inside of something.
    func cutShort(_ what: String, needs count: UInt64) -> CaptureFault {
        if let failure { return CaptureFault(at: offset + UInt64(bytes.count), "cannot read on: " + failure.message) }
        return CaptureFault(
            at: offset, "the file ends inside \(what): \(bytes.count) of \(count) bytes are there",
            help: "the capture was cut short; everything before this byte is used")
    }

    /// What ends a file before its time, where nothing is missing in it.
    func sourceFault() -> CaptureFault? {
        failure.map { CaptureFault(at: offset, "cannot read on: " + $0.message) }
    }
}
