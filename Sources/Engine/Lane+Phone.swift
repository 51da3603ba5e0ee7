import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// What a lane has beside the others when its phone has an operating system. Plain bytes and one queue.
struct Housekeeping: ~Copyable {
    var device: Phone
    /// When the device changes by itself; kept here because every event asks for it.
    var deviceAt: Instant
    /// What the app will be told when it runs again.
    var inbox = NoticeQueue(atMost: 256)
    /// The strategy's timer that goes off first, and the version of the timers it was found in.
    var timer: (at: Instant, slot: TimerSlot) = (.never, TimerSlot(0))
    var timersVersion: UInt32 = 0
    var sleepsSince = Instant.never
    /// The app, which has a process, cannot run: why, and since when.
    var standstill: SuspensionCode?
    var standsSince = Instant.zero
    var windowSince = Instant.never
    /// What the journal calls the end of the process: somebody else's doing, unless it is the app's own.
    var endsBy = Kind.killed

    init(_ device: Phone) {
        self.device = device
        deviceAt = device.nextTransition
    }
}

/// The operating system: when the processor sleeps, whether the app runs, which of its timers go off.
extension Lane {
    /// The app's code runs; always so without an operating system.
    var appRuns: Bool { system.map { $0.pointee.device.appRuns } ?? true }
    /// The system does not let the app run. Of a processor that merely sleeps, an alarm wakes it.
    var appIsStopped: Bool {
        system.map { Self.isStop($0.pointee.standstill) } ?? false
    }
    private static func isStop(_ reason: SuspensionCode?) -> Bool { reason == .frozen || reason == .suspended }
    var processorIsAwake: Bool { system.map { $0.pointee.device.processorIsAwake } ?? true }
    var networkIsAllowed: Bool { system.map { $0.pointee.device.networkIsAllowed } ?? true }

    /// What the app is told next: what waited while it did not run, then what is new, then its own wishes.
    mutating func nextNotice(_ stage: inout Stage) -> Event? {
        guard let system else { return stage.notices.next() ?? nextWish(stage) }
        guard system.pointee.device.appRuns else {
            while let event = stage.notices.next() { system.pointee.inbox.post(event) }
            return nil
        }
        return system.pointee.inbox.next() ?? stage.notices.next() ?? nextWish(stage)
    }

    /// One verb of the phone, and everything that follows from it.
    mutating func drive(
        _ stage: inout Stage, _ verb: (inout Phone, Platform, Instant) -> PhoneChanges
    ) {
        guard let system else { return }
        let billed = system.pointee.device.wakeTime
        let wasAwake = system.pointee.device.processorIsAwake
        let changes = verb(&system.pointee.device, stage.platforms[0].pointee, now)
        system.pointee.deviceAt = system.pointee.device.nextTransition
        bill(billed, system.pointee.device.wakeTime, wasAwake: wasAwake, &stage)
        keepClocks()
        bookStandstill(&stage)
        if !changes.isEmpty { follow(changes, &stage) }
        tellFront(&stage)
        tellSaving(&stage)
        rearm(stage)
        remindTenants(stage)
    }

    mutating func advancePhone(_ stage: inout Stage) {
        drive(&stage) { phone, platform, _ in phone.advance(platform) }
    }

    /// A packet for the phone has come in, or one of its own programs wants to run.
    mutating func wakePhone(for cause: Cause, _ stage: inout Stage) {
        guard let system, !system.pointee.device.appRuns || system.pointee.device.wakeTime != nil else { return }
        drive(&stage) { phone, platform, now in phone.wake(for: cause, at: now, platform) }
    }

    /// Looks again at when the strategy's timers go off: after everything that could have moved them.
    func rearm(_ stage: borrowing Stage) {
        guard let system else { return }
        system.pointee.timersVersion = session.timers.version
        var first = (at: Instant.never, slot: TimerSlot(0))
        for index in 0..<UInt8(TimerSlot.count) {
            let slot = TimerSlot(index)
            let at = firing(session.timers[slot], stage)
            if at < first.at { first = (at, slot) }
        }
        system.pointee.timer = first
    }

    func timersChanged() -> Bool { system.map { $0.pointee.timersVersion != session.timers.version } ?? false }

    /// When a timer goes off as things stand; `.never` if something has to change first.
    private func firing(_ wish: TimerWish, _ stage: borrowing Stage) -> Instant {
        guard let system, wish.at != .never else { return wish.at }
        if wish.wake == .none && !system.pointee.device.appRuns { return .never }
        let deadline = onElapsedClock(wish)
        if wish.wake == .none { return max(deadline, now) }
        return max(system.pointee.device.fires(deadline, wish.wake, at: now, stage.platforms[0].pointee), now)
    }

