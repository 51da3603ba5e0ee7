public import DeadzoneBase

/// Retransmission timer of one end of a connection: when it sends a tail loss probe, retransmits, and gives up. It
/// follows the rules of the end's kernel.
///
///     idle ──sent──▶ probing ──deadline: probe──▶ repeating ──too long without an answer──▶ given up
///       ▲               │                          │  ▲  │ deadline: retransmit, double
///       └──acknowledged─┴──────────────────────────┘  └──┘
///
/// A tail loss probe is sent no later than the first retransmission would be, and does not count as one. The doubling,
/// and everything counted from the first retransmission, begins one timeout later. So a single segment is sent for the
/// n-th time, n from 1, a timeout times 2ⁿ⁻¹ after the first time. A kernel without probes starts with retransmissions.
///
/// TCP_USER_TIMEOUT limits the wait to its remaining time (`tcp_clamp_rto_to_user_timeout`). As in Linux, this applies
/// only after the first retransmission: before it, there is no sign of a problem.
@usableFromInline package struct RetransmissionTimer: Sendable, BitwiseCopyable {
    /// The action that a sender takes when its retransmission timer fires.
    enum RetransmissionAction {
        case wait, probe, stopWaiting, retransmit, giveUp
    }

    @usableFromInline package private(set) var deadline = Instant.never
    /// Time at which the unacknowledged data was first sent. After a retransmission: time of the first retransmission.
    private(set) var startedAt = Instant.never
    package private(set) var estimator = RoundTripEstimator()
    /// Offset of the machine's clock from the scenario's clock, in microseconds.
    private var phase: UInt32
    package private(set) var timeouts: UInt8 = 0
    private var isProbing = false
    /// `true` if the timer waits for data that may have been overtaken.
    private var isWaitingForReordered = false
    /// `true` while a tail loss probe is unanswered. No second probe is sent during that time.
    private var hasProbed = false

    package init(phase: TimeSpan = .zero) { self.phase = UInt32(clamping: phase.nanoseconds / 1_000) }

    /// Returns the next retransmission timeout, including the doubling after earlier timeouts.
    @inline(__always)
    package func timeout(_ kernel: Kernel) -> TimeSpan { kernel.timeout(estimator, repeats: timeouts) }

    /// Records a round trip.
    /// - Parameters:
    ///   - acknowledged: Offset up to which data is acknowledged by now.
    ///   - sent: Offset up to which data was sent.
    @inline(__always)
    mutating func measure(
        _ roundTrip: TimeSpan, acknowledged: UInt64 = 0, sent: UInt64 = 0, _ rules: UnsafePointer<TCPRules>
    ) {
        if rules.pointee.kernel.family == .linux {
            estimator.measure(
                roundTrip, acknowledged: acknowledged, sent: sent, floor: rules.pointee.kernel.floor)
        } else {
            estimator.measure(roundTrip, rules.pointee.kernel.gains)
        }
    }

    /// Resets the timer for a new path, of which no round trip has been measured (RFC 9000 §9.4).
    mutating func resetPath() { self = RetransmissionTimer(phase: .microseconds(Int64(phase))) }

    /// Returns the time at which a timer of this machine fires that is set now for this wait.
    /// - Parameter isFiring: `true` if the timer is set by the code of another timer that has just fired.
    @inline(__always)
    func due(after wait: TimeSpan, at now: Instant, isFiring: Bool = false, _ kernel: Kernel) -> Instant {
        kernel.due(after: wait, at: now, phase: .microseconds(Int64(phase)), isFiring: isFiring)
    }

    /// Starts or extends the timer because new data is sent. New data postpones a tail loss probe, but not beyond the
    /// timeout of the oldest data while that timeout is still ahead. A probe that is not sent also postpones the first
    /// retransmission (`tcp_send_loss_probe`).
    mutating func arm(
        at now: Instant, isSingleSegment: Bool, allowsProbe: Bool = true, _ rules: UnsafePointer<TCPRules>
    ) {
        guard deadline != .never else {
            return start(at: now, isSingleSegment: isSingleSegment, allowsProbe: allowsProbe, rules)
        }
        guard allowsProbe, timeouts == 0, rules.pointee.kernel.probesTail, now < deadline else { return }
        isProbing = true
        let timeout = timeout(rules.pointee.kernel)
        let left = startedAt + timeout - now
        wait(at: now, atMost: left > .zero ? left : timeout, isSingleSegment: isSingleSegment, rules)
    }

    /// Restarts the timer after an acknowledgement, and resets the doubling. If nothing is in flight, the timer stops.
    /// - Parameter allowsProbe: `false` while gaps that the other end reported are retransmitted: no tail loss probe is
    ///   sent then.
    @inline(__always)
    mutating func restart(
        at now: Instant, inFlight: Bool, isSingleSegment: Bool = true, allowsProbe: Bool = true,
        _ rules: UnsafePointer<TCPRules>
    ) {
        stop()
        if inFlight { start(at: now, isSingleSegment: isSingleSegment, allowsProbe: allowsProbe, rules) }
    }

    /// Stops the timer because nothing is in flight, and resets the doubling of the timeout.
    @inline(__always)
    mutating func stop() {
        timeouts = 0
        deadline = .never
        isWaitingForReordered = false
    }

    /// Waits for data that may have been overtaken, in place of the retransmission timeout, and at least 2 ms longer
    /// (`tcp_rack_mark_lost`, TCP_TIMEOUT_MIN_US).
    mutating func waitForReordered(_ patience: TimeSpan, at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        guard timeouts == 0 else { return }
        (isProbing, isWaitingForReordered) = (false, true)
        deadline = due(after: patience + Kernel.minPatience, at: now, rules.pointee.kernel)
    }

    mutating func start(at now: Instant, isSingleSegment: Bool, allowsProbe: Bool, _ rules: UnsafePointer<TCPRules>) {
        startedAt = now
        isProbing = rules.pointee.kernel.probesTail && allowsProbe
        hasProbed = false
        wait(at: now, atMost: timeout(rules.pointee.kernel), isSingleSegment: isSingleSegment, rules)
    }

    @inline(__always)
    private mutating func wait(
        at now: Instant, atMost timeout: TimeSpan, isSingleSegment: Bool, _ rules: UnsafePointer<TCPRules>
    ) {
        let isSooner = isProbing && estimator.isMeasured
        let wait =
            isSooner
            ? min(rules.pointee.kernel.tailProbeDelay(estimator, isSingleSegment: isSingleSegment), timeout) : timeout
        deadline = due(after: wait, at: now, rules.pointee.kernel)
    }

    /// Handles a deadline that has passed. Returns the action that the end must take.
    mutating func expire(at now: Instant, _ rules: UnsafePointer<TCPRules>) -> RetransmissionAction {
        if isWaitingForReordered { return .stopWaiting }
        if isProbing {
            isProbing = false
            deadline = due(after: timeout(rules.pointee.kernel), at: now, isFiring: true, rules.pointee.kernel)
            defer { hasProbed = true }
            return hasProbed ? .wait : .probe
        }
        guard !hasExpiredRetries(at: now, rules) else {
            deadline = .never
            return .giveUp
        }
        // `retrans_stamp` of Linux; XNU's drop time (`t_rxtstart`).
        if timeouts == 0 { startedAt = now }
        timeouts += 1
        var wait = timeout(rules.pointee.kernel)
        if let limit = rules.pointee.userTimeout, rules.pointee.kernel.family == .linux {
            // One jiffy if no time is left.
            wait = min(wait, max(limit - (now - startedAt), rules.pointee.kernel.tick))
        }
        deadline = due(after: wait, at: now, isFiring: true, rules.pointee.kernel)
        return .retransmit
    }

    private func hasExpiredRetries(at now: Instant, _ rules: UnsafePointer<TCPRules>) -> Bool {
        guard timeouts > 0 else { return false }
        if let limit = rules.pointee.userTimeout { if limit <= now - startedAt { return true } }
        switch rules.pointee.kernel.family {
        case .linux: return rules.pointee.userTimeout == nil && Kernel.linuxRetryLimit <= now - startedAt
        case .xnu: return timeouts >= Kernel.xnuMaxRepeats
        case .quic: return false
        }
    }
}
