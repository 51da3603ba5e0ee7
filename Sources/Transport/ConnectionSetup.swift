package import DeadzoneBase

/// The message exchanges that open a session after TCP is connected: TLS handshake, upgrade or SETTINGS, login.
///
/// Each exchange is a flight: data from the client, then the server's answer, all on the byte stream. An awaited flight
/// costs a round trip, because the client waits for its answer. The last flight requests the session. HTTP/2 sections
/// below are those of RFC 9113.
///
///     security      flights before the session      protocol     the session's own flight
///     none          –                               WebSocket    awaited (upgrade, RFC 6455 §4)
///     TLS 1.2       2 (RFC 5246 §7.3)               MQTT         awaited (CONNECT, CONNACK)
///     1.2 resumed   1                               HTTP/2       not awaited (preface, SETTINGS and stream, §3.4)
///                                                   gRPC         preface and SETTINGS awaited, stream not awaited
///     TLS 1.3, PSK  1 (RFC 8446 §2)                 HTTP/1.1     not awaited (the first request)
///     1.3 0-RTT     0: hello and session in one      own protocol not awaited (its first message)
///
/// Not modelled: the processor time of a handshake, because there are no trustworthy figures for phones.
package struct ConnectionSetup: Hashable, Sendable, BitwiseCopyable {
    package var wireProtocol: Framing.WireProtocol
    package var security: Framing.TLSVariant
    package var isResuming: Bool
    /// `true` if the client authenticates with one more flight after opening the session, and waits for its answer.
    package var authenticates: Bool
    /// HTTP/2 only: `true` if the client sends no request before the server's SETTINGS arrive. gRPC's libraries wait,
    /// OkHttp does not. Measured over TLS with a server that sends its SETTINGS three seconds late: grpcio 1.85 and
    /// grpc-go 1.33 are ready when SETTINGS arrive, and so is grpc-java 1.41 without TLS. OkHttp 3.13 has sent its
    /// request at once.
    package var awaitsSettings: Bool
    /// HTTP/2 only: `true` if the session is a long-lived stream. `false` if the session is the connection itself.
    package var holdsStream: Bool
    /// HTTP/1.1 only: sizes of the request and answer headers.
    package var headers: HTTP1HeaderSizes

    package init(
        _ wireProtocol: Framing.WireProtocol, _ security: Framing.TLSVariant, isResuming: Bool,
        authenticates: Bool = false,
        awaitsSettings: Bool = false, holdsStream: Bool = true, headers: HTTP1HeaderSizes = HTTP1HeaderSizes()
    ) {
        self.authenticates = authenticates
        self.awaitsSettings = awaitsSettings
        self.holdsStream = holdsStream
        self.headers = headers
        self.wireProtocol = wireProtocol
        self.security = security
        self.isResuming = isResuming
    }

    /// Number of TLS handshake flights, which come before the first flight that the server program answers.
    package var securityFlights: UInt32 {
        // QUIC's own hello secures the connection.
        if wireProtocol == .http3 { return 0 }
        return switch security {
        case .none, .tls13Early: 0
        case .tls12: 2
        case .tls12Resumed, .tls13, .tls13Resumed: 1
        }
    }

    /// `true` if the client fetches the server's SETTINGS with a separate flight before the one that opens the session.
    package var hasSettingsFlight: Bool { awaitsSettings && holdsStream }

    /// Index of the last flight. It opens the session or, if the client authenticates, completes it.
    package var sessionFlight: UInt32 { securityFlights + (hasSettingsFlight ? 1 : 0) + (authenticates ? 1 : 0) }

    /// Index of the first flight that the server program answers. The kernel and the TLS library answer the flights
    /// before it. A busy server answers this flight as soon as it gets to it.
    package var firstProgramFlight: UInt32 { hasSettingsFlight ? securityFlights : sessionFlight }

    /// Index of the flight after which the server has done its part of the set-up: when it has answered this flight.
    package var serverReadyFlight: UInt32 { authenticates ? sessionFlight : firstProgramFlight }

    /// Number of flights that must be answered before the client treats the connection as open.
    package var awaitedFlights: UInt32 {
        if authenticates { return sessionFlight + 1 }
        return switch wireProtocol {
        case .webSocket, .mqtt: securityFlights + 1
        case .http2: awaitsSettings ? securityFlights + 1 : securityFlights
        case .http1, .http3, .events, .lengthPrefixed: securityFlights
        }
    }

    /// Size of a SYN, and of its answer, with the usual options in bytes: IPv4 header 20, TCP header 20, options 20.
    package static let syn: UInt32 = 60

    package struct HandshakeFlight: Hashable, Sendable {
        package var cause: Cause
        /// Bytes that the client sends on the stream.
        package var up: UInt32
        /// Bytes that the server answers with on the stream.
        package var down: UInt32
    }

    package func flight(_ index: UInt32) -> HandshakeFlight {
        if index < securityFlights { return handshake(index) }
        let own = index - securityFlights
        if hasSettingsFlight && own == 1 { return stream }
        return own == 0 ? firstFlight : authentication
    }

    /// The flight that authenticates the client: a bearer token of 600 bytes and an answer of 40 bytes. The token size
    /// is assumed, for a JWT with a few claims and an RSA signature.
    private var authentication: HandshakeFlight {
        let up = Framing(wireProtocol, security, .up)
        let down = Framing(wireProtocol, security, .down)
        return HandshakeFlight(cause: isResuming ? .resume : .connect, up: up.control(600), down: down.control(40))
    }

    /// Returns the TLS handshake flight with this index. The ClientHello of 517 bytes has the padded size of RFC 7685.
    /// Assumed sizes: a server's flight of 3,400 bytes with a chain of two certificates, 250 bytes without; a ticket of
    /// 250 bytes. In TLS 1.2: 126 bytes for the client's key exchange and Finished (ECDHE with P-256), and 260 for the
    /// server's with a new ticket.
    private func handshake(_ index: UInt32) -> HandshakeFlight {
        switch (security, index) {
        case (.tls12, 1): HandshakeFlight(cause: .tls, up: 126, down: 260)
        case (.tls12Resumed, _): HandshakeFlight(cause: .tls, up: 517 + 250, down: 250)
        case (.tls13Resumed, _): HandshakeFlight(cause: .tls, up: 517 + 250, down: 250)
        default: HandshakeFlight(cause: .tls, up: 517, down: 3_400)
        }
    }

    /// The flight that opens the session's stream after SETTINGS have arrived. The client sends HEADERS of 69 bytes (60
    /// bytes of fields are assumed) and acknowledges SETTINGS with 9 bytes. The server answers with 29 bytes.
    private var stream: HandshakeFlight {
        let up = Framing(wireProtocol, security, .up)
        let down = Framing(wireProtocol, security, .down)
        return HandshakeFlight(cause: isResuming ? .resume : .connect, up: up.control(69 + 9), down: down.control(29))
    }

    /// The flight with HTTP/2's connection preface. Sizes in bytes: preface 24, SETTINGS 27, WINDOW_UPDATE 13; in the
    /// answer SETTINGS 15 and an acknowledgement 9. The flight also opens the stream if SETTINGS are not awaited.
    private func preface(_ up: Framing, _ down: Framing) -> HandshakeFlight {
        let goesAlong = holdsStream && !awaitsSettings
        return HandshakeFlight(
            cause: .connect, up: up.control(goesAlong ? 64 + 69 : 64), down: down.control(goesAlong ? 24 + 29 : 24))
    }

    /// The first flight after the TLS handshake. If the client's Finished ends the handshake, this flight carries it:
    /// 74 bytes in TLS 1.3, 51 bytes in resumed TLS 1.2.
    private var firstFlight: HandshakeFlight {
        let up = Framing(wireProtocol, security, .up)
        let down = Framing(wireProtocol, security, .down)
        var flight =
            switch wireProtocol {
            // An upgrade is a request and a response.
            case .webSocket: HandshakeFlight(cause: .connect, up: up.control(300), down: down.control(150))
            case .http2: preface(up, down)
            case .http1, .events:
                HandshakeFlight(cause: .connect, up: up.control(headers.request), down: down.control(headers.answer))
            // SETTINGS 20, HEADERS 69 with the client's Finished; SETTINGS 20, HEADERS 29.
            case .http3: HandshakeFlight(cause: .connect, up: up.control(89), down: down.control(49))
            // CONNECT with a client name, user and password (60 bytes assumed), SUBSCRIBE 25; CONNACK 4, SUBACK 5.
            case .mqtt: HandshakeFlight(cause: .connect, up: up.control(85), down: down.control(9))
            // A message that opens the session, and its answer: both without content.
            case .lengthPrefixed:
                HandshakeFlight(
                    cause: .connect, up: up.control(Framing.lengthPrefix), down: down.control(Framing.lengthPrefix))
            }
        switch security {
        // The first flight is padded, and answered like any other (RFC 9000 §14.1).
        case .tls13Early where wireProtocol == .http3:
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
