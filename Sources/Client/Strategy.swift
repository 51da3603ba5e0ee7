public import DeadzoneBase

/// A client's whole network policy: it maps events to actions. The value holds the settings and is shared by all phones
/// that run it; each phone keeps a small, plain `State`. A strategy cannot tell simulated time from real time.
public protocol Strategy: Sendable {
    associatedtype State: BitwiseCopyable & Sendable
    static var name: String { get }
    static var about: String { get }
    /// Creates the strategy from its settings. The same code provides the documentation and the schema of the settings.
    init(_ settings: inout SettingsReader)
    /// Privileges that the operating system grants the app, such as an exemption from battery optimisation.
    var privileges: AppPrivileges { get }
    /// The delivery guarantees that the strategy claims.
    var guarantees: DeliveryGuarantees { get }
    /// Policy by which the app receives messages.
    var receivePolicy: ReceivePolicy { get }
    /// Policy of the client's library for the server's name; `nil` if it asks the system for each attempt.
    var names: NamePolicy? { get }
    /// Whether the strategy continues a message that broke off; `nil` sends it from its start.
    var uploads: UploadPolicy? { get }
    /// The client's visits in the background without a wake lock: their end waits until something else wakes the
    /// processor. `nil` if there are none.
    var unlockedVisit: UnlockedVisit? { get }
    /// Policy for several subscriptions on one connection; `nil` if the session itself is the only one.
    var subscriptions: SubscriptionPolicy? { get }
    /// The same strategy with a state for its subscriptions, for servers with `streams`; `nil` if it has none. Without
    /// such a server, a phone needs no memory for them.
    var subscribing: AnyStrategy? { get }
    /// The transport of all connections of the strategy; `nil` if it is not known before they are opened.
    var transport: Transport? { get }
    /// The network that the app asks the system for, and uses while it is there; `nil` for the default network.
    var requestedNetwork: Interface? { get }
    /// `false` if the strategy never starts calls (`Action.call`): then the calls of a scenario stay pending.
    var makesCalls: Bool { get }
    /// `false` if the strategy never moves a connection to another network. Then a QUIC connection is dead once its
    /// network is gone.
    var migrates: Bool { get }
    /// `true` if the strategy connects over networks that are not metered alone.
    var avoidsMeteredNetworks: Bool { get }
    func initialState() -> State
    func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox)
}

extension Strategy {
    @inlinable public var privileges: AppPrivileges { AppPrivileges() }
    @inlinable public var guarantees: DeliveryGuarantees { DeliveryGuarantees() }
    public var receivePolicy: ReceivePolicy { ReceivePolicy() }
    public var names: NamePolicy? { nil }
    public var uploads: UploadPolicy? { nil }
    public var unlockedVisit: UnlockedVisit? { nil }
    public var subscriptions: SubscriptionPolicy? { nil }
    public var subscribing: AnyStrategy? { nil }
    public var transport: Transport? { nil }
    public var requestedNetwork: Interface? { nil }
    public var makesCalls: Bool { true }
    public var migrates: Bool { true }
    public var avoidsMeteredNetworks: Bool { false }
}
