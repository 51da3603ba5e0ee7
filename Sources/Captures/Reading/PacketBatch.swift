/// Packets that are handed over at once. Whoever has a few of these can still look at one while the next is filled, on
/// another thread, too; one is in one hand at a time.
public final class PacketBatch: @unchecked Sendable {
    /// The first of a capture are held back until the device can be inferred from them; then all of them come at once.
    static let capacity = ReaderEngine.sampleLength

    let packets = UnsafeMutablePointer<Packet>.allocate(capacity: PacketBatch.capacity)
    var count = 0

    public init() {}

    deinit { packets.deallocate() }

    public func read(_ body: (Span<Packet>) -> Void) {
        let packets = UnsafeBufferPointer(start: packets, count: count)
        body(packets.span)
    }

    /// Leaves the others out.
    public func keep(_ isKept: (Packet) -> Bool) {
        var kept = 0
        for index in 0..<count where isKept(packets[index]) {
            packets[kept] = packets[index]
            kept += 1
        }
        count = kept
    }
}
