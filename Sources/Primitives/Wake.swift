/// What a timer may do to a sleeping phone. The operating system decides when it truly fires.
public enum Wake: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Nothing: it fires when the processor is awake and the app may run.
    case none
    /// Wakes the processor; Doze puts it off to the next maintenance window, standby to its quota.
    case alarm
    /// Wakes the processor even in Doze, as often as the platform's rate limit allows.
    case whileIdle
    /// A deferrable job: runs when the platform has a window and the quota of the app's bucket allows.
    case job
}
