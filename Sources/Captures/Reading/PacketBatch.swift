/// A reusable buffer of packets that a capture reader fills. With several batches, one can be read while the next is
/// filled, also on another thread. Each batch may be used by one thread at a time.
package final class PacketBatch: @unchecked Sendable {
    /// The first packets are held back until the device can be inferred; then all of them are delivered at once.
    static let capacity = ReaderEngine.sampleLength

    let packets = UnsafeMutablePointer<CapturedPacket>.allocate(capacity: PacketBatch.capacity)
    var count = 0
    package internal(set) var summary = PacketSummary(kinds: TrafficKinds(), flows: 0, interface: nil)
    /// Outages recorded in the file before or among these packets.
    package internal(set) var outages: [Outage] = []
    /// Interface remarks recorded before or among these packets.
    package internal(set) var remarks: [InterfaceRemark] = []

    package init() {}

    deinit { packets.deallocate() }

    package func read(_ body: (Span<CapturedPacket>) -> Void) {
        let packets = UnsafeBufferPointer(start: packets, count: count)
        body(packets.span)
    }

    /// Reads the packets into a value that the closure changes in place.
    package func read<Taker>(into taker: inout Taker, _ body: (inout Taker, Span<CapturedPacket>) -> Void) {
        let packets = UnsafeBufferPointer(start: packets, count: count)
        body(&taker, packets.span)
    }

    /// Removes packets, outages and remarks of other interfaces.
    package func keep(_ isKept: (_ interface: UInt32) -> Bool) {
        outages.removeAll { !isKept($0.interface) }
        remarks.removeAll { !isKept($0.interface) }
        var kept = 0
        for index in 0..<count where isKept(packets[index].interface) {
            packets[kept] = packets[index]
            kept += 1
        }
        count = kept
        summary = PacketSummary(UnsafeBufferPointer(start: packets, count: count).span)
    }
}
