import DeadzoneBase

@testable import DeadzoneDevice

/// The naive phone's app process and Doze.
extension ReferencePhone {
    // MARK: The app

    mutating func updateFront(wasUsed: Bool) -> PhoneChanges {
        let isUsed = isForeground && screenIsOn
        if isUsed != wasUsed { useApp() }
        guard isUsed else {
            guard app == .front else { return [] }
            app = .background
            openNetwork(until: now)
            if !privileges.isExempt { set(.kill, now + rules.life.killsAfter) }
            if privileges.requestsTime { set(.refresh, now + rules.life.refreshEvery) }
            let limits: [ForegroundServiceType: TimeSpan] = [
                .dataSync: rules.restrictions.dataSyncTime, .short: rules.restrictions.shortServiceTime,
            ]
            if hasService { set(.service, now + (limits[privileges.serviceType] ?? .longest)) }
            let task = privileges.requestsTime ? rules.life.taskTime : .zero
            run(until: now + max(task, rules.life.suspendsAfter))
            return []
        }
        let changes: PhoneChanges = app == .gone ? .appStarted : app == .suspended ? .appResumed : []
        forgetProcess()
        (app, mayStart, serviceIsOver) = (.front, true, false)
        timers[.pushQuota] = nil
        return changes.union(.pushesMayCome)
    }

    /// The user begins or ends using the app.
    private mutating func useApp() {
        if rules.standby.pinned == nil { bucket = .active }
        (usedAt, screenTime, standbyChangedAt) = (now, .zero, now)
        if screenSince != nil { screenSince = now }
    }

    private mutating func forgetProcess() {
        if timers[.service] != nil { serviceIsOver = true }
        for timer in [Timer.suspend, .warn, .reclaim, .closeNetwork, .refresh, .kill, .service, .overrun] {
            timers[timer] = nil
        }
        isNetworkClosed = false
    }

    mutating func endProcess(forGood: Bool) -> PhoneChanges {
        if app == .gone {
            mayStart = mayStart && !forGood
            return []
        }
        forgetProcess()
        (app, mayStart) = (.gone, !forGood)
        return .appKilled
    }

    mutating func leaveFront() {
        timers[.allowance] = nil
        guard screenIsOn || !mayStart else { return }
        let wasUsed = isForeground && screenIsOn
        isForeground = false
        if wasUsed { useApp() }
    }

    mutating func wakeApp(_ span: TimeSpan) -> PhoneChanges {
        guard app != .front, app != .gone || mayStart else { return [] }
        let (wasGone, wasSuspended) = (app == .gone, app == .suspended)
        let isUnlimited = app == .background && timers[.suspend] == nil
        app = .background
        timers[.reclaim] = nil
        openNetwork(until: now + span)
        if wasGone, !privileges.isExempt { set(.kill, now + rules.life.killsAfter) }
        if wasGone, privileges.requestsTime { set(.refresh, now + rules.life.refreshEvery) }
        let end = rules.life.timeHoldsProcessor ? now + span : now + span + rules.life.suspendsAfter
        if !isUnlimited, timers[.suspend].map({ $0 < end }) ?? true { run(until: end) }
        return wasGone ? .appStarted : wasSuspended ? .appResumed : []
    }

    private mutating func run(until end: Instant) {
        if rules.life.servicesRun, privileges.isExempt || hasService { return }
        set(.suspend, end)
        let isWarned = privileges.requestsTime && rules.life.taskWarning > .zero && end != .never
        set(.warn, isWarned ? max(now, end - rules.life.taskWarning) : .never)
    }

    private mutating func openNetwork(until end: Instant) {
        isNetworkClosed = false
        guard !privileges.isExempt, !hasService else { return }
        set(.closeNetwork, max(timers[.closeNetwork] ?? .zero, end + rules.life.blocksNetworkAfter))
    }

    /// The app has no foreground service from now on.
    mutating func endService() {
        (timers[.service], serviceIsOver) = (nil, true)
        guard app == .background, !privileges.isExempt else { return }
        openNetwork(until: now)
        if timers[.suspend] == nil { run(until: now + rules.life.suspendsAfter) }
    }

    mutating func stepApp() -> PhoneChanges {
        func isDue(_ timer: Timer) -> Bool { timers[timer] == now }
        if isDue(.kill) { return endProcess(forGood: rules.life.killsForGood) }
        if isDue(.overrun) { return endProcess(forGood: false).union(.serviceOverran) }
        let refreshes = isDue(.refresh)
        var changes: PhoneChanges = []
        if isDue(.closeNetwork) { (isNetworkClosed, timers[.closeNetwork]) = (true, nil) }
        if isDue(.reclaim) { changes.insert(.socketsReclaimed) }
        if isDue(.warn) { changes.insert(.timeExpires) }
        if isDue(.warn) { timers[.warn] = nil }
        if isDue(.reclaim) { timers[.reclaim] = nil }
        if isDue(.service) {
            endService()
            if !privileges.stopsServiceInTime { set(.overrun, now + rules.restrictions.serviceGrace) }
            changes.insert(.serviceEnded)
        }
        let suspends = isDue(.suspend)
        if suspends {
            timers[.warn] = nil
            app = .suspended
            timers[.suspend] = nil
            set(.reclaim, now + rules.life.reclaimsSocketsAfter)
            changes.insert(.appSuspended)
        }
        guard refreshes else { return changes }
        set(.refresh, now + rules.life.refreshEvery)
        changes.formUnion(wakeApp(rules.life.refreshTime))
        changes.insert(.timeGranted)
        // An app that is suspended and resumed at one instant has not stopped.
        return suspends ? changes.subtracting([.appSuspended, .appResumed]) : changes
    }

