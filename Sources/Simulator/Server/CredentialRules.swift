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
}

/// The credentials of one phone: what the app has stored, and what the server knows. They survive the app's process.
struct CredentialState: BitwiseCopyable {
    /// One request for another token that is in flight.
    struct Refresh: BitwiseCopyable {
        enum Result: UInt8 { case pending, issued, refused, unavailable }

        /// Number of the request, from 1; 0 if there is none in this place.
        var number: UInt16 = 0
        /// Index of the round trip that is in progress.
        var round: UInt8 = 0
        var isByUser = false
        /// `true` if the server has begun to work on the request. A repeated request gets the same answer.
        var isReceived = false
        var result = Result.pending
        /// Number of the refresh token that the request presents.
        var presented: UInt32 = 0
        var begun = Instant.zero
        var deadline = Instant.zero
        /// The token that the server has issued.
        var issued = Instant.zero
        var granted: UInt32 = 0
    }

    static let capacity = 4
    /// Number of the refresh token that the app has stored.
    var stored: UInt32 = 0
    /// Number of the refresh token that the server accepts; the one before it is used up.
    private var current: UInt32 = 0
    private var usedAt = Instant.never
    private var isRevoked = false
    var issued = Instant.zero
    var loggedOutSince = Instant.never
    private var lastNumber: UInt16 = 0
    var refreshes = InlineArray<4, Refresh>(repeating: Refresh())

    /// A token that is `age` old at the start of the run.
    init(age: TimeSpan) { issued = .zero - age }

    /// Index of the request with this number; `nil` if it is over.
    func place(of number: UInt16) -> Int? {
        for index in 0..<Self.capacity where refreshes[index].number == number && number != 0 { return index }
        return nil
    }

    /// Begins a request, and returns its place; `nil` if too many are in flight.
    mutating func begin(byUser: Bool, at now: Instant, within timeout: TimeSpan) -> Int? {
        for index in 0..<Self.capacity where refreshes[index].number == 0 {
            lastNumber = lastNumber == .max ? 1 : lastNumber + 1
            refreshes[index] = Refresh()
            refreshes[index].number = lastNumber
            refreshes[index].isByUser = byUser
            refreshes[index].presented = stored
            refreshes[index].begun = now
            refreshes[index].deadline = now + timeout
            return index
        }
        return nil
    }

    /// Forgets all requests, because the app's process has ended or the user is logged out.
    mutating func forgetRefreshes() { for index in 0..<Self.capacity { refreshes[index] = Refresh() } }

    /// Decides a request at the server: issues a token, or refuses. The decision stays in the request.
    mutating func decide(_ place: Int, _ rules: CredentialRules, at now: Instant) {
        let refresh = refreshes[place]
        if refresh.isByUser {
            isRevoked = false
            current += 1
        } else if isRevoked {
            return refreshes[place].result = .refused
        } else if rules.isSingleUse {
            let isUsed = refresh.presented != current
            let inGrace = refresh.presented + 1 == current && now - usedAt <= rules.grace && rules.grace > .zero
            if isUsed && !inGrace {
                if rules.replayRevokes { isRevoked = true }
                return refreshes[place].result = .refused
            }
            if !isUsed {
                current += 1
                usedAt = now
            }
        }
        refreshes[place].granted = current
        refreshes[place].issued = now
        refreshes[place].result = .issued
    }

    /// `true` if the server has revoked the tokens of this phone.
    var hasRevoked: Bool { isRevoked }
}
