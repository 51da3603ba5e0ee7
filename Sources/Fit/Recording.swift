package import DeadzoneBase

/// All recorded connection attempts and connections of one client to one server, in order of their beginning.
package struct Recording: Sendable {
    /// A recorded connection attempt, and the connection if the attempt succeeded.
    package struct RecordedConnection: Hashable, Sendable {
        package enum EndedBy: String, CaseIterable, Hashable, Sendable { case refused, client, server }

        package var beganAt: Instant
        /// Time at which the first packet was last retransmitted. The client had not given up by then.
        package var retransmittedAt: Instant?
        package var openedAt: Instant?
        package var endedAt: Instant?
        /// The side that ended it; `nil` if no end was seen.
        package var ending: EndedBy?
        /// Time at which data was last received from the server.
        package var lastReceivedAt: Instant?
        /// Time of the first data that the client sent after that, so of the first that is unanswered; `nil` if there
        /// is none. Pings do not count.
        package var askedAt: Instant?
        package var heartbeats: [RecordedHeartbeat] = []
        /// The longest time without received data, and without data in either direction. Each ends with the next data,
        /// without a ping in between.
        package var longestReceiveGap = TimeSpan.zero
        package var longestIdleGap = TimeSpan.zero

        package init(at beganAt: Instant) { self.beganAt = beganAt }
    }

    /// A ping that a client sent, as far as a recording distinguishes it from other data.
    package struct RecordedHeartbeat: Hashable, Sendable {
        package var at: Instant
        /// Time at which data was last received from the server before the ping; otherwise the time of the opening.
        package var lastReceivedAt: Instant
        /// Time at which data was last sent or received before the ping; otherwise the time of the opening.
        package var lastActivityAt: Instant
        /// `true` if the kernel had to repeat earlier data first. The client sent the ping at an unknown earlier time.
        package var wasHeldBack = false
        /// `true` if the kernel had to repeat data since the previous ping. Pings in between may be hidden in segments
        /// with other data.
        package var followsRepeats = false

        package init(
            at: Instant, lastReceivedAt: Instant, lastActivityAt: Instant, wasHeldBack: Bool = false,
            followsRepeats: Bool = false
        ) {
            self.at = at
            self.lastReceivedAt = lastReceivedAt
            self.lastActivityAt = lastActivityAt
            self.wasHeldBack = wasHeldBack
            self.followsRepeats = followsRepeats
        }
    }

    /// Source of the recording.
    package var name: String
    package var connections: [RecordedConnection]
    /// Notes on ignored parts of the recording, with the reason.
    package var notes: [String] = []

    package init(_ name: String, _ lines: [RecordedConnection]) {
        self.name = name
        self.connections = lines.sorted { $0.beganAt < $1.beganAt }
    }
}
