import DeadzoneDevice
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneWorld

/// The operating system around the program: what the simulated one does to an app, as deeds for a real process and a real network.
/// It is told the time, and knows no clock and no process.
final class LivePhone {
    enum Deed: Hashable, Sendable {
        /// For the books.
        case note(Note)
        /// The process stands still, or runs on.
        case stop, goOn
        case end, start
        /// The firewall closes before the app, or opens.
        case close, open
        case endSockets
    }

    private var system: OperatingSystem
    private let platform: UnsafeMutablePointer<Platform>
    private var steps = Steps<SystemStep>()
    private var deeds: [(at: Instant, deed: Deed)] = []
    private var now = Instant.zero
    /// The app has a process that cannot run.
    private(set) var isStanding = false
    var pushes = PushService()

    init(_ platform: Platform, standing: AppStanding) {
        self.platform = .allocate(capacity: 1)
        self.platform.initialize(to: platform)
        system = OperatingSystem(self.platform, standing: standing)
    }

    deinit { platform.deinitialize(count: 1).deallocate() }

    /// When it does something by itself.
    var dueAt: Instant { min(system.deviceAt, pushes.due(after: now)) }

    func takeDeeds() -> [(at: Instant, deed: Deed)] {
        defer { deeds.removeAll() }
        return deeds
    }

    // MARK: Verbs

    func advance(to limit: Instant) {
        while system.deviceAt <= limit {
            drive(at: system.deviceAt) { $0.advance(at: $1, &$2) }
        }
        now = max(now, limit)
    }

    /// Whether there was something to change; nil: it is no matter of the phone's.
    func enact(_ change: Change, at moment: Instant) -> Bool? {
        advance(to: moment)
        switch change {
        case .app(let isInFront): return drive(at: now) { $0.bring(toFront: isInFront, at: $1, &$2) }
        case .screen(let isOn): return drive(at: now) { $0.setScreen(isOn, at: $1, &$2) }
        case .charging(let isOn): return drive(at: now) { $0.setCharging(isOn, at: $1, &$2) }
        case .moving(let moves): return drive(at: now) { $0.setMoving(moves, at: $1, &$2) }
        case .saving(let isOn): return drive(at: now) { $0.setSaving(isOn, at: $1, &$2) }
        case .alarmClock(let at): return drive(at: now) { $0.setAlarmClock(at, at: $1, &$2) }
        case .kill: return drive(at: now) { $0.kill(.killed, at: $1, &$2) }
        case .forceStop: return drive(at: now) { $0.forceStop(at: $1, &$2) }
        default: return nil
        }
    }

    /// A packet has come in.
    func wake(for cause: Cause, at moment: Instant) {
        advance(to: moment)
        guard system.canBeWoken else { return }
        drive(at: now) { $0.wake(for: cause, at: $1, &$2) }
    }

    /// A push is there. False: the app may not have it yet.
    func handOver(at moment: Instant) -> Bool {
        advance(to: moment)
        let isUrgent = pushes.isUrgent
        return drive(at: now) { $0.push(isUrgent: isUrgent, at: $1, &$2) }
    }

    func finish(at end: Instant) {
        advance(to: end)
        drive(at: now) { $0.settle(at: $1, &$2) }
    }

    // MARK: What follows

    @discardableResult
    private func drive<Result>(
        at moment: Instant, _ verb: (inout OperatingSystem, Instant, inout Steps<SystemStep>) -> Result
    ) -> Result {
        now = max(now, moment)
        let result = verb(&system, now, &steps)
        let asked = steps.begin()
        for index in asked { take(steps[index]) }
        steps.end(asked)
        let stands = system.appLives && !system.appRuns
        if stands != isStanding {
            isStanding = stands
            tell(stands ? .stop : .goOn)
        }
        return result
    }

    private func take(_ step: SystemStep) {
        switch step {
        case .note(let note): tell(.note(note))
        case .ended(let kind):
            tell(.note(Note(kind)))
            tell(.end)
        case .started:
            tell(.note(Note(.relaunched)))
            tell(.start)
        case .blocks(let isClosed):
            if isClosed && platform.pointee.networks.destroysSockets { tell(.endSockets) }
            tell(isClosed ? .close : .open)
        case .takesSockets: tell(.endSockets)
        // Nobody tells a program of Linux. A push that waits is looked at after each of these.
        case .tell, .slept, .stops, .runs, .allowsPushes, .looks: break
        }
    }

    private func tell(_ deed: Deed) { deeds.append((now, deed)) }
}
