extension Keepalive {
    /// Rule by which the client concludes from silence that the connection is dead.
    public enum FailureDetection: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// The client never concludes this: pings have no consequence.
        case never
        /// The connection is dead if no answer to a ping arrives within the timeout.
        case replyDeadline
        /// The connection is dead if the previous ping is still unanswered at the next beat (the time of the next
        /// ping).
        case nextBeat
        /// The connection is dead if nothing was received for the `silence` span, no matter which end had to send.
        case silence
    }

    /// Traffic that postpones the next beat (the time of the next ping) by a whole interval.
    public enum BeatPostponement: UInt8, Hashable, Sendable, BitwiseCopyable {
        case nothing
        /// Data from the server postpones the next ping.
        case received
        /// Data from the client postpones the next ping.
        case sent
        /// Traffic in either direction postpones the next ping. A client that sends often never pings, and never
        /// notices that the server is gone.
        case traffic
        /// Only traffic in both directions postpones the next ping: the interval starts at the older of the last
        /// receive and the last send.
        case both

        var isByReceived: Bool { self == .received || self == .traffic || self == .both }
        var isBySent: Bool { self == .sent || self == .traffic || self == .both }
    }

    /// The implementation that decides when a ping is due: a plain timer, or the algorithm of grpc-java or grpc-go.
    public enum KeepaliveImplementation: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case plain
        /// The state machine of grpc-java (six states) and the loop of grpc-go. Both consider only silence, accept any
        /// byte as an answer, and have a deadline.
        case java, go
    }
}
