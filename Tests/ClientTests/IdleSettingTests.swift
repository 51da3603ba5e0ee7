import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// Settings that would have no effect are refused, at their position in the file.
@Suite struct IdleSettingTests {
    private static func faults(_ settings: Setting) -> [String] {
        var reader = SettingsReader(settings.node, of: "composed")
        _ = Composed(&reader)
        reader.finish()
        return reader.faults.sorted.filter { $0.code == .contradiction }.map(\.message)
    }

    /// Broken: a setting without effect is accepted silently, and the author believes that it works.
    @Test(
        arguments: [
            (["transport": ["kind": "websocket", "keep-alive": "1m"]], "`keep-alive` without MQTT"),
            (["transport": ["kind": "datagram", "tls": "1.3"]], "`tls` on datagrams"),
            (["transport": ["kind": "quic", "tls": "none"]], "`tls` with QUIC"),
            (["transport": ["kind": "quic", "tls": "1.2-resumed"]], "`tls` with QUIC"),
            (["transport": "datagram", "calls": ["deadline": "5s"]], "`calls` on datagrams"),
            (["transport": "datagram", "resume": "persisted"], "`resume` on datagrams"),
            (["keepalive": ["verdict": "none", "timeout": "1s"]], "`timeout` with a `verdict` that does not use it"),
            (
                ["keepalive": ["verdict": "next-beat", "timeout-wake": "alarm"]],
                "`timeout-wake` with a `verdict` that does not use it"
            ),
            (
                ["keepalive": ["clock": "uptime", "wake": "alarm"]],
                "`wake` by a clock that stops while the processor sleeps"
            ),
            (
                ["keepalive": ["clock": "uptime", "timeout-wake": "while-idle"]],
                "`timeout-wake` by a clock that stops while the processor sleeps"
            ),
            (
                ["life-cycle": ["background": "close", "poll": ["clock": "uptime"]]],
                "`clock` by a clock that stops while the processor sleeps"
            ),
            (["life-cycle": ["flush-limit": "1s"]], "`flush-limit` without `background: flush-and-close`"),
            (["on-path-change": ["debounce": "5s"]], "`debounce` without an event that matters"),
            (["on-path-change": ["compares": "category"]], "`compares` without an event that matters"),
        ] as [(Setting, String)])
    func aSettingWithoutEffectIsRefused(_ settings: Setting, _ message: String) {
        #expect(Self.faults(settings) == [message])
    }

    /// Broken: the same setting is refused where it has an effect.
    @Test(
        arguments: [
            ["transport": ["kind": "mqtt", "keep-alive": "1m"]], ["transport": ["kind": "quic", "tls": "1.3-early"]],
            ["keepalive": ["verdict": "timeout", "timeout": "1s"]],
            ["keepalive": ["clock": "wall", "wake": "alarm", "timeout-wake": "alarm"]],
            ["life-cycle": ["background": "flush-and-close", "flush-limit": "1s"]],
            ["on-path-change": ["losing": "probe", "debounce": "5s", "compares": "category"]],
        ] as [Setting])
    func aSettingWithEffectIsAccepted(_ settings: Setting) {
        var reader = SettingsReader(settings.node, of: "composed")
        _ = Composed(&reader)
        reader.finish()
        #expect(reader.faults.sorted.map(\.message) == [])
    }
}
