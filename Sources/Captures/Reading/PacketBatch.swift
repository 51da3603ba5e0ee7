/// Packets that are handed over at once. Whoever has a few of these can still look at one while the next is filled, on
/// another thread, too; one is in one hand at a time.
public final class PacketBatch: @unchecked Sendable {
    /// The first of a capture are held back until the device can be inferred from them; then all of them come at once.
    static let capacity = ReaderEngine.sampleLength

    let packets = UnsafeMutablePointer<Packet>.allocate(capacity: PacketBatch.capacity)
    var count = 0
    /// What the file said of networks lost, before these packets or among them.
    public internal(set) var outages: [Outage] = []
    /// And of its interfaces.
    public internal(set) var remarks: [InterfaceRemark] = []

    public init() {}

    deinit { packets.deallocate() }

    public func read(_ body: (Span<Packet>) -> Void) {
        let packets = UnsafeBufferPointer(start: packets, count: count)
        body(packets.span)
    }

    /// The same for somebody who is changed by them, in place.
    public func read<Taker>(into taker: inout Taker, _ body: (inout Taker, Span<Packet>) -> Void) {
        let packets = UnsafeBufferPointer(start: packets, count: count)
        body(&taker, packets.span)
    }

    /// Leaves out what other interfaces say.
    public func keep(_ isKept: (_ interface: UInt32) -> Bool) {
        outages.removeAll { !isKept($0.interface) }
        remarks.removeAll { !isKept($0.interface) }
        var kept = 0
        for index in 0..<count where isKept(packets[index].interface) {
            packets[kept] = packets[index]
            kept += 1
        }
        count = kept
    }
}
