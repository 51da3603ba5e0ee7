import DeadzoneCommand
import Testing

/// Settings of the server that no connection of a scenario can use.
struct HeartbeatFaultTests {
    /// Broken: a heartbeat that no strategy can receive is silently ignored, or one that only some can receive is
    /// refused.
    @Test(
        arguments: [
            ("grpc", "asks", false), ("grpc", "expects", false), ("grpc", "beats", true), ("polling", "beats", false),
            ("{kind: grpc, stream: false}", "beats", false), ("datagram", "asks", false),
            ("websocket", "expects", true),
            ("quic", "asks", true),
        ])
    func heartbeatWithoutReceiverIsAFault(_ transport: String, _ kind: String, _ isFine: Bool) throws {
        let workspace = try TestWorkspace()
        let text = """
            version: 1
            name: Beats
            duration: 5m
            phone: {radios: {wifi: wifi-aro}}
            server: {heartbeat: {kind: \(kind), every: 30s}}
            strategies: {a: {strategy: composed, transport: \(transport)}}
            """
        try workspace.write("a.yaml", text)
        let alone = workspace.run("lint @a.yaml")
        #expect((alone.code == .ok) == isFine, "\(alone.errors)")
        #expect(
            isFine || (alone.output + alone.errors).contains("`heartbeat` that no strategy of this scenario can use"))
        try workspace.write("b.yaml", text.replacing("{a:", with: "{b: {strategy: composed}, a:"))
        #expect(workspace.run("lint @b.yaml").code == .ok)
    }

    /// Broken: a limit of sessions that no connection can reach is silently ignored, or one that some can reach is
    /// refused.
    @Test(
        arguments: [
            ("grpc", true), ("websocket", true), ("polling", false), ("{kind: grpc, stream: false}", false),
            ("datagram", false),
        ])
    func sessionLimitWithoutSessionIsAFault(_ transport: String, _ isFine: Bool) throws {
        let workspace = try TestWorkspace()
        let text = """
            version: 1
            name: Sessions
            duration: 5m
            phone: {radios: {wifi: wifi-aro}}
            server: {session-limit: 30s}
            strategies: {a: {strategy: composed, transport: \(transport)}}
            """
        try workspace.write("a.yaml", text)
        let alone = workspace.run("lint @a.yaml")
        #expect((alone.code == .ok) == isFine, "\(alone.errors)")
        #expect(isFine || (alone.output + alone.errors).contains("`session-limit` without a session"))
        try workspace.write("b.yaml", text.replacing("{a:", with: "{b: {strategy: composed}, a:"))
        #expect(workspace.run("lint @b.yaml").code == .ok)
    }
}
