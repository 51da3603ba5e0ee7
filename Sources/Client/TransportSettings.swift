public import DeadzoneBase

/// The transport of a strategy's connections. TLS resumption needs an earlier connection, so the first handshake of a
/// process is a full one.
public struct TransportSettings: Hashable, Sendable {
    /// The transport; with a ladder its first one.
    public var transport: Transport
    /// Further transports for networks on which the first one fails; `nil` if there are none.
    public var ladder: TransportLadder?

    public init(_ transport: Transport) { self.transport = transport }

    /// Returns the transport of an attempt.
    /// - Parameter hasBeenOpen: `true` if a connection of the process has opened, for clients without a ladder.
    func transport(hasBeenOpen: Bool, _ state: TransportLadder.State) -> Transport {
        guard let ladder else { return transport.handshake(isFirst: !hasBeenOpen) }
        return ladder.transport(state).handshake(isFirst: !state.hasAnswered)
    }

    /// `true` if the connection of an attempt opens with early data, before any answer of the server (QUIC 0-RTT).
    func opensEarly(hasBeenOpen: Bool, _ state: TransportLadder.State) -> Bool {
        // All transports of a ladder share this setting.
        guard transport.security == .tls13Early else { return false }
        let used = self.transport(hasBeenOpen: hasBeenOpen, state)
        return used.kind == .quic && used.security == .tls13Early
    }

    /// `true` if the present connection can migrate, if its server allows it.
    func canMigrate(_ state: TransportLadder.State) -> Bool {
        ladder.map { $0.transport(state).kind == .quic } ?? true
    }

    /// `true` if a connection may use QUIC.
    var usesQUIC: Bool { (ladder?.transports ?? [transport]).contains { $0.kind == .quic } }
}

extension Transport {
    /// Returns the transport with a full handshake if it is the first of the process.
    func handshake(isFirst: Bool) -> Transport {
        guard isFirst else { return self }
        var first = self
        switch security {
        case .tls12Resumed: first.security = .tls12
        case .tls13Resumed, .tls13Early: first.security = .tls13
        case .none, .tls12, .tls13: break
        }
        return first
    }
}

extension Transport {
    /// The usual configuration of a transport kind: no TLS for datagrams, the defaults of `Transport` for the others.
    public static func withDefaults(_ kind: TransportKind) -> Transport {
        kind == .datagram ? .datagram : Transport(kind)
    }

    /// `true` if the transport runs over TCP, so that the TCP options of the kernel apply.
    public var isTCP: Bool { kind.isTCP }

    /// Returns the transport with another protocol, without the options that it does not have.
    fileprivate func restricted(to kind: TransportKind) -> Transport {
        var other = self
        other.kind = kind
        if !kind.isTCP {
            (other.userTimeout, other.synRetries, other.tcpKeepalive, other.sendBuffer) = (nil, nil, nil, nil)
            other.setupTimeout = nil
        }
        if !kind.repeatsHeaders { other.headerSizes = HTTP1HeaderSizes() }
        if kind != .quic { other.quicLibrary = .standard }
        if kind != .mqtt { other.mqttKeepAlive = nil }
        return other
    }
}

extension Transport.TransportKind {
    /// `true` for transports over HTTP/1.1, where every request and response repeats all header fields.
    fileprivate var repeatsHeaders: Bool { self == .polling || self == .longPolling || self == .serverSentEvents }

    fileprivate var isTCP: Bool {
        switch self {
        case .webSocket, .http2, .grpc, .polling, .longPolling, .serverSentEvents, .mqtt, .tcp: true
        case .datagram, .quic: false
        }
    }
}

