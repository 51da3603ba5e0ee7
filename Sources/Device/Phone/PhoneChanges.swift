/// The changes of the app, network and sockets that a call to `Phone` caused. They are listed in the order in which
/// they are handled.
package struct PhoneChanges: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The app runs again with its memory unchanged, as soon as the processor is awake.
    package static let appResumed = PhoneChanges(rawValue: 1 << 0)
    /// The app no longer runs, even if the processor is awake. It gets no notification.
    package static let appSuspended = PhoneChanges(rawValue: 1 << 1)
    /// The app's process has ended; the kernel closes its sockets.
    package static let appKilled = PhoneChanges(rawValue: 1 << 2)
    /// A new process of the app starts.
    package static let appStarted = PhoneChanges(rawValue: 1 << 3)
    /// The firewall starts blocking the app's packets. On some platforms it destroys sockets with an error.
    package static let networkBlocked = PhoneChanges(rawValue: 1 << 4)
    package static let networkUnblocked = PhoneChanges(rawValue: 1 << 5)
    /// A maintenance window of Doze opens.
    package static let windowOpened = PhoneChanges(rawValue: 1 << 6)
    /// Doze defers work from now on. An open window has ended.
    package static let windowClosed = PhoneChanges(rawValue: 1 << 7)
    /// A deferred push must be tried again: Doze or its quota may allow it now.
    package static let pushesMayCome = PhoneChanges(rawValue: 1 << 8)
    /// The kernel reclaims the sockets of a suspended app.
    package static let socketsReclaimed = PhoneChanges(rawValue: 1 << 9)
    /// The time that the system granted the app in the background is about to end.
    package static let timeExpires = PhoneChanges(rawValue: 1 << 10)
    /// The system grants the app some time in the background.
    package static let timeGranted = PhoneChanges(rawValue: 1 << 11)
    /// The system has ended the app's foreground service, because its time is over.
    package static let serviceEnded = PhoneChanges(rawValue: 1 << 12)
    /// The system ended the process because the app did not stop its foreground service. Comes with `appKilled`.
    package static let serviceOverran = PhoneChanges(rawValue: 1 << 13)
}
