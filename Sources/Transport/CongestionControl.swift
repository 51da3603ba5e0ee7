import DeadzoneBase

/// Growth and reduction of a sender's congestion window: slow start with HyStart, and CUBIC (RFC 9438, RFC 9406), with
/// the numbers and the integer arithmetic of Linux (`net/ipv4/tcp_cubic.c`).
///
/// HyStart ends slow start before a queue overflows. It compares, once a round trip, the shortest round trip with the
/// shortest ever, and the length of an unbroken train of acknowledgements with half a round trip. CUBIC grows the window
/// by the cube of the time since the last loss, and never slower than Reno.
///
/// An end has this state only after its window was used up, or after a loss. Before that, a window of ten segments
/// needs none.
///
/// Where this differs from Linux: a burst is acknowledged at once. It counts as an acknowledgement for each two of its
/// segments, evenly spread. The window is not paced. XNU and QUIC libraries are assumed to do the same; their releases
/// differ.
struct CongestionControl: BitwiseCopyable {
    /// Minimum window at which HyStart decides, in segments: `hystart_low_window`.
    private static let minWindow: UInt16 = 16
    /// Number of acknowledgements in a round before their shortest round trip counts: HYSTART_MIN_SAMPLES.
    private static let minSamples: UInt32 = 8
    /// Bounds of the increase of the round trip that ends slow start: HYSTART_DELAY_MIN and HYSTART_DELAY_MAX. Between
    /// them it is an eighth of the shortest round trip.
    private static let minIncrease = TimeSpan.milliseconds(4)
    private static let maxIncrease = TimeSpan.milliseconds(16)
    /// Maximum distance of two acknowledgements in one train: `hystart_ack_delta_us`.
    private static let trainGap = TimeSpan.milliseconds(2)
    /// Time that the sender's own bursts can lengthen a train (`hystart_ack_delay`). It is this at rates below 2
    /// Gbit/s.
    private static let burstTime = TimeSpan.milliseconds(1)
    /// Share of the window that remains after a loss, in 1/1024: `beta`.
    private static let beta: UInt32 = 717
    private static let betaScale: UInt32 = 1_024
    /// CUBIC's constant C = 0.4 segments per second cubed, in 1/1024 and for ten round trips a second: `bic_scale`,
    /// `cube_rtt_scale`.
    private static let scaledC: UInt64 = 410
    /// Number of acknowledged segments for which Reno adds a segment, in 1/8 of the window: `beta_scale`.
    private static let renoScale: UInt32 = 15
    /// Minimum time between two computations of CUBIC's target for an unchanged window: HZ / 32.
    private static let updateInterval = TimeSpan.nanoseconds(31_250_000)

    /// Shortest round trip since the last timeout. `.zero` if there is none.
    private var shortestRoundTrip: TimeSpan
    // HyStart.
    private var roundBeganAt = Instant.zero
    private var lastAckAt = Instant.zero
    /// End of the data that was sent when the round began. The round ends with its acknowledgement.
    private var roundEnd: UInt64 = 0
    private var shortestOfRound = TimeSpan.longest
    private var samples: UInt32 = 0
    private var hasFoundQueue = false
    // CUBIC. The state of one epoch, which begins with the first growth after a loss.
    private var epochBeganAt = Instant.never
    private var updatedAt = Instant.never
    /// Time from the beginning of the epoch at which the window reaches `origin`, in 1/1024 s.
    private var timeToOrigin: UInt64 = 0
    private var origin: UInt16 = 0
    private var windowAtUpdate: UInt16 = 0
    /// Window at the last loss. Zero before the first.
    private var windowAtLoss: UInt16 = 0
    private var renoWindow: UInt16 = 0
    private var renoAcks: UInt32 = 0
    /// Number of acknowledged segments for which the window grows by one.
    private var acksPerSegment: UInt32 = 2
    private var growthAcks: UInt32 = 0
    /// Time at which the sender last sent data.
    var lastSentAt: Instant
    /// Time at which the window was last used up, or reduced because it was not.
    var limitedAt: Instant
    /// Largest number of segments in flight since `limitedAt`.
    var usedWindow: UInt16 = 0
    /// End of the data that was sent when a tail loss probe repeated its last segment. Zero if there is no such probe.
    var probedEnd: UInt64 = 0
    /// Time of the last tail loss probe, with old or new data.
    var probedAt = Instant.never
    var reordering = ReorderingMemory()

    init(at now: Instant, shortestRoundTrip: TimeSpan) {
        self.shortestRoundTrip = shortestRoundTrip
        lastSentAt = now
        limitedAt = now
    }

    // MARK: Round trips

    /// Records a round trip. Returns `true` if it shows that a queue builds up, so that slow start must end.
    /// - Parameters:
    ///   - roundTrip: Round trip of the first of the acknowledged segments.
    ///   - spread: Time between the arrivals of the first and of the last one.
    ///   - segments: Number of segments that are acknowledged together.
    ///   - acknowledged: Offset up to which data is acknowledged now.
    mutating func recordRoundTrip(
        _ roundTrip: TimeSpan, spread: TimeSpan = .zero, segments: UInt32, acknowledged: UInt64, sent: UInt64,
        window: UInt16,
        isSlowStart: Bool, at now: Instant
    ) -> Bool {
        // Just after a recovery, round trips contain its waits.
        if epochBeganAt != .never && now - epochBeganAt < .seconds(1) { return false }
        if shortestRoundTrip == .zero || roundTrip < shortestRoundTrip { shortestRoundTrip = roundTrip }
        guard !hasFoundQueue, isSlowStart else { return false }
        if roundEnd < acknowledged { beginRound(at: now - spread, sent: sent) }
        guard Self.minWindow <= window else { return false }
        let acks = max((segments + 1) / 2, 1)
        if now - lastAckAt <= Self.trainGap * Int64(acks) {
            lastAckAt = now
            hasFoundQueue = (shortestRoundTrip + Self.burstTime) / 2 < now - roundBeganAt
        }
        shortestOfRound = min(shortestOfRound, roundTrip)
        samples += acks
        if samples > Self.minSamples {
            let increase = min(max(shortestRoundTrip / 8, Self.minIncrease), Self.maxIncrease)
            hasFoundQueue = hasFoundQueue || shortestRoundTrip + increase < shortestOfRound
        }
        return hasFoundQueue
    }

