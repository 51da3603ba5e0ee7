import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import Testing

/// One phone, driven by hand: its processor sleeps once the screen is off and nothing holds it awake.
private final class OperatingSystemHarness {
    private let platform: UnsafeMutablePointer<Platform>
    var system: OperatingSystem
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    private var effects = EffectQueue<SystemEffect>()
    private(set) var entries: [JournalEntry] = []
    private(set) var appliedEffects: [String] = []

    init(_ change: (inout Platform) -> Void = { _ in }) {
        var rules = Platform(
            name: "android", family: .android, release: 15,
            networks: NetworkRules(
                linger: .zero, validation: .zero, destroysSockets: true, leavesSocketsFrozen: false))
        rules.processor.sleeps = true
        rules.processor.packetSpan = .seconds(1)
        rules.processor.alarmSpan = .seconds(2)
        change(&rules)
        platform = .allocate(capacity: 1)
        platform.initialize(to: rules)
        system = OperatingSystem(platform, privileges: AppPrivileges())
    }

    deinit { platform.deinitialize(count: 1).deallocate() }

    @discardableResult
    func at(_ now: Instant, _ verb: (inout OperatingSystem, inout EffectQueue<SystemEffect>) -> Bool) -> Bool {
        advance(until: now)
        session.now = now
        let result = verb(&system, &effects)
        drainEffects(at: now)
        return result
    }

    func advance(until end: Instant) {
        while system.deviceAt <= end {
            let now = system.deviceAt
            session.now = now
            system.advance(at: now, &effects)
            drainEffects(at: now)
        }
    }

    private func drainEffects(at now: Instant) {
        let asked = effects.begin()
        for index in asked {
            let step = effects[index]
            switch step {
            case .note(let note): entries.append(note)
            case .slept(let span): session.slept += span
            case .notifyApp, .visibilityChanged: break
            default: appliedEffects.append("\(step)")
            }
        }
        effects.end(asked)
        system.rearm(session, at: now)
    }

    func spans(_ kind: RecordKind) -> [TimeSpan] { entries.filter { $0.kind == kind }.map { .nanoseconds($0.value) } }
    var isAwake: Bool { system.processorIsAwake }
    var alarm: Instant { system.timer.at }
}

@Suite struct OperatingSystemTests {
    private let night = Instant.zero + .minutes(10)

    private func asleep(_ change: (inout Platform) -> Void = { _ in }) -> OperatingSystemHarness {
        let harness = OperatingSystemHarness(change)
        harness.at(night) { $0.bring(toFront: false, at: night, &$1) }
        harness.at(night) { $0.setScreen(false, at: night, &$1) }
        harness.advance(until: night)
        return harness
    }

    @Test("The cause of a wake-up accounts for the awake time, and the uptime clock stops while the processor sleeps")
    func theWakeUpCauseAccountsForTheTime() {
        let harness = asleep()
        #expect(!harness.isAwake && harness.spans(.awake).allSatisfy { $0 == .zero })
        let packet = night + .minutes(1)
        harness.at(packet) { system, steps in
            system.wake(for: .probe, at: packet, &steps)
            return true
        }
        #expect(harness.isAwake && harness.session.slept == .minutes(1))
        harness.advance(until: packet + .minutes(1))
        #expect(!harness.isAwake && harness.spans(.awake).last == .seconds(1))
        #expect(harness.entries.count { $0.kind == .woke } == 1)
        let end = packet + .minutes(1)
        harness.at(end) { _, _ in true }
        harness.session.arm(TimerSlot(0), after: .seconds(10), on: .uptime, wake: .whileIdle)
        harness.at(end) { _, _ in true }
        #expect(harness.session.slept == .minutes(1) && harness.alarm == end + .seconds(10))
    }

    @Test("Data saver closes metered networks to an app in the background, and stays on when the network changes")
    func dataSaverFollowsTheNetwork() {
        for hasDataSaver in [true, false] {
            let harness = OperatingSystemHarness { $0.restrictions.hasDataSaver = hasDataSaver }
            harness.at(night) { $0.bring(toFront: false, at: night, &$1) }
            let isChanged = harness.at(night) { $0.setDataSaver(true, isMetered: false, at: night, &$1) }
            #expect(isChanged == hasDataSaver && harness.system.networkIsAllowed)
            for isMetered in [true, true, false, true] {
                harness.at(night) { system, effects in
                    system.setDefaultNetwork(isMetered: isMetered, at: night, &effects)
                    return true
                }
                #expect(harness.system.networkIsAllowed == !(isMetered && hasDataSaver), "\(isMetered)")
                #expect(harness.system.needsDefaultNetwork == hasDataSaver)
            }
            let isEnded = harness.at(night) { $0.setDataSaver(false, isMetered: true, at: night, &$1) }
            #expect(isEnded == hasDataSaver && harness.system.networkIsAllowed && !harness.system.needsDefaultNetwork)
        }
    }

