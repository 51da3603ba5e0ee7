import DeadzoneBase

/// What a sender has learned about packets that overtake each other, as in Linux (`tcp_check_sack_reordering`,
/// `tcp_rack_update_reo_wnd`). As long as it has seen none, three segments beyond a gap suffice for a loss. Afterwards
/// missing data always has time to arrive, and more of it after each retransmission that was not necessary.
struct ReorderingMemory: BitwiseCopyable {
    /// Number of recoveries after which the longer time is forgotten: TCP_RACK_RECOVERY_THRESH.
    private static let recoveries: UInt8 = 16

    /// `true` if data has arrived after data that was sent later, and was no retransmission.
    var isSeen = false
    /// Time that missing data has to arrive, in quarters of the shortest round trip: `reo_wnd_steps`.
    private(set) var quarters: UInt8 = 1
    private var recoveriesLeft: UInt8 = 0
    private var hasDuplicate = false
    private var widenedAt = Instant.zero

    /// Notes that the other end has received data twice, so a retransmission was not necessary.
    mutating func recordDuplicate() { if isSeen { hasDuplicate = true } }

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
