import DeadzoneEngine
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings

extension SettingsReader {
    mutating func server() -> ServerProfile {
        let usual = ServerProfile()
        var server = ServerProfile(
            acceptsPerSecond: count(
                "accepts-per-second", in: 1...Int64(UInt32.max),
                "new connections that it can take in a second, from all phones together"
            ).map { UInt32($0) },
            think: span("think", default: .zero, in: .zero ... .hours(1), "from a call's arrival to its answer"),
            idleLimit: span(
                "idle-limit", in: .seconds(1) ... .longest,
                "a connection on which the client said nothing for so long is ended"))
        server.push = word(
            "push", of: [("none", PushHabit.none), ("normal", .normal), ("high", .high)], default: usual.push,
            "what it asks of the push service when it has a message and no connection of the phone")
        server.pingFloor = span(
            "ping-floor", in: .milliseconds(1) ... .longest,
            "HTTP/2 pings that come sooner are struck; without it all are welcome")
        server.pingPolicy = word(
            "ping-policy", of: Self.pingPolicies,
            "whose way of counting them it has: gRFC A8 as written, gRPC's core, Go, Java, or grpc-swift 1; the floor is 5m then"
        )
        server.permitsPingsWithoutCalls = flag(
            "pings-without-calls", default: false,
            "the floor holds on a connection without streams as well; otherwise it is 2h there")
        server.pingStrikes = UInt8(
            count(
                "ping-strikes", default: Int64(usual.pingStrikes), in: 0...200,
                "early pings that it bears; the next one ends the connection, 0 is never"))
        server.hold = span(
            "hold", default: usual.hold, in: .milliseconds(1) ... .longest,
            "a long poll is answered after so long even if there is nothing to say")
        server.grace = span(
            "grace", default: usual.grace, "how long a connection that is told to go away may take to end")
        server.quicIdle = span(
            "quic-idle", default: usual.quicIdle, in: .milliseconds(1) ... .longest,
            "silence that ends a QUIC connection")
        server.allowsMigration = flag(
            "migration", default: usual.allowsMigration, "QUIC connections may move to another address")
        return server
    }
}

extension SettingsReader {
    fileprivate static var pingPolicies: [(String, PingPolicy.Variant)] {
        [("a8", .text), ("c-core", .core), ("go", .go), ("java", .java), ("grpc-swift-1", .swift1)]
    }
}

extension ServerProfile {
    /// What differs from a server that was not described, in words that are the same for every way of writing it.
    var entries: [Node.Entry] {
        let usual = ServerProfile()
        let span = Form<TimeSpan>.span()
        func entry<Value: Equatable>(_ key: String, _ value: KeyPath<Self, Value>, _ write: (Value) -> Node) -> [Node
            .Entry]
        {
            self[keyPath: value] == usual[keyPath: value] ? [] : [.init(key: key, value: write(self[keyPath: value]))]
        }
        let parts: [[Node.Entry]] = [
            entry("accepts-per-second", \.acceptsPerSecond) { .text($0.map { String($0) } ?? "") },
            entry("think", \.think) { span.write($0) },
            entry("idle-limit", \.idleLimit) { span.write($0 ?? .zero) },
            entry("push", \.push) { .text("\($0)") },
            entry("ping-floor", \.pingFloor) { span.write($0 ?? .zero) },
            entry("ping-policy", \.pingPolicy) { variant in
                .text(SettingsReader.pingPolicies.first { $0.1 == variant }?.0 ?? "")
            },
            entry("pings-without-calls", \.permitsPingsWithoutCalls) { .text($0 ? "true" : "false") },
            entry("ping-strikes", \.pingStrikes) { .text(String($0)) },
            entry("hold", \.hold) { span.write($0) }, entry("grace", \.grace) { span.write($0) },
            entry("quic-idle", \.quicIdle) { span.write($0) },
            entry("migration", \.allowsMigration) { .text($0 ? "true" : "false") },
        ]
        return parts.flatMap { $0 }
    }
}
