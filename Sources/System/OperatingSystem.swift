public import DeadzoneClient
public import DeadzoneDevice
public import DeadzoneJournal
public import DeadzonePrimitives

/// The operating system of one phone: when the processor sleeps, whether the app runs, which of its timers go off, and what the
/// app has yet to hear. What follows from a change it asks for in steps; it knows nothing of connections or radios.
public struct OperatingSystem: ~Copyable {
    private var device: Phone
    private let platform: UnsafePointer<Platform>
    /// When the device changes by itself; kept here because every event asks for it.
    public private(set) var deviceAt: Instant
    /// What the app will be told when it runs again.
    public var inbox = NoticeQueue(atMost: 256)
    /// The strategy's timer that goes off first, and the version of the timers it was found in.
    public private(set) var timer: (at: Instant, slot: TimerSlot) = (.never, TimerSlot(0))
    private var timersVersion: UInt32 = 0
    private var sleepsSince = Instant.never
    /// The app, which has a process, cannot run: why, and since when.
    private var standstill: SuspensionCode?
    private var standsSince = Instant.zero
    private var windowSince = Instant.never
    private let anchor = Anchor()

    public init(_ platform: UnsafePointer<Platform>, standing: AppStanding) {
        self.platform = platform
        device = Phone(platform: platform.pointee, standing: standing, at: .zero)
        deviceAt = device.nextTransition
    }

    // MARK: What there is to know of it

    public var appRuns: Bool { device.appRuns }
    public var appLives: Bool { device.appLives }
    public var appMayStart: Bool { device.appMayStart }
    public var appIsInFront: Bool { device.appIsInFront }
    public var isSaving: Bool { device.isSaving }
    /// The system does not let the app run. Of a processor that merely sleeps, an alarm wakes it.
    public var appIsStopped: Bool { Self.isStop(standstill) }
    private static func isStop(_ reason: SuspensionCode?) -> Bool { reason == .frozen || reason == .suspended }
    public var processorIsAwake: Bool { device.processorIsAwake }
    public var networkIsAllowed: Bool { device.networkIsAllowed }
    public var isOpenToOthers: Bool { device.isOpenToOthers }
    /// A packet that comes in, or a program that wants to run, has something to wake, or to be billed for.
    public var canBeWoken: Bool { !device.appRuns || device.wakeTime != nil }
    /// Lying still makes it doze.
    private var dozes: Bool { platform.pointee.doze.inactive != .longest }
    /// Alarms and jobs of the app outlive its process.
    public var keepsAlarms: Bool { device.appMayStart && platform.pointee.family == .android }

    // MARK: Its verbs

    /// The device changes by itself.
    public mutating func advance(at now: Instant, _ out: inout Steps<SystemStep>) {
        drive(at: now, &out) { $0.advance($1) }
    }

    // What somebody does to the phone and its app. False: nothing was there to change.

    /// The app is brought to the front, or left.
    public mutating func bring(toFront front: Bool, at now: Instant, _ out: inout Steps<SystemStep>) -> Bool {
        let was = device.isForeground
        drive(at: now, &out) { $0.setForeground(front, at: now, $1) }
        return was != front
    }

    public mutating func setScreen(_ on: Bool, at now: Instant, _ out: inout Steps<SystemStep>) -> Bool {
        let was = device.screenIsOn
        drive(at: now, &out) { $0.setScreen(on, at: now, $1) }
        return was != on
    }

    public mutating func setCharging(_ on: Bool, at now: Instant, _ out: inout Steps<SystemStep>) -> Bool {
        let was = device.isCharging
        drive(at: now, &out) { $0.setCharging(on, at: now, $1) }
        return was != on
    }

    public mutating func setMoving(_ moves: Bool, at now: Instant, _ out: inout Steps<SystemStep>) -> Bool {
        let was = device.isMoving
        drive(at: now, &out) { $0.setMoving(moves, at: now, $1) }
        return dozes && was != moves
    }

    /// Battery saver is on, or off.
    public mutating func setSaving(_ on: Bool, at now: Instant, _ out: inout Steps<SystemStep>) -> Bool {
        let was = device.isSaving
        drive(at: now, &out) { $0.setSaving(on, at: now, $1) }
        return was != on
    }

