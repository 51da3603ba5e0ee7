public import DeadzonePrimitives

/// What alarms and jobs are allowed.
public struct AlarmRules: Hashable, Sendable {
    /// Alarms in deep idle that do not wait for the window.
    public var whileIdle = Quota.unlimited
    /// The network is open so long after each of them.
    public var whileIdleNetwork = TimeSpan.zero
    /// Apps that the user has taken off battery optimisation set alarms that nothing puts off.
    public var exemptionFreesAlarms = false
    /// And their jobs run in Doze.
    public var exemptionFreesJobs = false

    public init() {}
}

/// What pushes are allowed.
public struct PushRules: Hashable, Sendable {
    /// The network is open so long after an urgent push.
    public var network = TimeSpan.zero
    /// The app may run so long.
    public var time = TimeSpan.zero
    /// Pushes that are not urgent; beyond it they wait.
    public var quota = Quota.unlimited

    public init() {}
}
