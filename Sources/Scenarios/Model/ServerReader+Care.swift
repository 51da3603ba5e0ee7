import DeadzoneBase
import DeadzoneSimulator

/// Settings for the server's ping policy, its own keepalive, and the lifetime of connections.
extension SettingsReader {
    static var pingPolicies: [(String, PingPolicy.Implementation)] {
        [("a8", .text), ("c-core", .core), ("go", .go), ("java", .java), ("grpc-swift-1", .swift1)]
    }

    private static var heartbeats: [(String, Heartbeat)] {
        [
            ("socket.io", .socketIO), ("actioncable", .actionCable), ("ably", .ably), ("centrifugo", .centrifugo),
            ("discord", .discord),
        ]
    }

    /// Reads a version of the server: the rules that a running server can change. A version that leaves out a key has the
    /// default of that key, and everything else is as in `base`.
    mutating func serverVersion(over base: ServerProfile) -> ServerProfile {
        var version = base
        readHistory(&version)
        readPings(&version)
        readLimits(&version)
        version.thinkTime = span(
            "think", default: .zero, in: .zero ... .hours(1), "time from a call's arrival to its answer")
        return version
    }

    mutating func readCare(_ server: inout ServerProfile) {
        readPings(&server)
        readLimits(&server)
        server.heartbeat = heartbeat(
            "heartbeat", "heartbeats on the server's own clock; on HTTP/2 only `kind: beats`, as messages of the stream"
        )
    }

    private mutating func readLimits(_ server: inout ServerProfile) {
        server.limits.idle = span(
            "max-connection-idle", in: .milliseconds(1) ... .longest,
            "HTTP/2: time without an open stream after which a connection is closed with GOAWAY (gRFC A9)")
        server.limits.age = span(
            "max-connection-age", in: .milliseconds(1) ... .longest,
            "age at which a connection is closed with GOAWAY, 10% more or less (gRFC A9)")
        server.limits.ageGrace = span(
            "max-connection-age-grace", in: .zero ... .longest,
            "time limit of streams that are open then; default: none")
        if server.limits.age == nil { refuse("max-connection-age-grace", without: "max-connection-age") }
        server.limits.session = span(
            "session-limit", in: .milliseconds(1) ... .longest,
            "length after which the program ends a session with success: gRPC's status OK, close code 1000")
        server.keepalive = section("keepalive", "HTTP/2: the server pings silent clients (gRFC A9)") { settings in
            var beats = Heartbeat.grpc
            beats.interval = settings.span(
                "time", default: beats.interval, in: .milliseconds(1) ... .longest, "silence before a ping")
            beats.timeout = settings.span(
                "timeout", default: beats.timeout, in: .milliseconds(1) ... .longest,
                "time limit of an answer; an unanswered ping ends the connection")
            return beats
        }
    }

    private mutating func readPings(_ server: inout ServerProfile) {
        server.pingFloor = span(
            "ping-floor", in: .milliseconds(1) ... .longest,
            "minimum time between two HTTP/2 pings; earlier ones are strikes; default: no minimum without `ping-policy`"
        )
        server.pingPolicy = word(
            "ping-policy", of: Self.pingPolicies,
            "rule for early pings: gRFC A8 as written, gRPC's core, Go, Java or grpc-swift 1; `ping-floor` is then 5m by default"
        )
        server.permitsPingsWithoutCalls = flag(
            "pings-without-calls", default: false,
            "the minimum also holds on a connection without streams; otherwise it is 2h there")
        server.pingStrikes = UInt8(
            count(
                "ping-strikes", default: Int64(PingPolicy.strikes), in: 0...200,
                "early pings that are tolerated; the next one ends the connection; 0 means never"))
    }

    private mutating func heartbeat(_ key: String, _ help: String) -> Heartbeat? {
        either(key, help, plain: ValueFormat.word(Self.heartbeats)) { settings in
            let limits = TimeSpan.milliseconds(1)...TimeSpan.longest
            var beats = Heartbeat(
                settings.word(
                    "kind",
                    of: [("asks", Heartbeat.Mode.asks), ("beats", .beats), ("expects", .expects)], default: .asks,
                    "sends pings and requires an answer; sends beats without answer; or expects the client's own beats"),
                every: settings.span("every", default: .seconds(25), in: limits, "time between two"))
            beats.timeout = settings.span(
                "timeout", default: beats.timeout, in: limits,
                "time limit of an answer, or of a beat; a later one ends the connection"
            )
            beats.afterSilence = settings.word(
                "counts-from", of: [("answer", false), ("silence", true)], default: false,
                "start of the timeout: the last answer, or the last byte, which then counts as an answer")
            beats.isAnnounced = settings.flag(
                "announced", default: false, "the client learns the interval when its session begins")
            beats.bytes = UInt32(
                settings.size(
                    "size", default: 1, in: 0...65_536,
                    "size of a beat without answer; with an `encoding` at least one event"))
            return beats
        }
    }
}

extension ServerProfile {
    /// The settings that differ from the default, in the file's words.
    var careEntries: [Node.MapEntry] {
        let usual = ServerProfile()
        let span = ValueFormat<TimeSpan>.span()
        var entries: [Node.MapEntry] = []
        func add(_ key: String, _ value: TimeSpan?) {
            if let value { entries.append(.init(key: key, value: span.write(value))) }
        }
        add("ping-floor", pingFloor)
        if let variant = pingPolicy, let word = SettingsReader.pingPolicies.first(where: { $0.1 == variant })?.0 {
            entries.append(.init(key: "ping-policy", value: .text(word)))
        }
        if permitsPingsWithoutCalls { entries.append(.init(key: "pings-without-calls", value: .text("true"))) }
        if pingStrikes != usual.pingStrikes {
            entries.append(.init(key: "ping-strikes", value: .text(String(pingStrikes))))
        }
        add("max-connection-idle", limits.idle)
        add("max-connection-age", limits.age)
        add("max-connection-age-grace", limits.ageGrace)
        add("session-limit", limits.session)
        if let keepalive {
            let parts = [("time", keepalive.interval), ("timeout", keepalive.timeout)]
            let node = Node.map(parts.map { Node.MapEntry(key: $0.0, value: span.write($0.1)) })
            entries.append(.init(key: "keepalive", value: node))
        }
        if let heartbeat { entries.append(.init(key: "heartbeat", value: heartbeat.node)) }
        return entries
    }
}

extension Heartbeat {
    fileprivate var node: Node {
        let span = ValueFormat<TimeSpan>.span()
        let kind: String =
            switch self.mode {
            case .asks: "asks"
            case .beats: "beats"
            case .expects: "expects"
            }
        return .map([
            .init(key: "kind", value: .text(kind)), .init(key: "every", value: span.write(interval)),
            .init(key: "timeout", value: span.write(timeout)),
            .init(key: "counts-from", value: .text(afterSilence ? "silence" : "answer")),
            .init(key: "announced", value: .text(isAnnounced ? "true" : "false")),
            .init(key: "size", value: .text("\(bytes)B")),
        ])
    }
}
