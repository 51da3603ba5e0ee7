/// A stretch in which an interface had no network, as the file itself tells: a statistics block by which the capture of the
/// interface ended (`isb_endtime`) and began again (`isb_starttime`), with a comment that begins with `Outage.mark`.
/// Captures of phones do not know; those of this program do.
public struct Outage: Equatable, Sendable {
    public static let mark = "no coverage"

    public var interface: UInt32
    public var from: Stamp
    public var until: Stamp

    public init(interface: UInt32, from: Stamp, until: Stamp) {
        self.interface = interface
        self.from = from
        self.until = until
    }
}

/// What the file says of an interface beside its packets: the comment of a statistics block that begins with `InterfaceRemark.mark`,
/// without that. What it means is the matter of who wrote it.
public struct InterfaceRemark: Equatable, Sendable {
    public static let mark = "radio told: "
    /// An option has no room for more.
    public static let longest = 60_000

    public var interface: UInt32
    public var text: String
}
