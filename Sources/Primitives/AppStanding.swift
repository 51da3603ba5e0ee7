/// How an app stands with its operating system: what its makers declared and its user allowed.
public struct AppStanding: Hashable, Sendable, BitwiseCopyable {
    /// The user has taken it out of battery optimisation (Android).
    public var isExempt: Bool
    /// Runs a foreground service while in the background (Android).
    public var hasForegroundService: Bool
    /// Asks for time to finish when it goes to the background: a task assertion, background refresh (iOS).
    public var asksForTime: Bool

    @inlinable public init(isExempt: Bool = false, hasForegroundService: Bool = false, asksForTime: Bool = false) {
        self.isExempt = isExempt
        self.hasForegroundService = hasForegroundService
        self.asksForTime = asksForTime
    }
}
