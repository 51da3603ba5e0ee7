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

        public init(every: TimeSpan, failures: UInt16) {
            precondition(every > .zero && failures > 0, "checks that nothing fails eject nobody")
            self.every = every
            self.failures = failures
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

        public init(target: Probability, every: TimeSpan, startUp: TimeSpan, most: UInt8) {
            precondition(target > .zero && every > .zero, "a target of no work wants no end of instances")
            self.target = target
            self.every = every
            self.startUp = startUp
            self.most = most
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

    /// It matters who has how many connections.
    var counts: Bool { balance == .leastConnections || connectionLimit != nil }
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
