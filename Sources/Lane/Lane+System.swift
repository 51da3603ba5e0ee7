import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneTransport

/// What the operating system asks for, done in its order; and the app's process, which begins and ends by its leave.
extension Lane {
    /// The app's code runs; always so without an operating system.
    var appRuns: Bool { system.map { $0.pointee.appRuns } ?? true }
    var appIsStopped: Bool { system.map { $0.pointee.appIsStopped } ?? false }
    var networkIsAllowed: Bool { system.map { $0.pointee.networkIsAllowed } ?? true }

    /// One verb of the system, and everything that follows from it.
    @discardableResult
    mutating func drive<Result>(
        _ stage: inout Stage, _ verb: (inout OperatingSystem, Instant, inout Steps<SystemStep>) -> Result
    ) -> Result? {
        guard let system else { return nil }
        let result = verb(&system.pointee, now, &stage.systemSteps)
        follow(system, &stage)
        rearm()
        remindTenants(stage)
        return result
    }

    private mutating func follow(_ system: UnsafeMutablePointer<OperatingSystem>, _ stage: inout Stage) {
        let asked = stage.systemSteps.begin()
        for index in asked {
            perform(stage.systemSteps[index], system, &stage)
            if stage.systemSteps.hasMore { follow(system, &stage) }
        }
        stage.systemSteps.end(asked)
    }

    private mutating func perform(
        _ step: SystemStep, _ system: UnsafeMutablePointer<OperatingSystem>, _ stage: inout Stage
    ) {
        switch step {
        case .note(let note): write(note, &stage)
        case .tell(let event): tell(event, &stage)
        case .slept(let span): session.slept += span
        case .stops(let wasStopped): splitZombies(wasStopped: wasStopped, &stage)
        case .ended(let kind): endProcess(kind, &stage)
        case .started: startProcess(&stage)
        case .runs:
            phoneEnd.learnLosses(at: now, &stage.phoneEndSteps)
            settlePhoneEnd(&stage)
            phoneEnd.catchUp(at: now, &stage.phoneEndSteps)
            settlePhoneEnd(&stage)
        case .blocks(let isBlocked):
            if isBlocked && stage.pathRules[0].pointee.destroysSockets { loseAll(&stage) }
            networks.block(isBlocked, at: now, &stage.networksSteps)
            settleNetworks(&stage)
        case .takesSockets: loseAll(&stage)
        case .allowsPushes: servePush(&stage)
        case .looks: look(system, &stage)
        }
    }

    private mutating func loseAll(_ stage: inout Stage) {
        for slot in Self.slots { loseByError(slot, &stage) }
    }

    /// The app hears whether the user sees it, and whether to spare the battery, when that changes.
    private mutating func look(_ system: UnsafeMutablePointer<OperatingSystem>, _ stage: inout Stage) {
        let lives = system.pointee.appLives
        if lives { show(system.pointee.appIsInFront, &stage) }
        guard session.isSaving != system.pointee.isSaving else { return }
        session.isSaving = system.pointee.isSaving
        if lives { tell(.app(.batterySaver), &stage) }
    }

    @discardableResult
    private mutating func show(_ isInFront: Bool, _ stage: inout Stage) -> Bool {
        guard session.isForeground != isInFront else { return false }
        session.isForeground = isInFront
        tell(.app(isInFront ? .foreground : .background), &stage)
        if isInFront { beginFreshness(&stage) } else { endFreshness(&stage) }
        return true
    }

    // MARK: What comes to it

    mutating func advancePhone(_ stage: inout Stage) { drive(&stage) { $0.advance(at: $1, &$2) } }

    mutating func wakePhone(for cause: Cause, _ stage: inout Stage) {
        guard let system, system.pointee.canBeWoken else { return }
        drive(&stage) { $0.wake(for: cause, at: $1, &$2) }
    }

    mutating func bring(toFront isInFront: Bool, _ stage: inout Stage) -> Bool {
        drive(&stage) { $0.bring(toFront: isInFront, at: $1, &$2) } ?? show(isInFront, &stage)
    }

    mutating func forceStop(_ stage: inout Stage) -> Bool {
        guard let wasThere = drive(&stage, { $0.forceStop(at: $1, &$2) }) else { return false }
        session.restart(keepsAlarms: false)
        rearm()
        return wasThere
    }

    mutating func setClock(by span: TimeSpan) -> Bool {
        guard system != nil else { return false }
        session.wallShift += span
        rearm()
        return true
    }

    // MARK: Timers

    func rearm() { system?.pointee.rearm(session, at: now) }

    func timersChanged() -> Bool { system.map { $0.pointee.timersChanged(session) } ?? false }

    mutating func fire(_ slot: TimerSlot, _ stage: inout Stage) {
        let wish = session.take(slot)
        let late = system.map { $0.pointee.lateness(of: wish, session, at: now) } ?? .zero
        if wish.wake != .none { drive(&stage) { $0.alarm(wish.wake, at: $1, &$2) } }
        if late > .zero { journal(.timerLate, UInt16(slot.index), value: late.nanoseconds, &stage) }
        journal(.timerFired, UInt16(slot.index), &stage)
        tell(.fired(slot), &stage)
    }

    // MARK: The app's process

    /// What the app is told next: what waited while it did not run, then what is new, then its own wishes.
    @inline(__always)
    mutating func nextNotice(_ stage: inout Stage) -> Event? {
        guard let system else { return stage.notices.next() ?? nextWish() }
        guard system.pointee.appRuns else {
            while let event = stage.notices.next() { system.pointee.inbox.post(event) }
            return nil
        }
        return system.pointee.inbox.next() ?? stage.notices.next() ?? nextWish()
    }

    /// The app's own doing. What starts it again is the platform's business; without one it is there again at once.
    mutating func crash(_ stage: inout Stage) {
        stage.outbox.removeAll()
        if drive(&stage, { $0.kill(.crashed, at: $1, &$2) }) == nil {
            endProcess(.crashed, &stage)
            startProcess(&stage)
        }
    }

    /// The process is gone: its memory with it, its calls fail, and the kernel ends its sockets in order. Android's alarms and
    /// jobs are the system's, and outlive it, unless somebody has stopped the app for good.
    private mutating func endProcess(_ kind: Kind, _ stage: inout Stage) {
        for slot in Self.slots {
            phoneEnd.abandon(slot, at: now, &stage.phoneEndSteps)
            settlePhoneEnd(&stage)
        }
        phoneEnd.failCalls(at: now, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
        forgetNews(&stage)
        session.restart(keepsAlarms: system.map { $0.pointee.keepsAlarms } ?? false)
        delivery.emptyBuffer(&session, &stage.deliverySteps)
        delivery.forgetShown(&session, &stage.deliverySteps)
        settleDelivery(&stage)
        if system != nil {
            session.isForeground = false
            endFreshness(&stage)
        }
        journal(kind, &stage)
    }

    private mutating func startProcess(_ stage: inout Stage) {
        // Nobody was there to be told.
        forgetNews(&stage)
        stage.strategy.initialize(stage.state)
        if let system { session.isForeground = system.pointee.appIsInFront }
        journal(.relaunched, &stage)
        if system != nil && session.isForeground { beginFreshness(&stage) }
        tell(.started, &stage)
    }

    private func forgetNews(_ stage: inout Stage) {
        stage.notices.removeAll()
        system?.pointee.inbox.removeAll()
    }
}
