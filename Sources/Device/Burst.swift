package import DeadzoneBase

/// An amount of data that is handed to a radio at one instant, such as a packet.
package struct Burst: Hashable, Sendable, BitwiseCopyable {
    package var direction: Direction
    package var bytes: UInt32
    /// Time that the bytes keep the air busy at the rate of the link.
    package var airtime: TimeSpan
    package var cause: Cause

    package init(direction: Direction, bytes: UInt32, airtime: TimeSpan, cause: Cause) {
        self.direction = direction
        self.bytes = bytes
        self.airtime = airtime
        self.cause = cause
    }
}

/// The radio's response to a burst: when its data flows, for how long, and which power period it ended.
package struct BurstOutcome: Hashable, Sendable, BitwiseCopyable {
    /// Time from which the radio can transmit the burst; `.never` without coverage, where the radio holds nothing.
    /// Bursts of one direction follow each other: an earlier burst that is still on the air delays the bits, not this
    /// time.
    package var flowsAt: Instant
    /// Time that the burst occupies the air: the burst's own airtime, or more on a slow common channel (UMTS FACH).
    package var airtime: TimeSpan
    /// The period of constant power that the burst ended; `nil` if it ended none.
    package var spent: Residency?
    /// `true` if the burst started a promotion (wake-up of the radio) now. The promotion of a paged radio starts in
    /// `advance`.
    package var promoted = false
}
