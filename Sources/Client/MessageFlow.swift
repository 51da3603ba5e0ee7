public import DeadzonePrimitives
public import DeadzoneSettings

/// Message flow control of a call as gRPC for Objective-C has it (grpc/proposal L49-objc-flow-control.md; shipped in grpc/grpc
/// `src/objective-c/GRPCClient/GRPCCall.h`): a callback for each message that was handed to the core, which is not the other
/// end's word for anything, and messages that come only when they are asked for.
///
///     write ──core takes it──▶ handed over ──switch of context──▶ didWriteData      an obedient app waits for it
///     receiveNextMessages(n) ──▶ n more messages may come                            counted by `Intake.Asks`
///
/// The switch of context delays each callback; it holds up no other. So n writes at a time are n for each switch.
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
    /// How the app asks for messages: one at once, and one more for each that it has shown, is the obedient app; nil: they come
    /// as they arrive.
    public var asks: Intake.Asks? = Intake.Asks()
    /// What it asks for beside that, in the order of time.
    public var script: [Ask] = []
    public var slot: TimerSlot

    public struct Ask: Hashable, Sendable {
        /// From the beginning of the run.
        public var at: TimeSpan
        public var count: UInt32
    }

    public struct State: Sendable, BitwiseCopyable {
        /// Writes of one moment: when their callbacks come, and how many. Of more writes than places those close to one another
        /// share one.
        static let places = 16
        private var dues = InlineArray<16, Instant>(repeating: .never)
        private var counts = InlineArray<16, UInt32>(repeating: 0)
        private var groups = 0
        /// Written, and not called back.
        public private(set) var unanswered: UInt32 = 0
        /// The next of the script.
        fileprivate(set) var nextAsk = 0

        public init() {}

        /// When the next callback comes.
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

    /// A process starts. What the script had asked for by then died with the one before.
    public func started(_ state: inout State, _ session: Session) {
        state = State()
        while state.nextAsk < script.count, .zero + script[state.nextAsk].at < session.now { state.nextAsk += 1 }
    }

    /// When the facet has something to do.
    public func arm(_ state: State, _ session: inout Session) {
        let ask = state.nextAsk < script.count ? .zero + script[state.nextAsk].at : Instant.never
        let due = min(state.due, ask)
        if due == .never { session.disarm(slot) } else { session.arm(slot, after: due - session.now) }
    }

    /// How many messages the app asks for at this moment.
    public func asked(_ state: inout State, _ session: Session) -> UInt32 {
        var count: UInt32 = 0
        while state.nextAsk < script.count, .zero + script[state.nextAsk].at <= session.now {
            count += script[state.nextAsk].count
            state.nextAsk += 1
        }
        return count
    }

    // MARK: Writing

    /// How many messages an obedient app may write.
    public func room(_ state: State) -> UInt32 { isEnabled ? pending - min(state.unanswered, pending) : .max }

    /// The app writes messages, of which the last has so many bytes, and the core takes them. Returns how many are called back
    /// at once.
    public func wrote(_ count: UInt32, last bytes: UInt32, _ state: inout State, _ session: Session) -> UInt32 {
        guard isEnabled, count > 0 else { return 0 }
        let atOnce: UInt32 = if let small, bytes <= small { 1 } else { 0 }
        guard count > atOnce else { return atOnce }
        // Two close writes share a place, and the later one's callback comes that much too early; never where each write has a
        // place of its own.
        let closeness = pending <= UInt32(State.places) ? .zero : hop / Int64(State.places - 1)
        state.wrote(count - atOnce, due: session.now + hop, closeness: closeness)
        return atOnce
    }

    /// Returns how many callbacks come now.
    public func fired(_ state: inout State, _ session: Session) -> UInt32 { state.callBack(until: session.now) }

    /// The call is gone, and its callbacks with it.
    public func closed(_ state: inout State) { state.forgetWrites() }
}

extension SettingsReader {
    /// `flow: enabled`, or `flow: {pending: 2, small: 1KiB, asks: {first: 8, then: 4, after: 4}}`
    public mutating func messageFlow(_ key: String, slot: TimerSlot, _ help: String = "") -> MessageFlow {
        let words = [("disabled", false), ("enabled", true)]
        let plain = Form.word(words).map {
            MessageFlow(isEnabled: $0, slot: slot)
        } back: {
            $0.isEnabled
        }
        let read = either(key, help, plain: plain) { settings in
            var flow = MessageFlow(isEnabled: true, slot: slot)
            flow.isEnabled = settings.flag(
                "enabled", default: true,
                "the switch of L49, for both directions; off, no callback comes, and messages come as they arrive")
            flow.hop = settings.span("hop", default: flow.hop, "from the core's taking a message to its callback")
            flow.small = settings.size(
                "small", in: 0...Int64(UInt32.max), "so many bytes or fewer are called back at once"
            )
            .map { UInt32($0) }
            flow.pending = UInt32(
                settings.count("pending", default: 1, in: 1...1_000_000, "writes that may be without their callback"))
            settings.readAsks(&flow)
            return flow
        }
        return read ?? MessageFlow(isEnabled: false, slot: slot)
    }

    private mutating func readAsks(_ flow: inout MessageFlow) {
        typealias Reading = (asks: Intake.Asks?, script: [MessageFlow.Ask])
        let words: [(String, Intake.Asks?)] = [("one-by-one", Intake.Asks()), ("freely", nil)]
        let plain = Form.word(words).map { asks -> Reading in
            (asks, [])
        } back: {
            $0.asks
        }
        let read = either(
            "asks", "receiveNextMessage: one by one as they are shown, freely (not at all), or as the app scripts it",
            plain: plain
        ) { settings -> Reading in
            var asks = Intake.Asks()
            asks.first = UInt32(
                settings.count("first", default: 1, in: 0...1_000_000, "messages that it asks for at once"))
            asks.then = UInt32(
                settings.count("then", default: 1, in: 0...1_000_000, "so many more, again and again; 0: none"))
            asks.after = UInt32(
                settings.count("after", default: 1, in: 1...1_000_000, "messages that it has shown, each time"))
            let script = settings.list("script", counts: 1...100, "what it asks for besides, when") { settings, _ in
                MessageFlow.Ask(
                    at: settings.required("at", .span(in: .zero ... .longest), standIn: .zero, "from the beginning"),
                    count: UInt32(settings.count("ask", default: 1, in: 1...1_000_000, "messages")))
            }
            return (asks, (script ?? []).sorted { $0.at < $1.at })
        }
        if let read { (flow.asks, flow.script) = read }
    }
}
