package import DeadzoneBase

/// Settings of one end of a TCP or QUIC connection: its kernel, its socket options, and its protocol framing.
package struct TCPRules: Hashable, Sendable, BitwiseCopyable {
    package let kernel: Kernel
    package var framing: Framing
    /// Maximum time that sent data may stay unacknowledged: TCP_USER_TIMEOUT; on XNU TCP_RXT_CONNDROPTIME. `nil` uses
    /// the kernel's own limit.
    package var userTimeout: TimeSpan?
    /// Time after which the caller of connect() gives up on this address. `nil` waits as long as the kernel repeats its
    /// SYN.
    package var addressTimeout: TimeSpan?
    package var tcpKeepalive: TCPKeepalive?
    /// Send buffer size in bytes that the app has requested. `nil` uses the kernel's own size.
    package var sendBuffer: UInt32?
    /// QUIC only: time without packets after which the connection ends, the smaller of the two announced timeouts (RFC
    /// 9000 §10.1). `nil` if there is none.
    package var idle: TimeSpan?
    /// Maximum payload of a segment, in bytes.
    package let segment: UInt32
    /// Size of the headers of a segment, in bytes.
    package let header: UInt32

    /// - Parameter mtu: Largest packet in bytes, if the path has a smaller one than Ethernet; `nil` otherwise.
    package init(
        kernel: Kernel = .linux, framing: Framing, userTimeout: TimeSpan? = nil, addressTimeout: TimeSpan? = nil,
        tcpKeepalive: TCPKeepalive? = nil, sendBuffer: UInt32? = nil, idle: TimeSpan? = nil, mtu: UInt32? = nil
    ) {
        self.kernel = kernel
        self.framing = framing
        self.userTimeout = userTimeout
        self.addressTimeout = addressTimeout
        self.tcpKeepalive = tcpKeepalive
        self.sendBuffer = sendBuffer
        self.idle = idle
        let headers = kernel.family == .quic ? QUICWire.packet + QUICWire.stream : Wire.tcp
        let usual = kernel.family == .quic ? QUICWire.segment : Wire.segment
        header = headers
        segment = mtu.map { min(usual, max($0, headers + 1) - headers) } ?? usual
    }

    package var isQUIC: Bool { kernel.family == .quic }
    /// `true` if the first packets of a QUIC connection carry app data (0-RTT, RFC 9001 §4.6).
    package var isEarly: Bool { isQUIC && framing.security == .tls13Early }
    /// Size in bytes of the first packet of a connection: a SYN, or QUIC's Initial.
    var helloBytes: UInt32 { isQUIC ? QUICWire.initial : ConnectionSetup.syn }
    /// Size in bytes of the answer to the first packet.
    var helloReplyBytes: UInt32 { isQUIC ? QUICWire.answer(framing.security) : ConnectionSetup.syn }
}
