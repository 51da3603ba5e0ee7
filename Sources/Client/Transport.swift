public import DeadzoneBase

/// The protocol stack of a connection and its socket options. They are fixed when the connection is opened.
public struct Transport: Hashable, Sendable, BitwiseCopyable {
    public enum TransportKind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// TCP, TLS and WebSocket framing: several round trips to set up, then reliable and in order.
        case webSocket
        /// UDP: open at once, without handshake and retransmission.
        case datagram
        /// TCP, TLS and HTTP/2: one long stream for messages, one short stream for each call.
        case http2
        /// Like `http2`, but as gRPC does it: no stream opens before the server's SETTINGS arrive.
        case grpc
        /// QUIC with HTTP/3 on it: survives a change of address if both ends agree.
        case quic
        /// TCP, TLS and HTTP/1.1: the app sends requests, and the server answers with the messages that are
        /// available.
        case polling
        /// Like `polling`, but the server answers only when it has a message, or when its timeout ends.
        case longPolling
        /// TCP, TLS and HTTP/1.1: one response that never ends. The app's own messages go in separate requests.
        case serverSentEvents
        /// TCP, TLS and MQTT.
        case mqtt
        /// TCP and TLS with a protocol of the app's own: no upgrade, and a prefix of 4 bytes before each message.
        case tcp

        /// Names of the transports in a scenario file, each with its value.
        static var words: [(String, Self)] {
            [
                ("websocket", .webSocket), ("http2", .http2), ("grpc", .grpc), ("quic", .quic), ("mqtt", .mqtt),
                ("sse", .serverSentEvents), ("long-polling", .longPolling), ("polling", .polling),
                ("tcp", .tcp), ("datagram", .datagram),
            ]
        }

        public var isHTTP2: Bool { self == .http2 || self == .grpc }
        /// `true` if the server may send only in answer to a request.
        public var answersOnly: Bool { self == .polling || self == .longPolling }
    }

    /// TLS version and kind of handshake of a connection; `none` uses no TLS.
    public enum TLSMode: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case none
        case tls12, tls12Resumed
        case tls13, tls13Resumed, tls13Early
    }

    /// The API through which the app uses its kernel's sockets. The difference matters on iOS only: a BSD socket is not
    /// notified of every loss there.
    public enum SocketAPI: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case socket
        case framework
    }

    public var kind: TransportKind
    public var security: TLSMode
    public var socketAPI = SocketAPI.socket
    /// The QUIC library that sets the default timeouts. Used only with QUIC.
    public var quicLibrary = QUICLibrary.standard
    /// Maximum time that sent data may stay unacknowledged before the connection ends (TCP_USER_TIMEOUT). `nil` leaves
    /// it to the retransmission limit.
    public var userTimeout: TimeSpan?
    /// Number of times that the kernel repeats an unanswered SYN (TCP_SYNCNT, Linux only). `nil` uses the kernel's own.
    public var synRetries: UInt8?
    /// Settings of TCP keepalive; `nil` switches it off.
    public var tcpKeepalive: TCPKeepalive?
    /// Send buffer (SO_SNDBUF): number of bytes, with all framing, that the kernel accepts before they are
    /// acknowledged. `nil` uses the kernel's default.
    public var sendBuffer: UInt32?

    /// `true` if the second address is tried 250 ms after the first (RFC 8305), for a server name with addresses of
    /// both families. Otherwise it is tried when the first has used up `addressTimeout`.
    public var racesAddresses = true
    /// Maximum time for one address to answer; `nil` uses the kernel's SYN retransmission limit.
    public var addressTimeout: TimeSpan?
    /// Maximum time from the TCP connection until the client takes the connection for open: TLS and the session. Go
    /// programs set it as a deadline of the socket. `nil`: only the attempt has a limit.
    public var setupTimeout: TimeSpan?
    /// `true` if an HTTP/2 connection has one long stream, on which the server can send at any time. Without it there
    /// are only calls, and between calls no stream is open.
    public var keepsStreamOpen = true
    /// Keep-alive time in MQTT's CONNECT: the longest silence that the client promises. A broker ends a connection that
    /// is silent for one and a half times as long. `nil` promises none. The strategy has to send the pings.
    public var mqttKeepAlive: TimeSpan?
    /// Sizes of the header fields of each request and response. Used only with HTTP/1.1.
    public var headerSizes = HTTP1HeaderSizes()
    /// Confirmation and encryption of datagrams. Used only with datagrams.
    public var datagrams = DatagramLayer()

    public init(_ kind: TransportKind, security: TLSMode = .tls13) {
        self.kind = kind
        self.security = security
    }

    public static let webSocket = Transport(.webSocket)
    public static let datagram = Transport(.datagram, security: .none)
}
