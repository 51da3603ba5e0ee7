public import DeadzoneBase

/// Policy for several subscriptions on one connection: channels, topics, or streams that the server can end alone while
/// the connection lives and its heartbeat is answered.
///
///     out ──connection open──▶ joining ──joined──▶ joined ──the server ends it──▶ waiting ──wait over──▶ joining
///                                 └────refused, time limit────────────────────────▶┘
///
/// The diagram omits clients that do less: one that ignores an end or a refusal, and one that joins nothing again on a
/// new connection (`rejoinsOnOpen`).
public struct SubscriptionPolicy: Hashable, Sendable {
    /// The client's answer to an end or a refusal that the server has told.
    public enum StreamReaction: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Joins the subscription again after a wait.
        case rejoin
        /// Closes the connection, and opens another one after the wait of the strategy's backoff. After a refusal the
        /// connection counts as a failed attempt.
        case reconnect
        /// Gives the subscription up until the next connection, and tells the app.
        case drop
        /// Takes the subscription for joined as before. Only after an end.
        case ignore

        static let words = [("rejoin", Self.rejoin), ("reconnect", .reconnect), ("drop", .drop)]
    }

    public var count: UInt8 = 1
    /// Payload of a request to join, in bytes.
    public var joinBytes: UInt32 = 100
    /// Time limit of a request to join. The default is DEFAULT_TIMEOUT of Phoenix (phoenixframework/phoenix
    /// `assets/js/phoenix/constants.js`).
    public var joinTimeout = TimeSpan.seconds(10)
    /// Waits before a subscription is joined again. Phoenix waits 1, 2, 5, then 10 s (`socket.js`, rejoinAfterMs).
    public var backoff = Backoff(base: .seconds(1), cap: .seconds(10), jitter: .none)
    /// `true` if all subscriptions that wait share one timer, and join together.
    public var sharesTimer = false
    public var onEnd = StreamReaction.rejoin
    public var onRefusal = StreamReaction.rejoin
    /// `true` if a new connection joins all subscriptions. `false` if the client takes them for joined from the
    /// connection before.
    public var rejoinsOnOpen = true
    public var slot: TimerSlot

    public init(slot: TimerSlot) { self.slot = slot }

    public struct State: BitwiseCopyable, Sendable {
        /// The subscriptions that the client takes for joined.
        public fileprivate(set) var joined = SubscriptionSet.empty
        /// Those that it has asked to join.
        public fileprivate(set) var joining = SubscriptionSet.empty
        /// Those that wait before they join again.
        public fileprivate(set) var waiting = SubscriptionSet.empty
        /// `true` if no subscription waits for an answer of the server or for its next request.
        var hasAllAnswers: Bool { joining.isEmpty && waiting.isEmpty }
        fileprivate var hasBeenOpen = false
        /// Failures in a row of each subscription; with a shared timer only the first one is used.
        fileprivate var failures = InlineArray<64, UInt8>(repeating: 0)
        /// End of the wait or of the time limit of each subscription.
        fileprivate var due = InlineArray<64, Instant>(repeating: .never)

        public init() {}
    }

    public var all: SubscriptionSet { SubscriptionSet(upTo: Int(count)) }

    /// Called when a connection has opened.
    public func opened(
        _ connection: ConnectionSlot, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        state.joining = .empty
        state.waiting = .empty
        let isFirst = !state.hasBeenOpen
        state.hasBeenOpen = true
        guard isFirst || rejoinsOnOpen else { return }
        state.joined = .empty
        for number in 0..<Int(count) { state.failures[number] = 0 }
        join(all, over: connection, &state, &session, &out)
    }

    /// Called when the connection is lost.
    public func lost(_ state: inout State, _ session: inout Session) {
        state.joining = .empty
        state.waiting = .empty
        session.disarm(slot)
    }

    /// Called when the server has answered requests to join, or has ended subscriptions.
    /// - Returns: `true` if the client gives up the connection.
    public func changed(
        _ change: SubscriptionChange, _ subscriptions: SubscriptionSet, _ state: inout State,
        _ session: inout Session
    ) -> Bool {
        let reaction: StreamReaction
        switch change {
        case .joined:
            state.joining.subtract(subscriptions)
            state.waiting.subtract(subscriptions)
            state.joined.formUnion(subscriptions)
            if !sharesTimer { reset(subscriptions, &state) }
            if sharesTimer, state.waiting.isEmpty, state.joining.isEmpty { state.failures[0] = 0 }
            arm(state, &session)
            return false
        case .refused: reaction = onRefusal
        case .ended: reaction = onEnd
        }
        switch reaction {
        case .reconnect: return true
        case .drop:
            state.joining.subtract(subscriptions)
            state.joined.subtract(subscriptions)
        case .ignore: break
        case .rejoin: wait(subscriptions, &state, &session)
        }
        arm(state, &session)
        return false
    }

    /// Called when the timer has fired: waits and time limits of requests are over.
    public func fired(
        over connection: ConnectionSlot, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        func dueNow(_ subscriptions: SubscriptionSet) -> SubscriptionSet {
            var (rest, found) = (subscriptions, SubscriptionSet.empty)
            while let number = rest.popFirst() {
                if state.due[Int(number)] <= session.now { found.formUnion(SubscriptionSet(number)) }
            }
            return found
        }
        let (ready, unanswered) = (dueNow(state.waiting), dueNow(state.joining))
        // In this order, what was not answered begins a wait of its own and joins none that is over.
        join(ready, over: connection, &state, &session, &out)
        wait(unanswered, &state, &session)
        arm(state, &session)
    }

    private func join(
        _ subscriptions: SubscriptionSet, over connection: ConnectionSlot, _ state: inout State,
        _ session: inout Session, _ out: inout Outbox
    ) {
        state.waiting.subtract(subscriptions)
        state.joining.formUnion(subscriptions)
        setDue(subscriptions, session.now + joinTimeout, &state)
        if !subscriptions.isEmpty { out.append(.join(connection, subscriptions)) }
        arm(state, &session)
    }

    /// Begins the wait of these subscriptions. With a shared timer they join a wait that runs.
    private func wait(_ subscriptions: SubscriptionSet, _ state: inout State, _ session: inout Session) {
        guard !subscriptions.isEmpty else { return }
        state.joined.subtract(subscriptions)
        state.joining.subtract(subscriptions)
        if sharesTimer {
            let due = state.waiting.isEmpty ? nextDue(0, &state, &session) : state.due[Int(state.waiting.first)]
            setDue(subscriptions, due, &state)
        } else {
            var rest = subscriptions
            while let number = rest.popFirst() {
                state.due[Int(number)] = nextDue(Int(number), &state, &session)
            }
        }
        state.waiting.formUnion(subscriptions)
    }

    private func nextDue(_ number: Int, _ state: inout State, _ session: inout Session) -> Instant {
        let wait = backoff.wait(afterFailures: state.failures[number], using: &session.random)
        state.failures[number] += state.failures[number] < .max ? 1 : 0
        return session.now + wait
    }

    private func reset(_ subscriptions: SubscriptionSet, _ state: inout State) {
        var rest = subscriptions
        while let number = rest.popFirst() { state.failures[Int(number)] = 0 }
    }

    private func setDue(_ subscriptions: SubscriptionSet, _ due: Instant, _ state: inout State) {
        var rest = subscriptions
        while let number = rest.popFirst() { state.due[Int(number)] = due }
    }

    /// Arms the timer for the earliest wait or time limit.
    private func arm(_ state: State, _ session: inout Session) {
        var rest = state.joining
        rest.formUnion(state.waiting)
        var earliest = Instant.never
        while let number = rest.popFirst() { earliest = min(earliest, state.due[Int(number)]) }
        if earliest == .never { session.disarm(slot) } else { session.arm(slot, after: earliest - session.now) }
    }
}

/// News of the server about subscriptions.
public enum SubscriptionChange: UInt8, Hashable, Sendable, BitwiseCopyable {
    case joined, refused, ended
}
