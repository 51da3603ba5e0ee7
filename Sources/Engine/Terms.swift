import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTransport

/// What a connection is opened on, for as long as it lives: its protocol, and how each end is set.
struct Terms: Sendable {
    let carrier: Carrier
    let upward: TCPRules
    /// The server is a Linux host without options but the size of its buffer.
    let downward: TCPRules

    init(_ carrier: Carrier, _ kernel: Kernel, _ server: ServerProfile) {
        self.carrier = carrier
        let isQUIC = carrier.kind == .quic
        let idle = isQUIC ? server.quicIdle : nil
        func framing(_ direction: Direction) -> Framing {
            Framing(carrier.tongue, carrier.framingSecurity, direction, headers: carrier.headers)
        }
        upward =
            isQUIC
            ? TCPRules(
                kernel: .quic, framing: Framing(.http3, carrier.framingSecurity, .up), sendBuffer: carrier.sendBuffer,
                idle: idle)
            : TCPRules(
                kernel: kernel, framing: framing(.up), userTimeout: carrier.userTimeout,
                probing: carrier.probing.map { .init(idle: $0.idle, interval: $0.interval, count: $0.count) },
                sendBuffer: carrier.sendBuffer)
        downward = TCPRules(
            kernel: isQUIC ? .quic : .linux, framing: framing(.down), sendBuffer: server.sendBuffer, idle: idle)
    }
}

/// The terms of all connections of one worker, each at a place that does not move: a connection holds its address.
struct TermsTable: ~Copyable {
    private let kernel: Kernel
    private let server: ServerProfile
    private var places: [UnsafeMutablePointer<Terms>] = []

    init(_ kernel: Kernel, _ server: ServerProfile) {
        self.kernel = kernel
        self.server = server
        _ = place(of: .webSocket)
    }

    deinit { for place in places { place.deinitialize(count: 1).deallocate() } }

    /// Of a line on which nothing was opened yet.
    var any: UnsafePointer<Terms> { UnsafePointer(places[0]) }

    mutating func place(of carrier: Carrier) -> UnsafePointer<Terms> {
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
        case .http2: .http2
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

    func setup(isResuming: Bool, authenticates: Bool) -> Setup {
        Setup(
            tongue, framingSecurity, isResuming: isResuming, authenticates: authenticates, headers: headers)
    }
}
