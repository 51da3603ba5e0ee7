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
    var standing: Standing { get }
    func initialState() -> State
    func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox)
}

extension Strategy {
    @inlinable public var standing: Standing { Standing() }
}

/// How an app stands with its operating system: what its makers declared and its user allowed.
public struct Standing: Hashable, Sendable, BitwiseCopyable {
    /// Exempt from battery optimisation (Android).
    public var isExempt = false
    /// Runs a foreground service while in the background (Android).
    public var hasForegroundService = false
    /// Asks for time to finish when it goes to the background (iOS).
    public var asksForTime = false

    @inlinable public init() {}
}
