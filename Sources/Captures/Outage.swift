/// A period in which a captured interface had no network, as the file records it.
///
/// It is a statistics block with a comment that begins with `Outage.commentPrefix`. Its `isb_endtime` is the end of the
/// capture on the interface; its `isb_starttime` is the restart. Captures taken on phones do not record outages;
/// captures written by this program do.
package struct Outage: Equatable, Sendable {
    package static let commentPrefix = "no coverage"

    package var interface: UInt32
    package var from: Timestamp
    package var until: Timestamp

    package init(interface: UInt32, from: Timestamp, until: Timestamp) {
        self.interface = interface
        self.from = from
        self.until = until
    }
}

/// A remark about an interface in a capture file, for the program that wrote it. It is the comment of a statistics
/// block that begins with `InterfaceRemark.commentPrefix`, without that prefix. Its meaning is defined by the program
/// that wrote it.
package struct InterfaceRemark: Equatable, Sendable {
    package static let commentPrefix = "radio told: "
    /// A pcapng option cannot hold more bytes than this.
    package static let maximumBytes = 60_000

    package var interface: UInt32
    package var text: String
}
