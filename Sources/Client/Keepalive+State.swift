import DeadzoneBase

extension Keepalive {
    /// State of grpc-java's keepalive on one connection (`core/src/main/java/io/grpc/internal/KeepAliveManager.java`).
    package enum GRPCJavaPhase: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// No stream is open, and no ping is pending.
        case idle
        /// A ping is sent when the timer fires, unless data arrives before.
        case pingScheduled
        /// Data was received since the timer was armed. When the timer fires, it is armed again instead of a ping.
        case pingDelayed
        case pingSent
        /// The last stream ended while a ping was pending.
        case idleAndPingSent
        case disconnected
    }

    public struct State: Hashable, Sendable, BitwiseCopyable {
        // State of the connection.
        /// Time at which the present silence began, by `decisionClock`, or by the timer's own clock if that is `nil`.
        var quietSince = Instant.zero
        /// Time at which data was last received, by the same clock as `quietSince`.
        var receivedAt = Instant.zero
        /// Time at which data was last sent, by the same clock as `quietSince`.
        var sentAt = Instant.zero
        public internal(set) var awaitsAnswer = false
        /// Number of pings sent since the last answer.
        var unanswered: UInt8 = 0
        var isStalled = false
        /// `true` if the server sends heartbeats of its own.
        public internal(set) var serverSendsBeats = false
        public internal(set) var hasStreams = false
        package internal(set) var phase = GRPCJavaPhase.disconnected
        var loop = GRPCGoLoop()
        var budget = PingBudget.State()

        // State of the channel, which outlives the connection.
        /// How often the server has reported too many pings. Each report doubles the interval.
        package internal(set) var doublings: UInt8 = 0
        /// The keepalive interval that the server requested; zero if it requested none.
        var serverInterval = TimeSpan.zero
        var adaptive = AdaptiveInterval.State()

        public init() {}

        /// Resets the state for a new connection. The state of the channel, which outlives connections, is kept.
        mutating func begin(hasStreams: Bool) {
            var next = State()
            next.doublings = doublings
            next.serverInterval = serverInterval
            next.adaptive = adaptive
            next.hasStreams = hasStreams
            self = next
        }
    }

    /// State of the keepalive loop of grpc-go on one connection.
    struct GRPCGoLoop: Hashable, Sendable, BitwiseCopyable {
        /// Time of the last received data that the loop has taken into account.
        var lastReadAt = Instant.zero
        var timeoutLeft = TimeSpan.zero
        var hasPing = false
        var isDormant = false
    }
}
