import DeadzoneBase

/// The rest of a device with PSM: active time, sleep, and the periodic update.
extension CellularMachine {
    /// Begins the rest after a release: idle, or the active time of a device with PSM.
    mutating func rest(_ timer: inout StateTimer, _ profile: Profile, at now: Instant) -> Residency? {
        guard profile.pointee.cellular.saving.sleeps else { return becomeIdle(&timer, at: now) }
        beginListening(&timer, profile.pointee.cellular.saving.activeTime, at: now)
        return timer.enter(.idle, for: .baseline, at: now)
    }

    mutating func beginListening(_ timer: inout StateTimer, _ activeTime: TimeSpan, at now: Instant) {
        state = .listening
        tailFrom = now
        timer.next = now + activeTime
    }

    mutating func advanceResting(_ timer: inout StateTimer, _ profile: Profile, at now: Instant) -> Residency? {
        if state == .listening {
            if air.isHolding, now < tailFrom + profile.pointee.cellular.saving.activeTime {
                return promote(&timer, at: now)
            }
            state = .asleep
            timer.next = tailFrom + profile.pointee.cellular.saving.updateInterval
            return timer.enter(.powerSaving, for: .baseline, at: now)
        }
        air.setInitiator(for: .baseline)
        if !air.isHolding { air.openNow(for: .baseline, at: now + profile.pointee.cellular.saving.updateTime) }
        let spent = promote(&timer, at: now)
        state = .updating
        return spent
    }

    mutating func carryResting(
        _ burst: Burst, at now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> BurstOutcome {
        let promotion = profile.pointee.cellular.promotion
        guard burst.direction == .down else {
            air.setInitiator(for: burst.cause)
            if air.isHolding { air.moveOpening(at: now + promotion) }
            return hold(burst, until: now + promotion, promotingAt: now, &timer)
        }
        let occasion = state == .listening ? nextPaging(from: now, profile) : .never
        guard occasion < tailFrom + profile.pointee.cellular.saving.activeTime else {
            let saving = profile.pointee.cellular.saving
            return air.hold(burst, until: tailFrom + saving.updateInterval + saving.updateTime)
        }
        guard now < occasion else { return hold(burst, until: now + promotion, promotingAt: now, &timer) }
        return air.hold(burst, wakingAt: occasion, for: promotion, &timer)
    }

    private mutating func hold(
        _ burst: Burst, until opening: Instant, promotingAt now: Instant, _ timer: inout StateTimer
    ) -> BurstOutcome {
        var outcome = air.hold(burst, until: opening)
        outcome.spent = promote(&timer, at: now)
        outcome.promoted = true
        return outcome
    }

    mutating func observeResting(
        _ burst: Burst, at stamp: Instant, since now: Instant, _ timer: inout StateTimer, _ profile: Profile
    ) -> BurstOutcome? {
        let asked = max(now, stamp - profile.pointee.cellular.promotion)
        guard asked < timer.next else { return nil }
        air.setInitiator(for: burst.cause)
        return hold(burst, until: stamp, promotingAt: asked, &timer)
    }
}
