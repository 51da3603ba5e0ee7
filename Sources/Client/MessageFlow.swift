public import DeadzonePrimitives
public import DeadzoneSettings

/// Message flow control of a call as gRPC for Objective-C has it (grpc/proposal L49-objc-flow-control.md; shipped in grpc/grpc
/// `src/objective-c/GRPCClient/GRPCCall.h`): a callback for each message that was handed to the core, which is not the other
/// end's word for anything, and messages that come only when they are asked for.
///
///     write ──core takes it──▶ handed over ──switch of context──▶ didWriteData      an obedient app waits for it
///     receiveNextMessages(n) ──▶ n more messages may come
///
/// It is off unless it is switched on; then no callback comes, and messages come as they arrive. What the app writes without
/// waiting goes out in order all the same, and what waits then is its own affair.
public struct MessageFlow: Hashable, Sendable {
    public var isEnabled: Bool
    /// From the core's taking a message to the callback on the app's queue. On a device of 2019 a hop between queues takes some
    /// tens of microseconds (assumed).
    public var hop = TimeSpan.microseconds(50)
    /// A message of so many bytes or fewer is called back at once, as L49 proposes for small ones; it names no number.
    public var small: UInt32?
    /// So many writes may be without their callback: 1 is the obedient app.
    public var pending: UInt32 = 1
    public var slot: TimerSlot

    public struct State: Hashable, Sendable, BitwiseCopyable {
        /// Asked for and not come.
        public private(set) var credits: UInt32 = 0
        /// Come and not asked for.
        public private(set) var held: UInt32 = 0
        /// Written, and not called back.
        public private(set) var unanswered: UInt32 = 0

        public init() {}

        fileprivate mutating func ask(_ count: UInt32) { credits = credits.addingReportingOverflow(count).partialValue }

        fileprivate mutating func match() -> UInt32 {
            let count = min(credits, held)
            credits -= count
            held -= count
            return count
        }

        fileprivate mutating func hold(_ count: UInt32) { held += count }
        fileprivate mutating func wrote() { unanswered += 1 }
        fileprivate mutating func callBack() { unanswered -= min(unanswered, 1) }
        fileprivate mutating func forget() { unanswered = 0 }
    }

    public init(isEnabled: Bool, slot: TimerSlot) {
        self.isEnabled = isEnabled
        self.slot = slot
    }

    // MARK: Reading

    /// The app asks for messages; calls stack up. Returns how many it is given at once.
    public func receiveNext(_ count: UInt32 = 1, _ state: inout State) -> UInt32 {
        guard isEnabled else { return 0 }
        state.ask(count)
        return state.match()
    }

    /// Messages are here. Returns how many the app is given.
    public func arrived(_ count: UInt32, _ state: inout State) -> UInt32 {
        guard isEnabled else { return count }
        state.hold(count)
        return state.match()
    }

    // MARK: Writing

    /// An obedient app may write.
    public func mayWrite(_ state: State) -> Bool { !isEnabled || state.unanswered < pending }

    /// The app writes, and the core takes it. Returns whether `didWriteData` follows at once; otherwise with the timer.
    public func wrote(bytes: UInt32, _ state: inout State, _ session: inout Session) -> Bool {
        guard isEnabled else { return false }
        if let small, bytes <= small { return true }
        state.wrote()
        if !session.isArmed(slot) { session.arm(slot, after: hop) }
        return false
    }

    /// The timer: one callback. Returns false if there was none to make.
    public func fired(_ state: inout State, _ session: inout Session) -> Bool {
        guard state.unanswered > 0 else { return false }
        state.callBack()
        if state.unanswered > 0 { session.arm(slot, after: hop) }
        return true
    }

    /// The call is gone, and its callbacks with it.
    public func closed(_ state: inout State, _ session: inout Session) {
        state.forget()
        session.disarm(slot)
    }
}

extension SettingsReader {
    /// `flow: {control: on, pending: 2, small: 1KiB}`
    public mutating func messageFlow(_ key: String, slot: TimerSlot, _ help: String = "") -> MessageFlow? {
        section(key, help) { settings in
            var flow = MessageFlow(isEnabled: true, slot: slot)
            flow.isEnabled = settings.flag(
                "enabled", default: true, "the switch of L49; off, no callback comes and nobody waits for one")
            flow.hop = settings.span("hop", default: flow.hop, "from the core's taking a message to its callback")
            flow.small = settings.size(
                "small", in: 0...Int64(UInt32.max), "so many bytes or fewer are called back at once"
            )
            .map { UInt32($0) }
            flow.pending = UInt32(
                settings.count("pending", default: 1, in: 1...1_000_000, "writes that may be without their callback"))
            return flow
        }
    }
}
