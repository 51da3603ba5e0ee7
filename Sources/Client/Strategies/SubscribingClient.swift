import DeadzoneBase

/// The strategy `composed` with several subscriptions on its connection. It is used only with a server that has
/// `streams`, so that no other phone needs memory for them.
struct SubscribingClient: Strategy {
    static let name = Composed.name
    static let about = Composed.about

    private let base: Composed
    private let policy: SubscriptionPolicy

    struct State: BitwiseCopyable, Sendable {
        var base = Composed.State()
        var subscriptions = SubscriptionPolicy.State()
    }

    init(_ base: Composed, _ policy: SubscriptionPolicy) {
        self.base = base
        self.policy = policy
    }

    init(_ settings: inout SettingsReader) {
        let base = Composed(&settings)
        self.init(base, base.subscriptions ?? SubscriptionPolicy(slot: Composed.writeSlot))
    }

    var privileges: AppPrivileges { base.privileges }
    var guarantees: DeliveryGuarantees { base.guarantees }
    var receivePolicy: ReceivePolicy { base.receivePolicy }
    var names: NamePolicy? { base.names }
    var uploads: UploadPolicy? { base.uploads }
    var subscriptions: SubscriptionPolicy? { policy }
    var transport: Transport? { base.transport }
    var makesCalls: Bool { base.makesCalls }
    var migrates: Bool { base.migrates }

    func initialState() -> State { State() }

    func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        let before = base.openConnection(state.base)
        if event == .fired(policy.slot) {
            guard let before else { return }
            return policy.fired(over: before, &state.subscriptions, &session, &out)
        }
        base.handle(event, &state.base, &session, &out)
        guard let connection = base.openConnection(state.base) else {
            if before != nil { policy.lost(&state.subscriptions, &session) }
            return
        }
        switch event {
        case .opened(connection, _): policy.opened(connection, &state.subscriptions, &session, &out)
        case .subscriptions(connection, let change, let subscriptions):
            guard policy.changed(change, subscriptions, &state.subscriptions, &session) else { return }
            base.giveUp(.ended, &state.base, &session, &out)
            policy.lost(&state.subscriptions, &session)
        default: break
        }
    }
}
