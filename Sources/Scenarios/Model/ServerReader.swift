import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings

extension SettingsReader {
    mutating func server(canPush: Bool) -> ServerProfile {
        let usual = ServerProfile()
        var server = ServerProfile(
            acceptsPerSecond: count(
                "accepts-per-second", in: 1...Int64(UInt32.max),
                "new connections that an instance can take in a second, from all phones together"
            ).map { UInt32($0) },
            think: span("think", default: .zero, in: .zero ... .hours(1), "from a call's arrival to its answer"),
            idleLimit: span(
                "idle-limit", in: .seconds(1) ... .longest,
                "a connection on which the client said nothing for so long is ended"))
        server.push = word(
            "push", of: PushHabit.words, default: usual.push,
            "what it asks of the push service when it has a message and no connection of the phone")
        if server.push != .none && !canPush && !isDescribing {
            note(
                Fault(
                    .contradiction, at: mark(of: "push"), width: 4, "`push` to a phone without a push service",
                    label: "name a `platform:` under phone"))
        }
        readCare(&server)
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
        readMemory(&server)
        readSlowConsumers(&server)
        readCluster(&server)
        server.troubles = troubles()
        server.authentication = span(
            "auth", in: .zero ... .hours(1),
            "it makes sure who asks before a session counts: a round trip more, and so long")
        server.handshakeCost = section("handshake-cost", "TLS, beside accepts-per-second") { settings in
            HandshakeCost(
                full: settings.span("full", default: .zero, "the processor's time for a full handshake"),
                resumed: settings.span("resumed", default: .zero, "for a resumed one"))
        }
        return server
    }
}

extension PushHabit {
    fileprivate static let words: [(String, Self)] = [("none", .none), ("normal", .normal), ("high", .high)]
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
            entry("push", \.push) { .text(PushHabit.words.word($0)) },
            entry("hold", \.hold) { span.write($0) }, entry("grace", \.grace) { span.write($0) },
            entry("quic-idle", \.quicIdle) { span.write($0) },
            entry("migration", \.allowsMigration) { .text($0 ? "true" : "false") },
            memoryEntries,
            slowConsumerEntries, cluster.entries, troubles.entries,
            entry("auth", \.authentication) { span.write($0 ?? .zero) },
            entry("handshake-cost", \.handshakeCost) {
                .list($0.map { [span.write($0.full), span.write($0.resumed)] } ?? [])
            },
        ]
        return parts.flatMap { $0 } + careEntries
    }
}
