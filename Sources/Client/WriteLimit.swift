public import DeadzonePrimitives
public import DeadzoneSettings

/// A socket that takes nothing for so long is taken for dead.
public struct WriteLimit: Sendable {
    /// nil: it may take for ever.
    public var limit: TimeSpan?
    public var slot: TimerSlot

    public init(limit: TimeSpan? = nil, slot: TimerSlot) {
        self.limit = limit
        self.slot = slot
    }

    public func stalled(_ session: inout Session) {
        guard let limit, !session.isArmed(slot) else { return }
        session.arm(slot, after: limit)
    }

    public func writable(_ session: inout Session) { session.disarm(slot) }
}

extension SettingsReader {
    /// `write-limit: 10s`
    public mutating func writeLimit(_ key: String, slot: TimerSlot, _ help: String = "") -> WriteLimit {
        WriteLimit(limit: span(key, in: .milliseconds(1) ... .longest, help), slot: slot)
    }
}
