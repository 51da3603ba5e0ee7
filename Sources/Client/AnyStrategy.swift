public import DeadzonePrimitives
public import DeadzoneSettings

/// A strategy whose type is forgotten, once and far from the loop: two closures formed where the type was known. A phone's
/// state is plain bytes in a place its owner provides.
public struct AnyStrategy: Sendable {
    public let name: String
    public let standing: AppStanding
    public let claims: Claims
    public let intake: Intake
    public let transport: Carrier?
    public let stateSize: Int
    public let stateAlignment: Int
    public let initialize: @Sendable (UnsafeMutableRawPointer) -> Void
    public let handle: @Sendable (Event, UnsafeMutableRawPointer, inout Session, inout Outbox) -> Void

    @inlinable public init<S: Strategy>(_ strategy: S) {
        name = S.name
        standing = strategy.standing
        claims = strategy.claims
        intake = strategy.intake
        transport = strategy.transport
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

/// How a strategy is found by name: what `list strategies` shows, and how one is made from settings.
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
