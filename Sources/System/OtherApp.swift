public import DeadzonePrimitives

/// Another app on the phone beside the app under test: a traffic source, such as the push service.
///
/// It shares the phone's radio and its alarms. It exchanges packets with its server at intervals, and its cost is
/// attributed to a cause of its own.
public struct OtherApp: Hashable, Sendable {
    /// Maximum number of other apps per phone.
    public static let most = 4

    public var name: String
    /// Time from one exchange to the next, in nanoseconds.
    public var gap: Distribution
    /// Time from one exchange to the next on cellular, in nanoseconds; `nil` if it is equal to `gap`. (A push service
    /// sends heartbeats less often on cellular.)
    public var cellularGap: Distribution?
    /// Bytes of the request, with all headers.
    public var up: UInt32
    /// Bytes of the response, with all headers.
    public var down: UInt32
    public var cause: Cause
    /// How the system wakes the app for an exchange.
    public var wake: WakePolicy
    /// `true` if Doze neither delays the app nor blocks its network access.
    public var isExempt: Bool

    public init(
        name: String, gap: Distribution, cellularGap: Distribution? = nil, up: UInt32, down: UInt32, cause: Cause,
        wake: WakePolicy, isExempt: Bool = false
    ) {
        self.name = name
        self.gap = gap
        self.cellularGap = cellularGap
        self.up = up
        self.down = down
        self.cause = cause
        self.wake = wake
        self.isExempt = isExempt
    }
}
