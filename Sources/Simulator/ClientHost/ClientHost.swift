import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice

/// The app's process on one phone, and the operating system that starts, stops and ends it. The strategy runs in the
/// process.
///
/// It owns what the app can observe and has stored (`Session`). Consequences for other parts are put into the effect
/// queue of the operating system. Without an operating system the app always runs, and a process that ends starts again
/// at once.
struct ClientHost: ~Copyable {
    var session: Session
    /// The phone's operating system; `nil` if the scenario does not simulate one.
    let system: UnsafeMutablePointer<OperatingSystem>?
    /// `true` if the system was called since it last computed when timers fire.
    var systemWasCalled = false
    /// `true` if the system lies in an arena that another object owns.
    private let isInArena: Bool

    /// - Parameters:
    ///   - platform: Rules of the operating system; `nil` to simulate none.
    ///   - dice: Random numbers of the strategy.
    ///   - doze: Random times of Doze.
    ///   - canBePushed: `true` if the server can have the system's push service wake the app.
    ///   - allocator: Allocates the system; `nil` to allocate it separately.
    init(
        _ platform: UnsafePointer<Platform>?, privileges: AppPrivileges, dice: Dice, doze: Dice, canBePushed: Bool,
        in allocator: ArenaAllocator?
    ) {
        session = Session(random: dice)
        session.canBePushed = platform != nil && canBePushed
        isInArena = allocator != nil
        guard let platform else {
            system = nil
            return
        }
        let place = allocator?.allocate(of: OperatingSystem.self) ?? .allocate(capacity: 1)
        place.initialize(to: OperatingSystem(platform, privileges: privileges, dice: doze))
        system = place
    }

    deinit {
        system?.deinitialize(count: 1)
        if !isInArena { system?.deallocate() }
    }

    // MARK: Queries

    /// `true` if the app's code can run.
    var appRuns: Bool { system.map { $0.pointee.appRuns } ?? true }
    /// `true` if the system prevents the app from running.
    var appIsStopped: Bool { system.map { $0.pointee.appIsStopped } ?? false }
    /// `true` if the system lets the app's packets through.
    var networkIsAllowed: Bool { system.map { $0.pointee.networkIsAllowed } ?? true }
    /// `true` if an incoming packet can change the state of the system.
    var canBeWoken: Bool { system.map { $0.pointee.canBeWoken } ?? false }
    /// `true` if the processor sleeps, so that timers of the phone's kernel wait.
    var processorSleeps: Bool { system.map { !$0.pointee.processorIsAwake } ?? false }
    /// The strategy's timer that fires first, with its instant (`.never` if no timer is armed).
    var firstTimer: (at: Instant, slot: TimerSlot) { system?.pointee.timer ?? session.timers.earliest }
    /// The network by which the app can send now; `nil` if there is none, or if the system blocks the app's packets.
    var usablePath: Interface? { networkIsAllowed ? session.path : nil }

    // MARK: The strategy

    /// Returns the next event that the strategy can receive now; `nil` if there is none.
    @inline(__always)
    mutating func nextEvent(_ client: inout ClientResources) -> Event? {
        guard let system else { return client.events.next() }
        return system.pointee.nextEvent(&client.events)
    }

    /// Lets the strategy handle an event. Its actions are in `client.outbox` then.
    @inline(__always)
    mutating func handle(_ event: Event, _ client: inout ClientResources) {
        client.outbox.removeAll()
        client.strategy.handle(event, client.state, &session, &client.outbox)
    }

    /// Discards the events about a connection that the strategy has not received yet, because the slot may belong to
    /// another connection by then.
    func discardEvents(about slot: ConnectionSlot, _ client: inout ClientResources) {
        client.events.removeAll(about: slot)
        system?.pointee.inbox.removeAll(about: slot)
    }

    private func discardEvents(_ client: inout ClientResources) {
        client.events.removeAll()
        system?.pointee.inbox.removeAll()
    }

    // MARK: Timers

