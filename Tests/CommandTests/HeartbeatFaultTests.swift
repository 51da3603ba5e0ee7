import DeadzoneCommand
import Testing

/// Settings of the server that no connection of a scenario can use.
struct HeartbeatFaultTests {
    private static let noHeartbeat = "`heartbeat` that no strategy of this scenario can use"
    private static let noSession = "`session-limit` without a session"

    /// Broken: a setting of the server that no strategy's connection can use is silently ignored, or one that only some
    /// can use is refused.
    @Test(
        arguments: [
            ("asks", ["grpc", "datagram"], ["quic"]), ("expects", ["grpc"], ["websocket"]),
            ("beats", ["polling", "{kind: grpc, stream: false}", "datagram"], ["grpc"]),
            ("", ["polling", "{kind: grpc, stream: false}", "datagram"], ["grpc", "websocket"]),
        ])
    func settingWithoutAUserIsAFault(_ heartbeat: String, _ refused: [String], _ fine: [String]) throws {
        let workspace = try TestWorkspace()
        let setting = heartbeat.isEmpty ? "session-limit: 30s" : "heartbeat: {kind: \(heartbeat), every: 30s}"
        for transport in refused + fine {
            let text = """
                version: 1
                name: Unused
                duration: 5m
                phone: {radios: {wifi: wifi-aro}}
                server: {\(setting)}
                strategies: {a: {strategy: composed, transport: \(transport)}}
                """
            try workspace.write("a.yaml", text)
            let alone = workspace.run("lint @a.yaml")
            #expect((alone.code == .ok) == fine.contains(transport), "\(transport): \(alone.errors)")
            let words = heartbeat.isEmpty ? Self.noSession : Self.noHeartbeat
            #expect((alone.output + alone.errors).contains(words) == refused.contains(transport), "\(transport)")
            // Another strategy of the scenario uses it.
            try workspace.write("b.yaml", text.replacing("{a:", with: "{b: {strategy: composed}, a:"))
            #expect(workspace.run("lint @b.yaml").code == .ok, "\(transport)")
        }
    }
}
