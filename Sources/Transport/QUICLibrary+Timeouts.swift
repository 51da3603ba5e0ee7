import DeadzoneBase

/// Two timeouts of a QUIC library: its first probe timeout, and its limit for an unanswered connection attempt.
extension QUICLibrary {
    /// Probe timeout before any round trip is measured. It is computed from an assumed round trip: 333 ms with a
    /// variation of half of it (RFC 9002 §6.2.2, kInitialRtt; cloudflare/quiche `quiche/src/lib.rs`,
    /// DEFAULT_INITIAL_RTT), or twice a round trip of 100 ms (quic-go/quic-go `internal/utils/rtt_stats.go`, PTO;
    /// aiortc/aioquic `quic/recovery.py`, get_probe_timeout, measured at 1.7.2).
    var initial: TimeSpan {
        switch self {
        case .standard, .quiche: .milliseconds(999)
        case .quicGo, .aioquic: .milliseconds(200)
        }
    }

    /// Time after which an unanswered connection attempt fails. quic-go: `internal/protocol/params.go`,
    /// DefaultHandshakeIdleTimeout, which applies while no packet arrives. The standard defines no limit, so it uses
    /// quic-go's DefaultHandshakeTimeout. aioquic: `idle_timeout` of QuicConfiguration. quiche leaves it to the app:
    /// this is `--idle-timeout` of its own client, `apps/src/args.rs`.
    var connectLimit: TimeSpan {
        switch self {
        case .standard: .seconds(10)
        case .quicGo: .seconds(5)
        case .aioquic: .minutes(1)
        case .quiche: .seconds(30)
        }
    }
}
