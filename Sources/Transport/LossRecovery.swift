import DeadzoneBase

/// Progress of the repair of lost data: fast recovery with proportional rate reduction (RFC 6937), or what follows a
/// timeout. It is part of the scoreboard.
///
///     watching ──data is lost──▶ recovering ──all sent before is acknowledged──▶ watching
///        │                          │
///        └───────timeout────────────┴──▶ timedOut ──all sent before is acknowledged, undone──▶ watching
struct LossRecovery: BitwiseCopyable {
    enum RecoveryPhase: UInt8, BitwiseCopyable {
        /// Data is missing that may only be late.
        case watching
        case recovering
        case timedOut
    }

    var phase = RecoveryPhase.watching
    /// `highestSent` when the repair began. The repair ends when everything before is acknowledged.
    var end: UInt64 = 0
    /// Congestion window before the repair, in segments.
    var windowBefore: UInt16 = 0
    var thresholdBefore: UInt16 = 0
    /// Time of the first retransmission of this repair, or of an earlier one that is still in flight (`retrans_stamp`).
    /// `.never` before it.
    var repeatedAt = Instant.never
    /// Segments that have arrived since the repair began, and segments that were sent since.
    private var delivered = 0
    var sent = 0
    var timeoutCheck = SpuriousTimeoutCheck.none

    init() {}

    init(phase: RecoveryPhase, end: UInt64) {
        self.phase = phase
        self.end = end
    }

    init(recoveringUntil end: UInt64, window: UInt16) {
        self.init(phase: .recovering, end: end)
        windowBefore = window
    }

    /// Returns how many segments may be sent now (`tcp_cwnd_reduction`). While more is in flight than the threshold
    /// allows, the window shrinks with each arrival. Below it, as much is sent as has arrived, and one more while no
    /// further loss is found.
    mutating func quota(
        delivered arrived: Int, inFlight: Int, threshold: Int, isAdvance: Bool, findsLoss: Bool
    ) -> Int {
        delivered += arrived
        let room = threshold - inFlight
        var quota: Int
        if room < 0 {
            let before = max(Int(windowBefore), 1)
            quota = (threshold * delivered + before - 1) / before - sent
        } else {
            quota = max(delivered - sent, arrived)
            if isAdvance && !findsLoss { quota += 1 }
            quota = min(room, quota)
        }
        // The first retransmission is always sent.
        return max(quota, sent == 0 ? 1 : 0)
    }
}

/// Progress of the test if a timeout was spurious.
enum SpuriousTimeoutCheck: UInt8, BitwiseCopyable, Sendable {
    case none, waiting, probing
}
