public import DeadzonePrimitives

/// LTE and NR.
public struct CellularTimers: Hashable, Sendable, BitwiseCopyable {
    /// From idle to the first bit.
    public var promotion: TimeSpan
    /// From the first bit on the LTE leg to the NR leg being up; zero: there is no second leg.
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
        promotion: TimeSpan, secondPromotion: TimeSpan = .zero, tail: TailLadder, drx: DRXTimers, paging: Cycle,
        inactive: TimeSpan = .zero, resume: TimeSpan = .zero
    ) {
        self.promotion = promotion
        self.secondPromotion = secondPromotion
        self.tail = tail
        self.drx = drx
        self.paging = paging
        self.inactive = inactive
        self.resume = resume
    }
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
