package import DeadzoneBase

/// Timers of UMTS, which has a dedicated channel (DCH) for much data and a common channel (FACH) for little.
package struct UMTSTimers: Hashable, Sendable, BitwiseCopyable {
    /// Time from idle to the common channel (FACH), for little data. `nil` if the network always assigns a dedicated
    /// channel.
    package var idleToFACH: TimeSpan?
    package var idleToDCH: TimeSpan
    package var fachToDCH: TimeSpan
    /// Time without data on the dedicated channel (DCH) until it is released.
    package var dchInactivity: TimeSpan
    /// Time without data on the common channel (FACH) until the phone is idle.
    package var fachInactivity: TimeSpan
    /// Time that the change from the dedicated to the common channel takes. Data waits for its end.
    package var dchToFACH: TimeSpan
    /// Time that the change from the common channel to idle takes. Data waits for its end.
    package var fachToIdle: TimeSpan
    package var up: RLCBuffer
    package var down: RLCBuffer
    /// A packet restarts the DCH timer only once its packet train has reached this number of bytes; zero if every
    /// packet restarts it. A train is a series of packets in one direction with gaps of at most `dchResetWindow`.
    package var dchResetBytes: UInt32
    /// Maximum gap between two packets of a train; see `dchResetBytes`.
    package var dchResetWindow: TimeSpan
    package var paging: Cycle
    /// `true` if the dedicated channel uses the active power levels while bits flow; otherwise its power is constant.
    package var hasActiveLevels = false

    static let none = UMTSTimers(
        idleToDCH: .zero, fachToDCH: .zero, dchInactivity: .zero, fachInactivity: .zero, up: .none, down: .none,
        paging: .none)

    package init(
        idleToFACH: TimeSpan? = nil, idleToDCH: TimeSpan, fachToDCH: TimeSpan, dchInactivity: TimeSpan,
        fachInactivity: TimeSpan, dchToFACH: TimeSpan = .zero, fachToIdle: TimeSpan = .zero, up: RLCBuffer,
        down: RLCBuffer, dchResetBytes: UInt32 = 0, dchResetWindow: TimeSpan = .zero, paging: Cycle
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
    }

    package func buffer(_ direction: Direction) -> RLCBuffer { direction == .up ? up : down }
}

/// Limits and drain rate of the buffer before the common channel (FACH), in one direction. When it holds too much, the
/// network assigns a dedicated channel.
package struct RLCBuffer: Hashable, Sendable, BitwiseCopyable {
    /// Maximum number of bytes in idle; more bytes request a dedicated channel (DCH) at once.
    package var idleLimit: UInt32
    /// Maximum number of bytes on the common channel (FACH); more bytes request a dedicated channel (DCH).
    package var fachLimit: UInt32
    /// Constant term of the drain time. A buffer of q bytes drains in constant + linear * q + quadratic * q * q
    /// nanoseconds.
    package var constant: Int64
    package var linear: Int64
    package var quadratic: Int64

    static let none = RLCBuffer(idleLimit: 0, fachLimit: 0, constant: 0)

    package init(idleLimit: UInt32, fachLimit: UInt32, constant: Int64, linear: Int64 = 0, quadratic: Int64 = 0) {
        self.idleLimit = idleLimit
        self.fachLimit = fachLimit
        self.constant = constant
        self.linear = linear
        self.quadratic = quadratic
    }

    /// Returns the time that the common channel (FACH) needs for this many bytes. Buffers beyond 1 MiB use a dedicated
    /// channel anyway.
    package func drain(_ bytes: UInt32) -> TimeSpan {
        let bytes = Int64(min(bytes, 1 << 20))
        return .nanoseconds(constant) + .nanoseconds(linear) * bytes + .nanoseconds(quadratic) * bytes * bytes
    }
}
