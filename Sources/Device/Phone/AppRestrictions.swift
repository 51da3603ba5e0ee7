import DeadzoneBase

/// The restrictions on apps in the background that the user has switched on, on one phone.
struct AppRestrictions: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt8

    static let batterySaver = AppRestrictions(rawValue: 1)
    /// Data saver is on, on a system that has it.
    static let dataSaver = AppRestrictions(rawValue: 1 << 1)
    /// The default network is metered, as mobile data are. Kept up to date only while data saver is on.
    static let meteredNetwork = AppRestrictions(rawValue: 1 << 2)
    /// The user has restricted the app: it has no alarms, jobs and foreground service in the background.
    static let restrictedApp = AppRestrictions(rawValue: 1 << 3)

    mutating func set(_ restriction: AppRestrictions, _ on: Bool) {
        if on { insert(restriction) } else { remove(restriction) }
    }

    /// `true` if data saver closes the network for an app in the background. Data saver has its own list of exempt
    /// apps, and neither a push nor a job opens the network.
    func closesMetered(_ privileges: AppPrivileges) -> Bool {
        contains([.dataSaver, .meteredNetwork]) && !privileges.hasForegroundService && !privileges.hasUnrestrictedData
    }

    /// `true` if battery saver restricts an app in the background. The system switches battery saver off while the
    /// phone charges.
    func savesPower(_ privileges: AppPrivileges, isCharging: Bool) -> Bool {
        contains(.batterySaver) && !isCharging && !privileges.isExempt && !privileges.hasForegroundService
    }
}
