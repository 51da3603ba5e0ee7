import DeadzonePrimitives

/// What a library waits for before anything was measured, and how long it tries to connect while nobody answers.
extension QUICLibrary {
    /// A round trip of 333 ms with a variation of half of it (RFC 9002 §6.2.2, kInitialRtt; cloudflare/quiche `quiche/src/lib.rs`,
    /// DEFAULT_INITIAL_RTT); twice a round trip of 100 ms (quic-go/quic-go `internal/utils/rtt_stats.go`, PTO; aiortc/aioquic
    /// `quic/recovery.py`, get_probe_timeout, run at 1.7.2).
    var initial: TimeSpan {
        switch self {
        case .standard, .quiche: .milliseconds(999)
        case .quicGo, .aioquic: .milliseconds(200)
        }
    }

    /// quic-go's `internal/protocol/params.go`: DefaultHandshakeIdleTimeout while no packet comes, DefaultHandshakeTimeout for the
    /// standard, which has none. aioquic: `idle_timeout` of QuicConfiguration. quiche leaves it to the app: `--idle-timeout` of its own
    /// client, `apps/src/args.rs`.
    var connectLimit: TimeSpan {
        switch self {
        case .standard: .seconds(10)
        case .quicGo: .seconds(5)
        case .aioquic: .minutes(1)
        case .quiche: .seconds(30)
        }
    }
}
