public import DeadzonePrimitives
public import DeadzoneSettings

/// A client's whole network policy. The value holds the settings and is shared by all its phones; each phone keeps a small
/// plain `State`. A strategy never learns whether time is real.
public protocol Strategy: Sendable {
    associatedtype State: BitwiseCopyable & Sendable
    static var name: String { get }
    static var about: String { get }
    /// Reads the settings; the same code is their documentation and their schema.
    init(_ settings: inout SettingsReader)
    /// How the app stands with its operating system.
    var standing: AppStanding { get }
    /// What it promises of messages.
    var claims: Claims { get }
    /// How the app takes in what comes.
    var intake: Intake { get }
    /// What all its connections ride on, where that is known before any is made.
    var transport: Carrier? { get }
    func initialState() -> State
    func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox)
}

extension Strategy {
    @inlinable public var standing: AppStanding { AppStanding() }
    @inlinable public var claims: Claims { Claims() }
    public var intake: Intake { Intake() }
    public var transport: Carrier? { nil }
}
