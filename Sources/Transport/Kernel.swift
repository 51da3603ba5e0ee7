public import DeadzonePrimitives

/// Whose TCP it is. The constants by which two systems repeat, wait and give up.
///
/// Linux: `include/net/tcp.h`, `net/ipv4/tcp_timer.c` (torvalds/linux). XNU, the kernel of iOS and macOS:
/// `bsd/netinet/tcp_timer.h`, `bsd/netinet/tcp_timer.c` (apple-oss-distributions/xnu).
///
/// QUIC has no kernel: the app's library repeats, by RFC 9002, for as long as the connection lives.
public enum Kernel: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    case linux, xnu
    case quic

    /// Before anything was measured: RFC 6298 §2.1, TCP_TIMEOUT_INIT, TCPTV_RTOBASE.
    public static let initial = TimeSpan.seconds(1)

    /// Between the first sending and the first repeat, from what was measured.
    ///
    /// Linux adds at least TCP_RTO_MIN = 200 ms to the smoothed round trip (`__tcp_set_rto`, `tcp_rtt_estimator`). XNU takes at
    /// least 30 ms and adds 200 ms of slop (TCPTV_REXMTMIN, TCPTV_REXMTSLOP, TCPT_RANGESET); the slop is not doubled.
    func timeout(_ trip: RoundTrip, repeats: UInt8) -> TimeSpan {
        let factor = Int64(1) << Int64(min(repeats, 20))
        if self == .quic { return Self.probeTimeout(trip) * factor }
        guard trip.isMeasured else { return min(Self.initial * factor, longest) }
        switch self {
        case .quic: return .longest
        case .linux:
            let base = trip.smoothed + max(trip.fourVariations, .milliseconds(200))
            return min(base * factor, longest)
        case .xnu:
            let base = max(trip.smoothed + trip.fourVariations, .milliseconds(30))
            // `tcp_backoff` ends at 64.
            return min(.milliseconds(200) + base * min(factor, 64), longest)
        }
    }

    /// TCP_RTO_MAX; TCPTV_REXMTMAX.
    public var longest: TimeSpan {
        switch self {
        case .linux: .seconds(120)
        case .xnu: .seconds(64)
        case .quic: .longest
        }
    }

    /// kInitialRtt: what a round trip is taken for before one was measured, its variation half of it (RFC 9002 §6.2.2).
    public static let initialRoundTrip = TimeSpan.milliseconds(333)
    /// kGranularity (RFC 9002 §6.1.2).
    static let granularity = TimeSpan.milliseconds(1)
    /// max_ack_delay where the other end does not say (RFC 9000 §18.2).
    static let acknowledgementDelay = TimeSpan.milliseconds(25)

    /// QUIC's probe timeout before doubling (RFC 9002 §6.2.1). In the handshake nobody delays an acknowledgement.
    public static func probeTimeout(_ trip: RoundTrip = RoundTrip(), inHandshake: Bool = false) -> TimeSpan {
        let smoothed = trip.isMeasured ? trip.smoothed : initialRoundTrip
        let variations = trip.isMeasured ? trip.fourVariations : initialRoundTrip * 2
        return smoothed + max(variations, granularity) + (inHandshake ? .zero : acknowledgementDelay)
    }

    /// Linux gives up at the first timeout that comes so long after the first sending: `tcp_model_timeout` with
    /// `tcp_retries2` = 15, which is ten doublings from 200 ms and six times 120 s.
    static let linuxPatience = TimeSpan.milliseconds(924_600)

    /// XNU gives up at this timeout in vain: TCP_MAXRXTSHIFT = 12 repeats.
    static let xnuRepeats: UInt8 = 12

    /// From the n-th SYN to the next, n from 0; nil: there is no further one.
    ///
    /// Linux doubles; `tcp_syn_retries` = 6. XNU repeats each second five times before it doubles (`tcp_syn_backoff`).
    func wait(afterSYN n: UInt8) -> TimeSpan? {
        switch self {
        case .linux: return n <= 6 ? Self.initial << n : nil
        case .xnu: return n <= 12 ? Self.initial << min(n < 5 ? 0 : n - 4, 6) : nil
        case .quic: return Self.probeTimeout(inHandshake: true) << min(n, 20)
        }
    }

    /// An attempt to connect ends so long after its first SYN: XNU's connect timer, TCPTV_KEEP_INIT = 75 s. Linux has none.
    var connectLimit: TimeSpan {
        switch self {
        case .linux: .longest
        case .xnu: .seconds(75)
        // quic-go/quic-go `internal/protocol/params.go`, `DefaultHandshakeTimeout`.
        case .quic: .seconds(10)
        }
    }

    /// An attempt that nobody answers is over so long after its first SYN, or QUIC's first packet: 127 s, 75 s, 10 s.
    public var connectPatience: TimeSpan {
        var patience = TimeSpan.zero
        var repeats: UInt8 = 0
        while patience < connectLimit, let wait = wait(afterSYN: repeats) {
            patience += wait
            repeats += 1
        }
        return min(patience, connectLimit)
    }

    /// XNU probes a connection whatever is in flight on it (TCPT_KEEP in `tcp_timers`); Linux puts probes off as long as
    /// something is (`tcp_keepalive_timer`: "It is alive without keepalive").
    var probesBesideData: Bool { self == .xnu }
}

extension TimeSpan {
    fileprivate static func << (span: Self, places: UInt8) -> Self { span * (1 << Int64(places)) }
}
