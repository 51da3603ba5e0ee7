public import DeadzoneCaptures
import DeadzonePrimitives

extension ReplayReport {
    /// What the traffic does again and again.
    public struct Habits: Sendable {
        public var bursts: [Burst] = []
        /// Bursts beyond those that are listed.
        public var unlistedBursts = 0
        public var periodic: [Periodic] = []
        public var transitions: [Transition] = []
        /// The most expensive first.
        public var advice: [Advice] = []
        /// What each remote name (or address) cost, and each app; the dearest first.
        public var remotes: [Payer] = []
        public var apps: [Payer] = []

        public init() {}
    }

    public struct Burst: Sendable {
        public var at: Stamp
        public var seconds: Double
        public var packets: Int
        public var bytes: Int
        public var cause: String
        public var flow: String?
        public var joules: Double

        public init(
            at: Stamp, seconds: Double, packets: Int, bytes: Int, cause: String, flow: String?, joules: Double
        ) {
            self.at = at
            self.seconds = seconds
            self.packets = packets
            self.bytes = bytes
            self.cause = cause
            self.flow = flow
            self.joules = joules
        }
    }

    public struct Periodic: Sendable {
        public var flow: String
        public var remoteName: String?
        public var interval: Double
        public var jitter: Double
        public var count: Int
        public var joules: Double

        public init(
            flow: String, remoteName: String?, interval: Double, jitter: Double, count: Int, joules: Double
        ) {
            self.flow = flow
            self.remoteName = remoteName
            self.interval = interval
            self.jitter = jitter
            self.count = count
            self.joules = joules
        }
    }

    public struct Transition: Sendable {
        public var at: Stamp
        /// interface, address or upheaval
        public var kind: String
        public var from: String?
        public var to: String?

        public init(at: Stamp, kind: String, from: String?, to: String?) {
            self.at = at
            self.kind = kind
            self.from = from
            self.to = to
        }
    }

    /// A habit, what it cost, and what another would save.
    public struct Advice: Sendable {
        public enum Habit: Sendable {
            /// Seconds from one time to the next.
            case comesRound(remote: String, interval: Double, count: Int)
            /// Connections that were only opened or closed.
            case control(Int)
            case keepalives(Int)
            case retransmissions(Int)
            /// Bursts of little data that could have waited for company.
            case lonely(Int)
        }

        public var habit: Habit
        public var joules: Double
        public var saves: Double

        public init(_ habit: Habit, joules: Double, saves: Double) {
            self.habit = habit
            self.joules = joules
            self.saves = saves
        }
    }

    public struct Payer: Sendable {
        public var name: String
        public var flows: Int
        public var joules: Double

        public init(name: String, flows: Int, joules: Double) {
            self.name = name
            self.flows = flows
            self.joules = joules
        }
    }
}
