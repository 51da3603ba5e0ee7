public import DeadzonePrimitives

/// Whose TCP it is: the numbers by which a system repeats, waits and gives up.
///
/// Linux: `include/net/tcp.h`, `net/ipv4/tcp_timer.c`, `net/ipv4/tcp_output.c` (torvalds/linux); run on 6.18. XNU, the kernel of iOS
/// and macOS: `bsd/netinet/tcp_timer.h`, `bsd/netinet/tcp_timer.c` (apple-oss-distributions/xnu); read, never run.
///
/// QUIC has no kernel: the app's library repeats, by RFC 9002, for as long as the connection lives.
public struct Kernel: Hashable, Sendable, BitwiseCopyable {
    public enum Family: UInt8, Hashable, Sendable, BitwiseCopyable {
        case linux, xnu, quic
    }

    public let family: Family
    /// SYNs that are repeated at one distance before it doubles, and how many in all.
    let linearSYNs: UInt8
    let repeatedSYNs: UInt8
    /// What a new round trip counts for.
    let gains: RoundTrip.Gains
    /// A jiffy; zero: its timers are exact.
    let tick: TimeSpan
    /// Timers of a longer wait go off in coarser grains.
    let isCoarse: Bool
    /// Before anything was measured: from the first SYN to the second, or QUIC's first probe timeout.
    let initial: TimeSpan
    /// What a timeout has beyond the round trip at least.
    let floor: TimeSpan
    /// No timeout is longer: TCP_RTO_MAX; TCPTV_REXMTMAX.
    public let longest: TimeSpan
    /// What the other end may take before it acknowledges.
    let acknowledgementDelay: TimeSpan
    /// An attempt to connect ends so long after its first packet; `.longest`: with its last one.
    let connectLimit: TimeSpan

    /// Between the first sending and the first repeat, from what was measured.
    ///
    /// Linux adds at least TCP_RTO_MIN = 200 ms to the smoothed round trip and counts in jiffies (`__tcp_set_rto`,
    /// `tcp_rtt_estimator`). XNU takes at least 30 ms and adds 200 ms of slop (TCPTV_REXMTMIN, TCPTV_REXMTSLOP, TCPT_RANGESET); the
    /// slop is not doubled.
    @inline(__always)
    func timeout(_ trip: RoundTrip, repeats: UInt8) -> TimeSpan {
        let factor = Int64(1) << Int64(min(repeats, 20))
        if family == .quic { return probeTimeout(trip) * factor }
        guard trip.isMeasured else { return min(initial * factor, longest) }
        switch family {
        case .quic: return .longest
        case .linux: return min(wholeTicks(trip.smoothed + max(trip.fourVariations, floor)) * factor, longest)
        case .xnu:
            let base = max(trip.smoothed + trip.fourVariations, floor)
            // `tcp_backoff` ends at 64.
            return min(Self.slop + base * min(factor, 64), longest)
        }
    }

    private static let slop = TimeSpan.milliseconds(200)

    /// From the last segment to its probe (`tcp_schedule_loss_probe`): a receiver may be slow to acknowledge one that is alone.
    @inline(__always)
    func tailProbe(_ trip: RoundTrip, isLone: Bool) -> TimeSpan {
        trip.smoothed * 2 + (isLone ? acknowledgementDelay : tick * 2)
    }

    /// An acknowledgement may wait for something to ride on.
    var delaysAcknowledgement: Bool { family == .linux }

    /// What follows a timeout's repeat shows whether that was right (RFC 5682).
    var doubtsTimeouts: Bool { family == .linux }

    /// A tail that nobody acknowledges is asked about before it is taken for lost (RFC 8985 §7).
    var probesTail: Bool { family == .linux }

    /// kGranularity (RFC 9002 §6.1.2).
    static let granularity = TimeSpan.milliseconds(1)

    /// QUIC's probe timeout before doubling (RFC 9002 §6.2.1). In the handshake nobody delays an acknowledgement.
    public func probeTimeout(_ trip: RoundTrip = RoundTrip(), inHandshake: Bool = false) -> TimeSpan {
        let measured = trip.smoothed + max(trip.fourVariations, Self.granularity)
        return (trip.isMeasured ? measured : initial) + (inHandshake ? .zero : acknowledgementDelay)
    }

    /// Linux gives up at the first timeout that comes so long after the first repeat: `tcp_model_timeout` with
    /// `tcp_retries2` = 15, which is ten doublings from 200 ms and six times 120 s.
    static let linuxPatience = TimeSpan.milliseconds(924_600)

    /// XNU gives up at this timeout in vain: TCP_MAXRXTSHIFT = 12 repeats.
    static let xnuRepeats: UInt8 = 12

    /// From the n-th SYN to the next, n from 0; nil: there is no further one.
    func wait(afterSYN n: UInt8) -> TimeSpan? {
        if family == .quic { return probeTimeout(inHandshake: true) * (1 << Int64(min(n, 20))) }
        guard n <= repeatedSYNs else { return nil }
        return initial * (1 << Int64(min(n - min(n, linearSYNs), 6)))
    }

    /// An attempt that nobody answers is over so long after its first SYN, or QUIC's first packet.
    public var connectPatience: TimeSpan {
        var end = Instant.zero
        var repeats: UInt8 = 0
        while end - .zero < connectLimit, let wait = wait(afterSYN: repeats) {
            end = due(after: wait, at: end, isFiring: repeats > 0)
            repeats += 1
        }
        return min(end - .zero, connectLimit)
    }

    /// XNU probes a connection whatever is in flight on it (TCPT_KEEP in `tcp_timers`); Linux puts probes off as long as
    /// something is (`tcp_keepalive_timer`: "It is alive without keepalive").
    var probesBesideData: Bool { family == .xnu }
}
