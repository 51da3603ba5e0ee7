public import DeadzonePrimitives

/// Timers of a Wi-Fi radio with power save.
public struct WiFiTimers: Hashable, Sendable, BitwiseCopyable {
    /// Time from doze to the first bit.
    public var promotion: TimeSpan
    /// Time without data until the phone informs the access point that it dozes.
    public var tail: TimeSpan
    /// The beacons that a dozing phone listens to; their period is the beacon interval times the DTIM period.
    public var beacon: Cycle
    /// Maximum number of bytes within `highWindow` at the normal power level; more bytes use the high level. `nil` if
    /// there is only one active level.
    public var highBytes: UInt32?
    public var highWindow: TimeSpan

    static let none = WiFiTimers(tail: .zero, beacon: .none)

    public init(
        promotion: TimeSpan = .zero, tail: TimeSpan, beacon: Cycle, highBytes: UInt32? = nil,
        highWindow: TimeSpan = .zero
    ) {
        self.promotion = promotion
        self.tail = tail
        self.beacon = beacon
        self.highBytes = highBytes
        self.highWindow = highWindow
    }
}
