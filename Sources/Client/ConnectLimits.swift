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

    /// An attempt begins; `atLeast` is what the law of the waits between attempts asks for.
    public func began(insteadOf own: TimeSpan? = nil, _ session: inout Session) {
        session.arm(slot, after: own ?? timeout)
    }
}

extension SettingsReader {
    /// `connect: {timeout: 20s, when: validated}`
    public mutating func connectLimits(_ key: String, slot: TimerSlot, _ help: String = "") -> ConnectLimits {
        group(key, help) { settings in
            ConnectLimits(
                gate: settings.word(
                    "when",
                    of: [("always", ConnectLimits.Gate.open), ("available", .available), ("validated", .validated)],
                    default: .available,
                    "which network it tries: any, one the app may use, one found to reach the internet"),
                timeout: settings.span(
                    "timeout", default: .seconds(20), in: .milliseconds(1) ... .longest,
                    "an attempt that takes longer is given up"),
                slot: slot)
        }
    }
}