    /// Removes the timer that fires first, and returns its slot.
    mutating func fireTimer(at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> TimerSlot {
        let slot = firstTimer.slot
        let timer = session.popTimer(slot)
        if let system {
            let late = system.pointee.lateness(of: timer, session, at: now)
            if timer.wake != .none { system.pointee.alarm(timer.wake, at: now, &out) }
            if late > .zero { out.note(.timerLate, UInt16(slot.index), value: late.nanoseconds) }
        }
        return slot
    }

    /// Computes when the timers fire, if a call of the system or the strategy can have changed that.
    /// - Returns: `true` if the system was called, so that the times of other apps can have changed too.
    mutating func updateTimers(at now: Instant) -> Bool {
        guard let system, systemWasCalled || system.pointee.timersChanged(session) else { return false }
        system.pointee.rearm(session, at: now)
        defer { systemWasCalled = false }
        return systemWasCalled
    }

    // MARK: The process

    /// Ends the app's process: it crashed, or holds more memory than the system grants. A platform decides when the app
    /// starts again.
    mutating func kill(_ kind: RecordKind, at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        if let system {
            _ = system.pointee.kill(kind, at: now, &out)
        } else {
            out.append(.processEnded(kind))
            out.append(.processStarted)
        }
    }

    /// Forgets what only the process knew. On Android the system holds alarms and jobs, so they survive, unless the
    /// user force-stopped the app.
    /// - Returns: The app's messages that the process would still have sent.
    mutating func endProcess(_ client: inout ClientResources) -> Range<UInt32> {
        discardEvents(&client)
        let kept = min(session.forgotten, session.produced)
        let unsent = kept.position..<session.produced.position
        session.restart(keepsAlarms: system.map { $0.pointee.keepsAlarms } ?? false)
        if system != nil { session.isForeground = false }
        return unsent
    }

    /// Begins a new process with the strategy's initial state.
    mutating func startProcess(_ client: inout ClientResources) {
        // No process existed that could have received these events.
        discardEvents(&client)
        client.strategy.initialize(client.state)
        if let system { session.isForeground = system.pointee.appIsInFront }
    }

    /// Force-stops the app. Its alarms end also if it has no process.
    private mutating func forceStop(at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        guard let system else { return false }
        // A process that ends forgets its alarms itself.
        if !system.pointee.appLives { session.restart(keepsAlarms: false) }
        return system.pointee.forceStop(at: now, &out)
    }

    // MARK: Foreground

    /// Takes over from the system whether the app is in front and whether battery saver is on.
    mutating func followSystem(_ out: inout EffectQueue<SystemEffect>) {
        guard let system else { return }
        if system.pointee.appLives { _ = setForeground(system.pointee.appIsInFront, &out) }
        if system.pointee.showBatterySaver(in: &session) { out.append(.notifyApp(.app(.batterySaver))) }
    }

    private mutating func setForeground(_ isInFront: Bool, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        guard session.isForeground != isInFront else { return false }
        session.isForeground = isInFront
        out.append(.notifyApp(.app(isInFront ? .foreground : .background)))
        out.append(.foregroundChanged)
        return true
    }

    // MARK: Conditions

    /// Applies a change of the timeline that concerns the system or the app. Returns `false` if it had no effect.
    /// - Parameter isMetered: `true` if the default network is metered.
    mutating func apply(
        _ change: ConditionChange, isMetered: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) -> Bool {
        guard let system else {
            guard case .app(let isInFront) = change else { return false }
            return setForeground(isInFront, &out)
        }
        switch change {
        case .app(let isInFront): return system.pointee.bring(toFront: isInFront, at: now, &out)
        case .screen(let on): return system.pointee.setScreen(on, at: now, &out)
        case .charging(let on): return system.pointee.setCharging(on, at: now, &out)
        case .moving(let moves): return system.pointee.setMoving(moves, at: now, &out)
        case .saving(let on): return system.pointee.setSaving(on, at: now, &out)
        case .dataSaver(let on): return system.pointee.setDataSaver(on, isMetered: isMetered, at: now, &out)
        case .restriction(let on): return system.pointee.setRestricted(on, at: now, &out)
        case .alarmClock(let at): return system.pointee.setAlarmClock(at, at: now, &out)
        case .kill: return system.pointee.kill(.killed, at: now, &out)
        case .forceStop: return forceStop(at: now, &out)
        case .clockSet(let span): return system.pointee.setClock(by: span, in: &session, at: now)
        default: return false
        }
    }
}
