package import DeadzoneBase

/// Settings of a server with several instances and a load balancer, which assigns each new connection to one instance.
/// `accepts-per-second` and `capacity` apply to each instance.
package struct ClusterProfile: Hashable, Sendable {
    package enum Balance: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case roundRobin, leastConnections
    }

    /// Settings of the health checks by which the load balancer finds instances that are down or overloaded. It checks
    /// each instance at the interval `every`. After `failures` consecutive failures it ejects the instance and resets
    /// its connections; one answer readmits it.
    package struct HealthChecks: Hashable, Sendable {
        package var every: TimeSpan
        package var failures: UInt16
        /// Time limit of a check. A longer delay in the instance's queue also fails the check. An instance that is not
        /// ready for this reason gets no new connections and keeps its existing ones. Kubernetes likewise only removes
        /// a pod that is not ready from its endpoints (`readinessProbe`, `timeoutSeconds`). If no instance is ready,
        /// new connections are reset (kube-proxy rejects connections to a service without endpoints). A check costs an
        /// instance nothing. `nil` checks only whether the instance is running.
        package var timeout: TimeSpan?
        /// If a smaller share of the instances is ready, the balancer ignores the checks and sends to all instances
        /// (panic mode). Models Envoy's panic threshold (`healthy_panic_threshold`, default 50 %). `nil` disables it.
        package var panic: Probability?

        package init(every: TimeSpan, failures: UInt16, timeout: TimeSpan? = nil, panic: Probability? = nil) {
            precondition(every > .zero && failures > 0, "health checks need an interval and a failure count above zero")
            self.every = every
            self.failures = failures
            self.timeout = timeout
            self.panic = panic
        }

        /// Time at which the balancer ejects an instance that goes down at `at`.
        package func ejected(awayFrom at: Instant) -> Instant { check(from: at) + every * Int64(failures - 1) }
        /// Time at which the balancer again sends connections to an instance that is back at `at`.
        package func readmitted(backFrom at: Instant) -> Instant { check(from: at) }

        private func check(from at: Instant) -> Instant {
            .zero + every * ((at.nanoseconds + every.nanoseconds - 1) / every.nanoseconds)
        }
    }

    /// Settings by which the number of server instances follows the load, as in Kubernetes. Instances are added when
    /// the existing ones were busy for more than `target` of the time since the last evaluation. An instance that waits
    /// for the database is not busy, as a process that waits uses no processor time. The new count would meet the target (Kubernetes' rule, `ceil(current * value / target)`). Each new instance is available after
    /// `startUp`.
    package struct Autoscaling: Hashable, Sendable {
        package var target: Probability
        package var every: TimeSpan
        package var startUp: TimeSpan
        package var maximum: UInt8
        /// Time after which surplus instances are removed, if every evaluation within it needed fewer. The newest are
        /// removed first, down to the initial `instances`. The same rule applies, but if the load is less than a tenth
        /// below the target, none is removed (Kubernetes' tolerance and stabilization window, 10 % and 300 s there). A
        /// terminating instance gets no new connections. `nil` never removes any.
        package var downAfter: TimeSpan?
        /// Time after which the remaining connections of a terminating instance are reset (a pod's
        /// `terminationGracePeriodSeconds`, default 30 s). `nil` keeps each connection until it ends by itself.
        package var grace: TimeSpan?

        package init(
            target: Probability, every: TimeSpan, startUp: TimeSpan, maximum: UInt8, downAfter: TimeSpan? = nil,
            grace: TimeSpan? = nil
        ) {
            precondition(target > .zero && every > .zero, "autoscaling needs a target and an interval above zero")
            self.target = target
            self.every = every
            self.startUp = startUp
            self.maximum = maximum
            self.downAfter = downAfter
            self.grace = grace
        }
    }

    /// The capacity of the one database behind all server instances, and the number of queries for each request. The
    /// database answers one query after the other. The queries of a call or session run before the instance serves it.
    package struct DatabaseCapacity: Hashable, Sendable {
        package var queriesPerSecond: UInt32
        package var perCall: UInt16
        package var perSession: UInt16

        package init(queriesPerSecond: UInt32, perCall: UInt16 = 1, perSession: UInt16 = 0) {
            self.queriesPerSecond = queriesPerSecond
            self.perCall = perCall
            self.perSession = perSession
        }
    }

    package static let maximumInstances: UInt8 = 250

    package var instances: UInt8 = 1
    package var balance = Balance.roundRobin
    /// Maximum number of connections in an instance's accept queue. `nil` means unbounded.
    package var backlog: UInt32?
    /// Maximum number of open connections of an instance. `nil` means unlimited.
    package var connectionLimit: UInt32?
    /// Retry-After time with which a full server refuses a client. `nil` if a full server sends no answer, as a kernel
    /// with a full accept queue (Linux, `tcp_abort_on_overflow` 0).
    package var shedding: TimeSpan?
    package var health: HealthChecks?
    package var autoscaling: Autoscaling?
    package var database: DatabaseCapacity?

    package init() {}

    /// `true` if a scale-down can reset connections. A phone can then lose a connection because of the load of other
    /// phones.
    package var resetsOnScaleDown: Bool { autoscaling?.downAfter != nil && autoscaling?.grace != nil }

    /// `true` if the cluster must count the open connections of each instance.
    var countsConnections: Bool {
        balance == .leastConnections || connectionLimit != nil || autoscaling?.downAfter != nil
    }
}

/// A change in the state of one server instance, such as going down or being ejected by the load balancer.
package enum InstanceChange: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The process of the instance ends: its connections are reset, and so are new connections to it.
    case down
    /// The program of the instance freezes for good: neither existing nor new connections get an answer.
    case frozen
    /// A new process of the instance runs. Connections of the old process are reset.
    case up
    /// The load balancer sends no new connections to the instance and resets its existing ones.
    case ejected
    /// The load balancer uses the instance again.
    case readmitted
}

/// A change of one server instance, such as going down, at a given time. Instances are numbered from 0.
package struct InstanceEvent: Hashable, Sendable {
    package var at: Instant
    package var instance: UInt8
    package var change: InstanceChange

    package init(at: Instant, _ instance: UInt8, _ change: InstanceChange) {
        self.at = at
        self.instance = instance
        self.change = change
    }
}
