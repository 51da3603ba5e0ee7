public import DeadzoneBase

/// Message flow control of a call, as in gRPC for Objective-C (grpc/proposal L49-objc-flow-control.md; shipped in
/// grpc/grpc `src/objective-c/GRPCClient/GRPCCall.h`). A callback reports each message that was passed to the core;
/// it is no acknowledgement by the server. Messages arrive only on request.
///
///     write ──core takes it──▶ handed over ──switch of context──▶ didWriteData      an obedient app waits for it
///     receiveNextMessages(n) ──▶ n more messages may come                            counted by `MessageDemand`
///
/// The context switch delays each callback, but callbacks do not queue behind each other. So n pending writes give n
/// writes per switch.
///
/// It is off by default; then no callback comes, and messages come as they arrive. Messages that the app writes
/// without waiting are still sent in order; whatever waits then is the app's own concern.
public struct MessageFlow: Hashable, Sendable {
    public var isEnabled: Bool
    /// Delay of a write's callback: from when the core accepts the message until the callback runs on the app's queue.
    /// On a device of 2019, switching queues takes some tens of microseconds (assumed).
    public var callbackDelay = TimeSpan.microseconds(50)
    /// Largest message in bytes that is called back at once, as L49 proposes for small messages; L49 names no number.
    /// `nil` delays every callback.
    public var immediateCallbackBytes: UInt32?
    /// Maximum number of writes that wait for their callback. An app that waits for each callback has 1.
    public var mostPending: UInt32 = 1
    /// Rule by which the app requests messages. By default it requests one at once, and another for each message that
    /// it has shown. `nil` receives messages as they arrive.
    public var demand: ReceivePolicy.MessageDemand? = ReceivePolicy.MessageDemand()
    /// Additional requests for messages at fixed times, in order of time.
    public var script: [ScriptedRequest] = []
    public var slot: TimerSlot

    public struct ScriptedRequest: Hashable, Sendable {
        /// Time of the request, counted from the start of the run.
        public var at: TimeSpan
        public var count: UInt32
    }

    public struct State: Sendable, BitwiseCopyable {
        /// Maximum number of groups of writes. Writes with the same callback time form a group, stored as that time and
        /// the number of writes. If there are more groups than places, writes close in time share one.
        static let places = 16
        private var dues = InlineArray<16, Instant>(repeating: .never)
        private var counts = InlineArray<16, UInt32>(repeating: 0)
        private var groups = 0
        /// Number of writes that wait for their callback.
        public private(set) var unanswered: UInt32 = 0
        /// Index of the next scripted request for messages.
        fileprivate(set) var nextRequest = 0

        public init() {}

        /// Time of the next callback; `.never` if no write waits for one.
        fileprivate var due: Instant { groups == 0 ? .never : dues[0] }

        fileprivate mutating func wrote(_ count: UInt32, due: Instant, closeness: TimeSpan) {
            unanswered += count
            if groups > 0, due - dues[groups - 1] <= closeness || groups == Self.places {
                counts[groups - 1] += count
            } else {
                dues[groups] = due
                counts[groups] = count
                groups += 1
            }
        }

        fileprivate mutating func callBack(until now: Instant) -> UInt32 {
            var called: UInt32 = 0
            var gone = 0
            while gone < groups, dues[gone] <= now {
                called += counts[gone]
                gone += 1
            }
            for index in gone..<groups {
                dues[index - gone] = dues[index]
                counts[index - gone] = counts[index]
            }
            groups -= gone
            unanswered -= called
            return called
        }

        fileprivate mutating func forgetWrites() {
            groups = 0
            unanswered = 0
        }
    }

    public init(isEnabled: Bool, slot: TimerSlot) {
        self.isEnabled = isEnabled
        self.slot = slot
    }

    /// Called when the app's process starts. Scripted requests before this time are skipped, because they ended with
    /// the earlier process.
    public func started(_ state: inout State, _ session: Session) {
        state = State()
        while state.nextRequest < script.count, .zero + script[state.nextRequest].at < session.now {
            state.nextRequest += 1
        }
    }

    /// Arms the timer for the next callback or scripted request.
    public func arm(_ state: State, _ session: inout Session) {
        let ask = state.nextRequest < script.count ? .zero + script[state.nextRequest].at : Instant.never
        let due = min(state.due, ask)
        if due == .never { session.disarm(slot) } else { session.arm(slot, after: due - session.now) }
    }

