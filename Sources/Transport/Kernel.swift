package import DeadzoneBase

/// TCP parameters of an operating-system kernel: timeouts, retry limits and timer granularity of its retransmissions.
///
/// Linux: `include/net/tcp.h`, `net/ipv4/tcp_timer.c`, `net/ipv4/tcp_output.c` (torvalds/linux); measured on 6.18. XNU,
/// the kernel of iOS and macOS: `bsd/netinet/tcp_timer.h`, `bsd/netinet/tcp_timer.c` (apple-oss-distributions/xnu);
/// taken from the source, never measured.
///
/// QUIC has no kernel: the app's library retransmits as RFC 9002 specifies, for as long as the connection lives.
package struct Kernel: Hashable, Sendable, BitwiseCopyable {
    package enum KernelFamily: UInt8, Hashable, Sendable, BitwiseCopyable {
        case linux, xnu, quic
    }

    package let family: KernelFamily
    /// Number of repeated SYNs that are sent at a constant interval, before the interval doubles.
    let linearSYNs: UInt8
    /// Maximum number of repeated SYNs of a connection attempt.
    var repeatedSYNs: UInt8
    /// Weights with which a new round-trip sample changes the estimate of the round-trip time.
    let gains: RoundTripEstimator.Gains
    /// Time between two ticks of the kernel's timer (a jiffy). Zero if timers are exact.
    let tick: TimeSpan
    /// `true` if timers with a longer wait have a coarser granularity, as in Linux since 4.8.
    let isCoarse: Bool
    /// Timeout before any round trip is measured: time from the first SYN to the second, or QUIC's first probe timeout.
    let initial: TimeSpan
    /// Lower bound for the retransmission timeout. On Linux it applies to the time that is added to the round trip, on
    /// XNU to the timeout before the slop is added.
    let floor: TimeSpan
    /// Maximum retransmission timeout: TCP_RTO_MAX on Linux, TCPTV_REXMTMAX on XNU.
    package let longest: TimeSpan
    /// Maximum time by which the other end is expected to delay its acknowledgement.
    let acknowledgementDelay: TimeSpan
    /// Time from the first packet to the failure of a connection attempt. `.longest` if only the number of SYNs limits
    /// it.
    let connectLimit: TimeSpan

    /// Returns the retransmission timeout for the measured round trip, after `repeats` doublings.
    ///
    /// Linux adds its own variation, at least TCP_RTO_MIN = 200 ms, to the smoothed round trip and counts in jiffies
    /// (`__tcp_set_rto`). XNU takes at least 30 ms and adds 200 ms of slop (TCPTV_REXMTMIN, TCPTV_REXMTSLOP,
    /// TCPT_RANGESET). The slop is not doubled.
    @inline(__always)
    func timeout(_ trip: RoundTripEstimator, repeats: UInt8) -> TimeSpan {
        let factor = Int64(1) << Int64(min(repeats, 20))
        if family == .quic { return probeTimeout(trip) * factor }
        guard trip.isMeasured else { return min(initial * factor, longest) }
        switch family {
        case .quic: return .longest
        case .linux: return min(roundedUpToTicks(trip.smoothed + trip.linuxVariation) * factor, longest)
        case .xnu:
            let base = max(trip.smoothed + trip.fourVariations, floor)
            // `tcp_backoff` ends at 64.
            return min(Self.slop + base * min(factor, 64), longest)
        }
    }

    private static let slop = TimeSpan.milliseconds(200)

    /// Minimum that Linux adds to a wait which is derived from round trips: TCP_TIMEOUT_MIN_US. Before 6.6 it was two
    /// jiffies, and stable releases have the change too.
    static let minPatience = TimeSpan.milliseconds(2)

    /// Returns the time from sending the last segment to its tail loss probe (`tcp_schedule_loss_probe`). For a single
    /// segment it is longer, because the receiver may delay its acknowledgement.
    @inline(__always)
    func tailProbeDelay(_ trip: RoundTripEstimator, isSingleSegment: Bool) -> TimeSpan {
        trip.smoothed * 2 + (isSingleSegment ? acknowledgementDelay : Self.minPatience)
    }

    /// `true` if the kernel may delay an acknowledgement, so that data can carry it.
    var delaysAcknowledgement: Bool { family == .linux }

    /// `true` if spurious timeouts are detected from the acknowledgements after a retransmission (RFC 5682).
    var detectsSpuriousTimeouts: Bool { family == .linux }

    /// `true` if the kernel sends a tail loss probe before it treats the unacknowledged end of its data as lost (RFC
    /// 8985 §7).
    var probesTail: Bool { family == .linux }

    /// Minimum that QUIC's probe timeout adds to the round trip: kGranularity (RFC 9002 §6.1.2).
    static let granularity = TimeSpan.milliseconds(1)

    /// Returns QUIC's probe timeout before it is doubled (RFC 9002 §6.2.1). In the handshake it includes no
    /// acknowledgement delay.
    package func probeTimeout(_ trip: RoundTripEstimator = RoundTripEstimator(), inHandshake: Bool = false) -> TimeSpan
    {
        let measured = trip.smoothed + max(trip.fourVariations, Self.granularity)
        return (trip.isMeasured ? measured : initial) + (inHandshake ? .zero : acknowledgementDelay)
    }

    /// Minimum time from the first retransmission to the timeout at which Linux gives up the connection.
    /// `tcp_model_timeout` with `tcp_retries2` = 15 computes it: ten doublings from 200 ms, and six times 120 s.
    static let linuxRetryLimit = TimeSpan.milliseconds(924_600)

    /// Number of unanswered retransmissions after which XNU gives up the connection, at the next timeout:
    /// TCP_MAXRXTSHIFT = 12.
    static let xnuMaxRepeats: UInt8 = 12

    /// Returns the wait between SYN number n and the next SYN, counted from 0. `nil` if no further SYN is sent.
    func synInterval(afterSYN n: UInt8) -> TimeSpan? {
        if family == .quic { return probeTimeout(inHandshake: true) * (1 << Int64(min(n, 20))) }
        guard n <= repeatedSYNs else { return nil }
        return min(initial * (1 << Int64(min(n - min(n, linearSYNs), 7))), longest)
    }

    /// Time since the first SYN after which Linux sends no further one, whatever their number. It is the sum of the
    /// doubling waits alone (`retransmits_timed_out`, `tcp_model_timeout`), so a few repetitions end before the linear
    /// ones are used up. Measured on 6.18 with TCP_SYNCNT: one ends after 3.1 s, two after 7.1 s, three after 19.6 s.
    var synLimit: TimeSpan {
        guard family == .linux else { return .longest }
        let doublings = Int64(repeatedSYNs - linearSYNs)
        return initial * ((2 << min(doublings, 6)) - 1) + longest * max(doublings - 6, 0)
    }

    /// Returns the kernel with the number of SYN repetitions that an app has set by TCP_SYNCNT. Only Linux has this
    /// option. Its linear repetitions come on top (`tcp_write_timeout`).
    package func withSYNRetries(_ count: UInt8?) -> Kernel {
        guard let count, family == .linux else { return self }
        var kernel = self
        kernel.repeatedSYNs = count + linearSYNs
        return kernel
    }

    /// Time from the first SYN, or QUIC's first packet, until an unanswered connection attempt fails.
    package var connectTimeout: TimeSpan {
        var end = Instant.zero
        var repeats: UInt8 = 0
        while end - .zero < min(connectLimit, synLimit), let wait = synInterval(afterSYN: repeats) {
            end = due(after: wait, at: end, isFiring: repeats > 0)
            repeats += 1
        }
        return min(end - .zero, connectLimit)
    }

    /// `true` if keepalive probes are sent even while data is in flight. XNU does so (TCPT_KEEP in `tcp_timers`). Linux
    /// postpones probes while data is in flight (`tcp_keepalive_timer`: "It is alive without keepalive").
    var probesWithDataInFlight: Bool { family == .xnu }
}