    @Test("A timer without wake-up waits for another wake-up, an alarm wakes the phone, and each uses its own clock")
    func clocks() {
        let harness = asleep()
        harness.session.arm(TimerSlot(0), after: .seconds(30))
        harness.at(night) { _, _ in true }
        #expect(harness.alarm == .never)
        harness.session.arm(TimerSlot(1), after: .seconds(40), wake: .whileIdle)
        harness.at(night) { _, _ in true }
        #expect(harness.alarm == night + .seconds(40))
        let late = night + .seconds(35)
        #expect(
            harness.system.lateness(of: harness.session.timers[TimerSlot(0)], harness.session, at: late) == .seconds(5))
        harness.session.wallShift = .seconds(10)
        harness.session.arm(TimerSlot(1), after: .seconds(40), on: .wall, wake: .whileIdle)
        harness.at(night) { _, _ in true }
        #expect(harness.alarm == night + .seconds(40))
        harness.session.wallShift = .seconds(20)
        harness.at(night) { _, _ in true }
        #expect(harness.alarm == night + .seconds(30))
    }

    @Test(
        "A killed process ends once, with the given cause; a process that the user stopped is not restarted by the system"
    )
    func processes() {
        let harness = OperatingSystemHarness()
        #expect(harness.at(night) { $0.kill(.crashed, at: night, &$1) })
        #expect((harness.appliedEffects.first ?? "").contains("crashed") && !harness.system.appLives)
        let count = harness.appliedEffects.count
        #expect(!harness.at(night) { $0.kill(.killed, at: night, &$1) } && harness.appliedEffects.count == count)
        #expect(harness.system.appMayStart && harness.system.keepsAlarms)
        #expect(harness.at(night) { $0.forceStop(at: night, &$1) })
        #expect(!harness.system.appMayStart && !harness.system.keepsAlarms)
        harness.at(night + .seconds(1)) { $0.bring(toFront: true, at: night + .seconds(1), &$1) }
        #expect(harness.system.appLives && harness.appliedEffects.contains("processStarted"))
    }

    @Test("Setting an unchanged state reports no change")
    func nothingChanged() {
        let harness = OperatingSystemHarness()
        #expect(!harness.at(night) { $0.setScreen(true, at: night, &$1) })
        #expect(harness.at(night) { $0.setScreen(false, at: night, &$1) })
        #expect(harness.at(night) { $0.setCharging(true, at: night, &$1) })
        #expect(!harness.at(night) { $0.setCharging(true, at: night, &$1) })
        #expect(harness.at(night) { $0.setSaving(true, at: night, &$1) } && harness.system.isSaving)
        // No rule of this platform depends on motion.
        #expect(!harness.at(night) { $0.setMoving(true, at: night, &$1) })
    }

    @Test("Another app runs at its scheduled time only if the system lets it")
    func others() {
        let harness = asleep()
        let wished = night + .seconds(5)
        func otherApp(_ wake: WakePolicy, isExempt: Bool = false) -> OtherApp {
            OtherApp(
                name: "mail", gap: .constant(1), up: 1, down: 1, cause: .otherApps, wake: wake, isExempt: isExempt)
        }
        func lets(_ otherApp: OtherApp) -> Instant { harness.system.runTime(otherApp, wishedAt: wished, at: night) }
        #expect(lets(otherApp(.none)) == .never)
        #expect(lets(otherApp(.none, isExempt: true)) == wished)
        #expect(lets(otherApp(.whileIdle)) == wished)
    }

    @Test(
        "The next of several apps is the one that the system lets run first, and cellular has its own gap"
    )
    func turns() {
        let mail = OtherApp(
            name: "mail", gap: .constant(5_000), cellularGap: .constant(9_000), up: 1, down: 1, cause: .otherApps,
            wake: .none)
        let news = OtherApp(
            name: "news", gap: .constant(7_000), up: 2, down: 2, cause: .otherApps, wake: .none, isExempt: true)
        let table = PinnedArray([mail, news])
        var otherApps = OtherApps(table, seed: 1, phone: PhoneID(0))
        otherApps.begin(on: .cellular, at: night)
        var next = otherApps.next
        #expect(next.index == 1 && next.at == night + .nanoseconds(7_000))
        otherApps.reschedule { $0.isExempt ? $1 + .seconds(1) : $1 }
        next = otherApps.next
        #expect(next.index == 0 && next.at == night + .nanoseconds(9_000))
        otherApps.begin(on: .wifi, at: night)
        next = otherApps.next
        #expect(next.index == 0 && next.at == night + .nanoseconds(5_000))
    }
}