    // MARK: Doze

    mutating func updateDoze() {
        if screenIsOn || isCharging { becomeActive() } else { becomeInactive(after: rules.doze.inactive) }
    }

    private mutating func becomeActive() {
        (light, deep) = (.active, .active)
        (timers[.light], timers[.deep], lightFrom) = (nil, nil, .never)
    }

    mutating func becomeInactive(after wait: TimeSpan) {
        if isQuick, ![.idle, .maintenance, .quickDelay].contains(deep) {
            deep = .quickDelay
            set(.deep, pastAlarmClock() + rules.doze.quickDelay)
        } else if deep == .active {
            deep = .inactive
            set(.deep, pastAlarmClock() + wait)
        }
        guard light == .active else { return }
        light = .inactive
        setLight(rules.doze.lightInactive, rules.doze.lightInactiveWindow)
    }

    /// Sets the alarm of light Doze: another alarm in the window also causes its transition.
    private mutating func setLight(_ span: TimeSpan, _ window: TimeSpan?) {
        lightFrom = now + span
        set(.light, window.map { lightFrom + $0 } ?? .never)
    }

    /// An alarm is delivered, and with it the alarm of light Doze if its window has begun.
    mutating func deliver() {
        if lightFrom != .never, lightFrom <= now, due(.light) != now { stepLight() }
    }

    /// Motion matters after the first inactive time, unless battery saver has shortened the way.
    mutating func notice() {
        guard [.idlePending, .sensing, .locating, .idle, .maintenance].contains(deep) else { return }
        guard !isQuick || isQuickSinceIdle else { return }
        isQuickSinceIdle = false
        if light == .overridden { light = .active }
        deep = .active
        becomeInactive(after: rules.doze.motion)
    }

    mutating func stepLight() {
        let doze = rules.doze
        lightFrom = .never
        switch light {
        case .inactive:
            (lightBudget, lightIdle, lightWindow) = (doze.lightBudget, doze.lightIdle, doze.lightIdleWindow)
            let wait = min(doze.lightPreIdle, doze.work)
            if wait > .zero {
                light = .preIdle
                set(.light, now + wait)
            } else {
                idleLightly()
            }
        case .maintenance:
            lightBudget = lightBudget + doze.lightBudget - (now - lightWindowFrom)
            idleLightly()
        case .idle:
            lightBudget = min(doze.lightBudgetLimit, max(doze.lightBudget, lightBudget))
            (light, lightWindowFrom) = (.maintenance, now)
            set(.light, now + min(lightBudget, max(doze.work, doze.lightMinimum)))
        case .active, .preIdle, .overridden: idleLightly()
        }
    }

    private mutating func idleLightly() {
        light = .idle
        setLight(lightIdle, rules.doze.lightIdleWaits ? nil : lightWindow)
        lightIdle = min(rules.doze.lightIdleLimit, lightIdle * rules.doze.growth)
        lightWindow = min(rules.doze.lightIdleWindowLimit, lightWindow * rules.doze.growth)
    }

    mutating func stepDeep() {
        let doze = rules.doze
        if pastAlarmClock() != now {
            becomeActive()
            return becomeInactive(after: doze.inactive)
        }
        let ways: [Doze.Deep: (Doze.Deep, TimeSpan)] = [
            .inactive: (.idlePending, doze.idleAfterInactive), .idlePending: (.sensing, doze.sensing),
            .sensing: (.locating, doze.locating),
        ]
        if let (next, span) = ways[deep] {
            deep = next
            set(.deep, now + span)
            if next == .idlePending, isMoving { notice() }
        } else if deep == .idle {
            deep = .maintenance
            set(.deep, now + min(deepWindow, max(doze.work, doze.maintenanceMinimum)))
            deepWindow = min(doze.maintenanceLimit, deepWindow * doze.growth)
        } else {
            if deep != .maintenance { (deepIdle, deepWindow) = (doze.idle, doze.maintenance) }
            deep = .idle
            let end = now + deepIdle
            set(
                .deep,
                rules.doze.endsEarly && (alarmClock <= now || alarmClock >= end) ? drawn(end) : endOfDeepIdle(end)
            )
            deepIdle = min(doze.idleLimit, deepIdle * doze.growth)
            light = .overridden
            (timers[.light], lightFrom) = (nil, .never)
        }
    }

    /// The end of deep idle if the alarm clock may come before it.
    mutating func endOfDeepIdle(_ end: Instant) -> Instant {
        guard alarmClock != .never, now < alarmClock else { return end }
        guard rules.doze.endsEarly else { return min(end, max(now, alarmClock - .minutes(2))) }
        return alarmClock < end ? drawn(alarmClock) : end
    }

    private mutating func drawn(_ end: Instant) -> Instant {
        let span = end - now
        let most: TimeSpan = span < .minutes(15) ? span : span < .minutes(90) ? .minutes(15) : .minutes(30)
        return end - .nanoseconds(Int64(dice.next().scaled(below: UInt64(most.nanoseconds))))
    }

    private func pastAlarmClock() -> Instant {
        now < alarmClock && alarmClock <= now + rules.doze.minimumToAlarmClock ? alarmClock : now
    }
}
