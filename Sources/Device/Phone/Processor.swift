package import DeadzoneBase

/// Times for which each kind of wake-up keeps the processor awake.
package struct ProcessorRules: Hashable, Sendable {
    /// `false` if the processor is always awake; the ledger then has no wake time.
    package var sleeps = false
    /// Time for which an alarm keeps the processor awake to run its handler.
    package var alarmSpan = TimeSpan.zero
    /// Time for which an arriving packet keeps the processor awake for driver and network stack.
    package var packetSpan = TimeSpan.zero
    package var pushSpan = TimeSpan.zero
    package var jobSpan = TimeSpan.zero
    /// Time for which a maintenance window keeps the processor awake for the system's own work.
    package var windowSpan = TimeSpan.zero
}

/// Tracks whether a phone's processor is awake, and the cause that is charged for it.
///
///     awake (screen on) ⇄ awake (screen off: a lock, or a span that runs) ⇄ asleep
///
/// The time awake with the screen off is charged to the cause of the wake-up. A later cause is charged from its own
/// wake-up on, like the last packet for a tail. A lock is charged to `wake`, except while a wake-up lasts.
///
/// Where the diagram is inaccurate: going to sleep and waking take no time; their energy is one amount per wake-up.
struct Processor: Sendable, BitwiseCopyable {
    private(set) var isAwake = true
    private var screenIsOn = true
    private var hasWakeLock = false
    /// Time at which the latest wake-up ends; `.never` if the processor cannot sleep.
    private var spanEnds: Instant
    private var payer = Cause.wake
    private var since: Instant

    init(sleeps: Bool, at now: Instant) {
        spanEnds = sleeps ? now : .never
        since = now
    }

    /// The end of the latest wake-up: the processor sleeps, or its lock is charged.
    var nextTransition: Instant {
        isAwake && !screenIsOn && !(hasWakeLock && payer == .wake) ? spanEnds : .never
    }

    /// Start and cause of the present time awake with the screen off; `nil` if the processor sleeps or the screen is
    /// on.
    var wakeTime: (cause: Cause, since: Instant)? {
        isAwake && !screenIsOn && spanEnds != .never ? (payer, since) : nil
    }

    mutating func wake(for cause: Cause, span: TimeSpan, at now: Instant) {
        guard spanEnds != .never else { return }
        if !screenIsOn && (!isAwake || payer != cause) {
            payer = cause
            since = now
        }
        isAwake = true
        spanEnds = max(spanEnds, min(now + span, Instant.never - .nanoseconds(1)))
        updateAwake(at: now)
    }

    mutating func setScreen(_ lit: Bool, at now: Instant) {
        guard lit != screenIsOn else { return }
        screenIsOn = lit
        payer = .wake
        since = now
        if lit { isAwake = true } else { updateAwake(at: now) }
    }

    mutating func setWakeLock(_ held: Bool, at now: Instant) {
        guard held != hasWakeLock else { return }
        hasWakeLock = held
        if !held { return updateAwake(at: now) }
        guard !isAwake else { return }
        isAwake = true
        payer = .wake
        since = now
    }

    mutating func advance(at now: Instant) { updateAwake(at: now) }

    mutating func closePeriod(at now: Instant) { since = now }

    private mutating func updateAwake(at now: Instant) {
        let isWoken = now < spanEnds
        if hasWakeLock, !isWoken, !screenIsOn, payer != .wake { (payer, since) = (.wake, now) }
        isAwake = screenIsOn || hasWakeLock || isWoken
    }
}
