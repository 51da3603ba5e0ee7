public import DeadzoneBase

/// The transport of a strategy's connections. TLS resumption needs an earlier connection, so the first handshake of a
/// process is a full one.
public struct TransportSettings: Hashable, Sendable {
    public var transport: Transport

    public init(_ transport: Transport) { self.transport = transport }

    public func transport(isFirst: Bool) -> Transport {
        guard isFirst else { return transport }
        var first = transport
        switch transport.security {
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

    /// `true` for transports over HTTP/1.1, where every request and response repeats all header fields.
    var repeatsHeaders: Bool { kind == .polling || kind == .longPolling || kind == .serverSentEvents }

    /// `true` if the transport runs over TCP, so that the TCP options of the kernel apply.
    public var isTCP: Bool { kind != .datagram && kind != .quic }
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
            let kind = settings.word(
                "kind", of: Transport.TransportKind.words, default: .webSocket,
                "protocol; grpc: HTTP/2 that waits for SETTINGS")
            var transport = Transport.withDefaults(kind)
            settings.readSecurity(&transport)
            transport.socketAPI = settings.word(
                "api", of: [("socket", Transport.SocketAPI.socket), ("framework", .framework)], default: .socket,
                "API between app and kernel: on iOS a framework (CFStream) reports losses that a socket does not report"
            )
            settings.readHeaders(&transport)
            settings.readKernel(&transport)
            transport.keepsStreamOpen = settings.flag(
                "stream", default: true,
                "HTTP/2: one long stream stays open as long as the connection; otherwise there are only calls")
            if !transport.keepsStreamOpen && !kind.isHTTP2 {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "stream"), width: 6, "`stream: false` without HTTP/2",
                        label: "only an HTTP/2 transport has this stream"))
            }
            return TransportSettings(transport)
        }
        return read ?? TransportSettings(.webSocket)
    }

    private mutating func readSecurity(_ transport: inout Transport) {
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
        guard transport.kind == .quic else { return }
        switch transport.security {
        case .none, .tls12, .tls12Resumed:
            refuse(["tls"], "with QUIC", label: "QUIC uses TLS 1.3: write 1.3, 1.3-resumed or 1.3-early")
        case .tls13, .tls13Resumed, .tls13Early: break
        }
    }

    private mutating func readHeaders(_ transport: inout Transport) {
        guard transport.repeatsHeaders || isDescribing else {
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

    private mutating func readKernel(_ transport: inout Transport) {
        if transport.kind == .mqtt || isDescribing {
            transport.mqttKeepAlive = span(
                "keep-alive", in: .seconds(1) ... .seconds(65_535),
                "MQTT: keep-alive in CONNECT; the broker waits one and a half times this duration for a packet")
        } else {
            refuse(
                ["keep-alive"], "without MQTT",
                label: "only MQTT's CONNECT has one; pings are sent by the strategy's `keepalive`")
        }
        readAddresses(&transport)
        if transport.isTCP || isDescribing {
            readSockets(&transport)
        } else {
            refuse(
                ["user-timeout", "tcp-keepalive", "send-buffer"], "without TCP", label: "this transport uses UDP")
        }
        guard transport.kind == .quic || isDescribing else {
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
        transport.userTimeout = span(
            "user-timeout", in: .milliseconds(1) ... .longest,
            "TCP_USER_TIMEOUT: data that is unconfirmed for this duration ends the connection")
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
