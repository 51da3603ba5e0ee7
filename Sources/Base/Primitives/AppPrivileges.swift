/// An app's privileges to run in the background: those that its developers declared and its user granted.
public struct AppPrivileges: Hashable, Sendable, BitwiseCopyable {
    /// `true` if the user has exempted the app from battery optimisation (Android).
    public var isExempt: Bool
    /// `true` if the app runs a foreground service while in the background (Android).
    public var hasForegroundService: Bool
    /// The type of the foreground service, which limits its time in the background (since Android 14).
    public var serviceType = ForegroundServiceType.unlimited
    /// `true` if the app stops its service when the system says that its time is over. Otherwise the system ends the
    /// app's process.
    public var stopsServiceInTime = true
    /// `true` if the app requests time to finish when it goes to the background: a task assertion or background refresh
    /// (iOS).
    public var requestsTime: Bool
    /// `true` if the user lets the app use mobile data in the background although data saver is on (Android).
    public var hasUnrestrictedData = false

    @inlinable public init(isExempt: Bool = false, hasForegroundService: Bool = false, requestsTime: Bool = false) {
        self.isExempt = isExempt
        self.hasForegroundService = hasForegroundService
        self.requestsTime = requestsTime
    }
}

/// The type of an Android foreground service, as far as the system limits its time in the background.
public enum ForegroundServiceType: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// A type without a limit, such as `connectedDevice`, `remoteMessaging` or `specialUse`.
    case unlimited
    /// `dataSync`. The type `mediaProcessing` has the same limit, counted apart.
    case dataSync
    /// `shortService`.
    case short
}
