import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import Testing

/// Makes random calls to an `OperatingSystem`, and the same calls to a bare `Phone`. The effects of the first must
/// follow from the state of the second before and after each call.
final class SystemDriver {
    private let rules: Platform
    private let platform: UnsafeMutablePointer<Platform>
    private var system: OperatingSystem
    private var phone: Phone
    private var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    private var queue = EffectQueue<SystemEffect>()
    private var dice: Dice
    private var now = Instant.zero
    private var calls: [String] = []
    private var expected: [String] = []
    /// Names of the effects that occurred.
    private(set) var names: Set<String> = []

    private var (sleepsSince, windowSince): (Instant?, Instant?)
    private var suspension: (reason: SuspensionCode, since: Instant)?

    init(_ seed: UInt64, _ rules: Platform, _ privileges: AppPrivileges) {
        self.rules = rules
        dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        platform = .allocate(capacity: 1)
        platform.initialize(to: rules)
        system = OperatingSystem(platform, privileges: privileges)
        phone = Phone(platform: rules, privileges: privileges, at: .zero)
    }

    deinit { platform.deinitialize(count: 1).deallocate() }

    private func draw(_ below: Int) -> Int { Int(dice.next().scaled(below: UInt64(below))) }
    private func flip() -> Bool { draw(2) == 0 }

    func run(_ steps: Int) {
        for _ in 0..<steps {
            step()
            compare()
            wait(until: now + [TimeSpan.zero, .milliseconds(500), .seconds(1), .seconds(7), .minutes(4)][draw(5)])
        }
        finish()
    }

    private func wait(until end: Instant) {
        #expect(system.deviceAt == phone.nextTransition)
        while phone.nextTransition <= end {
            now = phone.nextTransition
            session.now = now
            calls.append("advance \(now)")
            system.advance(at: now, &queue)
            follow { $0.advance($1) }
            compare()
        }
        now = end
        session.now = now
    }

    /// Calls the bare phone, and derives the effects.
    private func follow(endsBy: String = "killed", _ verb: (inout Phone, Platform) -> PhoneChanges) {
        let (wakeTime, wasAwake) = (phone.wakeTime, phone.processorIsAwake)
        let changes = verb(&phone, rules)
        let after = phone.wakeTime
        if wakeTime?.cause != after?.cause || wakeTime?.since != after?.since {
            if let wakeTime { note(JournalEntry(.awake, wakeTime.cause, value: (now - wakeTime.since).nanoseconds)) }
            if let after, !wasAwake { note(JournalEntry(.woke, after.cause)) }
        }
        if phone.processorIsAwake, let since = sleepsSince {
            expect(.slept(now - since))
            sleepsSince = nil
        }
        if !phone.processorIsAwake && sleepsSince == nil { sleepsSince = now }
        followSuspension()
        if !changes.isEmpty { follow(changes, endsBy) }
        expect(.visibilityChanged)
    }

    private func followSuspension() {
        var reason: SuspensionCode?
        if phone.appHasProcess && !phone.appRuns {
            reason = phone.appIsStopped ? (rules.family == .android ? .frozen : .suspended) : .asleep
        }
        guard reason != suspension?.reason else { return }
        let wasStopped = suspension.map { $0.reason != .asleep } ?? false
        if wasStopped != (reason != nil && reason != .asleep) { expect(.suspensionChanged(wasStopped: wasStopped)) }
        closeSuspension()
        suspension = reason.map { ($0, now) }
    }

    private func closeSuspension() {
        guard let suspension, suspension.since != now else { return }
        note(JournalEntry(.suspended, suspension.reason, value: (now - suspension.since).nanoseconds))
        self.suspension?.since = now
    }

    private func closeWindow() {
        if let since = windowSince { note(JournalEntry(.window, value: (now - since).nanoseconds)) }
        windowSince = nil
    }

    private func follow(_ changes: PhoneChanges, _ endsBy: String) {
        if changes.contains(.appKilled) {
            expected.append("processEnded(\(changes.contains(.serviceOverran) ? "crashed" : endsBy))")
        }
        if changes.contains(.networkBlocked) {
            if rules.networks.destroysSockets { expect(.reclaimSockets) }
            expect(.firewallChanged(true))
        }
        if changes.contains(.networkUnblocked) { expect(.firewallChanged(false)) }
        if changes.contains(.socketsReclaimed) { expect(.reclaimSockets) }
        if changes.contains(.windowOpened) { windowSince = now }
        if changes.contains(.windowClosed) { closeWindow() }
        if changes.contains(.appStarted) { expect(.processStarted) }
        if phone.appRuns { expect(.appRuns) }
        if changes.contains(.timeExpires) { expect(.notifyApp(.app(.expiring))) }
        if changes.contains(.timeGranted) { expect(.notifyApp(.app(.refresh))) }
        if changes.contains(.serviceEnded) { expect(.notifyApp(.app(.serviceEnded))) }
        if changes.contains(.pushesMayCome) { expect(.retryPush) }
    }

