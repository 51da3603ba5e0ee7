package import DeadzoneBase

/// The times at which alarms, jobs and plain timers fire under the present restrictions.
extension Phone {
    /// Returns the time at which a timer fires if nothing changes; `.never` if it cannot fire before a change. A time
    /// in the past means now. Call again after every change.
    /// - Parameter deadline: Deadline of the timer, on the clock that continues during sleep (elapsed).
    package func firingTime(_ deadline: Instant, _ kind: WakePolicy, at now: Instant, _ platform: Platform)
        -> Instant
    {
        // iOS has no alarms: every timer waits for the app to run.
        if kind == .none || platform.family == .ios { return appRuns ? deadline : .never }
        guard life.exists || life.mayStart else { return .never }
        let due = max(deadline, now)
        if mustWait(kind, platform) { return .never }
        let rules = isCharging ? BucketRules() : platform.standby[standby.bucket]
        switch kind {
        case .none: return deadline
        case .alarm:
            if privileges.isExempt, platform.alarms.exemptionFreesAlarms { return deadline }
            let allowed = alarmsUsed.next(from: due, rules.alarms)
            return doze.isDeepIdle ? max(allowed, doze.opensAt) : delayed(deadline, due, allowed)
        case .whileIdle:
            let isLimited = doze.isDeepIdle || savesPower(platform.restrictions.saverDefersWork)
            guard isLimited, !(privileges.isExempt && platform.alarms.exemptionFreesAlarms) else { return deadline }
            let opens = doze.isDeepIdle ? max(due, doze.opensAt) : .never
            let allowed = min(whileIdleUsed.next(from: due, platform.alarms.whileIdle), opens)
            return delayed(deadline, due, allowed)
        case .job:
            let frees = privileges.isExempt && platform.alarms.exemptionFreesJobs
            if frees || life.state == .front { return deadline }
            let allowed = max(
                jobsUsed.next(from: due, rules.jobs), jobTimeUsed.next(from: due, rules.runTime))
            return doze.isIdle ? max(allowed, doze.opensAt) : delayed(deadline, due, allowed)
        }
    }

    /// Returns the time at which a timer of another app fires. Its quotas and privileges are unknown, so only Doze
    /// delays it. iOS has neither alarms nor jobs: the timer waits until something else wakes the processor. It is
    /// assumed that the app then runs.
    package func firingTimeForOtherApps(
        _ deadline: Instant, _ kind: WakePolicy, at now: Instant, _ platform: Platform
    ) -> Instant {
        switch platform.family == .ios ? WakePolicy.none : kind {
        case .none: processor.isAwake ? deadline : .never
        case .whileIdle: deadline
        case .alarm: doze.isDeepIdle ? max(deadline, now, doze.opensAt) : deadline
        case .job: doze.isIdle ? max(deadline, now, doze.opensAt) : deadline
        }
    }

    private func delayed(_ deadline: Instant, _ due: Instant, _ allowed: Instant) -> Instant {
        allowed == due ? deadline : allowed
    }

    /// `true` if alarms or jobs of this kind wait until the app is in the foreground or a restriction is lifted.
    private func mustWait(_ kind: WakePolicy, _ platform: Platform) -> Bool {
        (restrictions.contains(.restrictedApp) && life.state != .front)
            || (kind != .whileIdle && savesPower(platform.restrictions.saverDefersWork))
    }
}
