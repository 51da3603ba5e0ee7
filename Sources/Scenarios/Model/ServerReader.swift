import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport

extension SettingsReader {
    mutating func server(canPush: Bool) -> ServerProfile {
        let usual = ServerProfile()
        var server = ServerProfile(
            acceptsPerSecond: count(
                "accepts-per-second", in: 1...Int64(UInt32.max),
                "new connections per second that an instance accepts, from all phones together"
            ).map { UInt32($0) },
            thinkTime: span(
                "think", default: .zero, in: .zero ... .hours(1), "time from a call's arrival to its answer"),
            idleLimit: span(
                "idle-limit", in: .seconds(1) ... .longest,
                "silence of the client that ends a connection"))
        serverPush(&server)
        if server.push != .none && !canPush && !isDescribing { notePushWithoutService() }
        readCare(&server)
        server.longPollTimeout = span(
            "hold", default: usual.longPollTimeout, in: .milliseconds(1) ... .longest,
            "time limit of a long poll; an empty answer is sent then")
        server.grace = span(
            "grace", default: usual.grace,
            "time for a connection to end after GOAWAY or an equivalent message")
        server.quicIdle = span(
            "quic-idle", default: usual.quicIdle, in: .milliseconds(1) ... .longest,
            "silence that ends a QUIC connection")
        server.allowsMigration = flag(
            "migration", default: usual.allowsMigration, "QUIC connections may migrate to another address")
        readMemory(&server)
        readSlowConsumers(&server)
        readCluster(&server)
        server.faults = troubles()
        if server.faults.messages != nil, server.receipts == nil, !isDescribing {
            note(
                Fault(
                    .contradiction, at: mark(of: "errors"), width: 6, "refused `messages` without `acks`",
                    label: "the kernel confirms a message before the program refuses it: add `acks: {}`"))
        }
        server.codes = endCodes()
        server.credentials = credentialRules()
        server.streams = subscriptionRules(beside: server.slowConsumers)
        readOtherUsers(&server)
        server.authentication = span(
            "auth", in: .zero ... .hours(1),
            "time of an authentication before a session counts, in addition to one round trip")
        server.handshakeCost = section(
            "handshake-cost",
            "processor time of a TLS handshake, in addition to accepts-per-second; without that rate it delays no other"
        ) { settings in
            HandshakeCost(
                full: settings.span("full", default: .zero, "processor time of a full handshake"),
                resumed: settings.span("resumed", default: .zero, "processor time of a resumed handshake"))
        }
        return server
    }
}

extension ServerProfile {
    /// Names of the settings that differ from the default server.
    package var settingNames: [String] { entries.map(\.key) }

    /// The settings that differ from the default server, as canonical text that does not depend on how the file is
    /// written.
    var entries: [Node.MapEntry] {
        let usual = ServerProfile()
        let span = ValueFormat<TimeSpan>.span()
        func entry<Value: Equatable>(_ key: String, _ value: KeyPath<Self, Value>, _ write: (Value) -> Node) -> [Node
            .MapEntry]
        {
            self[keyPath: value] == usual[keyPath: value] ? [] : [.init(key: key, value: write(self[keyPath: value]))]
        }
        let parts: [[Node.MapEntry]] = [
            entry("accepts-per-second", \.acceptsPerSecond) { .text($0.map { String($0) } ?? "") },
            entry("think", \.thinkTime) { span.write($0) },
            entry("idle-limit", \.idleLimit) { span.write($0 ?? .zero) },
            push == usual.push && pushQueue == nil ? [] : [.init(key: "push", value: pushNode)],
            entry("hold", \.longPollTimeout) { span.write($0) }, entry("grace", \.grace) { span.write($0) },
            entry("quic-idle", \.quicIdle) { span.write($0) },
            entry("migration", \.allowsMigration) { .text($0 ? "true" : "false") },
            memoryEntries,
            slowConsumerEntries, cluster.entries, faults.entries, codes.entries, credentials?.entries ?? [],
            streams?.entries ?? [],
            entry("peer", \.peer) { .map([.init(key: "relay", value: span.write($0?.relayDelay ?? .zero))]) },
            entry("presence", \.presence) { .map([.init(key: "grace", value: span.write($0?.grace ?? .zero))]) },
            entry("auth", \.authentication) { span.write($0 ?? .zero) },
            entry("handshake-cost", \.handshakeCost) {
                .list($0.map { [span.write($0.full), span.write($0.resumed)] } ?? [])
            },
        ]
        return parts.flatMap { $0 } + careEntries
    }
}
