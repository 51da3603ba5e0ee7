public import DeadzoneBase

/// A client's reactions to the operating system's notifications about networks.
public struct PathReaction: Sendable {
    /// A client's reaction to a network notification, from the weakest to the strongest. If several notifications
    /// arrive within one debounce time, the strongest reaction applies.
    public enum Reaction: UInt8, Comparable, Hashable, Sendable, BitwiseCopyable {
        case ignore
        /// Ends a wait between attempts to connect; does not touch an open connection.
        case hurry
        /// Tests an open connection by a ping with a short timeout.
        case probe
        /// Moves an open connection to the new network.
        case migrate
        /// Closes the connection or attempt, then waits before the next attempt as after any loss.
        case drop
        /// Closes the connection or attempt and reconnects at once.
        case reconnect

        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// Rule that decides whether the default network counts as changed.
    public enum NetworkComparison: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Changed if the system's handle (identifier) of the network has changed.
        case handle
        /// Changed if the category (none, Wi-Fi, cellular) has changed; two Wi-Fi networks count as the same. This is
        /// what SCNetworkReachability can tell.
        case category
        /// No comparison: every notification counts as a change.
        case nothing
    }

    /// The reaction to each kind of network event, indexed by `NetworkEventKind`.
    private var reactions = InlineArray<8, Reaction>(repeating: .ignore)
    public var comparison = NetworkComparison.handle
    /// Time without further notifications that the client waits for before it reacts; zero reacts at once.
    public var debounce = TimeSpan.zero
    /// `true` if a reaction also resets the backoff between attempts.
    public var resetsBackoff = true
    public var slot: TimerSlot
    private let passByAddress = PassByAddress()

    public struct State: Sendable, BitwiseCopyable {
        /// The default network at the time of the last attempt to connect.
        var attemptNetwork = NetworkView()
        /// Pending reaction to `available` and `lost`. It applies only if the network is another one after the debounce
        /// time.
        var reactionIfChanged = Reaction.ignore
        var unconditionalReaction = Reaction.ignore

        public init() {}
    }

    public init(slot: TimerSlot) { self.slot = slot }

    /// `true` if at least one event has a reaction.
    public var reacts: Bool { NetworkChange.NetworkEventKind.allCases.contains { self[$0] > .ignore } }

    /// `true` if at least one event moves (migrates) the connection to the new network.
    public var migrates: Bool { NetworkChange.NetworkEventKind.allCases.contains { self[$0] == .migrate } }

    /// Creates a policy with one reaction for every change of the default network.
    public init(_ reaction: Reaction, slot: TimerSlot) {
        self.slot = slot
        self[.available] = reaction
        self[.lost] = reaction
    }

    public subscript(kind: NetworkChange.NetworkEventKind) -> Reaction {
        get { reactions[Int(kind.rawValue)] }
        set { reactions[Int(kind.rawValue)] = newValue }
    }

    /// Stores the present network. Called when an attempt is made, or when a connection has moved.
    public func began(_ state: inout State, _ session: Session) { state.attemptNetwork = session.network }

    /// Handles a network notification. Returns the reaction to apply at once; `.ignore` also while the debounce timer
    /// runs.
    public func networkChanged(_ change: NetworkChange, _ state: inout State, _ session: inout Session) -> Reaction {
        // An ignored event starts no debounce, but it extends one that is running.
        guard self[change.kind] > .ignore || session.isArmed(slot) else { return .ignore }
        note(self[change.kind], of: change.kind, &state)
        guard max(state.reactionIfChanged, state.unconditionalReaction) > .ignore else { return .ignore }
        guard debounce > .zero else { return debounceFired(&state, session) }
        session.arm(slot, after: debounce)
        return .ignore
    }

    /// Called when the network may meet the requirement for an attempt. Returns the reaction; the attempt is due after
    /// the debounce time.
    public func networkBecameUsable(_ state: inout State, _ session: inout Session) -> Reaction {
        state.unconditionalReaction = max(state.unconditionalReaction, .hurry)
        guard debounce > .zero else { return debounceFired(&state, session) }
        session.arm(slot, after: debounce)
        return .ignore
    }

    /// Called when the client is parked (stays without a connection): discards pending reactions.
    public func parked(_ state: inout State, _ session: inout Session) {
        session.disarm(slot)
        state.reactionIfChanged = .ignore
        state.unconditionalReaction = .ignore
    }

    /// Called when the debounce time is over. Returns the reaction to apply.
    public func debounceFired(_ state: inout State, _ session: Session) -> Reaction {
        let reaction = max(
            state.unconditionalReaction,
            isAnother(session.network, than: state.attemptNetwork) ? state.reactionIfChanged : .ignore)
        state.reactionIfChanged = .ignore
        state.unconditionalReaction = .ignore
        return reaction
    }

    func isAnother(_ network: NetworkView, than old: NetworkView) -> Bool {
        switch comparison {
        case .handle: network.path != old.path || network.handle != old.handle
        case .category: Reachability(network).category != Reachability(old).category
        case .nothing: true
        }
    }

    /// `true` if the network has changed since the last attempt, by this client's comparison.
    public func networkHasChanged(_ state: State, _ session: Session) -> Bool {
        isAnother(session.network, than: state.attemptNetwork)
    }

    private func note(_ reaction: Reaction, of kind: NetworkChange.NetworkEventKind, _ state: inout State) {
        switch kind {
        case .available, .lost: state.reactionIfChanged = max(state.reactionIfChanged, reaction)
        default: state.unconditionalReaction = max(state.unconditionalReaction, reaction)
        }
    }
}
