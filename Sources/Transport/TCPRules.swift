public import DeadzonePrimitives

/// How one end of a connection is set: its kernel, its socket's options, and what frames its bytes.
public struct TCPRules: Hashable, Sendable, BitwiseCopyable {
    /// Keepalive of the kernel (RFC 9293 §3.8.4).
    public struct Probing: Hashable, Sendable, BitwiseCopyable {
        public var idle: TimeSpan
        public var interval: TimeSpan
        public var count: UInt8

        public init(idle: TimeSpan, interval: TimeSpan, count: UInt8) {
            self.idle = idle
            self.interval = interval
            self.count = count
        }
    }

    public let kernel: Kernel
    public var framing: Framing
    /// TCP_USER_TIMEOUT, on XNU TCP_RXT_CONNDROPTIME.
    public var userTimeout: TimeSpan?
    /// A connect() that takes longer is given up by whoever called it; nil: as long as the kernel repeats its SYN.
    public var patience: TimeSpan?
    public var probing: Probing?
    /// What the app has asked its kernel to take before it has been acknowledged; nil: as the kernel has it.
    public var sendBuffer: UInt32?
    /// Of QUIC: silence that ends the connection, the smaller of what both ends announced (RFC 9000 §10.1).
    public var idle: TimeSpan?
    /// The most that a packet carries, and what stands before that.
    public let segment: UInt32
    public let header: UInt32

    public init(
        kernel: Kernel = .linux, framing: Framing, userTimeout: TimeSpan? = nil, patience: TimeSpan? = nil,
        probing: Probing? = nil, sendBuffer: UInt32? = nil, idle: TimeSpan? = nil
    ) {
        self.kernel = kernel
        self.framing = framing
        self.userTimeout = userTimeout
        self.patience = patience
        self.probing = probing
        self.sendBuffer = sendBuffer
        self.idle = idle
        segment = kernel.family == .quic ? QUICWire.segment : Wire.segment
        header = kernel.family == .quic ? QUICWire.packet + QUICWire.stream : Wire.tcp
    }

    public var isQUIC: Bool { kernel.family == .quic }
    /// The first flight of a QUIC connection carries what the app says (RFC 9001 §4.6).
    public var isEarly: Bool { isQUIC && framing.security == .tls13Early }
    /// What begins a connection, and what answers it.
    var hello: UInt32 { isQUIC ? QUICWire.initial : Setup.syn }
    var helloReply: UInt32 { isQUIC ? QUICWire.answer(framing.security) : Setup.syn }
}
