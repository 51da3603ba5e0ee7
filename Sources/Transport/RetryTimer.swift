public import DeadzonePrimitives

/// When an end asks after what was not acknowledged, repeats it, and gives up, by the rules of its kernel.
///
///     idle ──sent──▶ probing ──deadline: ask──▶ repeating ──for too long in vain──▶ given up
///       ▲               │                        │  ▲  │ deadline: repeat, double
///       └──acknowledged─┴────────────────────────┘  └──┘
///
/// A tail loss probe comes no later than the first repeat would, and is none: the doubling, and whatever is counted from the first
/// repeat, begin a timeout later. So the n-th time a segment that is alone leaves, n from 1, is a timeout times 2ⁿ⁻¹ after the
/// first. A kernel without probes begins with repeating.
///
/// With TCP_USER_TIMEOUT the wait is cut to what is left of it (`tcp_clamp_rto_to_user_timeout`), but, as in Linux, only after
/// the first repeat: until then nothing is known to be wrong.
public struct RetryTimer: Sendable, BitwiseCopyable {
    /// What the end is to do when its deadline has passed.
    enum Step {
        case wait, probe, `repeat`, giveUp
    }

    public private(set) var deadline = Instant.never
    /// When what is now waited for was first sent, and from the first repeat on when that left.
    private(set) var since = Instant.never
    public private(set) var trip = RoundTrip()
    /// Of the machine's clock, in microseconds.
    private var phase: UInt32
    public private(set) var inVain: UInt8 = 0
    private var isProbing = false
    /// It has asked, and not been answered: it asks but once.
    private var hasAsked = false

    public init(phase: TimeSpan = .zero) { self.phase = UInt32(clamping: phase.nanoseconds / 1_000) }

    /// The next timeout, doubling included.
    @inline(__always)
    public func timeout(_ kernel: Kernel) -> TimeSpan { kernel.timeout(trip, repeats: inVain) }

    @inline(__always)
    mutating func measure(_ roundTrip: TimeSpan, _ rules: UnsafePointer<TCPRules>) {
        trip.measure(roundTrip, rules.pointee.kernel.gains)
    }

    /// Another path has another round trip (RFC 9000 §9.4).
    mutating func forgetPath() { self = RetryTimer(phase: .microseconds(Int64(phase))) }

    /// When a timer of this machine goes off.
    /// - Parameter isFiring: It is set by one that has gone off.
    @inline(__always)
    func due(after wait: TimeSpan, at now: Instant, isFiring: Bool = false, _ kernel: Kernel) -> Instant {
        kernel.due(after: wait, at: now, phase: .microseconds(Int64(phase)), isFiring: isFiring)
    }

    /// Something new leaves: the timer runs, or goes on. It puts a probe off, but while the timeout of what left first is still to come
    /// not beyond that; and the first repeat, too, by a probe that is not sent (`tcp_send_loss_probe`).
    mutating func arm(at now: Instant, isLone: Bool, asks: Bool = true, _ rules: UnsafePointer<TCPRules>) {
        guard deadline != .never else { return begin(at: now, isLone: isLone, asks: asks, rules) }
        guard asks, inVain == 0, rules.pointee.kernel.probesTail, now < deadline else { return }
        isProbing = true
        let timeout = timeout(rules.pointee.kernel)
        let left = since + timeout - now
        wait(at: now, atMost: left > .zero ? left : timeout, isLone: isLone, rules)
    }

    /// News from the other end: the doubling is over. The timer runs on only while something is in flight.
    /// - Parameter asks: Who repeats what the other end said it misses does not ask after the tail beside that.
    @inline(__always)
    mutating func restart(
        at now: Instant, inFlight: Bool, isLone: Bool = true, asks: Bool = true, _ rules: UnsafePointer<TCPRules>
    ) {
        stop()
        if inFlight { begin(at: now, isLone: isLone, asks: asks, rules) }
    }

    /// Nothing is in flight any more.
    @inline(__always)
    mutating func stop() {
        inVain = 0
        deadline = .never
    }

    mutating func begin(at now: Instant, isLone: Bool, asks: Bool, _ rules: UnsafePointer<TCPRules>) {
        since = now
        isProbing = rules.pointee.kernel.probesTail && asks
        hasAsked = false
        wait(at: now, atMost: timeout(rules.pointee.kernel), isLone: isLone, rules)
    }

    @inline(__always)
    private mutating func wait(
        at now: Instant, atMost timeout: TimeSpan, isLone: Bool, _ rules: UnsafePointer<TCPRules>
    ) {
        let isSooner = isProbing && trip.isMeasured
        let wait = isSooner ? min(rules.pointee.kernel.tailProbe(trip, isLone: isLone), timeout) : timeout
        deadline = due(after: wait, at: now, rules.pointee.kernel)
    }

    /// The deadline has passed.
    mutating func expire(at now: Instant, _ rules: UnsafePointer<TCPRules>) -> Step {
        if isProbing {
            isProbing = false
            deadline = due(after: timeout(rules.pointee.kernel), at: now, isFiring: true, rules.pointee.kernel)
            defer { hasAsked = true }
            return hasAsked ? .wait : .probe
        }
        guard !isHopeless(at: now, rules) else {
            deadline = .never
            return .giveUp
        }
        // `retrans_stamp` of Linux; XNU's drop time (`t_rxtstart`).
        if inVain == 0 { since = now }
        inVain += 1
        var wait = timeout(rules.pointee.kernel)
        if let limit = rules.pointee.userTimeout, rules.pointee.kernel.family == .linux {
            // A jiffy if nothing is left.
            wait = min(wait, max(limit - (now - since), rules.pointee.kernel.tick))
        }
        deadline = due(after: wait, at: now, isFiring: true, rules.pointee.kernel)
        return .repeat
    }

    private func isHopeless(at now: Instant, _ rules: UnsafePointer<TCPRules>) -> Bool {
        guard inVain > 0 else { return false }
        if let limit = rules.pointee.userTimeout { if limit <= now - since { return true } }
        switch rules.pointee.kernel.family {
        case .linux: return rules.pointee.userTimeout == nil && Kernel.linuxPatience <= now - since
        case .xnu: return inVain >= Kernel.xnuRepeats
        case .quic: return false
        }
    }
}
