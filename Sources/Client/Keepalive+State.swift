import DeadzonePrimitives

extension Keepalive {
    /// grpc-java's states of a connection (`core/src/main/java/io/grpc/internal/KeepAliveManager.java`).
    public enum Phase: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// No stream is open, and no ping is out.
        case idle
        /// A ping is due at the timer.
        case pingScheduled
        /// Something was heard since: when the timer fires it is set anew.
        case pingDelayed
        case pingSent
        /// The last stream ended while a ping was out.
        case idleAndPingSent
        case disconnected
    }

    public struct State: Hashable, Sendable, BitwiseCopyable {
        // Of the connection.
        /// By `decidesBy`, or the timer's own clock.
        var quietSince = Instant.zero
        /// What was last heard and said, by the same clock.
        var heardAt = Instant.zero
        var saidAt = Instant.zero
        public internal(set) var awaitsAnswer = false
        /// Pings since the last answer.
        var unanswered: UInt8 = 0
        var isStalled = false
        /// The server beats by itself.
        public internal(set) var hearsBeats = false
        public internal(set) var hasStreams = false
        public internal(set) var phase = Phase.disconnected
        var loop = Loop()
        var spent = PingBudget.State()

        // Of the channel: they outlive the connection.
        /// How often the server has found that there were too many pings.
        public internal(set) var doublings: UInt8 = 0
        /// What the server asked for; zero: nothing.
        var asked = TimeSpan.zero
        var adapted = AdaptiveInterval.State()

        public init() {}

        /// Nothing of an older connection is left but what belongs to the channel.
        mutating func begin(hasStreams: Bool) {
            var next = State()
            next.doublings = doublings
            next.asked = asked
            next.adapted = adapted
            next.hasStreams = hasStreams
            self = next
        }
    }

    /// What grpc-go's loop remembers.
    struct Loop: Hashable, Sendable, BitwiseCopyable {
        /// What was heard when it last looked.
        var seen = Instant.zero
        var left = TimeSpan.zero
        var hasPing = false
        var isDormant = false
    }
}
