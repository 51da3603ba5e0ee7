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
    }

    public var requirement: NetworkRequirement
    public var timeout: TimeSpan
    /// `true` if the client waits as long as the server requests (Retry-After), if that is longer than the client's own
    /// wait.
    public var honoursRetryAfter = false
    /// `true` if the client makes no further attempt in this process after the server has refused permanently.
    public var stopsWhenDenied = false
    /// Wait before the next attempt after a captive portal answered in place of the server. Attempts fail until the
    /// user has signed in. If the system reports the sign-in, the wait ends early. `nil` treats a captive portal as any
    /// other failure.
    public var portalWait: TimeSpan?
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
        }
    }

    /// Restrictions on the next attempt, set by earlier refusals of the server or by a captive portal.
    public struct State: Hashable, Sendable, BitwiseCopyable {
        public fileprivate(set) var isDenied = false
        fileprivate var notBefore = Instant.zero

        public init() {}
    }

    public func sessionRefused(_ refusal: SessionRefusal, _ state: inout State, _ session: Session) {
        if refusal.isPermanent && stopsWhenDenied { state.isDenied = true }
        if honoursRetryAfter, let wait = refusal.retryAfter { state.notBefore = session.now + wait }
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
        group(key, help) { settings in
            var limits = ConnectLimits(
                requirement: settings.word(
                    "when",
                    of: [
                        ("always", ConnectLimits.NetworkRequirement.open), ("available", .available),
                        ("validated", .validated),
                    ],
                    default: .available,
                    "network that an attempt requires: none, one that the app may use, or one that the system has validated"
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
                "after a permanent refusal of the session: retry, or stop")
            limits.portalWait = settings.span(
                "at-portal", in: .milliseconds(1) ... .longest,
                "wait after an answer from a captive portal; a report from the system ends it earlier")
            return limits
        }
    }
}
