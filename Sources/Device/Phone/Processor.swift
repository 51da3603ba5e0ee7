public import DeadzonePrimitives

/// How long a wake-up keeps the processor awake, and what that costs.
public struct ProcessorRules: Hashable, Sendable {
    /// Without it the processor is always awake, and nothing of it is on the books.
    public var sleeps = false
    /// The handler of an alarm or a job's start.
    public var alarmSpan = TimeSpan.zero
    /// The driver and the stack after a packet has arrived.
    public var packetSpan = TimeSpan.zero
    public var pushSpan = TimeSpan.zero
    public var jobSpan = TimeSpan.zero
    /// What the system does itself when a maintenance window opens.
    public var windowSpan = TimeSpan.zero

    public init() {}
}

/// Whether the processor is awake.
///
///     awake (screen on) ⇄ awake (screen off: a lock, or a span that runs) ⇄ asleep
///
/// The time awake with the screen off has a payer: whoever woke it; a later cause pays from its own wake-up on, like the
/// last packet for a tail. A lock without a wake-up is paid by `wake`.
///
/// Where the diagram lies: going to sleep and waking take no time; their energy is a lump per wake-up.
struct Processor: Sendable, BitwiseCopyable {
    private(set) var isAwake = true
    private var isLit = true
    private var isHeld = false
    /// Never when it cannot sleep.
    private var spanEnds: Instant
    private var payer = Cause.wake
    private var since: Instant

    init(sleeps: Bool, at now: Instant) {
        spanEnds = sleeps ? now : .never
        since = now
    }

    var nextTransition: Instant { isAwake && !isLit && !isHeld ? spanEnds : .never }

    /// Awake with the screen off, and for whom.
    var wakeTime: (cause: Cause, since: Instant)? {
        isAwake && !isLit && spanEnds != .never ? (payer, since) : nil
    }

    mutating func wake(for cause: Cause, span: TimeSpan, at now: Instant) {
        guard spanEnds != .never else { return }
        if !isLit && (!isAwake || payer != cause) {
            payer = cause
            since = now
        }
        isAwake = true
        spanEnds = max(spanEnds, min(now + span, Instant.never - .nanoseconds(1)))
        rest(at: now)
    }

    mutating func setLit(_ lit: Bool, at now: Instant) {
        guard lit != isLit else { return }
        isLit = lit
        payer = .wake
        since = now
        if lit { isAwake = true } else { rest(at: now) }
    }

    mutating func setHeld(_ held: Bool, at now: Instant) {
        guard held != isHeld else { return }
        isHeld = held
        if !held { return rest(at: now) }
        guard !isAwake else { return }
        isAwake = true
        payer = .wake
        since = now
    }

    mutating func advance(at now: Instant) { rest(at: now) }

    mutating func settle(at now: Instant) { since = now }

    private mutating func rest(at now: Instant) { isAwake = isLit || isHeld || now < spanEnds }
}
