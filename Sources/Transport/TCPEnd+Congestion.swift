import DeadzoneBase

/// Congestion window of a TCP end: when it grows, when it shrinks, and what remains of it after a pause.
///
/// The window grows only while it is used up (`tcp_is_cwnd_limited`). After a pause longer than the timeout, Linux halves
/// it once for each further timeout, down to the initial window (`tcp_cwnd_restart`). A window that stays unused for a
/// timeout approaches the used one (`tcp_cwnd_application_limited`). XNU and QUIC return to the initial window at once
/// (RFC 5681 §4.1). `CongestionControl.swift` explains growth and reduction.
extension TCPEnd {
    /// Memory for a `CongestionControl` that is allocated when it is first needed.
    struct CongestionState: ~Copyable, @unchecked Sendable {
        private(set) var control: UnsafeMutablePointer<CongestionControl>?

        deinit { control?.deallocate() }

        var isEmpty: Bool { control == nil }

        /// `true` if the packet echoes the time stamp of the last tail loss probe.
        func answersTailProbe(_ packet: Packet) -> Bool {
            control.map { packet.echo != .never && packet.echo == $0.pointee.probedAt } ?? false
        }

        mutating func allocate(at now: Instant, shortestRoundTrip: TimeSpan) -> UnsafeMutablePointer<CongestionControl>
        {
            if let control { return control }
            let made = UnsafeMutablePointer<CongestionControl>.allocate(capacity: 1)
            made.initialize(to: CongestionControl(at: now, shortestRoundTrip: shortestRoundTrip))
            control = made
            return made
        }
    }

    /// State of the congestion control. Allocated if there is none yet.
    mutating func control(at now: Instant) -> UnsafeMutablePointer<CongestionControl> {
        congestion.allocate(at: now, shortestRoundTrip: timer.estimator.shortestRoundTrip)
    }

    /// Records the round trip of an acknowledgement. If it shows a queue, slow start ends.
    mutating func recordRoundTrip(of packet: Packet, segments: UInt32, at now: Instant) {
        guard let control = congestion.control, packet.echo != .never else { return }
        checkTailProbe(packet, control)
        let roundTrip = now - packet.echo - packet.spreadSpan
        let isFull = control.pointee.recordRoundTrip(
            max(roundTrip, .nanoseconds(1)), spread: packet.spreadSpan, segments: segments, acknowledged: acknowledged,
            sent: highestSent,
            window: window, isSlowStart: window < threshold, at: now)
        if isFull { threshold = window }
    }

    /// Grows the window after `segments` segments were acknowledged.
    mutating func growWindow(by segments: UInt32, at now: Instant) {
        let isSlowStart = window < threshold
        guard isSlowStart ? window / 2 < peakInFlight : window <= peakInFlight else { return }
        var rest = segments
        if congestion.isEmpty {
            // The first round of this connection in which the window can grow.
            _ = control(at: now).pointee.recordRoundTrip(
                timer.estimator.smoothed, segments: segments, acknowledged: acknowledged, sent: highestSent,
                window: window, isSlowStart: isSlowStart, at: now)
        }
        if isSlowStart {
            let grown = min(UInt32(window) + segments, UInt32(threshold))
            rest -= grown - UInt32(window)
            window = UInt16(grown)
        }
        if rest > 0 { window = control(at: now).pointee.grow(window, by: rest, at: now) }
        window = min(window, Self.widestWindow)
        peakWindow = max(peakWindow, window)
    }

    /// Sets the slow-start threshold after a loss.
    mutating func reduceThreshold(at now: Instant) { threshold = control(at: now).pointee.reduce(window) }

    /// Begins congestion control anew after a timeout.
    mutating func resetCongestion(at now: Instant) { control(at: now).pointee.reset(at: now, sent: highestSent) }

    // MARK: Pauses

    /// Records how much is in flight after new data was sent.
    @inline(__always)
    mutating func recordInFlight(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        let inFlight = max(packetsOut, UInt16(clamping: segments(highestSent - acknowledged, rules)))
        peakInFlight = max(peakInFlight, inFlight)
        if let control = congestion.control { recordUse(of: control, inFlight, at: now, rules) }
    }

    private mutating func recordUse(
        of control: UnsafeMutablePointer<CongestionControl>, _ inFlight: UInt16, at now: Instant,
        _ rules: UnsafePointer<TCPRules>
    ) {
        guard inFlight < window, window < threshold ? peakInFlight <= window / 2 : true else {
            (control.pointee.limitedAt, control.pointee.usedWindow) = (now, 0)
            return
        }
        control.pointee.usedWindow = max(control.pointee.usedWindow, inFlight)
        guard rules.pointee.kernel.family == .linux,
            control.pointee.limitedAt + timer.timeout(rules.pointee.kernel) <= now
        else { return }
        let used = max(control.pointee.usedWindow, Self.firstWindow)
        if used < window && scoreboard.isEmpty {
            threshold = thresholdAfterPause
            window = (window + used) / 2
        }
        (control.pointee.limitedAt, control.pointee.usedWindow) = (now, 0)
    }

    /// Slow start may return to three quarters of the window that was in use (`tcp_current_ssthresh`).
    private var thresholdAfterPause: UInt16 { max(threshold, window / 2 + window / 4) }

    /// Reduces the window if nothing was sent for longer than the timeout.
    mutating func restartAfterIdle(at now: Instant, _ rules: UnsafePointer<TCPRules>) {
        guard let control = congestion.control else { return }
        control.pointee.resume(at: now)
        let timeout = timer.timeout(rules.pointee.kernel)
        var idle = now - control.pointee.lastSentAt
        guard timeout < idle else { return }
        (control.pointee.limitedAt, control.pointee.usedWindow) = (now, 0)
        guard rules.pointee.kernel.family == .linux else {
            window = min(window, Self.firstWindow)
            return
        }
        threshold = thresholdAfterPause
        let least = min(window, Self.firstWindow)
        idle -= timeout
        while .zero < idle && least < window {
            window /= 2
            idle -= timeout
        }
        window = max(window, least)
    }

    // MARK: Tail loss probes

    /// Records that a tail loss probe is sent.
    /// - Parameter isRepeated: `true` if the probe repeats the last segment.
    mutating func recordTailProbe(isRepeated: Bool, at now: Instant) {
        let control = control(at: now)
        (control.pointee.probedEnd, control.pointee.probedAt) = (isRepeated ? highestSent : 0, now)
    }

    /// Reduces the window if the data's end arrived only with a tail loss probe. Linux does so once later data is
    /// acknowledged (`tcp_process_tlp_ack`). An acknowledgement that echoes an earlier packet shows that the original
    /// has arrived.
    private mutating func checkTailProbe(_ packet: Packet, _ control: UnsafeMutablePointer<CongestionControl>) {
        guard control.pointee.probedEnd > 0, control.pointee.probedEnd <= packet.received else { return }
        if packet.received == control.pointee.probedEnd && congestion.answersTailProbe(packet) { return }
        let reduces = control.pointee.probedEnd < packet.received && scoreboard.isEmpty
        control.pointee.probedEnd = 0
        guard reduces else { return }
        threshold = control.pointee.reduce(window)
        window = threshold
    }
}