    /// While the processor sleeps, the uptime clock stands: what it will say is then a guess that only waking confirms.
    private func onElapsedClock(_ wish: TimerWish) -> Instant {
        switch wish.clock {
        case .elapsed: wish.at
        case .wall: wish.at - session.wallShift
        case .uptime: wish.at + session.slept
        }
    }

    /// A timer of the strategy goes off. An alarm or a job starts a process that is gone.
    mutating func fire(_ slot: TimerSlot, _ stage: inout Stage) {
        let wish = session.timers[slot]
        session.disarm(slot)
        if let system {
            let late = now - onElapsedClock(wish)
            if wish.wake != .none && (system.pointee.device.appLives || system.pointee.device.appMayStart) {
                drive(&stage) { phone, platform, now in phone.alarm(wish.wake, for: .wake, at: now, platform) }
            }
            if late > .zero { journal(.timerLate, UInt16(slot.index), value: late.nanoseconds, &stage) }
        }
        journal(.timerFired, UInt16(slot.index), &stage)
        tell(.fired(slot), &stage)
    }

    /// Closes the books of the phone at the horizon.
    mutating func settlePhone(_ stage: inout Stage) {
        guard let system else { return }
        if let (cause, since) = system.pointee.device.wakeTime {
            journal(.awake, cause, value: (now - since).nanoseconds, &stage)
        }
        system.pointee.device.settle(at: now)
        closeStandstill(&stage)
        closeWindow(&stage)
    }

    private func bill(
        _ before: (cause: Cause, since: Instant)?, _ after: (cause: Cause, since: Instant)?, wasAwake: Bool,
        _ stage: inout Stage
    ) {
        if let before, let after, before == after { return }
        if let before {
            journal(.awake, before.cause, value: (now - before.since).nanoseconds, &stage)
        }
        // Who is awake already has another payer from now on, or a dark screen; it does not wake once more.
        if let after, !wasAwake { journal(.woke, after.cause, &stage) }
    }

    private mutating func keepClocks() {
        guard let system else { return }
        if system.pointee.device.processorIsAwake {
            if system.pointee.sleepsSince != .never { session.slept += now - system.pointee.sleepsSince }
            system.pointee.sleepsSince = .never
        } else if system.pointee.sleepsSince == .never {
            system.pointee.sleepsSince = now
        }
    }

    private mutating func follow(_ changes: PhoneChanges, _ stage: inout Stage) {
        guard let system else { return }
        if changes.contains(.appKilled) { endProcess(system.pointee.endsBy, &stage) }
        if changes.contains(.networkBlocked) { blockNetwork(&stage) }
        if changes.contains(.networkUnblocked) { tellBlocked(false, &stage) }
        if changes.contains(.socketsReclaimed) {
            for slot in Self.slots { loseByError(slot, &stage) }
        }
        if changes.contains(.windowOpened) { system.pointee.windowSince = now }
        if changes.contains(.windowClosed) { closeWindow(&stage) }
        if changes.contains(.appStarted) { startProcess(&stage) }
        if appRuns {
            learnLosses(&stage)
            answerOwedPings(&stage)
            readUnread(&stage)
        }
        if changes.contains(.timeExpires) { tell(.app(.expiring), &stage) }
        if changes.contains(.timeGranted) { tell(.app(.refresh), &stage) }
        if changes.contains(.pushesMayCome) { retryPush(&stage) }
    }

    private mutating func closeWindow(_ stage: inout Stage) {
        guard let system, system.pointee.windowSince != .never else { return }
        journal(.window, value: (now - system.pointee.windowSince).nanoseconds, &stage)
        system.pointee.windowSince = .never
    }

    /// The app can run no longer, or again, or for another reason than before.
    private mutating func bookStandstill(_ stage: inout Stage) {
        guard let system else { return }
        var reason: SuspensionCode?
        if system.pointee.device.appLives && !system.pointee.device.appRuns {
            reason =
                !system.pointee.device.appIsStopped ? .asleep : stage.pathRules.system == .ios ? .suspended : .frozen
        }
        guard reason != system.pointee.standstill else { return }
        if Self.isStop(reason) != appIsStopped { splitZombies(&stage) }
        closeStandstill(&stage)
        system.pointee.standstill = reason
        system.pointee.standsSince = now
    }

    private func closeStandstill(_ stage: inout Stage) {
        guard let system, let reason = system.pointee.standstill, system.pointee.standsSince < now else { return }
        journal(.suspended, reason, value: (now - system.pointee.standsSince).nanoseconds, &stage)
        system.pointee.standsSince = now
    }

    private mutating func blockNetwork(_ stage: inout Stage) {
        if stage.platforms[0].pointee.networks.destroysSockets {
            for slot in Self.slots { loseByError(slot, &stage) }
        }
        tellBlocked(true, &stage)
    }
}
