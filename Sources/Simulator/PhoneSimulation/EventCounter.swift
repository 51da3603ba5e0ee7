import DeadzoneBase

/// Counts the events of one phone, at one instant and within one second, and compares the counts with `EventLimits`.
struct EventCounter: BitwiseCopyable {
    private var inSecond: UInt32 = 0
    /// Number of events of the current second before the current instant.
    private var beforeInstant: UInt32 = 0
    private var secondEnds = Instant.zero

    mutating func advance(to now: Instant) {
        if secondEnds <= now {
            inSecond = 0
            secondEnds = now + .seconds(1)
        }
        beforeInstant = inSecond
    }

    /// Counts one event. Returns `true` if a limit may be exceeded; `excess` then decides.
    @inline(__always)
    mutating func count() -> Bool {
        inSecond += 1
        // An instant cannot have more events than its second, so one counter suffices for the fast check.
        return inSecond > EventLimits.eventsPerInstant
    }

    /// The limit that is exceeded, with the number of events; `nil` if none is.
    var excess: (code: StopCode, events: UInt32)? {
        let atInstant = inSecond - beforeInstant
        if atInstant > EventLimits.eventsPerInstant { return (.tooManyEventsAtOnce, atInstant) }
        return inSecond > EventLimits.eventsPerSecond ? (.tooManyEventsInASecond, inSecond) : nil
    }
}