    private mutating func beginRound(at now: Instant, sent: UInt64) {
        (roundBeganAt, lastAckAt, roundEnd) = (now, now, sent)
        (shortestOfRound, samples) = (.longest, 0)
    }

    // MARK: Growth

    /// Returns the window after `segments` segments were acknowledged above the slow-start threshold.
    mutating func grow(_ window: UInt16, by segments: UInt32, at now: Instant) -> UInt16 {
        update(window, segments, at: now)
        var grown = UInt32(window)
        if growthAcks >= acksPerSegment {
            growthAcks = 0
            grown += 1
        }
        growthAcks += segments
        if growthAcks >= acksPerSegment {
            grown += growthAcks / acksPerSegment
            growthAcks %= acksPerSegment
        }
        return UInt16(clamping: grown)
    }

    /// Computes `acksPerSegment` from the time since the epoch began.
    private mutating func update(_ window: UInt16, _ segments: UInt32, at now: Instant) {
        renoAcks += segments
        if windowAtUpdate == window && updatedAt != .never && now - updatedAt <= Self.updateInterval { return }
        if epochBeganAt == .never || updatedAt != now {
            (windowAtUpdate, updatedAt) = (window, now)
            if epochBeganAt == .never { beginEpoch(window, segments, at: now) }
            acksPerSegment = cubicPace(window, at: now)
            // Before the first loss: a twentieth of the window each round trip.
            if windowAtLoss == 0 { acksPerSegment = min(acksPerSegment, 20) }
        }
        let acksForReno = max((UInt32(window) * Self.renoScale) >> 3, 1)
        while renoAcks > acksForReno {
            renoAcks -= acksForReno
            renoWindow = renoWindow == .max ? .max : renoWindow + 1
        }
        if window < renoWindow { acksPerSegment = min(acksPerSegment, UInt32(window / (renoWindow - window))) }
        acksPerSegment = max(acksPerSegment, 2)
    }

    private mutating func beginEpoch(_ window: UInt16, _ segments: UInt32, at now: Instant) {
        (epochBeganAt, renoAcks, renoWindow) = (now, segments, window)
        origin = max(window, windowAtLoss)
        timeToOrigin = Self.cubeRoot((1 << 40) / Self.scaledC * UInt64(origin - window))
    }

    private func cubicPace(_ window: UInt16, at now: Instant) -> UInt32 {
        let elapsed = (now - epochBeganAt) + shortestRoundTrip
        // Beyond five minutes the cube would not fit, and the window has long reached its maximum.
        let time = UInt64(min(max(elapsed.nanoseconds, 0), 300_000_000_000)) * 1_024 / 1_000_000_000
        let distance = time < timeToOrigin ? timeToOrigin - time : time - timeToOrigin
        let change = min((Self.scaledC * distance * distance * distance) >> 40, UInt64(UInt16.max))
        let target = time < timeToOrigin ? Int(origin) - Int(change) : Int(origin) + Int(change)
        guard Int(window) < target else { return 100 * UInt32(window) }
        return UInt32(Int(window) / (target - Int(window)))
    }

    /// Returns the cube root, rounded down.
    static func cubeRoot(_ value: UInt64) -> UInt64 {
        var root: UInt64 = 0
        var bit = UInt64(1) << 20
        while bit > 0 {
            let next = root | bit
            if next * next * next <= value { root = next }
            bit >>= 1
        }
        return root
    }

    // MARK: Reduction

    /// Records a loss at this window. Returns the new slow-start threshold.
    mutating func reduce(_ window: UInt16) -> UInt16 {
        (epochBeganAt, growthAcks) = (.never, 0)
        // A window that did not reach the last one leaves room for other connections (RFC 9438 §4.7).
        windowAtLoss =
            window < windowAtLoss
            ? UInt16(UInt32(window) * (Self.betaScale + Self.beta) / (2 * Self.betaScale)) : window
        return max(UInt16(UInt32(window) * Self.beta / Self.betaScale), 2)
    }

    /// Begins anew after a timeout (`bictcp_reset`).
    mutating func reset(at now: Instant, sent: UInt64) {
        (shortestRoundTrip, windowAtLoss, windowAtUpdate, origin, timeToOrigin) = (.zero, 0, 0, 0, 0)
        (epochBeganAt, updatedAt, renoAcks, renoWindow, growthAcks) = (.never, .never, 0, 0, 0)
        hasFoundQueue = false
        beginRound(at: now, sent: sent)
    }

    /// Records that the sender sends again after a pause. CUBIC's time does not pass while it does not send.
    mutating func resume(at now: Instant) {
        guard epochBeganAt != .never, lastSentAt < now else { return }
        epochBeganAt = min(epochBeganAt + (now - lastSentAt), now)
    }
}
