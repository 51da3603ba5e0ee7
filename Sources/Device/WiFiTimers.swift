public import DeadzonePrimitives

/// Wi-Fi with power save.
public struct WiFiTimers: Hashable, Sendable, BitwiseCopyable {
    /// From doze to the first bit.
    public var promotion: TimeSpan
    /// Silence until the phone tells the access point that it dozes.
    public var tail: TimeSpan
    /// The beacons that a dozing phone listens to: beacon interval times DTIM period.
    public var beacon: Cycle
    /// More bytes than this within the window draw the high level; nil: there is one active level only.
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
