/// What a verb of the phone changed, in the order in which it is acted upon.
public struct PhoneChanges: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The app runs again with its memory as it was, as soon as the processor is awake.
    public static let appResumed = PhoneChanges(rawValue: 1 << 0)
    /// The app no longer runs, even if the processor is awake, and is not told.
    public static let appSuspended = PhoneChanges(rawValue: 1 << 1)
    /// The process is gone; the kernel closes its sockets.
    public static let appKilled = PhoneChanges(rawValue: 1 << 2)
    /// A new process starts.
    public static let appStarted = PhoneChanges(rawValue: 1 << 3)
    /// The firewall closes; where the platform says so, sockets are destroyed with an error.
    public static let networkBlocked = PhoneChanges(rawValue: 1 << 4)
    public static let networkUnblocked = PhoneChanges(rawValue: 1 << 5)
    /// A maintenance window of Doze begins.
    public static let windowOpened = PhoneChanges(rawValue: 1 << 6)
    /// Doze puts off what it can from now on; if a window was open, it is over.
    public static let windowClosed = PhoneChanges(rawValue: 1 << 7)
    /// A push that had to wait is asked about again: Doze lets it pass, or its quota does.
    public static let pushesMayCome = PhoneChanges(rawValue: 1 << 8)
    /// The kernel takes the sockets of a suspended app.
    public static let socketsReclaimed = PhoneChanges(rawValue: 1 << 9)
    /// The time granted in the background is nearly over.
    public static let timeExpires = PhoneChanges(rawValue: 1 << 10)
    /// The system grants some time in the background.
    public static let timeGranted = PhoneChanges(rawValue: 1 << 11)
}
