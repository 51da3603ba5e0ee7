public import DeadzonePrimitives

/// When an end repeats what was not acknowledged, and when it gives up, by the rules of its kernel.
///
///     idle ──sent──▶ armed ──acknowledged──▶ idle
///                      │ deadline: repeat, double
///                      └── for too long in vain ──▶ given up
///
/// With TCP_USER_TIMEOUT the wait is cut to what is left of it (`tcp_clamp_rto_to_user_timeout`), but, as in Linux, only after
/// the first repeat: until then nothing is known to be wrong.
public struct RetryTimer: Sendable, BitwiseCopyable {
    public private(set) var deadline = Instant.never
    /// When what is now waited for was first sent.
    private var since = Instant.never
    public private(set) var trip = RoundTrip()
    public private(set) var inVain: UInt8 = 0

    public init() {}

    /// The next timeout, doubling included.
    public func timeout(_ kernel: Kernel) -> TimeSpan { kernel.timeout(trip, repeats: inVain) }

    public mutating func measure(_ roundTrip: TimeSpan) { trip.measure(roundTrip) }

    /// Another path has another round trip (RFC 9000 §9.4).
    mutating func forgetPath() { self = RetryTimer() }

    /// Something is in flight: the timer runs unless it already does.
    public mutating func arm(at now: Instant, _ kernel: Kernel) {
        guard deadline == .never else { return }
        since = now
        deadline = now + timeout(kernel)
    }

    /// News from the other end: the doubling is over. The timer runs on only while something is in flight.
    public mutating func restart(at now: Instant, inFlight: Bool, _ kernel: Kernel) {
        inVain = 0
        since = now
        deadline = inFlight ? now + timeout(kernel) : .never
    }

    /// The deadline has passed; true while a repeat is worth it.
    public mutating func expire(at now: Instant, _ rules: TCPRules) -> Bool {
        guard !isHopeless(at: now, rules) else {
            deadline = .never
            return false
        }
        // XNU counts its drop time from the first repeat (`t_rxtstart`).
        if inVain == 0 && rules.kernel == .xnu { since = now }
        inVain += 1
        var wait = timeout(rules.kernel)
        if let limit = rules.userTimeout, rules.kernel == .linux {
            // One jiffy at HZ = 1000 if nothing is left.
            wait = min(wait, max(limit - (now - since), .milliseconds(1)))
        }
        deadline = now + wait
        return true
    }

    private func isHopeless(at now: Instant, _ rules: TCPRules) -> Bool {
        guard inVain > 0 else { return false }
        if let limit = rules.userTimeout { if limit <= now - since { return true } }
        switch rules.kernel {
        case .linux: return rules.userTimeout == nil && Kernel.linuxPatience <= now - since
        case .xnu: return inVain >= Kernel.xnuRepeats
        case .quic: return false
        }
    }
}
