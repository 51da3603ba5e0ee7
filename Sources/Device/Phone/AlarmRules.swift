public import DeadzonePrimitives

/// An operating system's limits on alarms and jobs of apps while the phone is in Doze.
public struct AlarmRules: Hashable, Sendable {
    /// Number of alarms per period that may fire in deep idle, outside a maintenance window.
    public var whileIdle = Quota.unlimited
    /// Time that the network is open for the app after each alarm in deep idle.
    public var whileIdleNetwork = TimeSpan.zero
    /// `true` if Doze does not delay the alarms of apps that are exempt from battery optimisation.
    public var exemptionFreesAlarms = false
    /// `true` if Doze does not delay the jobs of apps that are exempt from battery optimisation.
    public var exemptionFreesJobs = false

    public init() {}
}

/// An operating system's limits on push messages to apps: quota, and time to run and to use the network.
public struct PushRules: Hashable, Sendable {
    /// Time that the network is open for the app after an urgent push.
    public var network = TimeSpan.zero
    /// Time that the app may run after a push.
    public var time = TimeSpan.zero
    /// Number of non-urgent pushes per period. Pushes beyond it wait.
    public var quota = Quota.unlimited

    public init() {}
}
