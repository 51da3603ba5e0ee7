import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings

/// What a server makes of pings, how it pings by itself, and how long it keeps a connection.
extension SettingsReader {
    static var pingPolicies: [(String, PingPolicy.Variant)] {
        [("a8", .text), ("c-core", .core), ("go", .go), ("java", .java), ("grpc-swift-1", .swift1)]
    }

    private static var heartbeats: [(String, Heartbeat)] {
        [
            ("socket.io", .socketIO), ("actioncable", .actionCable), ("ably", .ably), ("centrifugo", .centrifugo),
            ("discord", .discord),
        ]
    }

    mutating func readCare(_ server: inout ServerProfile) {
        readPings(&server)
        server.limits.idle = span(
            "max-connection-idle", in: .milliseconds(1) ... .longest,
            "HTTP/2: a connection without an open stream for so long is sent away (gRFC A9)")
        server.limits.age = span(
            "max-connection-age", in: .milliseconds(1) ... .longest,
            "a connection of this age, 10% more or less, is sent away (gRFC A9)")
        server.limits.ageGrace = span(
            "max-connection-age-grace", in: .zero ... .longest,
            "how long streams may take that are open then; without it as long as they like")
        if server.limits.age == nil { refuse("max-connection-age-grace", without: "max-connection-age") }
        server.keepalive = section("keepalive", "HTTP/2: it pings clients that say nothing (gRFC A9)") { settings in
            var beats = Heartbeat.grpc
            beats.interval = settings.span(
                "time", default: beats.interval, in: .milliseconds(1) ... .longest, "silence before it pings")
            beats.timeout = settings.span(
                "timeout", default: beats.timeout, in: .milliseconds(1) ... .longest,
                "no answer for so long ends the connection")
            return beats
        }
        server.heartbeat = heartbeat(
            "heartbeat", "signs of life by its own clock; on HTTP/2 `kind: beats`, as messages of the stream")
    }

    private mutating func readPings(_ server: inout ServerProfile) {
        server.pingFloor = span(
            "ping-floor", in: .milliseconds(1) ... .longest,
            "HTTP/2 pings that come sooner are struck; without it, and without `ping-policy`, all are welcome")
        server.pingPolicy = word(
            "ping-policy", of: Self.pingPolicies,
            "whose way of counting them it has: gRFC A8 as written, gRPC's core, Go, Java or grpc-swift 1; the floor is 5m then"
        )
        server.permitsPingsWithoutCalls = flag(
            "pings-without-calls", default: false,
            "the floor holds on a connection without streams as well; otherwise it is 2h there")
        server.pingStrikes = UInt8(
            count(
                "ping-strikes", default: Int64(PingPolicy.strikes), in: 0...200,
                "early pings that it bears; the next one ends the connection, 0 is never"))
    }

    private mutating func heartbeat(_ key: String, _ help: String) -> Heartbeat? {
        either(key, help, plain: Form.word(Self.heartbeats)) { settings in
            let limits = TimeSpan.milliseconds(1)...TimeSpan.longest
            var beats = Heartbeat(
                settings.word(
                    "kind",
                    of: [("asks", Heartbeat.Kind.asks), ("beats", .beats), ("expects", .expects)], default: .asks,
                    "it pings and wants an answer; speaks and wants none; or waits for the client's own beats"),
                every: settings.span("every", default: .seconds(25), in: limits, "from one to the next"))
            beats.timeout = settings.span(
                "timeout", default: beats.timeout, in: limits, "an answer, or a beat, that is later ends the connection"
            )
            beats.afterSilence = settings.word(
                "counts-from", of: [("answer", false), ("silence", true)], default: false,
                "from the last answer, or from the last byte, which is as good as an answer then")
            beats.isAnnounced = settings.flag(
                "announced", default: false, "the client is told the interval when its session begins")
            beats.bytes = UInt32(
                settings.size(
                    "size", default: 1, in: 0...65_536,
                    "what it says, where it wants no answer; with an `encoding` at least an event"))
            return beats
        }
    }
}

extension ServerProfile {
    /// The same in the words of a file, where it is not the usual.
    var careEntries: [Node.Entry] {
        let usual = ServerProfile()
        let span = Form<TimeSpan>.span()
        var entries: [Node.Entry] = []
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
        if let keepalive {
            let parts = [("time", keepalive.interval), ("timeout", keepalive.timeout)]
            let node = Node.map(parts.map { Node.Entry(key: $0.0, value: span.write($0.1)) })
            entries.append(.init(key: "keepalive", value: node))
        }
        if let heartbeat { entries.append(.init(key: "heartbeat", value: heartbeat.node)) }
        return entries
    }
}

extension Heartbeat {
    fileprivate var node: Node {
        let span = Form<TimeSpan>.span()
        let kind: String =
            switch self.kind {
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
