/// TCP keepalive: when a kernel probes an idle connection (RFC 9293 §3.8.4).
public struct TCPKeepalive: Hashable, Sendable, BitwiseCopyable {
    /// Time without traffic before the first probe.
    public var idle: TimeSpan
    /// Time from one probe to the next.
    public var interval: TimeSpan
    /// Number of unanswered probes after which the connection is closed.
    public var count: UInt8

    public init(idle: TimeSpan, interval: TimeSpan, count: UInt8) {
        self.idle = idle
        self.interval = interval
        self.count = count
    }
}