    private func expect(_ effect: SystemEffect) { expected.append(Self.name(effect)) }
    private func note(_ entry: JournalEntry) { expected.append(Self.name(.note(entry))) }

    private static func name(_ effect: SystemEffect) -> String {
        if case .processEnded(let kind) = effect { return "processEnded(\(kind))" }
        return "\(effect)"
    }

    // MARK: Calls

    private func step() {
        let isOn = flip()
        var (result, isExpected) = (true, true)
        let turn = draw(19)
        calls.append("step \(turn) \(isOn) at \(now)")
        switch turn {
        case 0...1:
            isExpected = phone.isForeground != isOn
            result = system.bring(toFront: isOn, at: now, &queue)
            follow { $0.setForeground(isOn, at: now, $1) }
        case 2...4:
            isExpected = phone.screenIsOn != isOn
            result = system.setScreen(isOn, at: now, &queue)
            follow { $0.setScreen(isOn, at: now, $1) }
        case 5:
            isExpected = phone.isCharging != isOn
            result = system.setCharging(isOn, at: now, &queue)
            follow { $0.setCharging(isOn, at: now, $1) }
        case 6:
            isExpected = phone.isMoving != isOn && rules.doze.inactive != .longest
            result = system.setMoving(isOn, at: now, &queue)
            follow { $0.setMoving(isOn, at: now, $1) }
        case 7:
            isExpected = phone.batterySaverIsOn != isOn
            result = system.setSaving(isOn, at: now, &queue)
            follow { $0.setBatterySaver(isOn, at: now, $1) }
        case 8:
            let at = now + .minutes(Int64(draw(60)))
            isExpected = rules.doze.inactive != .longest
            result = system.setAlarmClock(at, at: now, &queue)
            follow { $0.setAlarmClock(at, at: now, $1) }
        case 15:
            let path: Interface? = [.wifi, .cellular, nil][draw(3)]
            let was = phone.dataSaverIsOn
            result = system.setDataSaver(isOn, isMetered: path == .cellular, at: now, &queue)
            follow { $0.setDataSaver(isOn, isMetered: path == .cellular, at: now, $1) }
            isExpected = phone.dataSaverIsOn != was
        case 16:
            result = system.setRestricted(isOn, at: now, &queue)
            isExpected = false
            follow {
                let changes = $0.setRestricted(isOn, at: now, $1)
                isExpected = changes != nil
                return changes ?? []
            }
        case 18:
            system.defaultNetworkChanged(isLost: isOn, at: now, &queue)
            follow { $0.defaultNetworkChanged(isLost: isOn, at: now, $1) }
        case 17:
            guard phone.dataSaverIsOn else { break }
            system.setDefaultNetwork(isMetered: isOn, at: now, &queue)
            follow { $0.setDataSaver(true, isMetered: isOn, at: now, $1) }
        default: (result, isExpected) = end(turn, isOn)
        }
        #expect(result == isExpected, "\(calls.suffix(5))")
        if flip() { armTimers() }
    }

    private func end(_ turn: Int, _ isOn: Bool) -> (Bool, Bool) {
        switch turn {
        case 9:
            let isExpected = phone.appHasProcess || phone.appMayStart
            let result = system.forceStop(at: now, &queue)
            follow { $0.killApp(byUser: true, at: now, $1) }
            return (result, isExpected)
        case 10:
            let isExpected = phone.appHasProcess
            let result = system.kill(.crashed, at: now, &queue)
            follow(endsBy: "crashed") { $0.killApp(at: now, $1) }
            return (result, isExpected)
        case 11:
            system.stayAwake(isOn, at: now, &queue)
            follow { $0.setWakeLock(isOn, at: now, $1) }
        case 12:
            let cause: Cause = isOn ? .probe : .payload
            system.wake(for: cause, at: now, &queue)
            follow { $0.wakeProcessor(for: cause, at: now, $1) }
        case 13:
            var isNow = false
            let result = system.push(isUrgent: isOn, at: now, &queue)
            follow {
                let answer = $0.deliverPush(urgent: isOn, at: now, $1)
                isNow = answer.isNow
                return answer.changes
            }
            return (result, isNow)
        default:
            let kind = WakePolicy.allCases[draw(4)]
            let canStart = phone.appHasProcess || phone.appMayStart
            system.alarm(kind, at: now, &queue)
            if canStart { follow { $0.fireAlarm(kind, for: .wake, at: now, $1) } }
        }
        return (true, true)
    }

