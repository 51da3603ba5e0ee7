package import DeadzoneBase

/// Settings of credentials that expire: how long an access token lives, what the server checks, and how a phone gets
/// another one with its refresh token (RFC 6749 §6).
package struct CredentialRules: Hashable, Sendable {
    /// Time from the issue of an access token to its expiry.
    package var life: TimeSpan
    /// Time for which the server still accepts an expired token, because clocks differ (RFC 7519 §4.1.4).
    package var leeway = TimeSpan.zero
    package var checksSessions = true
    package var checksCalls = true
    /// Time that the server takes to issue a token.
    package var issueTime = TimeSpan.milliseconds(50)
    /// `true` if each refresh replaces the refresh token, and the old one is used up (RFC 9700 §4.14.2).
    package var isSingleUse = false
    /// Time after its use for which a used refresh token still works.
    package var grace = TimeSpan.zero
    /// `true` if a used refresh token, presented again, revokes all tokens of the user. `false` refuses it only.
    package var replayRevokes = true
    /// Round trips of a request: two for TCP and TLS 1.3, and one for the request.
    package var roundTrips: UInt8 = 3
    /// Sizes of the request and the answer in bytes, over all round trips, with TLS (assumed).
    package var up: UInt32 = 2_000
    package var down: UInt32 = 5_000

    package init(life: TimeSpan) { self.life = life }

    /// The bytes of one round trip: the last one carries half of all, the others share the rest.
    func share(of bytes: UInt32, round: UInt8) -> UInt32 {
        guard roundTrips > 1 else { return bytes }
        let isLast = round + 1 == roundTrips
        return max(isLast ? bytes / 2 : bytes / 2 / UInt32(roundTrips - 1), 40)
    }
}
