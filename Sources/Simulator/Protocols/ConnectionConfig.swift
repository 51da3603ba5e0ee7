package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// The server's settings that apply to all connections, such as idle timeout, buffer size and authentication.
package struct ServerConnectionSettings: Sendable {
    package var quicIdle: TimeSpan
    /// Send buffer size in bytes that the server requests for each connection. `nil` uses the kernel's own size.
    package var sendBuffer: UInt32?
    /// `true` if the server requires the client to authenticate before it serves a session.
    package var authenticates: Bool
    /// `true` if QUIC connections may migrate to another address.
    package var allowsMigration: Bool
    /// `true` if the server's program confirms the app's messages with receipts. `false` if the acknowledgement of its
    /// kernel counts as confirmation.
    package var sendsReceipts: Bool
    /// Largest packet in bytes, if a tunnel makes it smaller; `nil` otherwise.
    package var mtu: UInt32?
}

/// The configuration of a connection for its lifetime: its protocol, and the settings of client end and server end. It
/// is looked up once, when the connection is opened. The ends read it, so that they need not examine the transport.
package struct ConnectionConfig: Sendable {
    package let transport: Transport
    package let clientRules: TCPRules
    /// Settings of the server end, which is a Linux host with default socket options except its send buffer size.
    package let serverRules: TCPRules

    package let isDatagram: Bool
    package let isQUIC: Bool
    /// `true` if the client's first packets carry app data (QUIC 0-RTT).
    package let sendsEarlyData: Bool
    /// Maximum time from the connected transport until the connection is open; `nil` if the client sets none.
    package let setupTimeout: TimeSpan?
    /// `true` if the protocol is HTTP/2, which has its own flow-control windows, pings and GOAWAY.
    package let isHTTP2: Bool
    /// `true` if the server can send data only in answer to a request, as with polling.
    package let serverOnlyAnswers: Bool
    /// `true` if the client's pings are short polls: the server answers each at once, with any pending data.
    package let pingsArePolls: Bool
    /// `true` if the server holds a poll until it has data (long polling).
    package let holdsPolls: Bool
    /// Size in bytes of the packet that closes the connection from one side: a TCP segment with RST, or QUIC's
    /// CONNECTION_CLOSE.
    package let resetBytes: UInt32
    package let authenticates: Bool
    package let canMigrate: Bool
    package let sendsReceipts: Bool
    /// The connection set-up (handshake and session request) for a new session, and for one that is resumed.
    package let setups: (beginning: ConnectionSetup, resuming: ConnectionSetup)
    private let passByAddress = PassByAddress()

    init(_ carrier: Transport, _ kernel: Kernel, _ server: ServerConnectionSettings) {
        self.transport = carrier
        isDatagram = carrier.kind == .datagram
        isQUIC = carrier.kind == .quic
        setupTimeout = carrier.setupTimeout
        isHTTP2 = carrier.kind.isHTTP2
        serverOnlyAnswers = carrier.kind.answersOnly
        pingsArePolls = carrier.kind == .polling
        holdsPolls = carrier.kind == .longPolling
        resetBytes = isQUIC ? QUICWire.close : Wire.tcp
        authenticates = server.authenticates && !isDatagram
        canMigrate = isQUIC && server.allowsMigration
        sendsReceipts = server.sendsReceipts
        let idle = isQUIC ? server.quicIdle : nil
        func framing(_ direction: Direction) -> Framing {
            Framing(carrier.wireProtocol, carrier.tlsVariant, direction, headers: carrier.headerSizes)
        }
        clientRules =
            isQUIC
            ? TCPRules(
                kernel: .quic(carrier.quicLibrary), framing: Framing(.http3, carrier.tlsVariant, .up),
                sendBuffer: carrier.sendBuffer,
                idle: idle, mtu: server.mtu)
            : TCPRules(
                kernel: kernel.withSYNRetries(carrier.synRetries), framing: framing(.up),
                userTimeout: carrier.userTimeout,
                addressTimeout: carrier.addressTimeout,
                tcpKeepalive: carrier.tcpKeepalive,
                sendBuffer: carrier.sendBuffer, mtu: server.mtu)
        sendsEarlyData = clientRules.isEarly
        func setup(isResuming: Bool) -> ConnectionSetup {
            ConnectionSetup(
                carrier.wireProtocol, carrier.tlsVariant, isResuming: isResuming,
                authenticates: server.authenticates && carrier.kind != .datagram, awaitsSettings: carrier.kind == .grpc,
                holdsStream: carrier.keepsStreamOpen, headers: carrier.headerSizes)
        }
        setups = (setup(isResuming: false), setup(isResuming: true))
        serverRules = TCPRules(
            kernel: isQUIC ? .quic : .linux, framing: framing(.down), sendBuffer: server.sendBuffer, idle: idle,
            mtu: server.mtu)
    }

    package var isUDP: Bool { isDatagram || isQUIC }

    /// Cause to which the bytes of a pong are counted. On a polling connection a pong is the answer to a poll.
    package var pongCause: Cause { serverOnlyAnswers ? .poll : .pong }
    package var pingCause: Cause { serverOnlyAnswers ? .poll : .keepalive }

    /// Cause of the frames that join subscriptions, and of their answers.
    package var joinCause: Cause { .resume }

    package func cause(of frame: ControlFrame) -> Cause {
        switch frame {
        case .goAway, .finalGoAway, .tooManyPings, .loginRefused, .streamCompleted, .finish, .sessionRefused,
            .sessionRefusedPermanently:
            .connect
        case .poll, .pollAnswer: .poll
        case .confirmation, .connectionWindowUpdate, .streamWindowUpdate: .ack
        case .pong: pongCause
        case .heartbeat: .keepalive
        case .resync, .offsetRequest, .offset: .resume
        case .messageRefused, .messageRefusedPermanently, .messageLocked, .messagesAgain: .ack
        }
    }

}