    /// The user's alarm clock will ring then.
    public mutating func setAlarmClock(_ at: Instant, at now: Instant, _ out: inout Steps<SystemStep>) -> Bool {
        drive(at: now, &out) { $0.setAlarmClock(at, at: now, $1) }
        return dozes
    }

    /// The user ends the app for good: nothing but the user starts it again.
    public mutating func forceStop(at now: Instant, _ out: inout Steps<SystemStep>) -> Bool {
        let wasThere = device.appLives || device.appMayStart
        drive(at: now, &out) { $0.kill(byUser: true, at: now, $1) }
        return wasThere
    }

    /// The app's process ends, by this.
    public mutating func kill(_ kind: Kind, at now: Instant, _ out: inout Steps<SystemStep>) -> Bool {
        let lived = device.appLives
        drive(endsBy: kind, at: now, &out) { $0.kill(at: now, $1) }
        return lived
    }

    public mutating func stayAwake(_ awake: Bool, at now: Instant, _ out: inout Steps<SystemStep>) {
        drive(at: now, &out) { $0.hold(awake, at: now, $1) }
    }

    /// A packet for the phone has come in, or one of its programs wants to run.
    public mutating func wake(for cause: Cause, at now: Instant, _ out: inout Steps<SystemStep>) {
        drive(at: now, &out) { $0.wake(for: cause, at: now, $1) }
    }

    /// A push has come. Returns whether the app may have it now.
    public mutating func push(isUrgent: Bool, at now: Instant, _ out: inout Steps<SystemStep>) -> Bool {
        var isNow = false
        drive(at: now, &out) {
            let verdict = $0.push(urgent: isUrgent, at: now, $1)
            isNow = verdict.isNow
            return verdict.changes
        }
        return isNow
    }

    /// An alarm or a job of the app goes off: it starts a process that is gone.
    public mutating func alarm(_ wake: Wake, at now: Instant, _ out: inout Steps<SystemStep>) {
        guard device.appLives || device.appMayStart else { return }
        drive(at: now, &out) { $0.alarm(wake, for: .wake, at: now, $1) }
    }

    /// One verb of the phone, and everything that follows from it.
    private mutating func drive(
        endsBy: Kind = .killed, at now: Instant, _ out: inout Steps<SystemStep>,
        _ verb: (inout Phone, Platform) -> PhoneChanges
    ) {
        let billed = device.wakeTime
        let wasAwake = device.processorIsAwake
        let changes = verb(&device, platform.pointee)
        deviceAt = device.nextTransition
        bill(billed, device.wakeTime, wasAwake: wasAwake, at: now, &out)
        keepClocks(at: now, &out)
        bookStandstill(at: now, &out)
        if !changes.isEmpty { follow(changes, endsBy: endsBy, at: now, &out) }
        out.append(.looks)
    }

    private mutating func follow(
        _ changes: PhoneChanges, endsBy: Kind, at now: Instant, _ out: inout Steps<SystemStep>
    ) {
        if changes.contains(.appKilled) { out.append(.ended(endsBy)) }
        if changes.contains(.networkBlocked) { out.append(.blocks(true)) }
        if changes.contains(.networkUnblocked) { out.append(.blocks(false)) }
        if changes.contains(.socketsReclaimed) { out.append(.takesSockets) }
        if changes.contains(.windowOpened) { windowSince = now }
        if changes.contains(.windowClosed) { closeWindow(at: now, &out) }
        if changes.contains(.appStarted) { out.append(.started) }
        if device.appRuns { out.append(.runs) }
        if changes.contains(.timeExpires) { out.append(.tell(.app(.expiring))) }
        if changes.contains(.timeGranted) { out.append(.tell(.app(.refresh))) }
        if changes.contains(.pushesMayCome) { out.append(.allowsPushes) }
    }

    // MARK: Timers

    public func timersChanged(_ session: borrowing Session) -> Bool { timersVersion != session.timers.version }

