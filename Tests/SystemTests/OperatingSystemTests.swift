import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneSystem
import Testing

/// One phone by hand: its processor sleeps once the screen is off and nobody holds it awake.
private final class Pocket {
    private let platform: UnsafeMutablePointer<Platform>
    var system: OperatingSystem
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    private var steps = Steps<SystemStep>()
    private(set) var notes: [Note] = []
    private(set) var done: [String] = []

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
        system = OperatingSystem(platform, standing: AppStanding())
    }

    deinit { platform.deinitialize(count: 1).deallocate() }

    @discardableResult
    func at(_ now: Instant, _ verb: (inout OperatingSystem, inout Steps<SystemStep>) -> Bool) -> Bool {
        pass(until: now)
        session.now = now
        let result = verb(&system, &steps)
        settle(at: now)
        return result
    }

    func pass(until end: Instant) {
        while system.deviceAt <= end {
            let now = system.deviceAt
            session.now = now
            system.advance(at: now, &steps)
            settle(at: now)
        }
    }

    private func settle(at now: Instant) {
        let asked = steps.begin()
        for index in asked {
            let step = steps[index]
            switch step {
            case .note(let note): notes.append(note)
            case .slept(let span): session.slept += span
            case .tell, .looks: break
            default: done.append("\(step)")
            }
        }
        steps.end(asked)
        system.rearm(session, at: now)
    }

    func spans(_ kind: Kind) -> [TimeSpan] { notes.filter { $0.kind == kind }.map { .nanoseconds($0.value) } }
    var isAwake: Bool { system.processorIsAwake }
    var alarm: Instant { system.timer.at }
}

@Suite struct OperatingSystemTests {
    private let night = Instant.zero + .minutes(10)

    private func asleep(_ change: (inout Platform) -> Void = { _ in }) -> Pocket {
        let pocket = Pocket(change)
        pocket.at(night) { $0.bring(toFront: false, at: night, &$1) }
        pocket.at(night) { $0.setScreen(false, at: night, &$1) }
        pocket.pass(until: night)
        return pocket
    }

    @Test("Who wakes a processor pays for the time that it is awake, and the uptime clock stands while it sleeps")
    func whoWakesPays() {
        let pocket = asleep()
        #expect(!pocket.isAwake && pocket.spans(.awake).allSatisfy { $0 == .zero })
        let packet = night + .minutes(1)
        pocket.at(packet) { system, steps in
            system.wake(for: .probe, at: packet, &steps)
            return true
        }
        #expect(pocket.isAwake && pocket.session.slept == .minutes(1))
        pocket.pass(until: packet + .minutes(1))
        #expect(!pocket.isAwake && pocket.spans(.awake).last == .seconds(1))
        #expect(pocket.notes.count { $0.kind == .woke } == 1)
        let end = packet + .minutes(1)
        pocket.at(end) { _, _ in true }
        pocket.session.arm(TimerSlot(0), after: .seconds(10), on: .uptime, wake: .whileIdle)
        pocket.at(end) { _, _ in true }
        #expect(pocket.session.slept == .minutes(1) && pocket.alarm == end + .seconds(10))
    }

    @Test("A timer that wakes nobody waits for whoever wakes the phone, an alarm does not, and each by its own clock")
    func clocks() {
        let pocket = asleep()
        pocket.session.arm(TimerSlot(0), after: .seconds(30))
        pocket.at(night) { _, _ in true }
        #expect(pocket.alarm == .never)
        pocket.session.arm(TimerSlot(1), after: .seconds(40), wake: .whileIdle)
        pocket.at(night) { _, _ in true }
        #expect(pocket.alarm == night + .seconds(40))
        let late = night + .seconds(35)
        #expect(
            pocket.system.lateness(of: pocket.session.timers[TimerSlot(0)], pocket.session, at: late) == .seconds(5))
        pocket.session.wallShift = .seconds(10)
        pocket.session.arm(TimerSlot(1), after: .seconds(40), on: .wall, wake: .whileIdle)
        pocket.at(night) { _, _ in true }
        #expect(pocket.alarm == night + .seconds(40))
        pocket.session.wallShift = .seconds(20)
        pocket.at(night) { _, _ in true }
        #expect(pocket.alarm == night + .seconds(30))
    }

    @Test("A process that is killed is gone once, by whom it was said; one that the user stopped stays gone")
    func processes() {
        let pocket = Pocket()
        #expect(pocket.at(night) { $0.kill(.crashed, at: night, &$1) })
        #expect((pocket.done.first ?? "").contains("crashed") && !pocket.system.appLives)
        let count = pocket.done.count
        #expect(!pocket.at(night) { $0.kill(.killed, at: night, &$1) } && pocket.done.count == count)
        #expect(pocket.system.appMayStart && pocket.system.keepsAlarms)
        #expect(pocket.at(night) { $0.forceStop(at: night, &$1) })
        #expect(!pocket.system.appMayStart && !pocket.system.keepsAlarms)
        pocket.at(night + .seconds(1)) { $0.bring(toFront: true, at: night + .seconds(1), &$1) }
        #expect(pocket.system.appLives && pocket.done.contains("started"))
    }

    @Test("What was so before is said to have changed nothing")
    func nothingChanged() {
        let pocket = Pocket()
        #expect(!pocket.at(night) { $0.setScreen(true, at: night, &$1) })
        #expect(pocket.at(night) { $0.setScreen(false, at: night, &$1) })
        #expect(pocket.at(night) { $0.setCharging(true, at: night, &$1) })
        #expect(!pocket.at(night) { $0.setCharging(true, at: night, &$1) })
        #expect(pocket.at(night) { $0.setSaving(true, at: night, &$1) } && pocket.system.isSaving)
        // Nothing of this platform looks at whether it lies still.
        #expect(!pocket.at(night) { $0.setMoving(true, at: night, &$1) })
    }

    @Test("Another program runs when it wishes only as far as the system lets it")
    func others() {
        let pocket = asleep()
        let wished = night + .seconds(5)
        func tenant(_ wake: Wake, isExempt: Bool = false) -> Tenant {
            Tenant(
                name: "mail", gap: .constant(1), up: 1, down: 1, cause: .otherApps, wake: wake, isExempt: isExempt)
        }
        func lets(_ tenant: Tenant) -> Instant { pocket.system.lets(tenant, wishedAt: wished, at: night) }
        #expect(lets(tenant(.none)) == .never)
        #expect(lets(tenant(.none, isExempt: true)) == wished)
        #expect(lets(tenant(.whileIdle)) == wished)
    }

    @Test(
        "Of several programs the next is the one that the system lets run first, and a wish on cellular has a gap of its own"
    )
    func turns() {
        var tenants = Tenants(count: 2)
        let mail = Tenant(
            name: "mail", gap: .constant(5_000), cellularGap: .constant(9_000), up: 1, down: 1, cause: .otherApps,
            wake: .none)
        let dice = Dice(seed: 1, phone: PhoneID(0), purpose: Purpose.tenant(0))
        tenants.wish(0, mail, on: .cellular, dice: dice, at: night)
        tenants.wish(1, mail, on: .wifi, dice: dice, at: night)
        var next = tenants.next
        #expect(next.index == 1 && next.at == night + .nanoseconds(5_000))
        tenants.allow(1) { $0 + .seconds(1) }
        next = tenants.next
        #expect(next.index == 0 && next.at == night + .nanoseconds(9_000))
    }
}
