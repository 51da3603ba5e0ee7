public import DeadzoneCaptures
import DeadzonePrimitives

extension ReplayReport {
    /// The traffic patterns of a capture, as its report shows them: bursts, periodic flows, network changes, advice.
    public struct Habits: Sendable {
        public var bursts: [BurstRow] = []
        /// Number of bursts beyond the listed ones.
        public var unlistedBursts = 0
        public var periodic: [Periodic] = []
        public var transitions: [Transition] = []
        /// The most expensive first.
        public var advice: [Advice] = []
        /// Energy by remote name (or address) and by app; the most expensive first.
        public var remotes: [CostEntry] = []
        public var apps: [CostEntry] = []
        /// Voice calls and similar streams. They are no messages for a what-if scenario.
        public var calls: [Call] = []

        public init() {}
    }

    public struct BurstRow: Sendable {
        public var at: Timestamp
        public var seconds: Double
        public var packets: Int
        public var bytes: Int
        public var cause: String
        /// Flow of the first packet, and the name of its peer.
        public var flow: String?
        public var remoteName: String?
        public var joules: Double

        public init(
            at: Timestamp, seconds: Double, packets: Int, bytes: Int, cause: String, flow: String?,
            remoteName: String? = nil, joules: Double
        ) {
            self.remoteName = remoteName
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
        public var at: Timestamp
        /// `interface`, `address` or `upheaval`.
        public var kind: String
        public var from: String?
        public var to: String?

        public init(at: Timestamp, kind: String, from: String?, to: String?) {
            self.at = at
            self.kind = kind
            self.from = from
            self.to = to
        }
    }

    /// A costly traffic pattern in a capture, with its energy and the energy that a better pattern would save.
    public struct Advice: Sendable {
        public enum Habit: Sendable {
            /// A periodic flow; the interval is in seconds.
            case periodic(flow: String, remoteName: String?, interval: Double, count: Int)
            /// Connections that were only opened or closed.
            case control(Int)
            case keepalives(Int)
            case retransmissions(Int)
            /// Bursts of little data that could have waited for other traffic.
            case isolated(Int)
        }

        public var habit: Habit
        public var joules: Double
        public var saves: Double
        /// The bursts of this habit: the most expensive ones, in time order.
        public var occasions: [BurstRow] = []
        /// Number of bursts of this habit beyond the listed ones.
        public var unlisted = 0

        public init(_ habit: Habit, joules: Double, saves: Double) {
            self.habit = habit
            self.joules = joules
            self.saves = saves
        }
    }

    /// A voice call or another steady stream of small UDP packets in both directions.
    public struct Call: Sendable {
        /// The flow with the longest stream.
        public var flow: String
        public var remoteName: String?
        public var at: Timestamp
        public var seconds: Double
        /// All packets of the phone's socket, and their energy.
        public var packets: UInt64
        public var joules: Double
    }

    public struct CostEntry: Sendable {
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
