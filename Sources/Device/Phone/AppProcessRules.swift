package import DeadzoneBase

/// Times after which the operating system suspends, disconnects or kills an app in the background. `.longest` means
/// never.
package struct AppProcessRules: Hashable, Sendable {
    /// Time in the background until the app is suspended: its code stops, its memory stays.
    package var suspendsAfter = TimeSpan.longest
    /// Time in the background until suspension, for an app that requests time to finish.
    package var taskTime = TimeSpan.longest
    /// Time before suspension at which an app that requested time is warned.
    package var taskWarning = TimeSpan.zero
    /// `true` if the processor stays awake while an app has granted time in the background.
    package var timeHoldsProcessor = false
    /// `true` if a foreground service or an exemption keeps an app from being suspended.
    package var servicesRun = false
    /// Time from suspension until the kernel reclaims the app's sockets.
    package var reclaimsSocketsAfter = TimeSpan.longest
    /// Time in the background after which the app may no longer use the network.
    package var blocksNetworkAfter = TimeSpan.longest
    /// Interval at which an app that requests background time is granted some (background refresh).
    package var refreshEvery = TimeSpan.longest
    package var refreshTime = TimeSpan.zero
    /// Time in the background after which the process is killed, unless the app is exempt.
    package var killsAfter = TimeSpan.longest
    /// `true` if a killed app stays dead until the user opens it: no alarm, job or push starts it.
    package var killsForGood = false
}
