public import DeadzonePrimitives

/// LTE and NR.
public struct CellularTimers: Hashable, Sendable {
    /// From idle to the first bit.
    public var promotion: TimeSpan
    /// From the first bit to the signalling that follows a promotion and counts as activity; on NSA to where the NR leg begins
    /// to be added. Where that is later than the connection lasts, it never comes.
    public var signalling: Distribution
    /// How long adding the NR leg takes; zero: there is no second leg, and the signalling takes no time.
    public var secondPromotion: TimeSpan
    public var tail: TailLadder
    public var drx: DRXTimers
    public var paging: Cycle
    /// RRC_INACTIVE after the tail; a span of zero: straight to idle.
    public var inactive: TimeSpan
    /// From RRC_INACTIVE to the first bit.
    public var resume: TimeSpan

    static let none = CellularTimers(
        promotion: .zero, tail: TailLadder(TailLadder.Step(.tail, until: .zero)),
        drx: DRXTimers(inactivity: .zero, long: .none), paging: .none)

    public init(
        promotion: TimeSpan, signalling: Distribution = .constant(0), secondPromotion: TimeSpan = .zero,
        tail: TailLadder, drx: DRXTimers, paging: Cycle, inactive: TimeSpan = .zero, resume: TimeSpan = .zero
    ) {
        self.promotion = promotion
        self.signalling = signalling
        self.secondPromotion = secondPromotion
        self.tail = tail
        self.drx = drx
        self.paging = paging
        self.inactive = inactive
        self.resume = resume
    }

    func settling(_ phases: RadioPhases, at now: Instant) -> TimeSpan {
        signalling.span(signalling.constant == nil ? phases.dice(at: now).0 : 0)
    }
}

extension Distribution {
    /// A length of time that is drawn.
    func span(_ luck: UInt64) -> TimeSpan { min(max(.zero, .nanoseconds(draw(luck))), .hours(1)) }
}

/// When a connected phone listens. It decides latency only; what listening costs is in the tail's levels.
public struct DRXTimers: Hashable, Sendable, BitwiseCopyable {
    /// Silence until DRX begins.
    public var inactivity: TimeSpan
    public var short: Cycle
    /// How long the short cycle lasts; zero: straight to the long one.
    public var shortSpan: TimeSpan
    public var long: Cycle

    public init(inactivity: TimeSpan, short: Cycle = .none, shortSpan: TimeSpan = .zero, long: Cycle) {
        self.inactivity = inactivity
        self.short = short
        self.shortSpan = shortSpan
        self.long = long
    }
}
