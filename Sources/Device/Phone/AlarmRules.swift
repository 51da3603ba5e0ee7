package import DeadzoneBase

/// An operating system's limits on alarms and jobs of apps while the phone is in Doze.
package struct AlarmRules: Hashable, Sendable {
    /// Number of alarms per period that may fire in deep idle, outside a maintenance window.
    package var whileIdle = Quota.unlimited
    /// Time that the network is open for the app after each alarm in deep idle.
    package var whileIdleNetwork = TimeSpan.zero
    /// `true` if Doze does not delay the alarms of apps that are exempt from battery optimisation.
    package var exemptionFreesAlarms = false
    /// `true` if Doze does not delay the jobs of apps that are exempt from battery optimisation.
    package var exemptionFreesJobs = false
}

/// An operating system's limits on push messages to apps: quota, and time to run and to use the network.
package struct PushRules: Hashable, Sendable {
    /// Time that the network is open for the app after an urgent push.
    package var network = TimeSpan.zero
    /// Time that the app may run after a push.
    package var time = TimeSpan.zero
    /// Number of non-urgent pushes per period. Pushes beyond it wait.
    package var quota = Quota.unlimited
}
