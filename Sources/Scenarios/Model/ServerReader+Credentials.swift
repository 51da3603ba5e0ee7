import DeadzoneBase
import DeadzoneSimulator

extension SettingsReader {
    /// Reads the rules for access tokens: `credentials: {life: 10m, refresh: {single-use: true}}`.
    mutating func credentialRules() -> CredentialRules? {
        section("credentials", "access tokens that expire, and how a client gets another one") { settings in
            var rules = CredentialRules(
                life: settings.span(
                    "life", default: .hours(1), in: .seconds(1) ... .hours(24 * 366),
                    "time from the issue of an access token to its expiry"))
            rules.leeway = settings.span(
                "leeway", default: .zero, in: .zero ... .hours(1), "time for which an expired token still works")
            rules.checksSessions = settings.flag(
                "sessions", default: true, "checks the token at the start of a session")
            rules.checksCalls = settings.flag("calls", default: true, "checks the token of each call")
            settings.group("refresh", "a request for another token") { settings in
                rules.issueTime = settings.span(
                    "takes", default: rules.issueTime, in: .zero ... .hours(1), "time that the server works on it")
                rules.isSingleUse = settings.flag(
                    "single-use", default: false, "each refresh replaces the refresh token, and uses the old one up")
                rules.grace = settings.span(
                    "grace", default: .zero, in: .zero ... .hours(1), "time for which a used refresh token still works")
                rules.replayRevokes = settings.word(
                    "replay", of: [("revokes", true), ("refused", false)], default: true,
                    "a used refresh token, presented again: revokes all tokens of the user, or is only refused")
                rules.roundTrips = UInt8(
                    settings.count(
                        "round-trips", default: 3, in: 1...9, "round trips, with those of TCP and TLS"))
                rules.up = UInt32(
                    settings.size("up", default: 2_000, in: 40...100_000, "bytes to the server, in total"))
                rules.down = UInt32(
                    settings.size("down", default: 5_000, in: 40...1_000_000, "bytes to the phone, in total"))
            }
            return rules
        }
    }
}

extension CredentialRules {
    /// The settings as canonical text.
    var entries: [Node.MapEntry] {
        let span = ValueFormat<TimeSpan>.span()
        func flag(_ value: Bool) -> Node { .text(value ? "true" : "false") }
        return [
            .init(
                key: "credentials",
                value: .list([
                    span.write(life), span.write(leeway), flag(checksSessions), flag(checksCalls),
                    span.write(issueTime), flag(isSingleUse), span.write(grace), flag(replayRevokes),
                    .text(String(roundTrips)), .text(String(up)), .text(String(down)),
                ]))
        ]
    }
}
