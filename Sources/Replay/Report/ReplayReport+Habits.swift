import DeadzoneBase
package import DeadzoneCaptures

extension ReplayReport {
    /// The traffic patterns of a capture, as its report shows them: bursts, periodic flows, network changes, advice.
    package struct Habits: Sendable {
        package var bursts: [BurstRow] = []
        /// Number of bursts beyond the listed ones.
        package var unlistedBursts = 0
        package var periodic: [Periodic] = []
        package var transitions: [Transition] = []
        /// The most expensive first.
        package var advice: [Advice] = []
        /// Energy by remote name (or address) and by app; the most expensive first.
        package var remotes: [CostEntry] = []
        package var apps: [CostEntry] = []
        /// Voice calls and similar streams. They are no messages for a what-if scenario.
        package var calls: [Call] = []
    }

    package struct BurstRow: Sendable {
        package var at: Timestamp
        package var seconds: Double
        package var packets: Int
        package var bytes: Int
        package var cause: String
        /// Flow of the first packet, and the name of its peer.
        package var flow: String?
        package var remoteName: String?
        package var joules: Double
    }

    package struct Periodic: Sendable {
        package var flow: String
        package var remoteName: String?
        package var interval: Double
        package var jitter: Double
        package var count: Int
        package var joules: Double
    }

    package struct Transition: Sendable {
        package var at: Timestamp
        /// `interface`, `address` or `upheaval`.
        package var kind: String
        package var from: String?
        package var to: String?

        package init(at: Timestamp, kind: String, from: String?, to: String?) {
            self.at = at
            self.kind = kind
            self.from = from
            self.to = to
        }
    }

    /// A costly traffic pattern in a capture, with its energy and the energy that a better pattern would save.
    package struct Advice: Sendable {
        package enum Habit: Sendable {
            /// A periodic flow; the interval is in seconds.
            case periodic(flow: String, remoteName: String?, interval: Double, count: Int)
            /// Connections that were only opened or closed.
            case control(Int)
            case keepalives(Int)
            case retransmissions(Int)
            /// Bursts of little data that could have waited for other traffic.
            case isolated(Int)
        }

        package var habit: Habit
        package var joules: Double
        package var saves: Double
        /// The bursts of this habit: the most expensive ones, in time order.
        package var occasions: [BurstRow] = []
        /// Number of bursts of this habit beyond the listed ones.
        package var unlisted = 0

        package init(_ habit: Habit, joules: Double, saves: Double) {
            self.habit = habit
            self.joules = joules
            self.saves = saves
        }
    }

    /// A voice call or another steady stream of small UDP packets in both directions.
    package struct Call: Sendable {
        /// The flow with the longest stream.
        package var flow: String
        package var remoteName: String?
        package var at: Timestamp
        package var seconds: Double
        /// All packets of the phone's socket, and their energy.
        package var packets: UInt64
        package var joules: Double
    }

    package struct CostEntry: Sendable {
        package var name: String
        package var flows: Int
        package var joules: Double

        package init(name: String, flows: Int, joules: Double) {
            self.name = name
            self.flows = flows
            self.joules = joules
        }
    }
}
