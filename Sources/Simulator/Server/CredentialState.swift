import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The credentials of one phone: what the app has stored, and what the server knows. They survive the app's process.
///
/// A request for another token is an exchange of its own, outside the app's connections, of a few round trips: TCP, TLS,
/// and the request. A packet without an answer is sent again after a second, then after twice as long, until the deadline.
///
///     begin ──▶ round trip ──answer──▶ next round trip ──answer──▶ … ──▶ renewed, or refused
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

    /// A packet that the phone sends, and the check for its answer.
    struct RoundTrip {
        let packet: Packet
        /// Time after which the packet is sent again.
        let wait: TimeSpan
        /// Time of the check: the end of the wait, or the deadline of the request.
        let checkedAt: Instant
    }

    /// The next action of the phone for a request.
    enum PhoneStep {
        case nothing
        /// A new process of the app has read the credentials that the app has stored.
        case loaded(CredentialsChange)
        case send(RoundTrip)
        /// The request ends without an answer of the server's program.
        case unanswered
        /// The app has another token. The spans are the time since the request began, and the time for which the user was
        /// logged out; `nil` if the user was not.
        case renewed(AccessToken, after: TimeSpan, loggedOutFor: TimeSpan?)
        /// The app has no valid credentials. `isFirst`: the user was logged in until now.
        case refused(isFirst: Bool)
    }

    /// The next action of the server for a packet of a request.
    enum ServerStep {
        case nothing, answer
        /// Begin to work on the request. The answer follows the decision.
        case work
    }

    static let capacity = 4
    private static let firstWait = TimeSpan.seconds(1)
    /// Number of the refresh token that the app has stored.
    private var stored: UInt32 = 0
    /// Number of the refresh token that the server accepts; the one before it is used up.
    private var current: UInt32 = 0
    private var usedAt = Instant.never
    /// `true` if the server has revoked the tokens of this phone.
    private(set) var isRevoked = false
    private var issued = Instant.zero
    private var loggedOutSince = Instant.never
    private var lastNumber: UInt16 = 0
    private var refreshes = InlineArray<4, Refresh>(repeating: Refresh())

    /// A token that is `age` old at the start of the run.
    init(age: TimeSpan) { issued = .zero - age }

    /// Index of the request with this number; `nil` if it is over.
    private func place(of number: UInt16) -> Int? {
        for index in 0..<Self.capacity where refreshes[index].number == number && number != 0 { return index }
        return nil
    }

    /// The request with this number; `nil` if it is over.
    func refresh(_ number: UInt16) -> Refresh? { place(of: number).map { refreshes[$0] } }

    // MARK: At the phone

    /// Begins a new process of the app, which knows no request. Returns the credentials that the app has stored.
    mutating func load(_ rules: CredentialRules) -> CredentialsChange {
        forgetRefreshes()
        return loggedOutSince == .never ? .stored(token(rules)) : .refused
    }

    private func token(_ rules: CredentialRules) -> AccessToken {
        AccessToken(issued: issued, expires: issued + rules.life)
    }

    /// Until when the server accepts a stored token.
    func acceptedUntil(_ token: AccessToken) -> Instant { isRevoked ? .zero : token.expires }

    /// Begins a request, unless too many are in flight.
    mutating func begin(
        byUser: Bool, _ rules: CredentialRules, at now: Instant, within timeout: TimeSpan
    ) -> PhoneStep {
        for index in 0..<Self.capacity where refreshes[index].number == 0 {
            lastNumber = lastNumber == .max ? 1 : lastNumber + 1
            refreshes[index] = Refresh()
            refreshes[index].number = lastNumber
            refreshes[index].isByUser = byUser
            refreshes[index].presented = stored
            refreshes[index].begun = now
            refreshes[index].deadline = now + timeout
            return send(index, wait: Self.firstWait, rules, at: now)
        }
        return .unanswered
    }

    private func send(_ place: Int, wait: TimeSpan, _ rules: CredentialRules, at now: Instant) -> PhoneStep {
        let refresh = refreshes[place]
        let packet = Packet(
            .tokenRequest, cause: .connect, bytes: rules.share(of: rules.up, round: refresh.round),
            number: refresh.number, first: UInt32(refresh.round), stamp: now)
        return .send(RoundTrip(packet: packet, wait: wait, checkedAt: min(now + wait, refresh.deadline)))
    }

    /// Checks if this packet of a request was answered.
    /// - Parameter wait: Time that the phone has waited for the answer.
    mutating func check(
        _ packet: Packet, after wait: TimeSpan, _ rules: CredentialRules, at now: Instant
    ) -> PhoneStep {
        guard let place = place(of: packet.number) else { return .nothing }
        if refreshes[place].deadline <= now {
            refreshes[place].number = 0
            return .unanswered
        }
        guard UInt32(refreshes[place].round) == packet.first else { return .nothing }
        return send(place, wait: wait * 2, rules, at: now)
    }

    /// Receives an answer, unless it belongs to a round trip that is over. The last one brings the server's decision.
    mutating func receive(_ answer: Packet, _ rules: CredentialRules, at now: Instant) -> PhoneStep {
        guard let place = place(of: answer.number), UInt32(refreshes[place].round) == answer.first else {
            return .nothing
        }
        guard refreshes[place].round + 1 == rules.roundTrips else {
            refreshes[place].round += 1
            return send(place, wait: Self.firstWait, rules, at: now)
        }
        let refresh = refreshes[place]
        refreshes[place].number = 0
        switch refresh.result {
        case .pending, .unavailable: return .unanswered
        case .issued:
            (stored, issued) = (refresh.granted, refresh.issued)
            return .renewed(token(rules), after: now - refresh.begun, loggedOutFor: endLogout(at: now))
        case .refused:
            forgetRefreshes()
            guard loggedOutSince == .never else { return .refused(isFirst: false) }
            loggedOutSince = now
            return .refused(isFirst: true)
        }
    }

    /// Ends the time for which the user is logged out, and returns its length; `nil` if the user is not.
    mutating func endLogout(at now: Instant) -> TimeSpan? {
        guard loggedOutSince != .never else { return nil }
        defer { loggedOutSince = .never }
        return now - loggedOutSince
    }

    /// Forgets all requests, because the app's process has ended or the user is logged out.
    private mutating func forgetRefreshes() { for index in 0..<Self.capacity { refreshes[index] = Refresh() } }

    // MARK: At the server

    /// Receives a packet of a request. A repeated request waits for the same decision.
    mutating func receiveAtServer(_ packet: Packet, _ rules: CredentialRules) -> ServerStep {
        guard let place = place(of: packet.number) else { return .nothing }
        guard packet.first + 1 == UInt32(rules.roundTrips) else { return .answer }
        guard refreshes[place].isReceived else {
            refreshes[place].isReceived = true
            return .work
        }
        return refreshes[place].result == .pending ? .nothing : .answer
    }

    /// Decides a request: issues a token, or refuses. The decision stays in the request. Returns `nil` if the request is
    /// over.
    /// - Parameter isServed: `false` if the server lacks the capacity to decide.
    mutating func decide(_ number: UInt16, isServed: Bool, _ rules: CredentialRules, at now: Instant) -> Refresh.Result?
    {
        guard let place = place(of: number) else { return nil }
        refreshes[place].result = isServed ? result(of: refreshes[place], rules, at: now) : .unavailable
        if refreshes[place].result == .issued {
            refreshes[place].granted = current
            refreshes[place].issued = now
        }
        return refreshes[place].result
    }

    private mutating func result(of refresh: Refresh, _ rules: CredentialRules, at now: Instant) -> Refresh.Result {
        if refresh.isByUser {
            isRevoked = false
            current += 1
        } else if isRevoked {
            return .refused
        } else if rules.isSingleUse {
            let isUsed = refresh.presented != current
            let inGrace = refresh.presented + 1 == current && now - usedAt <= rules.grace && rules.grace > .zero
            if isUsed && !inGrace {
                if rules.replayRevokes { isRevoked = true }
                return .refused
            }
            if !isUsed {
                current += 1
                usedAt = now
            }
        }
        return .issued
    }
}
