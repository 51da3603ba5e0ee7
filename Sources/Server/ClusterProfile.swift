public import DeadzonePrimitives

/// Settings of a server with several instances and a load balancer, which assigns each new connection to one instance.
/// `accepts-per-second` and `capacity` apply to each instance.
public struct ClusterProfile: Hashable, Sendable {
    public enum Balance: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case roundRobin, leastConnections
    }

    /// Settings of the health checks by which the load balancer finds instances that are down or overloaded. It checks
    /// each instance at the interval `every`. After `failures` consecutive failures it ejects the instance and resets
    /// its connections; one answer readmits it.
    public struct HealthChecks: Hashable, Sendable {
        public var every: TimeSpan
        public var failures: UInt16
        /// Time limit of a check. A longer delay in the instance's queue also fails the check. An instance that is not
        /// ready for this reason gets no new connections and keeps its existing ones. Kubernetes likewise only removes
        /// a pod that is not ready from its endpoints (`readinessProbe`, `timeoutSeconds`). If no instance is ready,
        /// new connections are reset (kube-proxy rejects connections to a service without endpoints). A check costs an
        /// instance nothing. `nil` checks only whether the instance is running.
        public var timeout: TimeSpan?
        /// If a smaller share of the instances is ready, the balancer ignores the checks and sends to all instances
        /// (panic mode). Models Envoy's panic threshold (`healthy_panic_threshold`, default 50 %). `nil` disables it.
        public var panic: Probability?

        public init(every: TimeSpan, failures: UInt16, timeout: TimeSpan? = nil, panic: Probability? = nil) {
            precondition(every > .zero && failures > 0, "health checks need an interval and a failure count above zero")
            self.every = every
            self.failures = failures
            self.timeout = timeout
            self.panic = panic
        }

        /// Time at which the balancer ejects an instance that goes down at `at`.
        public func ejected(awayFrom at: Instant) -> Instant { check(from: at) + every * Int64(failures - 1) }
        /// Time at which the balancer again sends connections to an instance that is back at `at`.
        public func readmitted(backFrom at: Instant) -> Instant { check(from: at) }

        private func check(from at: Instant) -> Instant {
            .zero + every * ((at.nanoseconds + every.nanoseconds - 1) / every.nanoseconds)
        }
    }

    /// Settings by which the number of server instances follows the load, as in Kubernetes. Instances are added when
    /// the existing ones were busy for more than `target` of the time since the last evaluation. An instance that waits
    /// for the database is not busy, as a process that waits uses no processor time. The new count would meet the target (Kubernetes' rule, `ceil(current * value / target)`). Each new instance is available after
    /// `startUp`.
    public struct Autoscaling: Hashable, Sendable {
        public var target: Probability
        public var every: TimeSpan
        public var startUp: TimeSpan
        public var maximum: UInt8
        /// Time after which surplus instances are removed, if every evaluation within it needed fewer. The newest are
        /// removed first, down to the initial `instances`. The same rule applies, but if the load is less than a tenth
        /// below the target, none is removed (Kubernetes' tolerance and stabilization window, 10 % and 300 s there). A
        /// terminating instance gets no new connections. `nil` never removes any.
        public var downAfter: TimeSpan?
        /// Time after which the remaining connections of a terminating instance are reset (a pod's
        /// `terminationGracePeriodSeconds`, default 30 s). `nil` keeps each connection until it ends by itself.
        public var grace: TimeSpan?

        public init(
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
    public struct DatabaseCapacity: Hashable, Sendable {
        public var queriesPerSecond: UInt32
        public var perCall: UInt16
        public var perSession: UInt16

        public init(queriesPerSecond: UInt32, perCall: UInt16 = 1, perSession: UInt16 = 0) {
            self.queriesPerSecond = queriesPerSecond
            self.perCall = perCall
            self.perSession = perSession
        }
    }

    public static let maximumInstances: UInt8 = 250

    public var instances: UInt8 = 1
    public var balance = Balance.roundRobin
    /// Maximum number of connections in an instance's accept queue. `nil` means unbounded.
    public var backlog: UInt32?
    /// Maximum number of open connections of an instance. `nil` means unlimited.
    public var connectionLimit: UInt32?
    /// Retry-After time with which a full server refuses a client. `nil` if a full server sends no answer, as a kernel
    /// with a full accept queue (Linux, `tcp_abort_on_overflow` 0).
    public var shedding: TimeSpan?
    public var health: HealthChecks?
    public var autoscaling: Autoscaling?
    public var database: DatabaseCapacity?

    public init() {}

    /// `true` if a scale-down can reset connections. A phone can then lose a connection because of the load of other
    /// phones.
    public var resetsOnScaleDown: Bool { autoscaling?.downAfter != nil && autoscaling?.grace != nil }

    /// `true` if the cluster must count the open connections of each instance.
    var countsConnections: Bool {
        balance == .leastConnections || connectionLimit != nil || autoscaling?.downAfter != nil
    }
}

/// A change in the state of one server instance, such as going down or being ejected by the load balancer.
public enum InstanceChange: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
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
public struct InstanceEvent: Hashable, Sendable {
    public var at: Instant
    public var instance: UInt8
    public var change: InstanceChange

    public init(at: Instant, _ instance: UInt8, _ change: InstanceChange) {
        self.at = at
        self.instance = instance
        self.change = change
    }
}
