import DeadzonePrimitives
public import DeadzoneSettings

/// What connections ride on. Resumption of TLS needs an earlier connection: the first of a process is set up in full.
public struct Carrying: Hashable, Sendable {
    public var carrier: Carrier

    public init(_ carrier: Carrier) { self.carrier = carrier }

    public func carrier(isFirst: Bool) -> Carrier {
        guard isFirst else { return carrier }
        var first = carrier
        switch carrier.security {
        case .tls12Resumed: first.security = .tls12
        case .tls13Resumed, .tls13Early: first.security = .tls13
        case .none, .tls12, .tls13: break
        }
        return first
    }
}

extension Carrier {
    /// As apps have it that ask for nothing else.
    public static func usual(_ kind: Kind) -> Carrier { kind == .datagram ? .datagram : Carrier(kind) }

    /// HTTP/1.1, whose requests and answers say all their fields again.
    var repeatsHeaders: Bool { kind == .polling || kind == .longPolling || kind == .serverSentEvents }

    /// The kernel's settings of a stream mean something.
    public var isTCP: Bool { kind != .datagram && kind != .quic }
}

extension SettingsReader {
    /// `transport: websocket`, or `transport: {kind: http2, tls: 1.3-resumed, user-timeout: 20s}`
    public mutating func carrying(_ key: String, _ help: String = "") -> Carrying {
        let plain = Form.word(Carrier.Kind.words).map {
            Carrying(.usual($0))
        } back: {
            $0.carrier.kind
        }
        let read = either(key, help, plain: plain) { settings in
            let kind = settings.word(
                "kind", of: Carrier.Kind.words, default: .webSocket, "the protocol; grpc: HTTP/2 that awaits SETTINGS")
            var carrier = Carrier.usual(kind)
            settings.readSecurity(&carrier)
            carrier.door = settings.word(
                "api", of: [("socket", Carrier.Door.socket), ("framework", .framework)], default: .socket,
                "how the app reaches its kernel: iOS tells a framework (CFStream) of losses a socket never hears of")
            settings.readHeaders(&carrier)
            settings.readKernel(&carrier)
            carrier.holdsStream = settings.flag(
                "stream", default: true,
                "HTTP/2: one long stream is open for as long as the connection; without it there are calls alone")
            if !carrier.holdsStream && !kind.isHTTP2 {
                settings.note(
                    Fault(
                        .contradiction, at: settings.mark(of: "stream"), width: 6, "`stream: false` without HTTP/2",
                        label: "nothing else is made of streams"))
            }
            return Carrying(carrier)
        }
        return read ?? Carrying(.webSocket)
    }

    private mutating func readSecurity(_ carrier: inout Carrier) {
        if carrier.kind == .datagram && !isDescribing {
            return refuse(["tls"], "on datagrams", label: "they are sent as they are")
        }
        carrier.security = word(
            "tls",
            of: [
                ("none", Carrier.Security.none), ("1.2", .tls12), ("1.2-resumed", .tls12Resumed), ("1.3", .tls13),
                ("1.3-resumed", .tls13Resumed), ("1.3-early", .tls13Early),
            ], default: carrier.security, "how it is secured; what is resumed is set up in full the first time")
        guard carrier.kind == .quic else { return }
        switch carrier.security {
        case .none, .tls12, .tls12Resumed:
            refuse(["tls"], "with QUIC", label: "it speaks TLS 1.3: write 1.3, 1.3-resumed or 1.3-early")
        case .tls13, .tls13Resumed, .tls13Early: break
        }
    }

    private mutating func readHeaders(_ carrier: inout Carrier) {
        guard carrier.repeatsHeaders || isDescribing else {
            return refuse(["headers"], "without HTTP/1.1", label: "only polling, long-polling and sse repeat them")
        }
        let usual = HeaderSizes()
        carrier.headers = group("headers", "HTTP/1.1: what each request and each answer says beside its content") {
            settings in
            HeaderSizes(
                request: UInt32(
                    settings.size(
                        "request", default: Int64(usual.request), in: 1...65_536, "first line, fields, cookies")),
                answer: UInt32(
                    settings.size("answer", default: Int64(usual.answer), in: 1...65_536, "of an answer")))
        }
    }

    private mutating func readKernel(_ carrier: inout Carrier) {
        if carrier.kind == .mqtt || isDescribing {
            carrier.keepAlive = span(
                "keep-alive", in: .seconds(1) ... .seconds(65_535),
                "MQTT: what CONNECT promises; a broker waits one and a half times as long for a packet")
        } else {
            refuse(
                ["keep-alive"], "without MQTT",
                label: "only its CONNECT has one; what sends pings is the strategy's `keepalive`")
        }
        readAddresses(&carrier)
        if carrier.isTCP || isDescribing {
            readSockets(&carrier)
        } else {
            refuse(
                ["user-timeout", "tcp-keepalive", "send-buffer"], "without TCP", label: "this transport rides on UDP")
        }
        guard carrier.kind == .quic || isDescribing else {
            return refuse(["library"], "without QUIC", label: "only QUIC comes with the app")
        }
        carrier.library = word(
            "library",
            of: [
                ("rfc-9002", QUICLibrary.standard), ("quic-go", .quicGo), ("aioquic", .aioquic), ("quiche", .quiche),
            ], default: carrier.library,
            "QUIC: whose first probe timeout and limit of an attempt; 1 s and 10 s, or those of a library")
    }

    private mutating func readSockets(_ carrier: inout Carrier) {
        carrier.userTimeout = span(
            "user-timeout", in: .milliseconds(1) ... .longest,
            "TCP_USER_TIMEOUT: data unconfirmed for so long ends the connection")
        // Linux's defaults: 2 h, 75 s, 9 probes (Documentation/networking/ip-sysctl.rst, `tcp_keepalive_*`).
        carrier.probing = section("tcp-keepalive", "the kernel's own probes of a silent connection") { settings in
            Carrier.Probing(
                idle: settings.span(
                    "idle", default: .hours(2), in: .seconds(1) ... .longest, "silence before the first probe"),
                interval: settings.span(
                    "interval", default: .seconds(75), in: .seconds(1) ... .longest, "from one probe to the next"),
                count: UInt8(settings.count("count", default: 9, in: 1...127, "probes in vain before it gives up")))
        }
        carrier.sendBuffer = size(
            "send-buffer", in: 1...Int64(UInt32.max),
            "SO_SNDBUF: what the kernel takes before it has been confirmed; Linux doubles it, and has 46 KB at first"
        ).map(UInt32.init)
    }

    private mutating func readAddresses(_ carrier: inout Carrier) {
        carrier.races = flag(
            "race-addresses", default: true,
            "of a server with IPv4 and IPv6 the second is tried 250 ms after the first (RFC 8305)")
        carrier.patience = span(
            "address-timeout", in: .milliseconds(1) ... .longest,
            "how long TCP to one address may take; by default as long as the kernel repeats its SYN")
    }
}
