public import DeadzonePrimitives

/// What a connection rides on, and how its socket is set. Fixed when the connection is opened.
public struct Carrier: Hashable, Sendable, BitwiseCopyable {
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// TCP, TLS and WebSocket framing: set up in round trips, then reliable and in order.
        case webSocket
        /// UDP: open at once, nothing is repeated.
        case datagram
        /// TCP, TLS and HTTP/2: one long stream for messages, one short stream for each call.
        case http2
        /// The same as gRPC has it: no stream before the server's SETTINGS are there.
        case grpc
        /// QUIC with HTTP/3 on it: outlives a change of address if both ends agree.
        case quic
        /// TCP, TLS and HTTP/1.1: the app asks, the server answers with what there is.
        case polling
        /// The same, the server answering only when there is something, or when its patience ends.
        case longPolling
        /// TCP, TLS and HTTP/1.1: one answer that never ends; what the app says goes in requests beside it.
        case serverSentEvents
        /// TCP, TLS and MQTT.
        case mqtt

        /// What a scenario calls them.
        static var words: [(String, Self)] {
            [
                ("websocket", .webSocket), ("http2", .http2), ("grpc", .grpc), ("quic", .quic), ("mqtt", .mqtt),
                ("sse", .serverSentEvents), ("long-polling", .longPolling), ("polling", .polling),
                ("datagram", .datagram),
            ]
        }

        public var isHTTP2: Bool { self == .http2 || self == .grpc }
        /// The server may speak only when it was asked.
        public var answersOnly: Bool { self == .polling || self == .longPolling }
    }

    /// How the connection is secured.
    public enum Security: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case none
        case tls12, tls12Resumed
        case tls13, tls13Resumed, tls13Early
    }

    /// Through what the app talks to its kernel. Only iOS tells them apart: a BSD socket is not told of every loss there.
    public enum Door: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case socket
        case framework
    }

    /// Probes of the kernel on a connection that says nothing (RFC 9293 §3.8.4).
    public struct Probing: Hashable, Sendable, BitwiseCopyable {
        /// Silence before the first probe.
        public var idle: TimeSpan
        /// From one probe to the next.
        public var interval: TimeSpan
        /// Probes in vain before the connection is given up.
        public var count: UInt8

        public init(idle: TimeSpan, interval: TimeSpan, count: UInt8) {
            self.idle = idle
            self.interval = interval
            self.count = count
        }
    }

    public var kind: Kind
    public var security: Security
    public var door = Door.socket
    /// Of QUIC.
    public var library = QUICLibrary.standard
    /// TCP_USER_TIMEOUT: data unacknowledged for so long ends the connection; nil leaves it to the retransmission limit.
    public var userTimeout: TimeSpan?
    /// TCP keepalive; nil is off.
    public var probing: Probing?
    /// SO_SNDBUF: what the app asks its kernel to take before it has been acknowledged, with all framing; nil: as the kernel has it.
    public var sendBuffer: UInt32?

    /// Where the server's name has addresses of both kinds, the second is tried 250 ms after the first (RFC 8305); otherwise
    /// when the first has used up the patience.
    public var races = true
    /// How long one address may take to answer; nil: as long as the kernel's SYN is repeated.
    public var patience: TimeSpan?
    /// Of HTTP/2: the connection has one long stream, over which the server can say something at any time. Without it there are
    /// calls and nothing else, and between them no stream is open.
    public var holdsStream = true
    /// Of MQTT: the client's promise in CONNECT to say something so often; a broker ends a connection that is silent for one and a
    /// half times as long. Nil: none. The pings are the strategy's to send.
    public var keepAlive: TimeSpan?
    /// Of HTTP/1.1.
    public var headers = HeaderSizes()

    public init(_ kind: Kind, security: Security = .tls13) {
        self.kind = kind
        self.security = security
    }

    public static let webSocket = Carrier(.webSocket)
    public static let datagram = Carrier(.datagram, security: .none)
}
