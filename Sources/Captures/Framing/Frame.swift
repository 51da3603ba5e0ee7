/// A captured packet before decoding: its bytes, timestamp and lengths, as read from the file. The bytes become invalid
/// when the window advances.
struct Frame {
    var stamp = Timestamp.epoch
    /// `false` for simple packet blocks, which have no timestamp.
    var isStamped = true
    var wireLength: UInt32 = 0
    var capturedLength: UInt32 = 0
    var bytes: Bytes
    /// Index in the registry's interfaces, and the link type there.
    var interface = 0
    var link = LinkKind.unread
    /// Direction recorded in the file, if any.
    var direction = PacketDirection.unknown
    var app = AppID.none
}

enum CaptureLimits {
    /// Longest packet: MAXIMUM_SNAPLEN of libpcap and WTAP_MAX_PACKET_SIZE_STANDARD of Wireshark. A larger value means
    /// that the length field is corrupt.
    static let packet: UInt32 = 262_144
    /// Interfaces of all sections together. A file with more would only use up memory.
    static let interfaces = 4_096
    /// Apps and processes that are distinguished.
    static let apps = 4_096
    /// Bytes kept of a name or comment.
    static let text = 256
    /// Comments that are kept.
    static let comments = 64
    /// Outages between two batches of packets.
    static let outages = 1_024
    /// Remarks between two batches of packets.
    static let remarks = 1_024

    /// The longest packet of a link type, as in libpcap (`max_snaplen_for_dlt` in pcap-common.c).
    static func packet(_ linkType: UInt32) -> UInt32 {
        switch linkType {
        case 231: 128 * 1_024 * 1_024  // DBUS
        case 249: 1_024 * 1_024  // USBPCAP
        case 279: 8 * 1_024 * 1_024  // EBHSCR
        default: packet
        }
    }
}

extension ReadWindow {
    /// The fault if the file ends, or its source fails, in the middle of a structure.
    func truncationFault(_ what: String, needs count: UInt64) -> CaptureFault {
        if let failure {
            return CaptureFault(at: offset + UInt64(bytes.count), "cannot continue reading: " + failure.message)
        }
        return CaptureFault(
            at: offset, "the file ends inside \(what): \(bytes.count) of \(count) bytes are there",
            help: "the capture was cut short; everything before this byte is used")
    }

    /// The read error that ended the file early between two structures; `nil` if there was none.
    func sourceFault() -> CaptureFault? {
        failure.map { CaptureFault(at: offset, "cannot continue reading: " + $0.message) }
    }
}