    private func armTimers() {
        let slot = TimerSlot(UInt8(draw(TimerSlot.count)))
        session.arm(
            slot, after: .milliseconds(Int64(draw(5)) * 2_500), on: [.uptime, .elapsed, .wall][draw(3)],
            wake: WakePolicy.allCases[draw(4)])
        session.wallShift = .seconds(Int64(draw(3)))
        let isNoticed = system.timersChanged(session)
        #expect(isNoticed)
    }

    private func finish() {
        now += .seconds(1)
        system.finish(at: now, &queue)
        if let (cause, since) = phone.wakeTime {
            note(JournalEntry(.awake, cause, value: (now - since).nanoseconds))
        }
        phone.closePeriod(at: now)
        closeSuspension()
        closeWindow()
        compare()
        // A closed period is not recorded a second time.
        system.finish(at: now, &queue)
        if let (cause, _) = phone.wakeTime { note(JournalEntry(.awake, cause)) }
        compare()
    }

    // MARK: Comparison

    private func compare() {
        var effects: [String] = []
        let batch = queue.begin()
        for index in batch {
            effects.append(Self.name(queue[index]))
            if case .slept(let span) = queue[index] { session.slept += span }
        }
        queue.end(batch)
        #expect(effects == expected, "\(calls.suffix(5))")
        names.formUnion(effects.map { String($0.prefix { $0 != "(" }) })
        expected = []
        #expect(
            system.appRuns == phone.appRuns && system.appLives == phone.appHasProcess
                && system.appMayStart == phone.appMayStart && system.appIsInFront == phone.appIsInFront
                && system.isSaving == phone.batterySaverIsOn && system.processorIsAwake == phone.processorIsAwake
                && system.networkIsAllowed == phone.networkIsAllowed && system.isOpenToOthers == phone.isOpenToOthers
                && system.deviceAt == phone.nextTransition, "\(calls.suffix(5))")
        #expect(system.appIsStopped == (phone.appHasProcess && phone.appIsStopped), "\(calls.suffix(5))")
        #expect(system.canBeWoken == (!phone.appRuns || phone.wakeTime != nil), "\(calls.suffix(5))")
        #expect(system.keepsAlarms == (phone.appMayStart && rules.family == .android), "\(calls.suffix(5))")
        compareTimers()
        compareOtherApps()
    }

    private func compareTimers() {
        system.rearm(session, at: now)
        let isStale = system.timersChanged(session)
        #expect(!isStale)
        var first = (at: Instant.never, slot: UInt8(0))
        for slot in 0..<UInt8(TimerSlot.count) {
            let timer = session.timers[TimerSlot(slot)]
            guard timer.at != .never else { continue }
            let clocks: [PhoneClock: TimeSpan] = [
                .elapsed: .zero, .wall: .zero - session.wallShift, .uptime: session.slept,
            ]
            let deadline = timer.at + (clocks[timer.clock] ?? .zero)
            let lateness = system.lateness(of: timer, session, at: now)
            #expect(lateness == now - deadline)
            let fires = phone.firingTime(deadline, timer.wake, at: now, rules)
            let at = timer.wake == .none ? (phone.appRuns ? max(deadline, now) : .never) : max(fires, now)
            if at < first.at { first = (at, slot) }
        }
        #expect(system.timer.at == first.at, "\(calls.suffix(5))")
        if first.at != .never { #expect(system.timer.slot == TimerSlot(first.slot), "\(calls.suffix(5))") }
    }

    private func compareOtherApps() {
        for wished in [now - .seconds(1), now, now + .seconds(1)] where .zero <= wished {
            for kind in WakePolicy.allCases {
                var app = OtherApp(name: "a", gap: .constant(1), up: 1, down: 1, cause: .otherApps, wake: kind)
                let fires = max(phone.firingTimeForOtherApps(wished, kind, at: now, rules), now)
                let expected = kind == .none ? (phone.processorIsAwake ? max(wished, now) : .never) : fires
                let at = system.runTime(app, wishedAt: wished, at: now)
                app.isExempt = true
                let exemptAt = system.runTime(app, wishedAt: wished, at: now)
                #expect(at == expected && exemptAt == wished, "\(kind) \(calls.suffix(3))")
            }
        }
    }
}
