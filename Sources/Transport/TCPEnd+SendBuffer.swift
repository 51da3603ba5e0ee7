import DeadzoneBase

/// Computes if the kernel's send buffer has room for more data.
///
/// Linux counts the memory of its buffers (`sk_wmem_queued`) instead of bytes: each buffer has an overhead. Unsent data
/// shares a buffer as far as it fits, and each packet in flight has its own. A new buffer is allocated as long as the
/// limit is not yet reached. The limit grows with the window, unless the app has set one; Linux doubles that value
/// (`sock_setsockopt`: SO_SNDBUF). All numbers here were measured on 6.18 with CUBIC, Linux's default. BBR takes half
/// as much again (`bbr_sndbuf_expand`). The overhead depends on how a kernel was built. Not modelled: a receiver's
/// window grows further while much is sent.
extension TCPEnd {
    /// Memory in bytes that a kernel buffer takes in addition to its data (SKB_TRUESIZE of MAX_TCP_HEADER).
    private static let bufferOverhead: UInt64 = 832
    /// Bytes by which the send buffer's limit grows for each segment of the window (`tcp_sndbuf_expand`): 1,460 bytes
    /// with their overhead, rounded up to a power of two, times two.
    private static let bytesPerWindowSegment: UInt64 = 2 * 2_304
    /// Minimum size in bytes of the send buffer: SOCK_MIN_SNDBUF.
    private static let minSendBuffer: UInt64 = 4_608
    /// Maximum size in bytes that an app can request for the send buffer: `net.core.wmem_max`.
    private static let maxRequestedBuffer: UInt64 = 212_992
    /// Maximum size in bytes to which the kernel lets the send buffer grow: the last value of `net.ipv4.tcp_wmem`.
    private static let maxAutoBuffer: UInt64 = 4 << 20
    /// Receive window in bytes that Linux announces at first. It grows by two segments with each full segment, up to
    /// the maximum (`tcp_measure_rcv_mss`, `tcp_grow_window`).
    private static let initialReceiveWindow: UInt64 = 65_160
    /// Maximum receive window in bytes: the number of full segments that the receive buffer holds. It depends on the
    /// memory that a packet takes, here on a TUN device.
    private static let maxReceiveWindow: UInt64 = 80_896
    /// Number of full segments after which the receive window has reached its maximum.
    static let maxGrowthSegments: UInt8 = 6

    /// Returns the maximum number of unsent bytes in one buffer: whole segments in half of the widest window that the
    /// other end has announced (`tcp_bound_to_half_wnd`).
    private func bytesPerBuffer(_ rules: UnsafePointer<TCPRules>) -> UInt64 {
        let announced = min(
            Self.initialReceiveWindow + 2 * UInt64(fullSegments) * UInt64(rules.pointee.segment), Self.maxReceiveWindow)
        return announced / 2 / UInt64(rules.pointee.segment) * UInt64(rules.pointee.segment)
    }

    /// Returns the number of kernel buffers for `bytes` bytes that are sent together.
    @inline(__always)
    func bufferCount(_ bytes: UInt64, _ rules: UnsafePointer<TCPRules>) -> UInt16 {
        // A buffer holds at least one segment.
        if bytes <= UInt64(rules.pointee.segment) { return bytes == 0 ? 0 : 1 }
        let shared = bytesPerBuffer(rules)
        return UInt16(clamping: (bytes + shared - 1) / shared)
    }

    /// Returns the limit of the send buffer in bytes. Linux accepts another item while the used memory is below it.
    private func sendBufferLimit(_ rules: UnsafePointer<TCPRules>) -> UInt64 {
        switch (rules.pointee.kernel.family, rules.pointee.sendBuffer) {
        case (.linux, nil): min(UInt64(peakWindow) * Self.bytesPerWindowSegment, Self.maxAutoBuffer)
        case (.linux, let asked?): max(2 * min(UInt64(asked), Self.maxRequestedBuffer), Self.minSendBuffer)
        // `net.inet.tcp.sendspace` (bsd/netinet/tcp_usrreq.c). XNU grows it as well, which is not modelled.
        case (.xnu, let asked): asked.map(UInt64.init) ?? 128 << 10
        case (.quic, let asked): asked.map(UInt64.init) ?? Self.maxAutoBuffer
        }
    }

    /// Returns the bytes that count against the send buffer's limit: on Linux including the overhead of the buffers.
    private func accountedBytes(_ rules: UnsafePointer<TCPRules>) -> UInt64 {
        guard rules.pointee.kernel.family == .linux else { return buffered }
        return buffered + Self.bufferOverhead * UInt64(packetsOut + bufferCount(written - highestSent, rules))
    }

    /// `true` if the kernel accepts an item of this size now. An item larger than the whole buffer is accepted if the
    /// buffer is empty.
    package func hasRoom(for bytes: UInt32, _ rules: UnsafePointer<TCPRules>) -> Bool {
        buffered == 0 || hasRoomInNonEmpty(bytes, rules)
    }

    func hasRoomInNonEmpty(_ bytes: UInt32, _ rules: UnsafePointer<TCPRules>) -> Bool {
        guard rules.pointee.kernel.family == .linux else { return buffered + UInt64(bytes) <= sendBufferLimit(rules) }
        let unsent = written - highestSent
        let shared = bytesPerBuffer(rules)
        let fits = unsent > 0 && (unsent - 1) / shared == (unsent + UInt64(bytes) - 1) / shared
        return fits || accountedBytes(rules) < sendBufferLimit(rules)
    }

    /// `true` if poll() reports the socket as writable. For that a third of the send buffer must be free
    /// (`sk_stream_is_writeable`, include/net/sock.h).
    func isPollWritable(_ rules: UnsafePointer<TCPRules>) -> Bool {
        accountedBytes(rules) <= sendBufferLimit(rules) / 3 * 2
    }

    /// Returns `true` if the kernel accepts an item of this size. If not, marks the socket as stalled. Used for items
    /// such as pings that the app writes only if there is room.
    package mutating func checkRoom(for bytes: UInt32, _ rules: UnsafePointer<TCPRules>) -> Bool {
        if hasRoom(for: bytes, rules) { return true }
        isStalled = true
        return false
    }

    /// Releases the buffers of data that was acknowledged up to `offset`. If only a part of the data in flight was
    /// acknowledged, releases the same part of the buffers.
    mutating func releaseBuffers(upTo offset: UInt64) {
        let before = highestSent - acknowledged
        let left = highestSent - offset
        packetsOut = before == 0 ? 0 : UInt16(clamping: (UInt64(packetsOut) * left + before - 1) / before)
    }

    /// Merges the buffers of the first segment, which is about to be retransmitted (`tcp_retrans_try_collapse`). The
    /// average size of those in flight stands for theirs.
    mutating func mergeFirstBuffers(_ rules: UnsafePointer<TCPRules>) {
        guard packetsOut > 1, !scoreboard.isEmpty else { return }
        let average = max((highestSent - acknowledged) / UInt64(packetsOut), 1)
        let merged = UInt16(clamping: UInt64(rules.pointee.segment) / average)
        if merged > 1 { packetsOut -= min(merged, packetsOut) - 1 }
    }
}
