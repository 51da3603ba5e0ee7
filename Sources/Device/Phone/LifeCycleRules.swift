public import DeadzonePrimitives

/// What becomes of an app that leaves the front. `.longest` means never.
public struct LifeCycleRules: Hashable, Sendable {
    /// Then it is suspended: its code stands still, its memory stays.
    public var suspendsAfter = TimeSpan.longest
    /// The same for an app that asks for time.
    public var taskTime = TimeSpan.longest
    /// The app that asked is told so long before the end.
    public var taskWarning = TimeSpan.zero
    /// Time in the background keeps the processor awake.
    public var timeHoldsProcessor = false
    /// A foreground service or an exemption keeps an app from being suspended.
    public var servicesRun = false
    /// From the suspension to the kernel's taking the sockets.
    public var reclaimsSocketsAfter = TimeSpan.longest
    /// In the background the network is closed after so long.
    public var blocksNetworkAfter = TimeSpan.longest
    /// An app that asks for time is given some, every so often.
    public var refreshEvery = TimeSpan.longest
    public var refreshTime = TimeSpan.zero
    /// In the background the process is ended after so long, unless the app is exempt.
    public var killsAfter = TimeSpan.longest
    /// And stays dead until the user opens it: no alarm, job or push starts it.
    public var killsForGood = false

    public init() {}
}
