public import DeadzoneBase

/// A strategy with its type erased, so that strategies of different types have one type. The type is erased once,
/// outside the event loop: two closures are created where the type is known. A phone's state is plain bytes in memory
/// that the owner provides.
public struct AnyStrategy: Sendable {
    @usableFromInline package let name: String
    @usableFromInline package let privileges: AppPrivileges
    @usableFromInline package let guarantees: DeliveryGuarantees
    @usableFromInline package let receivePolicy: ReceivePolicy
    @usableFromInline package let names: NamePolicy?
    @usableFromInline package let uploads: UploadPolicy?
    @usableFromInline package let unlockedVisit: UnlockedVisit?
    @usableFromInline package let subscriptions: SubscriptionPolicy?
    @usableFromInline package let transport: Transport?
    @usableFromInline package let requestedNetwork: Interface?
    @usableFromInline package let makesCalls: Bool
    @usableFromInline package let migrates: Bool
    @usableFromInline package let avoidsMeteredNetworks: Bool
    @usableFromInline package let stateSize: Int
    @usableFromInline package let stateAlignment: Int
    @usableFromInline package let initialize: @Sendable (UnsafeMutableRawPointer) -> Void
    @usableFromInline package let handle:
        @Sendable (Event, UnsafeMutableRawPointer, inout Session, inout Outbox) -> Void
    /// Returns the strategy with its subscriptions, for servers with `streams`; `nil` if it has none.
    @usableFromInline package let subscribing: @Sendable () -> AnyStrategy?

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
    @usableFromInline package let name: String
    @usableFromInline package let about: String
    @usableFromInline package let make: @Sendable (inout SettingsReader) -> AnyStrategy

    @inlinable public static func of<S: Strategy>(_ type: S.Type) -> StrategyKind {
        StrategyKind(name: S.name, about: S.about) { settings in AnyStrategy(S(&settings)) }
    }

    @inlinable package init(
        name: String, about: String, make: @escaping @Sendable (inout SettingsReader) -> AnyStrategy
    ) {
        self.name = name
        self.about = about
        self.make = make
    }
}
