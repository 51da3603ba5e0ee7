public import DeadzonePrimitives

/// When an end repeats what was not acknowledged, and when it gives up (RFC 6298; constants of Linux `tcp_timer.c`).
///
///     idle ──sent──▶ armed ──acknowledged──▶ idle
///                      │ deadline: repeat, double (to 120 s)
///                      └── 15 repeats in vain ──▶ given up (924.6 s after the first, at a first timeout of 200 ms)
public struct RetransmissionTimer: Sendable, BitwiseCopyable {
    /// RFC 6298 §2.1.
    public static let initial = TimeSpan.seconds(1)
    /// Linux TCP_RTO_MIN, added to the smoothed round trip as the least variance term.
    public static let minimum = TimeSpan.milliseconds(200)
    /// Linux TCP_RTO_MAX.
    public static let maximum = TimeSpan.seconds(120)
    /// Linux `tcp_retries2`.
    public static let repeats: UInt8 = 15

    public private(set) var deadline = Instant.never
    public private(set) var inVain: UInt8 = 0
    private var smoothed = TimeSpan.zero
    private var variation = TimeSpan.zero

    public init() {}

    public var hasGivenUp: Bool { inVain > Self.repeats }

    /// The timeout as measured, before doubling.
    public var timeout: TimeSpan {
        guard smoothed > .zero else { return Self.initial }
        return min(smoothed + max(variation * 4, Self.minimum), Self.maximum)
    }

    /// Something is in flight: the timer runs unless it already does.
    public mutating func arm(at now: Instant) {
        if deadline == .never { deadline = now + doubled() }
    }

    /// News from the other end: the doubling is over. The timer runs on only while something is in flight.
    public mutating func restart(at now: Instant, inFlight: Bool) {
        inVain = 0
        deadline = inFlight ? now + timeout : .never
    }

    /// The deadline has passed; true while a repeat is worth it.
    public mutating func expire(at now: Instant) -> Bool {
        inVain += 1
        deadline = hasGivenUp ? .never : now + doubled()
        return !hasGivenUp
    }

    /// RFC 6298 §2.2, §2.3, with the gains 1/8 and 1/4.
    public mutating func measure(_ roundTrip: TimeSpan) {
        guard roundTrip > .zero else { return }
        if smoothed == .zero {
            smoothed = roundTrip
            variation = roundTrip / 2
        } else {
            let error = smoothed < roundTrip ? roundTrip - smoothed : smoothed - roundTrip
            variation = (variation * 3 + error) / 4
            smoothed = (smoothed * 7 + roundTrip) / 8
        }
    }

    private func doubled() -> TimeSpan {
        min(timeout * (1 << Int64(min(inVain, 20))), Self.maximum)
    }
}
