import DeadzoneBase
import DeadzoneDevice
import Testing

/// Drives one phone as the engine does: pending transitions first, then the call. Logs the changes and the billed wake
/// time.
struct PhoneDriver {
    let platform: Platform
    private(set) var phone: Phone
    private(set) var now = Instant.zero
    private(set) var log: [(at: Instant, what: PhoneChanges)] = []
    /// Billed time by cause.
    private(set) var billed: [Cause: TimeSpan] = [:]
    /// Time awake with the screen off, counted by checking the phone between all calls.
    private(set) var seen = TimeSpan.zero
    private var isLit = true
    /// Number of times the processor woke up.
    private(set) var wakes = 0

    init(
        _ platform: Platform, _ privileges: AppPrivileges = AppPrivileges(), dice: Dice = Dice(fixed: .lowest)
    ) {
        self.platform = platform
        phone = Phone(platform: platform, privileges: privileges, at: .zero, dice: dice)
    }

    init(_ name: String, _ privileges: AppPrivileges = AppPrivileges()) throws {
        try self.init(#require(Platform.named(name)), privileges)
    }

    mutating func run(until end: Instant) {
        while phone.nextTransition <= end, phone.nextTransition != .never {
            let due = phone.nextTransition
            #expect(now <= due, "a transition at \(due) is before now, \(now)")
            pass(until: due)
            let platform = platform
            perform { $0.advance(platform) }
        }
        pass(until: end)
    }

    mutating func run(until span: TimeSpan) { run(until: Instant.zero + span) }

    mutating func screen(_ on: Bool) {
        let (platform, now) = (platform, now)
        perform { $0.setScreen(on, at: now, platform) }
        isLit = on
    }

    mutating func call(_ verb: (inout Phone, Instant, Platform) -> PhoneChanges) {
        let (platform, now) = (platform, now)
        perform { verb(&$0, now, platform) }
    }

    mutating func push(urgent: Bool) -> Bool {
        let (platform, now) = (platform, now)
        var isNow = false
        perform {
            let answer = $0.deliverPush(urgent: urgent, at: now, platform)
            isNow = answer.isNow
            return answer.changes
        }
        return isNow
    }

    func fires(_ span: TimeSpan, _ kind: WakePolicy) -> Instant {
        phone.firingTime(.zero + span, kind, at: now, platform)
    }

    /// Times of all changes of this kind.
    func times(_ what: PhoneChanges) -> [TimeSpan] {
        log.filter { !$0.what.isDisjoint(with: what) }.map { $0.at - .zero }
    }

    mutating func settle() {
        let now = now
        perform {
            $0.closePeriod(at: now)
            return []
        }
        if let open = phone.wakeTime { #expect(open.since == now) }
    }

    private mutating func perform(_ verb: (inout Phone) -> PhoneChanges) {
        let before = phone.wakeTime
        let wasAwake = phone.processorIsAwake
        let changes = verb(&phone)
        if !wasAwake && phone.processorIsAwake { wakes += 1 }
        if let before, phone.wakeTime.map({ $0.since != before.since || $0.cause != before.cause }) ?? true {
            billed[before.cause, default: .zero] += now - before.since
        }
        if !changes.isEmpty { log.append((now, changes)) }
    }

    private mutating func pass(until end: Instant) {
        if phone.processorIsAwake, !isLit, platform.processor.sleeps { seen += end - now }
        now = end
    }
}

extension TimeSpan {
    static func clock(_ hours: Int64, _ minutes: Int64, _ seconds: Int64 = 0) -> TimeSpan {
        .hours(hours) + .minutes(minutes) + .seconds(seconds)
    }
}
