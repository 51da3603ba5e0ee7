public import DeadzonePrimitives

/// UMTS: a dedicated channel (DCH) for much data, the common channel (FACH) for little.
public struct UMTSTimers: Hashable, Sendable, BitwiseCopyable {
    /// From idle to the common channel, for little data; nil: the network always gives a dedicated one.
    public var idleToFACH: TimeSpan?
    public var idleToDCH: TimeSpan
    public var fachToDCH: TimeSpan
    /// Silence on the dedicated channel until it is taken away.
    public var dchInactivity: TimeSpan
    /// Silence on the common channel until the phone is idle.
    public var fachInactivity: TimeSpan
    /// How long leaving takes; data waits for its end.
    public var dchToFACH: TimeSpan
    public var fachToIdle: TimeSpan
    public var up: RLCBuffer
    public var down: RLCBuffer
    /// A packet restarts the DCH timer when its train, packets of one direction no further apart than the window, has
    /// this many bytes; zero: every packet does.
    public var dchResetBytes: UInt32
    public var dchResetWindow: TimeSpan
    public var paging: Cycle
    /// The dedicated channel draws the active levels while bits flow; otherwise it always draws the same.
    public var hasActiveLevels: Bool

    static let none = UMTSTimers(
        idleToDCH: .zero, fachToDCH: .zero, dchInactivity: .zero, fachInactivity: .zero, up: .none, down: .none,
        paging: .none)

    public init(
        idleToFACH: TimeSpan? = nil, idleToDCH: TimeSpan, fachToDCH: TimeSpan, dchInactivity: TimeSpan,
        fachInactivity: TimeSpan, dchToFACH: TimeSpan = .zero, fachToIdle: TimeSpan = .zero, up: RLCBuffer,
        down: RLCBuffer, dchResetBytes: UInt32 = 0, dchResetWindow: TimeSpan = .zero, paging: Cycle,
        hasActiveLevels: Bool = false
    ) {
        self.idleToFACH = idleToFACH
        self.idleToDCH = idleToDCH
        self.fachToDCH = fachToDCH
        self.dchInactivity = dchInactivity
        self.fachInactivity = fachInactivity
        self.dchToFACH = dchToFACH
        self.fachToIdle = fachToIdle
        self.up = up
        self.down = down
        self.dchResetBytes = dchResetBytes
        self.dchResetWindow = dchResetWindow
        self.paging = paging
        self.hasActiveLevels = hasActiveLevels
    }

    public func buffer(_ direction: Direction) -> RLCBuffer { direction == .up ? up : down }
}

/// The buffer in front of the common channel, in one direction: when it holds too much, the network gives a dedicated
/// channel.
public struct RLCBuffer: Hashable, Sendable, BitwiseCopyable {
    /// More bytes than this in idle ask for a dedicated channel at once.
    public var idleLimit: UInt32
    /// More bytes than this on the common channel ask for a dedicated one.
    public var fachLimit: UInt32
    /// A buffer of q bytes is empty after constant + linear * q + quadratic * q * q, in nanoseconds.
    public var constant: Int64
    public var linear: Int64
    public var quadratic: Int64

    static let none = RLCBuffer(idleLimit: 0, fachLimit: 0, constant: 0)

    public init(idleLimit: UInt32, fachLimit: UInt32, constant: Int64, linear: Int64 = 0, quadratic: Int64 = 0) {
        self.idleLimit = idleLimit
        self.fachLimit = fachLimit
        self.constant = constant
        self.linear = linear
        self.quadratic = quadratic
    }

    /// How long the common channel needs for so many bytes. Buffers beyond 1 MiB go over a dedicated channel anyway.
    public func drain(_ bytes: UInt32) -> TimeSpan {
        let bytes = Int64(min(bytes, 1 << 20))
        return .nanoseconds(constant) + .nanoseconds(linear) * bytes + .nanoseconds(quadratic) * bytes * bytes
    }
}
