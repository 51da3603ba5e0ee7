/// A period in which a captured interface had no network, as the file records it.
///
/// It is a statistics block with a comment that begins with `Outage.commentPrefix`. Its `isb_endtime` is the end of the
/// capture on the interface; its `isb_starttime` is the restart. Captures taken on phones do not record outages;
/// captures written by this program do.
public struct Outage: Equatable, Sendable {
    public static let commentPrefix = "no coverage"

    public var interface: UInt32
    public var from: Timestamp
    public var until: Timestamp

    public init(interface: UInt32, from: Timestamp, until: Timestamp) {
        self.interface = interface
        self.from = from
        self.until = until
    }
}

/// A remark about an interface in a capture file, for the program that wrote it. It is the comment of a statistics
/// block that begins with `InterfaceRemark.commentPrefix`, without that prefix. Its meaning is defined by the program
/// that wrote it.
public struct InterfaceRemark: Equatable, Sendable {
    public static let commentPrefix = "radio told: "
    /// A pcapng option cannot hold more bytes than this.
    public static let maximumBytes = 60_000

    public var interface: UInt32
    public var text: String
}