extension SettingsReader {
    /// Reads the transport settings, written as `transport: websocket` or `transport: {kind: http2, tls: 1.3-resumed,
    /// user-timeout: 20s}`.
    public mutating func transportSettings(_ key: String, _ help: String = "") -> TransportSettings {
        let plain = ValueFormat.word(Transport.TransportKind.words).map {
            TransportSettings(.withDefaults($0))
        } back: {
            $0.transport.kind
        }
        let read = either(key, help, plain: plain) { settings in
            let kinds = settings.transportKinds()
            var transport = Transport.withDefaults(kinds[0])
            settings.readSecurity(&transport, kinds)
            transport.socketAPI = settings.word(
                "api", of: [("socket", Transport.SocketAPI.socket), ("framework", .framework)], default: .socket,
                "API between app and kernel: on iOS a framework (CFStream) reports losses that a socket does not report"
            )
            settings.readHeaders(&transport, kinds)
            settings.readKernel(&transport, kinds)
            transport.keepsStreamOpen = settings.flag(
                "stream", default: true,
                "HTTP/2: one long stream stays open as long as the connection; otherwise there are only calls")
            if !transport.keepsStreamOpen && (!kinds[0].isHTTP2 || kinds.count > 1) {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "stream"), width: 6, "`stream: false` without HTTP/2",
                        label: "only an HTTP/2 transport has this stream, and without `ladder`"))
            }
            let transports = kinds.count > 1 ? kinds.map(transport.restricted(to:)) : [transport]
            var read = TransportSettings(transports[0])
            read.ladder = settings.ladder(transports)
            if settings.isDescribing { read.ladder = nil }
            return read
        }
        return read ?? TransportSettings(.webSocket)
    }

    /// The protocols of the transport: one, or those of a ladder.
    private mutating func transportKinds() -> [Transport.TransportKind] {
        let ladder = ladderKinds()
        guard ladder.count > 1 else {
            return [
                word(
                    "kind", of: Transport.TransportKind.words, default: .webSocket,
                    "protocol; grpc: HTTP/2 that waits for SETTINGS")
            ]
        }
        refuse(["kind"], "beside `ladder`", label: "the ladder names all transports")
        return ladder
    }

    private mutating func readSecurity(_ transport: inout Transport, _ kinds: [Transport.TransportKind]) {
        if transport.kind == .datagram && !isDescribing {
            return refuse(["tls"], "on datagrams", label: "datagrams have no TLS")
        }
        transport.security = word(
            "tls",
            of: [
                ("none", Transport.TLSMode.none), ("1.2", .tls12), ("1.2-resumed", .tls12Resumed), ("1.3", .tls13),
                ("1.3-resumed", .tls13Resumed), ("1.3-early", .tls13Early),
            ], default: transport.security,
            "TLS version and handshake; with a resumed version the first handshake is still full")
        guard kinds.contains(.quic) else { return }
        switch transport.security {
        case .none, .tls12, .tls12Resumed:
            refuse(["tls"], "with QUIC", label: "QUIC uses TLS 1.3: write 1.3, 1.3-resumed or 1.3-early")
        case .tls13, .tls13Resumed, .tls13Early: break
        }
    }

    private mutating func readHeaders(_ transport: inout Transport, _ kinds: [Transport.TransportKind]) {
        guard kinds.contains(where: \.repeatsHeaders) || isDescribing else {
            return refuse(
                ["headers"], "without HTTP/1.1", label: "only polling, long-polling and sse repeat header fields")
        }
        let usual = HTTP1HeaderSizes()
        transport.headerSizes = group("headers", "HTTP/1.1: size of the header fields in each request and each answer")
        {
            settings in
            HTTP1HeaderSizes(
                request: UInt32(
                    settings.size(
                        "request", default: Int64(usual.request), in: 1...65_536,
                        "first line, header fields and cookies of a request")),
                answer: UInt32(
                    settings.size("answer", default: Int64(usual.answer), in: 1...65_536, "header fields of an answer"))
            )
        }
    }

    private mutating func readKernel(_ transport: inout Transport, _ kinds: [Transport.TransportKind]) {
        if kinds.contains(.mqtt) || isDescribing {
            transport.mqttKeepAlive = span(
                "keep-alive", in: .seconds(1) ... .seconds(65_535),
                "MQTT: keep-alive in CONNECT; the broker waits one and a half times this duration for a packet")
        } else {
            refuse(
                ["keep-alive"], "without MQTT",
                label: "only MQTT's CONNECT has one; pings are sent by the strategy's `keepalive`")
        }
        readAddresses(&transport)
        if kinds.contains(where: \.isTCP) || isDescribing {
            readSockets(&transport)
        } else {
            refuse(
                ["user-timeout", "syn-retries", "tcp-keepalive", "send-buffer", "setup-timeout"], "without TCP",
                label: "this transport uses UDP")
        }
        guard kinds.contains(.quic) || isDescribing else {
            return refuse(["library"], "without QUIC", label: "only QUIC is a library in the app")
        }
        transport.quicLibrary = word(
            "library",
            of: [
                ("rfc-9002", QUICLibrary.standard), ("quic-go", .quicGo), ("aioquic", .aioquic), ("quiche", .quiche),
            ], default: transport.quicLibrary,
            "QUIC: library that sets the first probe timeout and the limit of an attempt; rfc-9002: 1 s and 10 s")
    }

    private mutating func readSockets(_ transport: inout Transport) {
        transport.setupTimeout = span(
            "setup-timeout", in: .milliseconds(1) ... .longest,
            "limit of the set-up after the TCP connection: TLS and the session; default: the limit of the attempt")
        transport.userTimeout = span(
            "user-timeout", in: .milliseconds(1) ... .longest,
            "TCP_USER_TIMEOUT: data that is unconfirmed for this duration ends the connection")
        transport.synRetries = count(
            "syn-retries", in: 1...127,
            "TCP_SYNCNT of Android and Linux: with N repetitions a SYN is given up after 2^(N+1) - 1 s or more; default: 6"
        ).map(UInt8.init)
        // Linux's defaults: 2 h, 75 s, 9 probes (Documentation/networking/ip-sysctl.rst, `tcp_keepalive_*`).
        transport.tcpKeepalive = section("tcp-keepalive", "kernel probes of a silent connection") { settings in
            TCPKeepalive(
                idle: settings.span(
                    "idle", default: .hours(2), in: .seconds(1) ... .longest, "silence before the first probe"),
                interval: settings.span(
                    "interval", default: .seconds(75), in: .seconds(1) ... .longest, "time between two probes"),
                count: UInt8(
                    settings.count("count", default: 9, in: 1...127, "unanswered probes before the kernel gives up")))
        }
        transport.sendBuffer = size(
            "send-buffer", in: 1...Int64(UInt32.max),
            "SO_SNDBUF: unconfirmed bytes that the kernel accepts; Linux doubles the value, and starts with 46 KB"
        ).map(UInt32.init)
    }

    private mutating func readAddresses(_ transport: inout Transport) {
        transport.racesAddresses = flag(
            "race-addresses", default: true,
            "if the server has IPv4 and IPv6 addresses, the second is tried 250 ms after the first (RFC 8305)")
        transport.addressTimeout = span(
            "address-timeout", in: .milliseconds(1) ... .longest,
            "limit of a TCP attempt to one address; default: as long as the kernel repeats its SYN")
    }
}
