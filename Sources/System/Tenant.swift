public import DeadzonePrimitives

/// A traffic source beside the client under test that shares the phone's radio and its alarms: the push service, another
/// app. Now and then it sends something and gets an answer; what it costs has a cause of its own.
public struct Tenant: Hashable, Sendable {
    /// What a phone can hold.
    public static let most = 4

    public var name: String
    /// From one exchange to the next, in nanoseconds.
    public var gap: Distribution
    /// On cellular, where it differs (a push service beats more slowly there); nil: the same.
    public var cellularGap: Distribution?
    /// Bytes of the question and of the answer, with all headers.
    public var up: UInt32
    public var down: UInt32
    public var cause: Cause
    /// How it is woken for it.
    public var wake: Wake
    /// Doze neither puts it off nor keeps it from the network.
    public var isExempt: Bool

    public init(
        name: String, gap: Distribution, cellularGap: Distribution? = nil, up: UInt32, down: UInt32, cause: Cause,
        wake: Wake, isExempt: Bool = false
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
