public import DeadzonePrimitives

/// A server of several instances behind a balancer, which gives each new connection to one of them. What `accepts-per-second`
/// and `capacity` say is of each instance.
public struct ClusterProfile: Hashable, Sendable {
    public enum Balance: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case roundRobin, leastConnections
    }

    /// The balancer asks every instance `every` so often whether it is there. `failures` in a row take it out, and what it had is
    /// reset; one answer takes it back.
    public struct HealthChecks: Hashable, Sendable {
        public var every: TimeSpan
        public var failures: UInt16
        /// An instance where a check would stand in line for longer fails it, too. Who is out for that gets no new connections, and keeps
        /// those that it has: Kubernetes takes a pod that is not ready out of its endpoints and no more (`readinessProbe`,
        /// `timeoutSeconds`). If all are out nobody is there to be sent to, and who comes is reset (kube-proxy rejects what is for a service
        /// without endpoints). A check costs an instance nothing; nil: only whether it is there counts.
        public var timeout: TimeSpan?
        /// When a smaller share of the instances is left, the balancer sends to all, whatever the checks say: Envoy's panic threshold
        /// (`healthy_panic_threshold`, 50 % there unless it is set); nil: never.
        public var panic: Probability?

        public init(every: TimeSpan, failures: UInt16, timeout: TimeSpan? = nil, panic: Probability? = nil) {
            precondition(every > .zero && failures > 0, "checks that nothing fails eject nobody")
            self.every = every
            self.failures = failures
            self.timeout = timeout
            self.panic = panic
        }

        /// When an instance that is away from then on is ejected, and when one that is back gets connections again.
        public func ejected(awayFrom at: Instant) -> Instant { check(from: at) + every * Int64(failures - 1) }
        public func taken(backFrom at: Instant) -> Instant { check(from: at) }

        private func check(from at: Instant) -> Instant {
            .zero + every * ((at.nanoseconds + every.nanoseconds - 1) / every.nanoseconds)
        }
    }

    /// More instances when those there are have worked for more than a `target` of the time since the last look. As many as would
    /// bring it there (Kubernetes' rule, `ceil(current * value / target)`), and each is there a `startUp` later.
    public struct Autoscaling: Hashable, Sendable {
        public var target: Probability
        public var every: TimeSpan
        public var startUp: TimeSpan
        public var most: UInt8
        /// When fewer would have done at each look for so long, those that are too many leave, the newest first, and down to the
        /// `instances` of the beginning: by the same rule, and not for a tenth less than the target (Kubernetes' tolerance and its
        /// stabilization window, 10 % and 300 s there). Who leaves gets no new connections. nil: none leaves.
        public var downAfter: TimeSpan?
        /// What who leaves still has so much later is reset (a pod's `terminationGracePeriodSeconds`, 30 s unless it is set); nil: it stays
        /// until it ends.
        public var grace: TimeSpan?

        public init(
            target: Probability, every: TimeSpan, startUp: TimeSpan, most: UInt8, downAfter: TimeSpan? = nil,
            grace: TimeSpan? = nil
        ) {
            precondition(target > .zero && every > .zero, "a target of no work wants no end of instances")
            self.target = target
            self.every = every
            self.startUp = startUp
            self.most = most
            self.downAfter = downAfter
            self.grace = grace
        }
    }

    /// What stands behind all instances, and answers one query after the other. A call's and a session's queries go there first.
    public struct Database: Hashable, Sendable {
        public var queriesPerSecond: UInt32
        public var perCall: UInt16
        public var perSession: UInt16

        public init(queriesPerSecond: UInt32, perCall: UInt16 = 1, perSession: UInt16 = 0) {
            self.queriesPerSecond = queriesPerSecond
            self.perCall = perCall
            self.perSession = perSession
        }
    }

    public static let mostInstances: UInt8 = 250

    public var instances: UInt8 = 1
    public var balance = Balance.roundRobin
    /// Connections that may wait in an instance's accept queue; nil: it has no end.
    public var backlog: UInt32?
    /// Connections that an instance has at most.
    public var connectionLimit: UInt32?
    /// Who finds no place is told so, and when to come again. Otherwise it hears nothing, as from a kernel whose accept queue is
    /// full (Linux, `tcp_abort_on_overflow` 0).
    public var shedding: TimeSpan?
    public var health: HealthChecks?
    public var autoscaling: Autoscaling?
    public var database: Database?

    public init() {}

    /// It happens to a phone by what others do that it loses a connection.
    public var cuts: Bool { autoscaling?.downAfter != nil && autoscaling?.grace != nil }

    /// It matters who has how many connections.
    var counts: Bool { balance == .leastConnections || connectionLimit != nil || autoscaling?.downAfter != nil }
}

/// What becomes of one instance of a server.
public enum InstanceChange: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Its process ends: its connections are reset, and whoever is sent there.
    case down
    /// Its program stands still for good: its connections and whoever is sent there hear nothing.
    case frozen
    /// A new process is there. What the old one had is reset.
    case up
    /// The balancer sends nobody there any more, and resets what is there.
    case ejected
    /// The balancer counts on it again.
    case taken
}

/// One instance, from 0, and when something becomes of it.
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
