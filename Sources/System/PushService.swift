public import DeadzonePrimitives

/// The push service of the platform, as it serves one phone: over a connection of the system's own, which the app has no part in.
/// At most one push waits for a phone, as services collapse those that say the same.
///
///     asked ──path──▶ on its way ──▶ at the phone ──▶ now: the app is woken
///       └─ no path: waits for one        └─ not now (Doze, budget): waits for the system's leave
public struct PushService: BitwiseCopyable, Sendable {
    /// When the server asked for it; `.never` for none.
    private var askedAt = Instant.never
    public private(set) var isUrgent = false
    /// It has reached the phone and waits there.
    private var isHere = false
    private var isOnItsWay = false
    /// The service has not heard of its arrival: when it sends it again, and how often it did.
    public private(set) var repeatAt = Instant.never
    private var repeats: UInt8 = 0

    /// A push with a few hundred bytes of payload over the service's own connection (assumed: services allow 4 KiB).
    public static let bytes: UInt32 = 52 + 22 + 300

    public init() {}

    /// What it would do now.
    public enum Wish: Sendable {
        case nothing
        /// Send it to the phone.
        case send
        /// Ask the phone to let the app have it.
        case handOver
    }

    public var wish: Wish {
        guard askedAt != .never, !isOnItsWay else { return .nothing }
        return isHere ? .handOver : .send
    }

    @inlinable public func due(after now: Instant) -> Instant { now < repeatAt ? repeatAt : .never }

    public mutating func ask(isUrgent: Bool, at now: Instant) {
        if askedAt == .never {
            self = PushService()
            askedAt = now
        }
        if isUrgent { self.isUrgent = true }
    }

    public mutating func sent() {
        isOnItsWay = true
        repeatAt = .never
    }

    /// It did not arrive: the service keeps it, and its TCP repeats it after a second and twice as long each time. Assumed: no
    /// longer than a minute, for the phone's end of the service says something now and then.
    public mutating func lose(at now: Instant) {
        isOnItsWay = false
        repeatAt = now + min(.seconds(1) * (1 << Int64(repeats)), .minutes(1))
        if repeats < 6 { repeats += 1 }
    }

    public mutating func arrive() {
        isOnItsWay = false
        isHere = true
    }

    /// The app has it. Returns how long that took.
    public mutating func finish(at now: Instant) -> TimeSpan {
        let span = now - askedAt
        self = PushService()
        return span
    }
}
