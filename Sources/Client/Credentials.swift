public import DeadzoneBase

/// Policy for credentials that expire: when the client gets new ones, and how many requests for them it makes at once.
///
///     valid ──share of life over, expired at connect, refusal──> refreshing ──new token──> valid
///     refreshing ──no answer──> waiting ──retry timer──> refreshing
///     refreshing ──refused──> logged out ──app enters the foreground──> refreshing, by the user's password
///
/// The diagram omits several requests in flight (`Flights.many`). Each is answered on its own, and one refusal logs the
/// client out, even if another request has just got a new token.
public struct Credentials: Sendable {
    /// Limit on requests for new credentials that are in flight at the same time.
    public enum Flights: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// A cause that occurs meanwhile waits for the request that is in flight.
        case one
        /// Each cause makes a request of its own.
        case many
    }

    /// Share of the token's life after which the client gets another one by a timer; `nil` if it has no timer.
    public var refreshShare: Int64?
    /// `true` if the client gets another token before it connects with one that has expired by its own clock.
    public var refreshesBeforeConnecting = false
    /// `true` if the client gets another token when the server refuses the present one.
    public var refreshesOnRefusal = true
    public var flights = Flights.one
    /// Time limit of a request for new credentials.
    public var timeout = TimeSpan.seconds(15)
    /// Wait after a request without an answer.
    public var retryWait = TimeSpan.seconds(5)
    public var timing: TimerOptions
    public var slot: TimerSlot
    private let passByAddress = PassByAddress()

    public init(timing: TimerOptions = TimerOptions(.wall), slot: TimerSlot) {
        self.timing = timing
        self.slot = slot
    }

    /// State of the credentials of one phone. It takes no more than seven bytes.
    public struct State: Hashable, Sendable, BitwiseCopyable {
        /// Second at which the token expires, by the clock of the policy; the largest number if there is no token.
        private var expires = UInt32.max
        fileprivate(set) var inFlight: UInt8 = 0
        /// `true` if the server has issued a token since it last accepted a connection.
        var isNew = false

        public init() {}

        /// `true` if the app has a token, so the server uses credentials.
        var hasToken: Bool { expires != .max }

        fileprivate func hasExpired(at now: Instant) -> Bool {
            hasToken && Int64(expires) * 1_000_000_000 <= (now - Instant.zero).nanoseconds
        }

        fileprivate mutating func set(expiry: Instant) {
            expires = UInt32(clamping: min((expiry - Instant.zero).nanoseconds / 1_000_000_000, Int64(UInt32.max - 1)))
        }
    }

    /// Stores a token, and arms the timer of the next request.
    public func received(_ token: AccessToken, isNew: Bool, _ state: inout State, _ session: inout Session) {
        let now = session.now(timing.clock)
        // The token names times of day. A policy with another clock counts from now.
        let rest = max(token.expires - session.now(.wall), .zero)
        state.set(expiry: now + rest)
        state.isNew = isNew
        guard let refreshShare else { return }
        let life = token.expires - token.issued
        session.arm(slot, after: rest - life / 1_000_000 * (1_000_000 - refreshShare), timing)
    }

    /// `true` if an attempt to connect must wait for another token.
    public func mustRefresh(_ state: State, _ session: Session) -> Bool {
        refreshesBeforeConnecting && state.hasExpired(at: session.now(timing.clock))
    }

    /// Requests new credentials, unless the policy waits for a request that is in flight.
    public func refresh(byUser: Bool = false, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard state.inFlight == 0 || (flights == .many && state.inFlight < .max) else { return }
        session.disarm(slot)
        state.inFlight += 1
        out.append(.refreshCredentials(byUser: byUser, within: timeout))
    }

    /// Called when a request was answered, or was given up.
    public func answered(_ state: inout State) { state.inFlight -= min(state.inFlight, 1) }

    /// Called when the user is logged out: no request is in flight any more.
    func loggedOut(_ state: inout State) { state.inFlight = 0 }

    /// `true` if another token may help after the server has refused the present one: it is not new, or it has expired
    /// by the client's clock.
    func helps(_ state: State, _ session: Session) -> Bool {
        state.hasToken && (!state.isNew || state.hasExpired(at: session.now(timing.clock)))
    }

    /// Called when a request got no answer: arms the timer of the next one.
    public func unanswered(_ state: inout State, _ session: inout Session) {
        answered(&state)
        if state.inFlight == 0 { session.arm(slot, after: retryWait) }
    }
}

extension SettingsReader {
    /// Reads the policy for credentials, written as `credentials: {refresh-at: 80%, before-connect: true}`.
    public mutating func credentials(_ key: String, slot: TimerSlot, _ help: String = "") -> Credentials? {
        section(key, help) { settings in
            var policy = Credentials(slot: slot)
            policy.refreshShare = settings.ratio(
                "refresh-at", in: 0...1_000_000,
                "share of a token's life after which a timer gets another; default: no timer")
            policy.refreshesBeforeConnecting = settings.flag(
                "before-connect", default: false, "gets another token before it connects with an expired one")
            policy.refreshesOnRefusal = settings.flag(
                "on-refusal", default: true,
                "gets another token when the server refuses a session or a call because of this one")
            policy.flights = settings.word(
                "flights", of: [("one", Credentials.Flights.one), ("many", .many)], default: .one,
                "requests for a token at the same time: one that all causes wait for, or one for each cause")
            policy.timeout = settings.span(
                "timeout", default: policy.timeout, in: .milliseconds(1) ... .hours(1), "time limit of a request")
            policy.retryWait = settings.value(
                "retry", .wait, default: policy.retryWait, "wait after a request without an answer")
            policy.timing = settings.timerOptions(default: policy.timing, "the timer and the check before connecting")
            return policy
        }
    }
}
