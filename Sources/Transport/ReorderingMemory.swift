import DeadzoneBase

/// The experience of a sender with packets that overtake each other, as in Linux (`tcp_check_sack_reordering`,
/// `tcp_rack_update_reo_wnd`). As long as it has seen none, three segments beyond a gap suffice for a loss. Afterwards
/// missing data always has time to arrive, and more of it after each retransmission that was not necessary.
struct ReorderingMemory: BitwiseCopyable {
    /// Number of recoveries after which the longer time is forgotten: TCP_RACK_RECOVERY_THRESH.
    private static let recoveries: UInt8 = 16
    /// `tcp_max_reordering`.
    private static let maxDistance: UInt64 = 300
    /// `tcp_reordering`.
    private static let usualDistance: UInt16 = 3

    /// Distance up to which data is known to be overtaken, in segments: `reordering`. Zero if none was overtaken. Linux
    /// begins with three.
    private(set) var distance: UInt16 = 0
    /// Time that missing data has to arrive, in quarters of the shortest round trip: `reo_wnd_steps`.
    private(set) var quarters: UInt8 = 1
    private var recoveriesLeft: UInt8 = 0
    /// `true` if data has arrived after data that was sent later, and was no retransmission.
    var isSeen: Bool { distance > 0 }
    /// `true` if data arrives so late that the window grows with data beyond a gap, too (`tcp_may_raise_cwnd`).
    var growsBeyondGaps: Bool { distance > Self.usualDistance }
    private var hasDuplicate = false
    private var widenedAt = Instant.zero

    /// Window and threshold from before the last recovery.
    private(set) var before: (window: UInt16, threshold: UInt16) = (0, 0)
    /// Number of segments that this recovery has sent again, and that the other end has not received twice yet. Zero if
    /// it cannot be undone (`undo_retrans`).
    private var unconfirmedRepeats: UInt16 = 0

    /// Notes that the other end has received segments twice, so a retransmission was not necessary. Returns `true` if no
    /// retransmission of the last recovery was (`tcp_try_undo_dsack`). Then that recovery does not count.
    mutating func recordDuplicates(_ segments: UInt16) -> Bool {
        if isSeen { hasDuplicate = true }
        guard unconfirmedRepeats > 0 else { return false }
        unconfirmedRepeats -= min(segments, unconfirmedRepeats)
        guard unconfirmedRepeats == 0 else { return false }
        recoveriesLeft = min(recoveriesLeft + 1, Self.recoveries)
        return true
    }

    mutating func beginRecovery(window: UInt16, threshold: UInt16) {
        before = (window, threshold)
        unconfirmedRepeats = 0
    }

    mutating func recordRepeats(_ segments: UInt16) {
        unconfirmedRepeats = UInt16(clamping: UInt32(unconfirmedRepeats) + UInt32(segments))
    }

    /// Notes that the last recovery is undone, or followed by a timeout.
    mutating func forgetRecovery() { unconfirmedRepeats = 0 }

    /// Notes that data has arrived, although `segments` segments after it had arrived before.
    mutating func recordOvertaking(of segments: UInt64) {
        distance = max(distance, UInt16(min(max(segments, 1), Self.maxDistance)))
    }

    /// Adjusts the time after data has arrived, at most once a round trip.
    /// - Parameter sentAt: Time at which the packet left that the acknowledgement answers.
    mutating func adjust(sentAt: Instant, at now: Instant) {
        if sentAt < widenedAt { hasDuplicate = false }
        if hasDuplicate {
            quarters = quarters == .max ? .max : quarters + 1
            (hasDuplicate, widenedAt, recoveriesLeft) = (false, now, Self.recoveries)
        } else if recoveriesLeft == 0 {
            quarters = 1
        }
    }

    /// Counts a recovery from a real loss.
    mutating func recordRecovery() { if recoveriesLeft > 0 { recoveriesLeft -= 1 } }
}
