package import DeadzoneBase

/// The time at which a push service sends again what did not arrive. The service's TCP waits one second at first and
/// doubles the wait each time. Assumed: at most one minute, because the phone's end of the service sends something now
/// and then.
struct PushRepeat: BitwiseCopyable, Sendable {
    /// `.never` if nothing is scheduled.
    private(set) var at = Instant.never
    /// Number of waits in a row, up to 6.
    private var waits: UInt8 = 0

    func due(after now: Instant) -> Instant { now < at ? at : .never }

    mutating func schedule(at now: Instant) {
        at = now + min(.seconds(1) * (1 << Int64(waits)), .minutes(1))
        if waits < 6 { waits += 1 }
    }

    mutating func cancel() { at = .never }
    mutating func restartWaits() { waits = 0 }
}

/// A push service that stores one push for a phone: delivers a push from the server and wakes the app.
///
/// It uses a connection of the system, independent of the app. At most one push waits for a phone, because push
/// services collapse equivalent pushes.
///
///     asked ──path──▶ on its way ──▶ at the phone ──▶ now: the app is woken
///       └─ no path: waits for one        └─ not now (Doze, budget): waits for the system's permission
package struct PushService: BitwiseCopyable, Sendable {
    /// Time at which the server requested the push; `.never` if no push is pending.
    private var askedAt = Instant.never
    package private(set) var isUrgent = false
    /// `true` if the push has reached the phone and waits for the system's permission.
    private var isHere = false
    private var isOnItsWay = false
    private var repetition = PushRepeat()

    /// Size of a push in bytes, with a few hundred bytes of payload, over the service's own connection (assumed:
    /// services allow 4 KiB).
    package static let bytes: UInt32 = 52 + 22 + 300

    package init() {}

    /// The next action of the push service for a pending push.
    package enum PushAction: Sendable {
        case nothing
        /// Send the push to the phone.
        case send
        /// Ask the phone's system to pass the push to the app.
        case handOver
    }

    package var nextAction: PushAction {
        guard askedAt != .never, !isOnItsWay else { return .nothing }
        return isHere ? .handOver : .send
    }

    /// The push at the phone that the app has not received; `nil` if there is none.
    var atPhone: StoredPush? {
        nextAction == .handOver ? StoredPush(key: 0, isUrgent: isUrgent, timeToLive: .zero, at: askedAt) : nil
    }

    /// Time since the server requested the pending push; `nil` if none is pending.
    package func age(at now: Instant) -> TimeSpan? { askedAt == .never ? nil : now - askedAt }

    package func due(after now: Instant) -> Instant { repetition.due(after: now) }

    package mutating func request(isUrgent: Bool, at now: Instant) {
        if askedAt == .never {
            self = PushService()
            askedAt = now
        }
        if isUrgent { self.isUrgent = true }
    }

    package mutating func sent() {
        isOnItsWay = true
        repetition.cancel()
    }

    /// Schedules a retransmission of a push that did not arrive.
    package mutating func scheduleRepeat(at now: Instant) {
        isOnItsWay = false
        repetition.schedule(at: now)
    }

    package mutating func arrive() {
        isOnItsWay = false
        isHere = true
    }

    /// Ends the push after the app received it. Returns the time since the server requested it.
    package mutating func finish(at now: Instant) -> TimeSpan {
        let span = now - askedAt
        self = PushService()
        return span
    }
}
