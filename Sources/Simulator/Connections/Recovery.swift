import DeadzoneBase

/// Measures the time from the first instant at which a phone could be served again, after it lost a working connection,
/// to the first byte that it receives.
///
///     served ──connection lost──▶ broken ──path and server work──▶ repairable
///       ▲                           │ ▲──────they fail again──────────┘ │
///       └────────byte received──────┴──────────────────────────────────┘
struct Recovery: BitwiseCopyable {
    /// Start of the current period in which a path works but no connection uses it; `.never` outside such a period.
    private var repairableSince = Instant.never
    /// `true` if a working connection was lost and no connection has delivered a byte since.
    private(set) var isBroken = false

    mutating func connectionLost() { isBroken = true }

    /// Ends the outage without a byte: its connection works again with nothing in flight. The next `update` ends the
    /// repairable period.
    mutating func connectionReturned() { isBroken = false }

    /// Ends the outage: no recovery is expected any more.
    mutating func end() {
        isBroken = false
        repairableSince = .never
    }

    /// Updates the repairable period after a change of conditions.
    /// - Parameter isServable: `true` if a path and the server work, so that a new connection would succeed.
    mutating func update(isServable: Bool, at now: Instant) {
        if !isBroken || !isServable {
            repairableSince = .never
        } else if repairableSince == .never {
            repairableSince = now
        }
    }

    /// Length of the current repairable period; `nil` outside such a period.
    func waited(until now: Instant) -> TimeSpan? { repairableSince == .never ? nil : now - repairableSince }
}
