import DeadzonePrimitives

/// What still fits into the send buffer.
///
/// Linux counts what it holds by the buffers it takes (`sk_wmem_queued`), not by bytes: each has a head. What has not left yet shares
/// one as far as it goes, each packet in flight has its own, and a new one is taken as long as the limit is not yet reached. The limit
/// grows with the window, unless the app has set one, which is doubled (`sock_setsockopt`: SO_SNDBUF). Run on 6.18 with CUBIC, Linux's
/// own default, like every number here: BBR asks for half as much again (`bbr_sndbuf_expand`). The heads depend on how a kernel was
/// built; that a receiver's window grows further while much is sent is left out.
extension TCPEnd {
    /// A buffer's head (SKB_TRUESIZE of MAX_TCP_HEADER).
    private static let head: UInt64 = 832
    /// What the limit has for a segment of the window (`tcp_sndbuf_expand`): 1,460 bytes with their heads, in a power of two, twice.
    private static let segmentRoom: UInt64 = 2 * 2_304
    /// SOCK_MIN_SNDBUF, `net.core.wmem_max`, the last of `net.ipv4.tcp_wmem`.
    private static let least: UInt64 = 4_608
    private static let mostAsked: UInt64 = 212_992
    private static let mostGrown: UInt64 = 4 << 20
    /// The window that Linux announces at first; with each whole segment it grows by two, until it is what its buffer holds of such
    /// segments (`tcp_measure_rcv_mss`, `tcp_grow_window`). That follows from the memory that a packet takes, here of a TUN device.
    private static let firstAnnounced: UInt64 = 65_160
    private static let mostAnnounced: UInt64 = 80_896
    /// Whole segments by which it has grown as far as that.
    static let windowSegments: UInt8 = 6

    /// What shares a buffer at most: whole segments of half the widest window that was announced (`tcp_bound_to_half_wnd`).
    private func shared(_ rules: UnsafePointer<TCPRules>) -> UInt64 {
        let announced = min(
            Self.firstAnnounced + 2 * UInt64(wholeSegments) * UInt64(rules.pointee.segment), Self.mostAnnounced)
        return announced / 2 / UInt64(rules.pointee.segment) * UInt64(rules.pointee.segment)
    }

    /// How many buffers so many bytes take that leave at once.
    @inline(__always)
    func buffers(_ bytes: UInt64, _ rules: UnsafePointer<TCPRules>) -> UInt16 {
        // At least a segment shares one.
        if bytes <= UInt64(rules.pointee.segment) { return bytes == 0 ? 0 : 1 }
        let shared = shared(rules)
        return UInt16(clamping: (bytes + shared - 1) / shared)
    }

    /// Below this something more is taken.
    private func limit(_ rules: UnsafePointer<TCPRules>) -> UInt64 {
        switch (rules.pointee.kernel.family, rules.pointee.sendBuffer) {
        case (.linux, nil): min(UInt64(widest) * Self.segmentRoom, Self.mostGrown)
        case (.linux, let asked?): max(2 * min(UInt64(asked), Self.mostAsked), Self.least)
        // `net.inet.tcp.sendspace` (bsd/netinet/tcp_usrreq.c); it grows there, too, which is left out.
        case (.xnu, let asked): asked.map(UInt64.init) ?? 128 << 10
        case (.quic, let asked): asked.map(UInt64.init) ?? Self.mostGrown
        }
    }

    /// What counts against it.
    private func held(_ rules: UnsafePointer<TCPRules>) -> UInt64 {
        guard rules.pointee.kernel.family == .linux else { return buffered }
        return buffered + Self.head * UInt64(packetsOut + buffers(written - highest, rules))
    }

    /// What the kernel will take for one item more. One that is larger than the whole buffer goes through it in pieces.
    @inlinable public func hasRoom(for bytes: UInt32, _ rules: UnsafePointer<TCPRules>) -> Bool {
        buffered == 0 || hasRoomBeside(bytes, rules)
    }

    @usableFromInline func hasRoomBeside(_ bytes: UInt32, _ rules: UnsafePointer<TCPRules>) -> Bool {
        guard rules.pointee.kernel.family == .linux else { return buffered + UInt64(bytes) <= limit(rules) }
        let unsent = written - highest
        let shared = shared(rules)
        let fits = unsent > 0 && (unsent - 1) / shared == (unsent + UInt64(bytes) - 1) / shared
        return fits || held(rules) < limit(rules)
    }

    /// The socket polls as writable: a third must be free (`sk_stream_is_writeable`, include/net/sock.h).
    func hasPlenty(_ rules: UnsafePointer<TCPRules>) -> Bool { held(rules) <= limit(rules) / 3 * 2 }

    /// The same for what the app may write only where there is room, such as its pings: without room the socket is stalled.
    public mutating func makesRoom(for bytes: UInt32, _ rules: UnsafePointer<TCPRules>) -> Bool {
        if hasRoom(for: bytes, rules) { return true }
        isStalled = true
        return false
    }

    /// What was acknowledged frees its buffers; those of a part of what is in flight in proportion.
    mutating func settlePackets(upTo offset: UInt64) {
        let before = highest - acknowledged
        let left = highest - offset
        packetsOut = before == 0 ? 0 : UInt16(clamping: (UInt64(packetsOut) * left + before - 1) / before)
    }
}
