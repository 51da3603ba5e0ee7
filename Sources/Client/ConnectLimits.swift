public import DeadzonePrimitives
public import DeadzoneSettings

/// When an attempt to connect is made at all, and how long it may take.
public struct ConnectLimits: Sendable {
    /// What the operating system has to say of the default network before an attempt is worth making.
    public enum Gate: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Nothing: an attempt without a network fails at once.
        case open
        /// There is one that the app may use.
        case available
        /// The system has found that it reaches the internet.
        case validated
    }

    public var gate: Gate
    public var timeout: TimeSpan
    /// Waits as long as the server asks for, if that is longer than its own wait.
    public var heedsRetryAfter = false
    /// Never tries again in this process once the server has said that it never will.
    public var stopsWhenDenied = false
    /// Somebody else has answered, as the portal of a hotel does: trying again changes nothing before somebody has signed in, and
    /// the system says when that has been. Without its word the next attempt waits for so long; nil: like after any failure.
    public var portalWait: TimeSpan?
    public var slot: TimerSlot

    public init(gate: Gate = .available, timeout: TimeSpan = .seconds(20), slot: TimerSlot) {
        self.gate = gate
        self.timeout = timeout
        self.slot = slot
    }

    public func allows(_ network: NetworkView) -> Bool {
        switch gate {
        case .open: true
        case .available: network.path != nil && !network.isBlocked
        case .validated: network.path != nil && !network.isBlocked && network.isValidated
        }
    }

    /// What the server's refusal leaves of the client's will to go on.
    public struct State: Hashable, Sendable, BitwiseCopyable {
        public fileprivate(set) var isDenied = false
        fileprivate var notBefore = Instant.zero

        public init() {}
    }

    public func turnedAway(_ refusal: SessionRefusal, _ state: inout State, _ session: Session) {
        if refusal.isPermanent && stopsWhenDenied { state.isDenied = true }
        if heedsRetryAfter, let wait = refusal.retryAfter { state.notBefore = session.now + wait }
    }

    public func failed(_ failure: Failure, _ state: inout State, _ session: Session) {
        guard failure == .untrusted, let portalWait else { return }
        state.notBefore = max(state.notBefore, session.now + portalWait)
    }

    /// A wait between attempts begins, in this slot: the server's wish, or a portal, may make it longer.
    public func lengthen(_ retry: TimerSlot, _ state: State, _ session: inout Session) {
        let wish = session.timers[retry]
        guard wish.at != .never, wish.at - session.now(wish.clock) < state.notBefore - session.now else { return }
        session.arm(retry, after: state.notBefore - session.now, on: wish.clock, wake: wish.wake)
    }

    /// An attempt begins; `own` is how long the law of the waits between attempts gives it, where that says so.
    public func began(insteadOf own: TimeSpan? = nil, _ session: inout Session) {
        session.arm(slot, after: own ?? timeout)
    }
}

extension SettingsReader {
    /// `connect: {timeout: 20s, when: validated}`
    public mutating func connectLimits(_ key: String, slot: TimerSlot, _ help: String = "") -> ConnectLimits {
        group(key, help) { settings in
            var limits = ConnectLimits(
                gate: settings.word(
                    "when",
                    of: [("always", ConnectLimits.Gate.open), ("available", .available), ("validated", .validated)],
                    default: .available,
                    "which network it tries: any, one the app may use, one found to reach the internet"),
                timeout: settings.span(
                    "timeout", default: .seconds(20), in: .milliseconds(1) ... .longest,
                    "an attempt that takes longer is given up"),
                slot: slot)
            limits.heedsRetryAfter = settings.word(
                "retry-after", of: [("ignore", false), ("heed", true)], default: false,
                "whether the server says when it is tried again, or its own wait alone")
            limits.stopsWhenDenied = settings.word(
                "when-denied", of: [("retry", false), ("stop", true)], default: false,
                "what it makes of a server that will never open the session")
            limits.portalWait = settings.span(
                "at-portal", in: .milliseconds(1) ... .longest,
                "somebody else answers, as a captive portal does: no attempt for so long, but on a word of the system")
            return limits
        }
    }
}
