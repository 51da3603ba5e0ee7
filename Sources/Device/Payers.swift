import DeadzonePrimitives

/// Who pays for what a radio does.
struct Payers: Sendable, BitwiseCopyable {
    /// Whose promotion it is: the first to need it.
    var starter = Cause.baseline
    /// The cause of the latest data on the air, and so of the tail after it.
    private(set) var latest = Cause.baseline
    /// The cause of the latest data that is held.
    private var held = Cause.baseline
    private var heldSharers: CauseSet = []

    mutating func hold(_ cause: Cause) {
        held = cause
        heldSharers.insert(CauseSet(cause))
    }

    /// What was held flows. Returns everyone who had a part in the connection.
    mutating func open(joining sharers: CauseSet) -> CauseSet {
        if !heldSharers.isEmpty { latest = held }
        defer { heldSharers = [] }
        return sharers.union(heldSharers)
    }

    /// Data flows at once, and what was held with it.
    mutating func flow(_ cause: Cause, joining sharers: CauseSet) -> CauseSet {
        defer { latest = cause }
        return open(joining: sharers).union(CauseSet(cause))
    }

    mutating func forgetHeld() { heldSharers = [] }
}
