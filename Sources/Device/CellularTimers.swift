package import DeadzoneBase

/// Timers of an LTE or NR (5G) network: wake-up, tail, DRX, paging and inactive state.
package struct CellularTimers: Hashable, Sendable {
    /// Time from idle to the first bit.
    package var promotion: TimeSpan
    /// Time from the first bit to the signalling that follows a promotion and counts as activity. On NSA: to the start
    /// of adding the NR leg. The signalling does not happen if the connection ends before.
    package var signalling: Distribution
    /// Time that adding the NR leg takes; zero if there is no second leg, and the signalling takes no time.
    package var secondPromotion: TimeSpan
    package var tail: TailLadder
    package var drx: DRXTimers
    package var paging: Cycle
    /// Time in the state RRC_INACTIVE after the tail; zero if the radio goes straight to idle.
    package var inactive: TimeSpan
    /// Time from the state RRC_INACTIVE to the first bit.
    package var resume: TimeSpan
    /// PSM and eDRX of small devices.
    package var saving: PowerSaving

    static let none = CellularTimers(
        promotion: .zero, tail: TailLadder(TailLadder.TailStep(.tail, until: .zero)),
        drx: DRXTimers(inactivity: .zero, long: .none), paging: .none)

    package init(
        promotion: TimeSpan, signalling: Distribution = .constant(0), secondPromotion: TimeSpan = .zero,
        tail: TailLadder, drx: DRXTimers, paging: Cycle, inactive: TimeSpan = .zero, resume: TimeSpan = .zero,
        saving: PowerSaving = .none
    ) {
        self.promotion = promotion
        self.signalling = signalling
        self.secondPromotion = secondPromotion
        self.tail = tail
        self.drx = drx
        self.paging = paging
        self.inactive = inactive
        self.resume = resume
        self.saving = saving
    }

    /// The longest cycle in which the phone listens while idle.
    var pagingPeriod: Cycle {
        .zero < saving.extendedCycle ? Cycle(period: saving.extendedCycle) : paging
    }

    func signallingDelay(_ phases: RadioPhases, at now: Instant) -> TimeSpan {
        signalling.span(signalling.constant == nil ? phases.dice(at: now).0 : 0)
    }
}

extension Distribution {
    /// Draws a length of time, limited to 0…1 h.
    func span(_ luck: UInt64) -> TimeSpan { min(max(.zero, .nanoseconds(draw(luck))), .hours(1)) }
}

/// DRX timers: they decide when a connected phone listens, and affect only latency. The energy of listening is in the
/// power levels of the tail.
package struct DRXTimers: Hashable, Sendable, BitwiseCopyable {
    /// Time without data until DRX (discontinuous reception) begins.
    package var inactivity: TimeSpan
    package var short: Cycle
    /// Duration of the short DRX cycle; zero if the radio goes straight to the long cycle.
    package var shortSpan: TimeSpan
    package var long: Cycle

    package init(inactivity: TimeSpan, short: Cycle = .none, shortSpan: TimeSpan = .zero, long: Cycle) {
        self.inactivity = inactivity
        self.short = short
        self.shortSpan = shortSpan
        self.long = long
    }
}
