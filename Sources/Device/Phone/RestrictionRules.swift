package import DeadzoneBase

/// The effects of the restrictions that a user can impose on apps in the background, and the limits on foreground
/// services.
package struct RestrictionRules: Hashable, Sendable {
    /// `true` if battery saver closes the network for apps in the background.
    package var saverClosesNetwork = false
    /// `true` if battery saver defers alarms and jobs of apps in the background.
    package var saverDefersWork = false
    /// `true` if the system has data saver, which closes metered networks for apps in the background.
    package var hasDataSaver = false
    /// `true` if the user can restrict an app in the background: no alarms, no jobs, no foreground service.
    package var hasAppRestriction = false
    /// Time in the background after which a foreground service of the type `dataSync` ends.
    package var dataSyncTime = TimeSpan.longest
    /// Time in the background after which a foreground service of the type `shortService` ends.
    package var shortServiceTime = TimeSpan.longest
    /// Time from the end of the service until the process of an app that does not stop it is ended.
    package var serviceGrace = TimeSpan.zero

    /// Returns the time in the background after which a foreground service of this type ends.
    func time(of type: ForegroundServiceType) -> TimeSpan {
        switch type {
        case .unlimited: .longest
        case .dataSync: dataSyncTime
        case .short: shortServiceTime
        }
    }
}
