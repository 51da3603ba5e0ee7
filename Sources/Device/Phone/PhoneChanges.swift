/// What a verb of the phone changed, in the order in which it is acted upon.
public struct PhoneChanges: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let processorWoke = PhoneChanges(rawValue: 1 << 0)
    public static let processorSlept = PhoneChanges(rawValue: 1 << 1)
    /// The app runs again with its memory as it was, as soon as the processor is awake.
    public static let appResumed = PhoneChanges(rawValue: 1 << 2)
    /// The app no longer runs, even if the processor is awake, and is not told.
    public static let appSuspended = PhoneChanges(rawValue: 1 << 3)
    /// The process is gone; the kernel closes its sockets.
    public static let appKilled = PhoneChanges(rawValue: 1 << 4)
    /// A new process starts.
    public static let appStarted = PhoneChanges(rawValue: 1 << 5)
    /// The firewall closes; where the platform says so, sockets are destroyed with an error.
    public static let networkBlocked = PhoneChanges(rawValue: 1 << 6)
    public static let networkUnblocked = PhoneChanges(rawValue: 1 << 7)
    /// What was put off happens now: a maintenance window begins, Doze is over, or the system has time for a push again.
    public static let windowOpened = PhoneChanges(rawValue: 1 << 8)
    public static let windowClosed = PhoneChanges(rawValue: 1 << 9)
    /// The kernel takes the sockets of a suspended app.
    public static let socketsReclaimed = PhoneChanges(rawValue: 1 << 10)
    /// The time granted in the background is nearly over.
    public static let timeExpires = PhoneChanges(rawValue: 1 << 11)
    /// The system grants some time in the background.
    public static let timeGranted = PhoneChanges(rawValue: 1 << 12)
    /// The answers of `fires` may have changed.
    public static let timersMoved = PhoneChanges(rawValue: 1 << 13)
}

/// How a timer may wake the phone.
public enum AlarmKind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    case none, alarm, whileIdle, job
}

/// How the app stands with the system.
public struct AppStanding: Hashable, Sendable, BitwiseCopyable {
    /// The user has taken it off battery optimisation.
    public var isExempt: Bool
    public var hasForegroundService: Bool
    /// It asks for time whenever it leaves the front: a task assertion, background refresh.
    public var asksForTime: Bool

    public init(isExempt: Bool = false, hasForegroundService: Bool = false, asksForTime: Bool = false) {
        self.isExempt = isExempt
        self.hasForegroundService = hasForegroundService
        self.asksForTime = asksForTime
    }
}
