public import DeadzonePrimitives

/// How a connection is set up once TCP stands: flights of the client, each with the server's answer, all of them data of the
/// stream. What is awaited costs a round trip; the last flight asks for the session.
///
///     security      flights before the session      tongue       the session's own
///     none          –                               WebSocket    awaited (upgrade, RFC 6455 §4)
///     TLS 1.2       2 (RFC 5246 §7.3)               MQTT         awaited (CONNECT, CONNACK)
///     1.2 resumed   1                               HTTP/2       goes along (preface, SETTINGS and the stream, RFC 9113 §3.4)
///                                                   gRPC         preface and SETTINGS awaited, then the stream goes along
///     TLS 1.3, PSK  1 (RFC 8446 §2)                 HTTP/1.1     goes along (the first request)
///     1.3 0-RTT     0: hello and session in one
///
/// Where this lies: what a handshake costs the processor is left out, for want of figures of phones that could be trusted.
public struct Setup: Hashable, Sendable, BitwiseCopyable {
    public var tongue: Framing.Tongue
    public var security: Framing.Security
    public var isResuming: Bool
    /// One flight more asks who the client is, and is awaited.
    public var authenticates: Bool
    /// Of HTTP/2: nothing is asked for before the server's SETTINGS are there. So do gRPC's libraries, and OkHttp does not: run against
    /// a server that says its SETTINGS three seconds late, over TLS, grpcio 1.85 and grpc-go 1.33 (and grpc-java 1.41 in the clear)
    /// are ready when they come, and OkHttp 3.13 has sent its request at once.
    public var awaitsSettings: Bool
    /// Of HTTP/2: the session is a stream. Without it the session is the connection.
    public var holdsStream: Bool
    /// Of HTTP/1.1.
    public var headers: HeaderSizes

    public init(
        _ tongue: Framing.Tongue, _ security: Framing.Security, isResuming: Bool, authenticates: Bool = false,
        awaitsSettings: Bool = false, holdsStream: Bool = true, headers: HeaderSizes = HeaderSizes()
    ) {
        self.authenticates = authenticates
        self.awaitsSettings = awaitsSettings
        self.holdsStream = holdsStream
        self.headers = headers
        self.tongue = tongue
        self.security = security
        self.isResuming = isResuming
    }

    /// Flights before the first that a program answers.
    public var secured: UInt32 {
        // QUIC's own hello secures it.
        if tongue == .http3 { return 0 }
        return switch security {
        case .none, .tls13Early: 0
        case .tls12: 2
        case .tls12Resumed, .tls13, .tls13Resumed: 1
        }
    }

    /// A flight of its own brings the server's SETTINGS, and the session comes after it.
    public var settlesFirst: Bool { awaitsSettings && holdsStream }

    /// The session's flight: the last.
    public var session: UInt32 { secured + (settlesFirst ? 1 : 0) + (authenticates ? 1 : 0) }

    /// The first flight that a program answers; the kernel and TLS have answered those before it. A server that is busy answers it once it
    /// comes to it.
    public var accepted: UInt32 { settlesFirst ? secured : session }

    /// With its answer the server has said its part of the set-up.
    public var greeting: UInt32 { authenticates ? session : accepted }

    /// Flights whose answer the client awaits before the connection is open to it.
    public var awaited: UInt32 {
        if authenticates { return session + 1 }
        return switch tongue {
        case .webSocket, .mqtt: secured + 1
        case .http2: awaitsSettings ? secured + 1 : secured
        case .http1, .http3, .events: secured
        }
    }

    /// SYN and its answer with their usual options: IPv4 20, TCP 20, options 20.
    public static let syn: UInt32 = 60

    public struct Flight: Hashable, Sendable {
        public var cause: Cause
        /// Bytes on the stream.
        public var up: UInt32
        public var down: UInt32
    }

    public func flight(_ index: UInt32) -> Flight {
        if index < secured { return handshake(index) }
        let own = index - secured
        if settlesFirst && own == 1 { return stream }
        return own == 0 ? firstFlight : authentication
    }

    /// A bearer token: 600 bytes are assumed, as of a JWT with a few claims and an RSA signature; a short word for an answer.
    private var authentication: Flight {
        let up = Framing(tongue, security, .up)
        let down = Framing(tongue, security, .down)
        return Flight(cause: isResuming ? .resume : .connect, up: up.control(600), down: down.control(40))
    }

    /// The ClientHello of 517 bytes is the padded size of RFC 7685. Assumed: a server's flight of 3,400 bytes with a chain of
    /// two certificates, 250 without; a ticket of 250 bytes; in TLS 1.2 126 bytes for the client's key exchange and Finished
    /// (ECDHE with P-256), and 260 for the server's with a new ticket.
    private func handshake(_ index: UInt32) -> Flight {
        switch (security, index) {
        case (.tls12, 1): Flight(cause: .tls, up: 126, down: 260)
        case (.tls12Resumed, _): Flight(cause: .tls, up: 517 + 250, down: 250)
        case (.tls13Resumed, _): Flight(cause: .tls, up: 517 + 250, down: 250)
        default: Flight(cause: .tls, up: 517, down: 3_400)
        }
    }

    /// HEADERS of the stream 69 (fields assumed 60), and 29 in answer; SETTINGS are acknowledged with 9.
    private var stream: Flight {
        let up = Framing(tongue, security, .up)
        let down = Framing(tongue, security, .down)
        return Flight(cause: isResuming ? .resume : .connect, up: up.control(69 + 9), down: down.control(29))
    }

    /// Preface 24, SETTINGS 27, WINDOW_UPDATE 13; SETTINGS 15 and an acknowledgement 9. Where nobody awaits those, the stream goes along.
    private func preface(_ up: Framing, _ down: Framing) -> Flight {
        let goesAlong = holdsStream && !awaitsSettings
        return Flight(
            cause: .connect, up: up.control(goesAlong ? 64 + 69 : 64), down: down.control(goesAlong ? 24 + 29 : 24))
    }

    /// With the client's Finished where the handshake ends with it: 74 bytes in TLS 1.3, 51 in TLS 1.2 resumed.
    private var firstFlight: Flight {
        let up = Framing(tongue, security, .up)
        let down = Framing(tongue, security, .down)
        var flight =
            switch tongue {
            // An upgrade is a request and a response.
            case .webSocket: Flight(cause: .connect, up: up.control(300), down: down.control(150))
            case .http2: preface(up, down)
            case .http1, .events:
                Flight(cause: .connect, up: up.control(headers.request), down: down.control(headers.answer))
            // SETTINGS 20, HEADERS 69 with the client's Finished; SETTINGS 20, HEADERS 29.
            case .http3: Flight(cause: .connect, up: up.control(89), down: down.control(49))
            // CONNECT with a client name, user and password (60 bytes assumed), SUBSCRIBE 25; CONNACK 4, SUBACK 5.
            case .mqtt: Flight(cause: .connect, up: up.control(85), down: down.control(9))
            }
        switch security {
        // The first flight is padded, and answered like any (RFC 9000 §14.1).
        case .tls13Early where tongue == .http3:
            flight.up = max(flight.up, QUICPath.padded) + 250
            flight.down += QUICPath.padded
        case .none, .tls12: break
        case .tls12Resumed: flight.up += 51
        case .tls13, .tls13Resumed: flight.up += 74
        case .tls13Early:
            flight.up += 517 + 250
            flight.down += 250
        }
        if isResuming { flight.cause = .resume }
        return flight
    }
}
