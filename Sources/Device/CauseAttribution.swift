import DeadzoneBase

/// Tracks the causes to which the promotions (wake-ups), data and tails of a radio are charged.
struct CauseAttribution: Sendable, BitwiseCopyable {
    /// The cause that is charged for the promotion (wake-up of the radio): the first that needed it.
    var initiator = Cause.baseline
    /// The cause of the latest data on the air, which is also charged for the tail after it.
    private(set) var latest = Cause.baseline
    /// The cause of the latest data that is held until the radio is ready.
    private var held = Cause.baseline
    private var heldSharers: CauseSet = []

    mutating func hold(_ cause: Cause) {
        held = cause
        heldSharers.insert(CauseSet(cause))
    }

    /// Starts the transmission of held data. Returns all causes that had data in the connection.
    mutating func open(joining sharers: CauseSet) -> CauseSet {
        if !heldSharers.isEmpty { latest = held }
        defer { heldSharers = [] }
        return sharers.union(heldSharers)
    }

    /// Starts the transmission of new data at once, together with held data. Returns all causes that had data in the
    /// connection.
    mutating func flow(_ cause: Cause, joining sharers: CauseSet) -> CauseSet {
        defer { latest = cause }
        return open(joining: sharers).union(CauseSet(cause))
    }

    mutating func dropHeld() { heldSharers = [] }
}
