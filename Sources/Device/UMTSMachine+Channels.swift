import DeadzonePrimitives

/// What happens on the channels and in the buffers in front of them.
extension UMTSMachine {
    mutating func carryOnFACH(
        _ burst: Burst, at now: Instant, _ meter: inout Meter, _ timers: borrowing UMTSTimers
    ) -> Carried {
        let buffer = timers.buffer(burst.direction)
        trains.count(burst, at: now, gap: buffer.drain(trains.bytes(burst.direction)))
        if isOverLimit(timers) {
            payers.starter = burst.cause
            var carried = put(burst, opening: now + timers.fachToDCH)
            carried.spent = promoteToDCH(&meter, at: now)
            carried.promoted = true
            return carried
        }
        let airtime = max(burst.airtime, buffer.drain(trains.bytes(burst.direction)))
        air.flow(burst.direction, burst.airtime, at: now)
        air.occupy(burst.direction, until: now + airtime)
        mark = air.lastBit
        let sharers = payers.flow(burst.cause, joining: meter.sharers)
        let spent = refresh(&meter, timers, sharers: sharers, at: now)
        return Carried(flowsAt: now, airtime: airtime, spent: spent)
    }

    mutating func carryOnDCH(
        _ burst: Burst, at now: Instant, _ meter: inout Meter, _ timers: borrowing UMTSTimers
    ) -> Carried {
        trains.count(burst, at: now, gap: timers.dchResetWindow)
        trains.forget(before: now, gap: timers.dchResetWindow)
        air.flow(burst.direction, burst.airtime, at: now)
        if timers.dchResetBytes <= trains.largest { mark = air.lastBit }
        let sharers = payers.flow(burst.cause, joining: meter.sharers)
        let spent = refresh(&meter, timers, sharers: sharers, at: now)
        return Carried(flowsAt: now, airtime: burst.airtime, spent: spent)
    }

    mutating func carryInHandover(
        _ burst: Burst, at now: Instant, end: Instant, _ timers: borrowing UMTSTimers
    ) -> Carried {
        switch interrupted {
        case .fach:
            let carried = hold(burst, at: now, ready: end, timers)
            air.occupy(burst.direction, until: carried.flowsAt + carried.airtime)
            return carried
        case .promotingToFACH: return hold(burst, at: now, ready: fachReady(timers), timers)
        default:
            trains.count(burst, at: now, gap: .longest)
            return put(burst, opening: air.isHolding ? air.opensAt : end)
        }
    }

    mutating func finishHandover(_ meter: inout Meter, _ timers: borrowing UMTSTimers, at now: Instant)
        -> Residency?
    {
        state = interrupted
        switch state {
        case .promotingToFACH: meter.next = fachReady(timers)
        case .promotingToDCH: meter.next = air.opensAt
        case .fach where air.isHolding:
            return isOverLimit(timers)
                ? promoteToDCH(&meter, at: now) : openAir(on: .fach, &meter, timers, at: now)
        case .dch where air.isHolding: return openAir(on: .dch, &meter, timers, at: now)
        default: return refresh(&meter, timers, sharers: meter.sharers, at: now)
        }
        return meter.enter(interruptedLevel, for: payers.starter, at: now)
    }

    mutating func enterFACH(_ meter: inout Meter, _ timers: borrowing UMTSTimers, at now: Instant) -> Residency? {
        if air.isHolding {
            if isOverLimit(timers) { return promoteToDCH(&meter, at: now) }
            occupy(.up, trains.bytes(.up), timers.up, at: now)
            occupy(.down, trains.bytes(.down), timers.down, at: now)
            return openAir(on: .fach, &meter, timers, at: now)
        }
        state = .fach
        trains = Trains(at: now)
        mark = now
        return refresh(&meter, timers, sharers: meter.sharers, at: now)
    }

    private mutating func promoteToDCH(_ meter: inout Meter, at now: Instant) -> Residency? {
        state = .promotingToDCH
        meter.next = air.opensAt
        return meter.enter(.secondPromotion, for: payers.starter, sharers: meter.sharers, at: now)
    }

    mutating func openAir(
        on channel: State, _ meter: inout Meter, _ timers: borrowing UMTSTimers, at now: Instant
    ) -> Residency? {
        state = channel
        air.open()
        trains.touch(at: now)
        mark = max(now, air.lastBit)
        let sharers = payers.open(joining: meter.sharers)
        return refresh(&meter, timers, sharers: sharers, at: now)
    }

    /// Enters the level of the channel, and finds out when that changes.
    mutating func refresh(
        _ meter: inout Meter, _ timers: borrowing UMTSTimers, sharers: CauseSet, at now: Instant
    ) -> Residency? {
        let level: PowerLevel = state == .dch ? .dch : .fach
        if let activity = air.activity(at: now, upIsDearer: true) {
            let hasOwnLevel = state == .dch ? timers.hasActiveLevels : false
            meter.next = hasOwnLevel ? activity.until : air.lastBit
            return meter.enter(hasOwnLevel ? activity.level : level, for: payers.latest, sharers: sharers, at: now)
        }
        let end = mark + (state == .dch ? timers.dchInactivity : timers.fachInactivity)
        let leaving = state == .dch ? timers.dchToFACH : timers.fachToIdle
        if now < end {
            meter.next = end
        } else if .zero < leaving {
            state = state == .dch ? .leavingDCH : .leavingFACH
            meter.next = now + leaving
        } else {
            return state == .dch ? enterFACH(&meter, timers, at: now) : becomeIdle(&meter, at: now)
        }
        return meter.enter(level, for: payers.latest, sharers: sharers, isTail: true, at: now)
    }

    // MARK: Buffers

    /// Holds a burst for a common channel that is ready at that instant, or for the dedicated one that it then asks for.
    mutating func hold(_ burst: Burst, at now: Instant, ready: Instant, _ timers: borrowing UMTSTimers)
        -> Carried
    {
        if !air.isHolding {
            trains = Trains(at: now)
            payers.starter = burst.cause
        }
        trains.count(burst, at: now, gap: .longest)
        var carried = put(burst, opening: opening(onFACHFrom: ready, timers))
        if !isOverLimit(timers) {
            carried.airtime = max(burst.airtime, timers.buffer(burst.direction).drain(trains.bytes(burst.direction)))
        }
        return carried
    }

    mutating func put(_ burst: Burst, opening: Instant) -> Carried {
        if air.isHolding { air.reopen(at: opening) }
        air.hold(burst.direction, burst.airtime, until: opening)
        payers.hold(burst.cause)
        return Carried(flowsAt: opening, airtime: burst.airtime)
    }

    func opening(onFACHFrom ready: Instant, _ timers: borrowing UMTSTimers) -> Instant {
        isOverLimit(timers) ? ready + timers.fachToDCH : ready
    }

    /// When the common channel that is being set up is there.
    private func fachReady(_ timers: borrowing UMTSTimers) -> Instant {
        isOverLimit(timers) ? air.opensAt - timers.fachToDCH : air.opensAt
    }

    func isOverLimit(_ timers: borrowing UMTSTimers) -> Bool {
        trains.isOver(up: timers.up.fachLimit, down: timers.down.fachLimit)
    }

    /// What was held for the common channel takes its time on it.
    private mutating func occupy(_ direction: Direction, _ bytes: UInt32, _ buffer: RLCBuffer, at now: Instant) {
        if bytes > 0 { air.occupy(direction, until: now + buffer.drain(bytes)) }
    }
}
