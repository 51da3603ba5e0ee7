import DeadzoneBase

/// The strategy `composed` with several subscriptions on its connection. It is used only with a server that has
/// `streams`, so that no other phone needs memory for them. All its properties are those of `base`
/// (`AnyStrategy.init(_:like:)`).
struct SubscribingClient: Strategy {
    static let name = Composed.name
    static let about = Composed.about

    private let base: Composed
    private let policy: SubscriptionPolicy

    struct State: BitwiseCopyable, Sendable {
        var base = Composed.State()
        var subscriptions = SubscriptionPolicy.State()
        /// The retries before the present connection opened; `nil` once the server has joined all subscriptions on it.
        var retryBeforeOpening: Retry.State?
    }

    init(_ base: Composed, _ policy: SubscriptionPolicy) {
        self.base = base
        self.policy = policy
    }

    init(_ settings: inout SettingsReader) {
        let base = Composed(&settings)
        self.init(base, base.subscriptions ?? SubscriptionPolicy(slot: Composed.writeSlot))
    }

    func initialState() -> State { State() }

    func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        let before = base.openConnection(state.base)
        if event == .fired(policy.slot) {
            guard let before else { return }
            return policy.fired(over: before, &state.subscriptions, &session, &out)
        }
        let retry = state.base.retry
        base.handle(event, &state.base, &session, &out)
        guard let connection = base.openConnection(state.base) else {
            if before != nil { policy.lost(&state.subscriptions, &session) }
            return
        }
        switch event {
        case .opened(connection, _):
            state.retryBeforeOpening = retry
            policy.opened(connection, &state.subscriptions, &session, &out)
        case .subscriptions(connection, let change, let subscriptions):
            let givesUp = policy.changed(change, subscriptions, &state.subscriptions, &session)
            if givesUp { return reconnect(after: change, &state, &session, &out) }
            if state.subscriptions.hasAllAnswers { state.retryBeforeOpening = nil }
        default: break
        }
    }

    /// Gives up the connection because the server has ended or refused a subscription.
    ///
    /// After a refusal, the connection is a failed attempt: the backoff continues, although the connection has
    /// opened. Otherwise a server that refuses would be called again after the first wait for ever. Libraries avoid
    /// this in another way: they join the subscription again after waits of its own, or give it up
    /// (centrifugal/centrifuge-js `src/subscription.ts`, `_subscribeError`).
    private func reconnect(
        after change: SubscriptionChange, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        if change == .refused, let before = state.retryBeforeOpening { state.base.retry.takeBackOpening(since: before) }
        base.giveUp(change == .refused ? .turnedAway : .ended, &state.base, &session, &out)
        policy.lost(&state.subscriptions, &session)
    }
}
