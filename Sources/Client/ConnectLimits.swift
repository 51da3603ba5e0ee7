public import DeadzoneBase

/// Decides when a client may attempt to connect, and sets the time limit of an attempt.
public struct ConnectLimits: Sendable {
    /// State of the default network, as the operating system reports it, that is required for an attempt to connect.
    public enum NetworkRequirement: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// No requirement. Without a network an attempt fails at once.
        case open
        /// A default network exists that the app may use.
        case available
        /// A default network exists, and the system has found that it reaches the internet.
        case validated
        /// A default network exists that the app may use, and the system does not take it as metered.
        case unmetered
    }

    public var requirement: NetworkRequirement
    public var timeout: TimeSpan
    /// `true` if the client waits as long as the server requests (Retry-After), if that is longer than the client's own
    /// wait.
    public var honoursRetryAfter = false
    /// `true` if the client makes no further attempt in this process after the server has refused permanently. Short
    /// for the entry `forbidden: never` of `EndReactions`.
    public var stopsWhenDenied = false
    /// Wait before the next attempt after a captive portal answered in place of the server. Attempts fail until the
    /// user has signed in. If the system reports the sign-in, the wait ends early. `nil` treats a captive portal as any
    /// other failure.
    public var portalWait: TimeSpan?
    /// The network that the app asks the system for, and uses while it is there; `nil` for the default network.
    public var network: Interface?
    public var slot: TimerSlot

    public init(requirement: NetworkRequirement = .available, timeout: TimeSpan = .seconds(20), slot: TimerSlot) {
        self.requirement = requirement
        self.timeout = timeout
        self.slot = slot
    }

    public func allows(_ network: NetworkView) -> Bool {
        switch requirement {
        case .open: true
        case .available: network.path != nil && !network.isBlocked
        case .validated: network.path != nil && !network.isBlocked && network.isValidated
        case .unmetered: network.path != nil && !network.isBlocked && !network.isMetered
        }
    }

    /// The event before which a client makes no attempt.
    public enum Barrier: UInt8, Hashable, Sendable, BitwiseCopyable {
        case none
        /// The app enters the foreground.
        case foreground
        /// Another network becomes the default.
        case path
        /// New credentials arrive.
        case credentials
        /// The user has logged in again.
        case login
        /// A new process of the app starts.
        case process
    }

    /// Restrictions on the next attempt, set by earlier refusals of the server or by a captive portal, and what the
    /// server has stated about the end that the next event reports.
    public struct State: Hashable, Sendable, BitwiseCopyable {
        // In this order the state takes two words.
        public internal(set) var barrier = Barrier.none
        /// The kind of the server's refusal of the session, if one was reported; otherwise `nil`.
        var refusal: EndKind?
        /// The code that the server has stated; 0 if it stated none.
        var code: UInt16 = 0
        fileprivate var notBefore = Instant.zero

        public init() {}
    }

    public func sessionRefused(_ refusal: SessionRefusal, _ state: inout State, _ session: Session) {
        state.refusal = refusal.isPermanent ? .forbidden : .turnedAway
        if honoursRetryAfter, let wait = refusal.retryAfter { state.notBefore = session.now + wait }
    }

    /// Called when the server has stated a code. A code that came with a refusal stays.
    public func codeStated(_ code: UInt16, _ state: inout State) { if state.refusal == nil { state.code = code } }

    /// Returns the kind of an end and the server's code, and forgets what the server has stated.
    func ended(_ kind: EndKind, _ state: inout State) -> (kind: EndKind, code: UInt16) {
        let end = (state.refusal ?? kind, state.code)
        (state.refusal, state.code) = (nil, 0)
        return end
    }

    /// Called when an attempt begins: what the server stated about earlier ends no longer counts.
    func began(_ state: inout State) { (state.refusal, state.code) = (nil, 0) }

    /// Removes the barrier if this event is the one that it waits for. Returns `true` if it was removed.
    func reached(_ event: Barrier, _ state: inout State) -> Bool {
        guard state.barrier == event else { return false }
        state.barrier = .none
        return true
    }

    public func failed(_ failure: ConnectFailure, _ state: inout State, _ session: Session) {
        guard failure == .untrusted, let portalWait else { return }
        state.notBefore = max(state.notBefore, session.now + portalWait)
    }

    /// Extends the wait of the timer in slot `retry`, if the server or a captive portal requires a longer one.
    public func extendWait(_ retry: TimerSlot, _ state: State, _ session: inout Session) {
        let timer = session.timers[retry]
        guard timer.at != .never, timer.at - session.now(timer.clock) < state.notBefore - session.now else { return }
        session.arm(retry, after: state.notBefore - session.now, on: timer.clock, wake: timer.wake)
    }

    /// Called when an attempt begins: starts its time limit. `own` is the limit of the retry policy; `nil` uses
    /// `timeout`.
    public func began(insteadOf own: TimeSpan? = nil, _ session: inout Session) {
        session.arm(slot, after: own ?? timeout)
    }
}

extension SettingsReader {
    /// Reads the settings of connection attempts, written as `connect: {timeout: 20s, when: validated}`.
    public mutating func connectLimits(_ key: String, slot: TimerSlot, _ help: String = "") -> ConnectLimits {
        group(key, help, main: "timeout") { settings in
            var limits = ConnectLimits(
                requirement: settings.word(
                    "when",
                    of: [
                        ("always", ConnectLimits.NetworkRequirement.open), ("available", .available),
                        ("validated", .validated), ("unmetered", .unmetered),
                    ],
                    default: .available,
                    "network that an attempt requires: none, one that the app may use, one that the system has validated, or one that is not metered"
                ),
                timeout: settings.span(
                    "timeout", default: .seconds(20), in: .milliseconds(1) ... .longest,
                    "time limit of an attempt"),
                slot: slot)
            limits.honoursRetryAfter = settings.word(
                "retry-after", of: [("ignore", false), ("heed", true)], default: false,
                "whether a longer wait that the server requests is used")
            limits.stopsWhenDenied = settings.word(
                "when-denied", of: [("retry", false), ("stop", true)], default: false,
                "after a permanent refusal of the session: retry, or stop for the rest of the process; short for `on-end: {forbidden: never}` of `backoff`"
            )
            limits.portalWait = settings.span(
                "at-portal", in: .milliseconds(1) ... .longest,
                "wait after an answer from a captive portal; a report from the system ends it earlier")
            limits.network = settings.word(
                "network", of: Interface.allCases.map { ($0.name, $0) },
                "network that the app asks the system for and uses while it is there, as with Android's `requestNetwork`; default: the system's default network"
            )
            return limits
        }
    }
}
