/// One packet of a Perfetto trace, before it becomes a `CapturedPacket`.
struct NetworkTracePacket: BitwiseCopyable {
    /// Trace time in nanoseconds.
    var at: Int64
    /// Number of the packet in file order; it separates equal times.
    var serial: UInt64
    /// Bytes of the IP packet. A packet that the kernel merged from several segments can have 64 KB.
    var length: UInt32
    var context: NetworkContext
}

/// Sorts the packets of a trace by time, within a bounded distance.
///
/// Android writes the packets of a poll (100 ms or more) bundle by bundle, and each bundle has one direction and one
/// set of TCP flags. In file order the SYN of a connection may follow its first data. So packets must be sorted before
/// flows and connections are tracked.
struct TracePacketSorter {
    private var waiting: [NetworkTracePacket] = []
    /// Packets at the front that are in order, and the next of them.
    private var ready = 0
    private var next = 0

    mutating func add(_ packet: NetworkTracePacket) { waiting.append(packet) }

    /// Returns the next packet in order; `nil` if more packets must be added before, or `release` called.
    mutating func take() -> NetworkTracePacket? {
        guard next < ready else { return nil }
        defer { next += 1 }
        return waiting[next]
    }

    /// `true` if enough packets wait to release some.
    var isFull: Bool { waiting.count - ready >= 2 * TraceLimits.held }

    /// Makes the earliest packets available, except a number that is held back.
    mutating func release(keeping kept: Int = TraceLimits.held) {
        waiting.removeFirst(next)
        waiting.sort { ($0.at, $0.serial) < ($1.at, $1.serial) }
        (next, ready) = (0, max(0, waiting.count - kept))
    }
}
