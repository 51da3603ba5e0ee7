import DeadzoneBase
import DeadzoneSimulator

extension SettingsReader {
    /// Reads a VPN tunnel: `tunnel: {keepalive: 25s, on-path-change: keep}`.
    mutating func tunnel(beside phone: PhoneSketch) -> TunnelRules? {
        section("tunnel", "a VPN tunnel that apps ride in; its defaults are WireGuard's") { settings in
            var rules = TunnelRules()
            let anySpan = TimeSpan.seconds(1) ... .hours(24 * 366)
            rules.keepalive =
                settings.span(
                    "keepalive", in: anySpan,
                    "time without a packet after which the phone sends an empty one; default: never") ?? rules.keepalive
            rules.rekey = settings.span(
                "rekey", default: rules.rekey, in: anySpan,
                "age of a session from which the next packet starts another handshake")
            rules.retry = settings.span(
                "retry", default: rules.retry, in: anySpan, "time after which a handshake without an answer is repeated"
            )
            rules.giveUp = settings.span(
                "give-up", default: rules.giveUp, in: anySpan,
                "time after which a handshake is given up, with the packets that wait for it")
            rules.deadAfter = settings.span(
                "dead-after", default: rules.deadAfter, in: anySpan, "age at which both ends refuse a session")
            rules.clock = settings.word(
                "clock", of: [("elapsed", .elapsed), ("uptime", .uptime)], default: rules.clock,
                "clock of the phone's end; uptime stands still while the processor sleeps, elapsed wakes it")
            rules.onPathChange = settings.word(
                "on-path-change", of: [("rebind", .rebind), ("keep", .keep), ("renew", .renew)],
                default: rules.onPathChange,
                "the tunnel after a handoff: its socket moves at once, stays on the old network until the session is dead, or the session ends and another begins"
            )
            rules.routes = settings.word(
                "routes", of: [("all", .all), ("app", .app), ("other-apps", .otherApps)], default: rules.routes,
                "apps with packets that ride in the tunnel")
            rules.mtu = UInt16(
                settings.count(
                    "mtu", default: Int64(rules.mtu), in: 1_280...1_500,
                    "bytes of the largest packet that fits into the tunnel"))
            rules.overhead = UInt16(
                settings.size(
                    "overhead", default: Int64(rules.overhead), in: 0...200,
                    "bytes that the tunnel adds to each packet"))
            rules.queue = UInt16(
                settings.count(
                    "queue", default: Int64(rules.queue), in: 1...10_000,
                    "packets that wait for a session; a further one drops the oldest"))
            settings.checkTunnel(rules, phone)
            return rules
        }
    }

    /// Refuses settings of a tunnel that have no effect on this phone.
    private mutating func checkTunnel(_ rules: TunnelRules, _ phone: PhoneSketch) {
        guard !isDescribing else { return }
        if rules.clock == .uptime, phone.platform == nil {
            note(
                Fault(
                    .contradiction, at: mark(of: "clock"), width: 5, "`clock: uptime` without an operating system",
                    label: "the processor of this phone never sleeps",
                    help: "add a platform under phone, such as `platform: android-15`"))
        }
        if rules.routes == .otherApps, phone.apps.isEmpty {
            note(
                Fault(
                    .contradiction, at: mark(of: "routes"), width: 6, "`routes: other-apps` without other apps",
                    label: "no packet rides in the tunnel", help: "add them under phone: apps:"))
        }
    }
}
