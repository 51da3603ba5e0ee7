public import DeadzonePrimitives
public import DeadzoneSettings

/// A socket that takes nothing for so long, or leaves so much waiting, is given up.
public struct WriteLimit: Sendable {
    /// nil: it may take for ever.
    public var limit: TimeSpan?
    /// Bytes that may wait for it, beside the message that found no room; nil: any number.
    public var bytes: UInt64?
    public var slot: TimerSlot

    public struct State: Hashable, Sendable, BitwiseCopyable {
        var isStalled = false
        var waiting: UInt64 = 0

        public init() {}
    }

    public init(limit: TimeSpan? = nil, bytes: UInt64? = nil, slot: TimerSlot) {
        self.limit = limit
        self.bytes = bytes
        self.slot = slot
    }

    public func stalled(_ state: inout State, _ session: inout Session) {
        state.isStalled = true
        guard let limit, !session.isArmed(slot) else { return }
        session.arm(slot, after: limit)
    }

    public func writable(_ state: inout State, _ session: inout Session) {
        state = State()
        session.disarm(slot)
    }

    /// The app has said so much. Returns true if that is more than may wait.
    public func wants(_ count: UInt32, _ state: inout State) -> Bool {
        guard let bytes, state.isStalled else { return false }
        state.waiting += UInt64(count)
        return state.waiting > bytes
    }
}

extension SettingsReader {
    /// `write-limit: 10s`, or `write-limit: {after: 10s, bytes: 16MiB}`
    public mutating func writeLimit(_ key: String, slot: TimerSlot, _ help: String = "") -> WriteLimit {
        let spans = TimeSpan.milliseconds(1)...TimeSpan.longest
        let plain = Form.span(in: spans).map {
            WriteLimit(limit: $0, slot: slot)
        } back: {
            $0.limit ?? .longest
        }
        let read = either(key, help, plain: plain) { settings in
            WriteLimit(
                limit: settings.span("after", in: spans, "it has taken nothing for so long"),
                bytes: settings.size("bytes", in: 1...(1 << 40), "more than this waits for it").map { UInt64($0) },
                slot: slot)
        }
        return read ?? WriteLimit(slot: slot)
    }
}
