import DeadzoneBase
import DeadzoneClient
@testable import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// The configuration that a connection is opened with, for each transport.
struct ConnectionConfigTests {
    private static let kinds: [Transport.TransportKind] = [
        .webSocket, .datagram, .http2, .grpc, .quic, .polling, .longPolling, .serverSentEvents, .mqtt, .tcp,
    ]

    private func config(_ transport: Transport, migrates: Bool = true) -> ConnectionConfig {
        var table = ConnectionConfigTable(
            .xnu,
            ServerConnectionSettings(
                quicIdle: .seconds(30), sendBuffer: 7_000, authenticates: true, allowsMigration: migrates,
                sendsReceipts: false))
        return table.config(of: transport).pointee
    }

    @Test(arguments: kinds)
    func aTransportHasTheFeaturesOfItsProtocol(_ kind: Transport.TransportKind) {
        // Broken: TCP migrates, QUIC never becomes idle, a datagram transport logs in, or a polled server sends on
        // its own.
        let config = config(Transport(kind))
        let (isQUIC, isPolled) = (kind == .quic, kind == .polling || kind == .longPolling)
        #expect(
            config.isQUIC == isQUIC && config.isDatagram == (kind == .datagram)
                && config.isHTTP2 == [.http2, .grpc].contains(kind))
        #expect(config.isUDP == (isQUIC || kind == .datagram))
        #expect(config.canMigrate == isQUIC && !self.config(Transport(kind), migrates: false).canMigrate)
        #expect(config.authenticates == (kind != .datagram))
        #expect(
            config.setups.resuming.authenticates == config.authenticates && config.setups.resuming.isResuming
                && !config.setups.beginning.isResuming)
        // gRPC needs one more flight than the other HTTP/2 transports before there is a session.
        #expect(config.setups.beginning.hasSettingsFlight == (kind == .grpc))
        #expect(config.serverOnlyAnswers == isPolled)
        #expect(config.pingsArePolls == (kind == .polling) && config.holdsPolls == (kind == .longPolling))
        #expect(config.pongCause == (isPolled ? .poll : .pong) && config.pingCause == (isPolled ? .poll : .keepalive))
        #expect(config.cause(of: .heartbeat) == .keepalive)
        #expect((config.resetBytes == Wire.tcp) != isQUIC)
        #expect(
            config.serverRules.idle == (isQUIC ? .seconds(30) : nil)
                && config.clientRules.idle == config.serverRules.idle)
        #expect(config.clientRules.kernel.family == (isQUIC ? .quic : .xnu))
        #expect(config.serverRules.kernel.family == (isQUIC ? .quic : .linux))
    }

    @Test(arguments: kinds)
    func eachDirectionHasItsOwnFraming(_ kind: Transport.TransportKind) {
        // Broken: downlink frames are sized like uplink frames, or one end has the send buffer of the other.
        var transport = Transport(kind)
        transport.sendBuffer = 9_000
        transport.userTimeout = .seconds(11)
        let config = config(transport)
        #expect(config.clientRules.sendBuffer == 9_000 && config.serverRules.sendBuffer == 7_000)
        #expect(config.clientRules.framing.direction == .up && config.serverRules.framing.direction == .down)
        #expect(config.clientRules.framing.wireProtocol == config.serverRules.framing.wireProtocol)
        #expect(
            config.clientRules.userTimeout == (kind == .quic ? nil : .seconds(11))
                && config.serverRules.userTimeout == nil)
        let tongues: [Transport.TransportKind: Framing.WireProtocol] = [
            .webSocket: .webSocket, .datagram: .webSocket, .http2: .http2, .grpc: .http2, .quic: .http3,
            .polling: .http1,
            .longPolling: .http1, .serverSentEvents: .events, .mqtt: .mqtt, .tcp: .lengthPrefixed,
        ]
        #expect(config.clientRules.framing.wireProtocol == tongues[kind])
    }

    /// Broken: the bytes of a control frame count for another cause, or a connection has the records of another security.
    @Test(arguments: kinds)
    func eachFrameHasItsCause(_ kind: Transport.TransportKind) {
        let config = config(Transport(kind))
        let isPolled = kind == .polling || kind == .longPolling
        let causes: [(Cause, [ControlFrame])] = [
            (
                .connect,
                [
                    .goAway, .finalGoAway, .tooManyPings, .loginRefused, .streamCompleted, .finish, .sessionRefused,
                    .sessionRefusedPermanently,
                ]
            ),
            (.poll, [.poll, .pollAnswer]), (.keepalive, [.heartbeat]), (isPolled ? .poll : .pong, [.pong(3)]),
            (
                .ack,
                [
                    .confirmation(2), .connectionWindowUpdate(9), .streamWindowUpdate(9), .messageRefused,
                    .messageRefusedPermanently, .messageLocked, .messagesAgain,
                ]
            ),
            (.resume, [.resync, .offsetRequest, .offset]),
        ]
        for (cause, frames) in causes {
            for frame in frames { #expect(config.cause(of: frame) == cause, "\(frame)") }
        }
        #expect(config.joinCause == .resume)
        for (security, variant) in [
            (.none, .none), (.tls12, .tls12), (.tls12Resumed, .tls12Resumed), (.tls13, .tls13),
            (.tls13Resumed, .tls13Resumed), (.tls13Early, .tls13Early),
        ] as [(Transport.TLSMode, Framing.TLSVariant)] where kind != .datagram {
            let rules = self.config(Transport(kind, security: security)).clientRules
            #expect(rules.framing.security == variant, "\(security)")
        }
    }

    /// Broken: an app's own number of SYN repetitions applies to no kernel, to the server, or to a kernel without this option.
    @Test func repetitionsOfASYNAreThoseOfTheApp() {
        var transport = Transport(.tcp)
        transport.synRetries = 2
        for (kernel, limit) in [(Kernel.linux, 7), (.linux(.before48), 7), (.xnu, 75)] as [(Kernel, Int64)] {
            var table = ConnectionConfigTable(
                kernel,
                ServerConnectionSettings(
                    quicIdle: .seconds(30), sendBuffer: nil, authenticates: false, allowsMigration: false,
                    sendsReceipts: true))
            let config = table.config(of: transport).pointee
            let whole = config.clientRules.kernel.connectTimeout
            #expect(TimeSpan.seconds(limit) <= whole && whole < .seconds(limit + 1), "\(whole)")
            #expect(config.serverRules.kernel == .linux)
        }
    }

    @Test func twoTransportsOfOneKindHaveTheirOwnConfig() {
        // Broken: a connection with another buffer size gets the configuration of the one before.
        let server = ServerConnectionSettings(
            quicIdle: .seconds(30), sendBuffer: nil, authenticates: false, allowsMigration: false, sendsReceipts: true)
        var table = ConnectionConfigTable(.linux, server)
        var small = Transport(.http2)
        small.sendBuffer = 1_000
        let (plain, own) = (table.config(of: Transport(.http2)), table.config(of: small))
        #expect(
            plain != own && own.pointee.clientRules.sendBuffer == 1_000 && plain.pointee.clientRules.sendBuffer == nil)
        #expect(table.config(of: small) == own)
    }
}
