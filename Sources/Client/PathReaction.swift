public import DeadzonePrimitives

/// What a client makes of the operating system's words about networks.
public struct PathReaction: Sendable {
    /// From the weakest to the strongest: of several within one debounce the strongest counts.
    public enum Reaction: UInt8, Comparable, Hashable, Sendable, BitwiseCopyable {
        case ignore
        /// Ends a wait between attempts; leaves a connection alone.
        case hurry
        /// Asks an open connection for a sign of life, with little patience.
        case probe
        /// Moves an open connection to the new network.
        case migrate
        /// Drops what there is, and waits as after any loss.
        case drop
        /// Drops what there is and begins anew.
        case reconnect

        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// When a network is another one than before.
    public enum Sameness: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// The system has another name for it.
        case handle
        /// It is of another kind (none, Wi-Fi, cellular): two Wi-Fi networks are one. What SCNetworkReachability can tell.
        case category
        /// Always: whatever is said is taken for a change.
        case nothing
    }

    /// By `NetworkChange.Kind`.
    private var reactions = InlineArray<8, Reaction>(repeating: .ignore)
    public var comparison = Sameness.handle
    /// Waits until the system has been silent for so long.
    public var debounce = TimeSpan.zero
    /// The waits between attempts begin anew.
    public var resetsBackoff = true
    public var slot: TimerSlot
    private let lent = Lent()

    public struct State: Sendable, BitwiseCopyable {
        /// The network of the last attempt.
        var over = NetworkView()
        /// Asked for by `available` and `lost`: counts only if the network is another one in the end.
        var ifChanged = Reaction.ignore
        var anyway = Reaction.ignore

        public init() {}
    }

    public init(slot: TimerSlot) { self.slot = slot }

    /// Some event is not ignored.
    public var reacts: Bool { NetworkChange.Kind.allCases.contains { self[$0] > .ignore } }

    /// Some event moves a connection to another network.
    public var migrates: Bool { NetworkChange.Kind.allCases.contains { self[$0] == .migrate } }

    /// One reaction to whatever replaces the default network.
    public init(_ reaction: Reaction, slot: TimerSlot) {
        self.slot = slot
        self[.available] = reaction
        self[.lost] = reaction
    }

    public subscript(kind: NetworkChange.Kind) -> Reaction {
        get { reactions[Int(kind.rawValue)] }
        set { reactions[Int(kind.rawValue)] = newValue }
    }

    /// An attempt is made, or a connection has moved: this is its network.
    public func began(_ state: inout State, _ session: Session) { state.over = session.network }

    /// What to do at once; `.ignore` too while the debounce lasts.
    public func heard(_ change: NetworkChange, _ state: inout State, _ session: inout Session) -> Reaction {
        // What is ignored begins nothing; while the system is waited for it counts as a word.
        guard self[change.kind] > .ignore || session.isArmed(slot) else { return .ignore }
        note(self[change.kind], of: change.kind, &state)
        guard max(state.ifChanged, state.anyway) > .ignore else { return .ignore }
        guard debounce > .zero else { return settled(&state, session) }
        session.arm(slot, after: debounce)
        return .ignore
    }

    /// A closed gate may be open now; an attempt is due once the system has been silent.
    public func gateOpened(_ state: inout State, _ session: inout Session) -> Reaction {
        state.anyway = max(state.anyway, .hurry)
        guard debounce > .zero else { return settled(&state, session) }
        session.arm(slot, after: debounce)
        return .ignore
    }

    /// The client rests, and makes nothing of what it was told before.
    public func rested(_ state: inout State, _ session: inout Session) {
        session.disarm(slot)
        state.ifChanged = .ignore
        state.anyway = .ignore
    }

    /// The debounce is over.
    public func settled(_ state: inout State, _ session: Session) -> Reaction {
        let reaction = max(state.anyway, isAnother(session.network, than: state.over) ? state.ifChanged : .ignore)
        state.ifChanged = .ignore
        state.anyway = .ignore
        return reaction
    }

    public func isAnother(_ network: NetworkView, than old: NetworkView) -> Bool {
        switch comparison {
        case .handle: network.path != old.path || network.handle != old.handle
        case .category: Reachability(network).category != Reachability(old).category
        case .nothing: true
        }
    }

    /// The network has changed since the last attempt, in the eyes of this client.
    public func hasMoved(_ state: State, _ session: Session) -> Bool { isAnother(session.network, than: state.over) }

    private func note(_ reaction: Reaction, of kind: NetworkChange.Kind, _ state: inout State) {
        switch kind {
        case .available, .lost: state.ifChanged = max(state.ifChanged, reaction)
        default: state.anyway = max(state.anyway, reaction)
        }
    }
}
