public import DeadzoneBase

/// A strategy with its type erased, so that strategies of different types have one type. The type is erased once,
/// outside the event loop: two closures are created where the type is known. A phone's state is plain bytes in memory
/// that the owner provides.
public struct AnyStrategy: Sendable {
    public let name: String
    public let privileges: AppPrivileges
    public let guarantees: DeliveryGuarantees
    public let receivePolicy: ReceivePolicy
    public let names: NamePolicy?
    public let uploads: UploadPolicy?
    public let unlockedVisit: UnlockedVisit?
    public let subscriptions: SubscriptionPolicy?
    public let transport: Transport?
    public let requestedNetwork: Interface?
    public let makesCalls: Bool
    public let migrates: Bool
    public let avoidsMeteredNetworks: Bool
    public let stateSize: Int
    public let stateAlignment: Int
    public let initialize: @Sendable (UnsafeMutableRawPointer) -> Void
    public let handle: @Sendable (Event, UnsafeMutableRawPointer, inout Session, inout Outbox) -> Void
    /// Returns the strategy with its subscriptions, for servers with `streams`; `nil` if it has none.
    public let subscribing: @Sendable () -> AnyStrategy?

    @inlinable public init<S: Strategy>(_ strategy: S) { self.init(strategy, like: strategy) }

    /// Creates a strategy that handles events as `strategy` does, and has all other properties of `other`.
    @inlinable init<S: Strategy, Other: Strategy>(_ strategy: S, like other: Other) {
        name = Other.name
        privileges = other.privileges
        guarantees = other.guarantees
        receivePolicy = other.receivePolicy
        names = other.names
        uploads = other.uploads
        unlockedVisit = other.unlockedVisit
        subscriptions = other.subscriptions
        transport = other.transport
        migrates = other.migrates
        subscribing = { strategy.subscribing }
        requestedNetwork = other.requestedNetwork
        makesCalls = other.makesCalls
        avoidsMeteredNetworks = other.avoidsMeteredNetworks
        stateSize = MemoryLayout<S.State>.size
        stateAlignment = MemoryLayout<S.State>.alignment
        initialize = { place in
            place.initializeMemory(as: S.State.self, to: strategy.initialState())
        }
        handle = { event, place, session, out in
            strategy.handle(event, &place.assumingMemoryBound(to: S.State.self).pointee, &session, &out)
        }
    }
}

/// An entry of the strategy catalogue: name, description (for `list strategies`), and a function that creates the
/// strategy from settings.
public struct StrategyKind: Sendable {
    public let name: String
    public let about: String
    public let make: @Sendable (inout SettingsReader) -> AnyStrategy

    @inlinable public static func of<S: Strategy>(_ type: S.Type) -> StrategyKind {
        StrategyKind(name: S.name, about: S.about) { settings in AnyStrategy(S(&settings)) }
    }

    @inlinable public init(
        name: String, about: String, make: @escaping @Sendable (inout SettingsReader) -> AnyStrategy
    ) {
        self.name = name
        self.about = about
        self.make = make
    }
}