    /// Returns the number of messages that scripted requests ask for now.
    public func dueRequests(_ state: inout State, _ session: Session) -> UInt32 {
        var count: UInt32 = 0
        while state.nextRequest < script.count, .zero + script[state.nextRequest].at <= session.now {
            count += script[state.nextRequest].count
            state.nextRequest += 1
        }
        return count
    }

    // MARK: Writing

    /// Returns the number of messages that an app may write now, if it waits for callbacks.
    public func writeAllowance(_ state: State) -> UInt32 {
        isEnabled ? mostPending - min(state.unanswered, mostPending) : .max
    }

    /// Records that the app writes `count` messages, and that the core accepts them. `bytes` is the size of the last
    /// one. Returns the number of immediate callbacks.
    public func wrote(_ count: UInt32, last bytes: UInt32, _ state: inout State, _ session: Session) -> UInt32 {
        guard isEnabled, count > 0 else { return 0 }
        let atOnce: UInt32 = if let immediateCallbackBytes, bytes <= immediateCallbackBytes { 1 } else { 0 }
        guard count > atOnce else { return atOnce }
        // Two writes close in time share a place, and the later one's callback comes early by the difference. This
        // does not happen if each write has a place of its own.
        let closeness = mostPending <= UInt32(State.places) ? .zero : callbackDelay / Int64(State.places - 1)
        state.wrote(count - atOnce, due: session.now + callbackDelay, closeness: closeness)
        return atOnce
    }

    /// Returns the number of callbacks that are due now, and removes their writes.
    public func fired(_ state: inout State, _ session: Session) -> UInt32 { state.callBack(until: session.now) }

    /// Called when the call has ended: cancels its pending callbacks.
    public func closed(_ state: inout State) { state.forgetWrites() }
}

extension SettingsReader {
    /// Reads the settings of message flow control, written as `flow: enabled` or `flow: {pending: 2, small: 1KiB, asks:
    /// {first: 8, then: 4, after: 4}}`.
    public mutating func messageFlow(_ key: String, slot: TimerSlot, _ help: String = "") -> MessageFlow {
        let words = [("disabled", false), ("enabled", true)]
        let plain = ValueFormat.word(words).map {
            MessageFlow(isEnabled: $0, slot: slot)
        } back: {
            $0.isEnabled
        }
        let read = either(key, help, plain: plain) { settings in
            var flow = MessageFlow(isEnabled: true, slot: slot)
            flow.isEnabled = settings.flag(
                "enabled", default: true,
                "switch of L49, for both directions; if off, no callbacks come, and messages arrive without requests")
            flow.callbackDelay = settings.span(
                "hop", default: flow.callbackDelay, "time from when the core accepts a message to its callback")
            flow.immediateCallbackBytes = settings.size(
                "small", in: 0...Int64(UInt32.max), "messages of at most this size are called back at once"
            )
            .map { UInt32($0) }
            flow.mostPending = UInt32(
                settings.count("pending", default: 1, in: 1...1_000_000, "most writes without their callback"))
            settings.readDemand(&flow)
            return flow
        }
        return read ?? MessageFlow(isEnabled: false, slot: slot)
    }

    private mutating func readDemand(_ flow: inout MessageFlow) {
        typealias DemandSettings = (asks: ReceivePolicy.MessageDemand?, script: [MessageFlow.ScriptedRequest])
        let words: [(String, ReceivePolicy.MessageDemand?)] = [
            ("one-by-one", ReceivePolicy.MessageDemand()), ("freely", nil),
        ]
        let plain = ValueFormat.word(words).map { asks -> DemandSettings in
            (asks, [])
        } back: {
            $0.asks
        }
        let read = either(
            "asks",
            "requests for messages (receiveNextMessage): one by one as they are shown, none (freely), or as a map says",
            plain: plain
        ) { settings -> DemandSettings in
            var asks = ReceivePolicy.MessageDemand()
            asks.initial = UInt32(
                settings.count("first", default: 1, in: 0...1_000_000, "messages requested at once"))
            asks.refill = UInt32(
                settings.count("then", default: 1, in: 0...1_000_000, "messages of each further request; 0: none"))
            asks.refillAfter = UInt32(
                settings.count("after", default: 1, in: 1...1_000_000, "messages shown before each further request"))
            let script = settings.list("script", counts: 1...100, "additional requests at given times") { settings, _ in
                MessageFlow.ScriptedRequest(
                    at: settings.required("at", .span(in: .zero ... .longest), standIn: .zero, "time from the start"),
                    count: UInt32(settings.count("ask", default: 1, in: 1...1_000_000, "messages")))
            }
            return (asks, (script ?? []).sorted { $0.at < $1.at })
        }
        if let read { (flow.demand, flow.script) = read }
    }
}
