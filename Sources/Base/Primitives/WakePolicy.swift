/// Defines whether and how a timer wakes a sleeping phone. The operating system decides when the timer fires.
public enum WakePolicy: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The timer does not wake the phone. It fires when the processor is awake and the app may run.
    case none
    /// The timer wakes the processor. Doze delays it to the next maintenance window, App Standby until its quota allows
    /// it.
    case alarm
    /// The timer wakes the processor even in Doze, as often as the platform's rate limit allows.
    case whileIdle
    /// The timer is a deferrable job: it runs when the platform has a window and the quota of the app's standby bucket
    /// allows it.
    case job
}
