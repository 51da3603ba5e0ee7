package import DeadzoneBase

/// Another app on the phone beside the app under test: a traffic source, such as the push service.
///
/// It shares the phone's radio and its alarms. It exchanges packets with its server at intervals, and its cost is
/// attributed to a cause of its own.
package struct OtherApp: Hashable, Sendable {
    /// Maximum number of other apps per phone.
    package static let most = 4

    package var name: String
    /// Time from one exchange to the next, in nanoseconds.
    package var gap: Distribution
    /// Time from one exchange to the next on cellular, in nanoseconds; `nil` if it is equal to `gap`. (A push service
    /// sends heartbeats less often on cellular.)
    package var cellularGap: Distribution?
    /// Bytes of the request, with all headers.
    package var up: UInt32
    /// Bytes of the response, with all headers.
    package var down: UInt32
    package var cause: Cause
    /// How the system wakes the app for an exchange.
    package var wake: WakePolicy
    /// `true` if Doze neither delays the app nor blocks its network access.
    package var isExempt: Bool

    package init(
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
