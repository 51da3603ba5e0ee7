public import DeadzonePrimitives

/// Times after which the operating system suspends, disconnects or kills an app in the background. `.longest` means
/// never.
public struct AppProcessRules: Hashable, Sendable {
    /// Time in the background until the app is suspended: its code stops, its memory stays.
    public var suspendsAfter = TimeSpan.longest
    /// Time in the background until suspension, for an app that requests time to finish.
    public var taskTime = TimeSpan.longest
    /// Time before suspension at which an app that requested time is warned.
    public var taskWarning = TimeSpan.zero
    /// `true` if the processor stays awake while an app has granted time in the background.
    public var timeHoldsProcessor = false
    /// `true` if a foreground service or an exemption keeps an app from being suspended.
    public var servicesRun = false
    /// Time from suspension until the kernel reclaims the app's sockets.
    public var reclaimsSocketsAfter = TimeSpan.longest
    /// Time in the background after which the app may no longer use the network.
    public var blocksNetworkAfter = TimeSpan.longest
    /// Interval at which an app that requests background time is granted some (background refresh).
    public var refreshEvery = TimeSpan.longest
    public var refreshTime = TimeSpan.zero
    /// Time in the background after which the process is killed, unless the app is exempt.
    public var killsAfter = TimeSpan.longest
    /// `true` if a killed app stays dead until the user opens it: no alarm, job or push starts it.
    public var killsForGood = false

    public init() {}
}
