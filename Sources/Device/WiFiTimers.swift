package import DeadzoneBase

/// Timers of a Wi-Fi radio with power save.
package struct WiFiTimers: Hashable, Sendable, BitwiseCopyable {
    /// Time from doze to the first bit.
    package var promotion: TimeSpan
    /// Time without data until the phone informs the access point that it dozes.
    package var tail: TimeSpan
    /// The beacons that a dozing phone listens to; their period is the beacon interval times the DTIM period.
    package var beacon: Cycle
    /// Maximum number of bytes within `highWindow` at the normal power level; more bytes use the high level. `nil` if
    /// there is only one active level.
    package var highBytes: UInt32?
    package var highWindow: TimeSpan

    static let none = WiFiTimers(tail: .zero, beacon: .none)

    package init(
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