    /// Looks again at when the strategy's timers go off: after everything that could have moved them.
    public mutating func rearm(_ session: borrowing Session, at now: Instant) {
        timersVersion = session.timers.version
        var first = (at: Instant.never, slot: TimerSlot(0))
        for index in 0..<UInt8(TimerSlot.count) {
            let slot = TimerSlot(index)
            let at = firing(session.timers[slot], session, at: now)
            if at < first.at { first = (at, slot) }
        }
        timer = first
    }

    /// How much later than it wished a timer goes off.
    public func lateness(of wish: TimerWish, _ session: borrowing Session, at now: Instant) -> TimeSpan {
        now - onElapsedClock(wish, session)
    }

    /// When a timer goes off as things stand; `.never` if something has to change first.
    private func firing(_ wish: TimerWish, _ session: borrowing Session, at now: Instant) -> Instant {
        guard wish.at != .never else { return wish.at }
        if wish.wake == .none && !device.appRuns { return .never }
        let deadline = onElapsedClock(wish, session)
        if wish.wake == .none { return max(deadline, now) }
        return max(device.fires(deadline, wish.wake, at: now, platform.pointee), now)
    }

    /// While the processor sleeps, the uptime clock stands: what it will say is then a guess that only waking confirms.
    private func onElapsedClock(_ wish: TimerWish, _ session: borrowing Session) -> Instant {
        switch wish.clock {
        case .elapsed: wish.at
        case .wall: wish.at - session.wallShift
        case .uptime: wish.at + session.slept
        }
    }

    /// When it lets another program run that wishes to.
    public func lets(_ tenant: borrowing Tenant, wishedAt wished: Instant, at now: Instant) -> Instant {
        if tenant.isExempt { return wished }
        if tenant.wake == .none { return processorIsAwake ? max(wished, now) : .never }
        return max(device.firesForOthers(wished, tenant.wake, at: now, platform.pointee), now)
    }

    // MARK: Books

    /// Closes them at the horizon.
    public mutating func settle(at now: Instant, _ out: inout Steps<SystemStep>) {
        if let (cause, since) = device.wakeTime { out.note(.awake, cause, value: (now - since).nanoseconds) }
        device.settle(at: now)
        closeStandstill(at: now, &out)
        closeWindow(at: now, &out)
    }

    private func bill(
        _ before: (cause: Cause, since: Instant)?, _ after: (cause: Cause, since: Instant)?, wasAwake: Bool,
        at now: Instant, _ out: inout Steps<SystemStep>
    ) {
        if let before, let after, before == after { return }
        if let before { out.note(.awake, before.cause, value: (now - before.since).nanoseconds) }
        // Who is awake already has another payer from now on, or a dark screen; it does not wake once more.
        if let after, !wasAwake { out.note(.woke, after.cause) }
    }

    private mutating func keepClocks(at now: Instant, _ out: inout Steps<SystemStep>) {
        if device.processorIsAwake {
            if sleepsSince != .never { out.append(.slept(now - sleepsSince)) }
            sleepsSince = .never
        } else if sleepsSince == .never {
            sleepsSince = now
        }
    }

    private mutating func closeWindow(at now: Instant, _ out: inout Steps<SystemStep>) {
        guard windowSince != .never else { return }
        out.note(.window, value: (now - windowSince).nanoseconds)
        windowSince = .never
    }

    /// The app can run no longer, or again, or for another reason than before.
    private mutating func bookStandstill(at now: Instant, _ out: inout Steps<SystemStep>) {
        var reason: SuspensionCode?
        if device.appLives && !device.appRuns {
            reason = !device.appIsStopped ? .asleep : platform.pointee.family == .ios ? .suspended : .frozen
        }
        guard reason != standstill else { return }
        if Self.isStop(reason) != appIsStopped { out.append(.stops(wasStopped: appIsStopped)) }
        closeStandstill(at: now, &out)
        standstill = reason
        standsSince = now
    }

    private mutating func closeStandstill(at now: Instant, _ out: inout Steps<SystemStep>) {
        guard let standstill, standsSince < now else { return }
        out.note(.suspended, standstill, value: (now - standsSince).nanoseconds)
        standsSince = now
    }
}
