package import DeadzoneBase
package import DeadzoneClient

/// Effects that `OperatingSystem` requests from the simulation, in order, such as a notification to the app.
package enum SystemEffect: BitwiseCopyable, Sendable, JournalingEffect {
    /// Write a journal entry.
    case note(JournalEntry)
    /// Notify the app of an event.
    case notifyApp(Event)
    /// The processor has woken after sleeping for this time.
    case slept(TimeSpan)
    /// The system stops the app or lets it run again. `wasStopped`: `true` if it was stopped before.
    case suspensionChanged(wasStopped: Bool)
    /// The app's process has ended.
    case processEnded(RecordKind)
    /// A new process of the app starts.
    case processStarted
    /// The app can run now, and can handle events that arrived while it could not.
    case appRuns
    /// The firewall starts (`true`) or stops blocking the app's packets.
    case firewallChanged(Bool)
    /// The kernel takes back the app's sockets: their connections end with an error.
    case reclaimSockets
    /// A push that had to wait for the system's permission can be tried again.
    case retryPush
    /// The app's foreground state or the battery saver may have changed, so the app may have to be notified.
    case visibilityChanged
    /// The app is in the foreground now, or not any more.
    case foregroundChanged
}
