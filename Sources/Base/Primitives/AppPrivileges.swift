/// An app's privileges to run in the background: those that its developers declared and its user granted.
public struct AppPrivileges: Hashable, Sendable, BitwiseCopyable {
    /// `true` if the user has exempted the app from battery optimisation (Android).
    public var isExempt: Bool
    /// `true` if the app runs a foreground service while in the background (Android).
    public var hasForegroundService: Bool
    /// `true` if the app requests time to finish when it goes to the background: a task assertion or background refresh
    /// (iOS).
    public var requestsTime: Bool

    @inlinable public init(isExempt: Bool = false, hasForegroundService: Bool = false, requestsTime: Bool = false) {
        self.isExempt = isExempt
        self.hasForegroundService = hasForegroundService
        self.requestsTime = requestsTime
    }
}