extension UnsafePointer<ConnectionConfig> {
    /// Pointer to the settings of the client end, which sends upward. Passed by value, they would be copied several
    /// times a packet.
    package var upward: UnsafePointer<TCPRules> { pointer(to: \.clientRules).unsafelyUnwrapped }
    /// Pointer to the settings of the server end, which sends downward.
    package var downward: UnsafePointer<TCPRules> { pointer(to: \.serverRules).unsafelyUnwrapped }

    package func setup(isResuming: Bool) -> ConnectionSetup {
        isResuming ? pointee.setups.resuming : pointee.setups.beginning
    }
}

/// All connection configurations that one worker thread uses. Each has a fixed address, to which its connections point.
package struct ConnectionConfigTable: ~Copyable {
    private let kernel: Kernel
    private let server: ServerConnectionSettings
    private var configs: [UnsafeMutablePointer<ConnectionConfig>] = []

    package init(_ kernel: Kernel, _ server: ServerConnectionSettings) {
        self.kernel = kernel
        self.server = server
        _ = config(of: .webSocket)
    }

    deinit { for place in configs { place.deinitialize(count: 1).deallocate() } }

    /// Configuration that a connection slot uses until a connection is opened in it.
    package var placeholder: UnsafePointer<ConnectionConfig> { UnsafePointer(configs[0]) }

    package mutating func config(of carrier: Transport) -> UnsafePointer<ConnectionConfig> {
        if let known = configs.first(where: { $0.pointee.transport == carrier }) { return UnsafePointer(known) }
        let place = UnsafeMutablePointer<ConnectionConfig>.allocate(capacity: 1)
        place.initialize(to: ConnectionConfig(carrier, kernel, server))
        configs.append(place)
        return UnsafePointer(place)
    }
}

extension Transport {
    fileprivate var wireProtocol: Framing.WireProtocol {
        switch kind {
        case .webSocket, .datagram: .webSocket
        case .http2, .grpc: .http2
        case .quic: .http3
        case .polling, .longPolling: .http1
        case .serverSentEvents: .events
        case .mqtt: .mqtt
        case .tcp: .lengthPrefixed
        }
    }

    fileprivate var tlsVariant: Framing.TLSVariant {
        switch security {
        case .none: .none
        case .tls12: .tls12
        case .tls12Resumed: .tls12Resumed
        case .tls13: .tls13
        case .tls13Resumed: .tls13Resumed
        case .tls13Early: .tls13Early
        }
    }
}
