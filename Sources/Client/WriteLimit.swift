public import DeadzoneBase

/// Closes a connection if its socket accepts no data for too long, or if too many bytes wait for the socket.
public struct WriteLimit: Sendable {
    /// Maximum time that the socket may accept no data; `nil` sets no limit.
    public var limit: TimeSpan?
    /// Maximum number of bytes that may wait for the socket, besides the message that did not fit; `nil` sets no limit.
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

    /// Adds bytes that wait for the socket. Returns `true` if they exceed the limit.
    public func addWaiting(_ count: UInt32, _ state: inout State) -> Bool {
        guard let bytes, state.isStalled else { return false }
        state.waiting += UInt64(count)
        return state.waiting > bytes
    }
}

extension SettingsReader {
    /// Reads the write limit, written as `write-limit: 10s` or `write-limit: {after: 10s, bytes: 16MiB}`.
    public mutating func writeLimit(_ key: String, slot: TimerSlot, _ help: String = "") -> WriteLimit {
        let spans = TimeSpan.milliseconds(1)...TimeSpan.longest
        let plain = ValueFormat.span(in: spans).map {
            WriteLimit(limit: $0, slot: slot)
        } back: {
            $0.limit ?? .longest
        }
        let read = either(key, help, plain: plain) { settings in
            WriteLimit(
                limit: settings.span("after", in: spans, "time during which the socket accepts no data"),
                bytes: settings.size("bytes", in: 1...(1 << 40), "bytes that may wait for the socket").map {
                    UInt64($0)
                },
                slot: slot)
        }
        return read ?? WriteLimit(slot: slot)
    }
}
