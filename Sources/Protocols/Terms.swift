public import DeadzoneClient
public import DeadzonePrimitives
public import DeadzoneTransport

/// What a server has to say in the terms of every connection to it.
public struct ServerTerms: Sendable {
    public var quicIdle: TimeSpan
    /// What its kernel takes of a connection before it is sent.
    public var sendBuffer: UInt32?
    /// It makes sure who asks before a session counts.
    public var authenticates: Bool
    /// QUIC connections may move to another address.
    public var allowsMigration: Bool
    /// Its program says what it has of the app's messages; else what its kernel acknowledges is taken for that.
    public var saysReceipts: Bool

    public init(
        quicIdle: TimeSpan, sendBuffer: UInt32?, authenticates: Bool, allowsMigration: Bool, saysReceipts: Bool
    ) {
        self.quicIdle = quicIdle
        self.sendBuffer = sendBuffer
        self.authenticates = authenticates
        self.allowsMigration = allowsMigration
        self.saysReceipts = saysReceipts
    }
}

/// What a connection is opened on, for as long as it lives: its protocol, and how each end is set. Looked up once, when it is
/// opened; no end of a connection asks for the kind of a carrier.
public struct Terms: Sendable {
    public let carrier: Carrier
    public let upward: TCPRules
    /// The server is a Linux host without options but the size of its buffer.
    public let downward: TCPRules

    public let isDatagram: Bool
    public let isQUIC: Bool
    /// The client's first flight carries what its app says.
    public let isEarly: Bool
    /// It has windows of its own, pings of its own, and says goodbye.
    public let isHTTP2: Bool
    /// The server may speak only when it was asked.
    public let answersOnly: Bool
    /// It is asked by pings: each is answered at once, with what there is to say.
    public let pingsArePolls: Bool
    /// It answers a poll once there is something to say.
    public let holdsPolls: Bool
    /// What ends it from one side: a TCP segment with RST, a CONNECTION_CLOSE.
    public let goodbyeBytes: UInt32
    public let authenticates: Bool
    public let canMove: Bool
    public let saysReceipts: Bool
    /// How it is set up, by who begins and who resumes.
    public let setups: (beginning: Setup, resuming: Setup)
    private let lent = Lent()

    init(_ carrier: Carrier, _ kernel: Kernel, _ server: ServerTerms) {
        self.carrier = carrier
        isDatagram = carrier.kind == .datagram
        isQUIC = carrier.kind == .quic
        isHTTP2 = carrier.kind.isHTTP2
        answersOnly = carrier.kind.answersOnly
        pingsArePolls = carrier.kind == .polling
        holdsPolls = carrier.kind == .longPolling
        goodbyeBytes = isQUIC ? QUICWire.close : Wire.tcp
        authenticates = server.authenticates && !isDatagram
        canMove = isQUIC && server.allowsMigration
        saysReceipts = server.saysReceipts
        let idle = isQUIC ? server.quicIdle : nil
        func framing(_ direction: Direction) -> Framing {
            Framing(carrier.tongue, carrier.framingSecurity, direction, headers: carrier.headers)
        }
        upward =
            isQUIC
            ? TCPRules(
                kernel: .quic(carrier.library), framing: Framing(.http3, carrier.framingSecurity, .up),
                sendBuffer: carrier.sendBuffer,
                idle: idle)
            : TCPRules(
                kernel: kernel, framing: framing(.up), userTimeout: carrier.userTimeout, patience: carrier.patience,
                probing: carrier.probing.map { .init(idle: $0.idle, interval: $0.interval, count: $0.count) },
                sendBuffer: carrier.sendBuffer)
        isEarly = upward.isEarly
        func setup(isResuming: Bool) -> Setup {
            Setup(
                carrier.tongue, carrier.framingSecurity, isResuming: isResuming,
                authenticates: server.authenticates && carrier.kind != .datagram, awaitsSettings: carrier.kind == .grpc,
                holdsStream: carrier.holdsStream, headers: carrier.headers)
        }
        setups = (setup(isResuming: false), setup(isResuming: true))
        downward = TCPRules(
            kernel: isQUIC ? .quic : .linux, framing: framing(.down), sendBuffer: server.sendBuffer, idle: idle)
    }

    public var isUDP: Bool { isDatagram || isQUIC }

    /// A pong on a polling connection is the answer to a poll.
    public var pongCause: Cause { answersOnly ? .poll : .pong }
    public var pingCause: Cause { answersOnly ? .poll : .keepalive }

    public func cause(of word: Word) -> Cause {
        switch word {
        case .goAway, .goAwaySettled, .tooManyPings, .loginRefused, .end, .turnedAway, .turnedAwayForGood: .connect
        case .poll, .pollAnswer: .poll
        case .confirmation, .grant, .grantStream: .ack
        case .pong: pongCause
        case .heartbeat: .keepalive
        case .resync: .resume
        }
    }

}

extension UnsafePointer<Terms> {
    /// How each end is set, where it lies: handed on as an argument it would be copied whole, several times a packet.
    @inlinable public var upward: UnsafePointer<TCPRules> { pointer(to: \.upward).unsafelyUnwrapped }
    @inlinable public var downward: UnsafePointer<TCPRules> { pointer(to: \.downward).unsafelyUnwrapped }

    @inlinable public func setup(isResuming: Bool) -> Setup {
        isResuming ? pointee.setups.resuming : pointee.setups.beginning
    }
}

/// The terms of all connections of one worker, each at a place that does not move: a connection holds its address.
public struct TermsTable: ~Copyable {
    private let kernel: Kernel
    private let server: ServerTerms
    private var places: [UnsafeMutablePointer<Terms>] = []

    public init(_ kernel: Kernel, _ server: ServerTerms) {
        self.kernel = kernel
        self.server = server
        _ = place(of: .webSocket)
    }

    deinit { for place in places { place.deinitialize(count: 1).deallocate() } }

    /// Of a slot on which nothing was opened yet.
    public var any: UnsafePointer<Terms> { UnsafePointer(places[0]) }

    public mutating func place(of carrier: Carrier) -> UnsafePointer<Terms> {
        if let known = places.first(where: { $0.pointee.carrier == carrier }) { return UnsafePointer(known) }
        let place = UnsafeMutablePointer<Terms>.allocate(capacity: 1)
        place.initialize(to: Terms(carrier, kernel, server))
        places.append(place)
        return UnsafePointer(place)
    }
}

extension Carrier {
    fileprivate var tongue: Framing.Tongue {
        switch kind {
        case .webSocket, .datagram: .webSocket
        case .http2, .grpc: .http2
        case .quic: .http3
        case .polling, .longPolling: .http1
        case .serverSentEvents: .events
        case .mqtt: .mqtt
        }
    }

    fileprivate var framingSecurity: Framing.Security {
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
