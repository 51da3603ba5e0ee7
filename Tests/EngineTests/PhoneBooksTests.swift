import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneStrategies
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// What the books say of the phone: standstill, windows, wake-ups of others, changes that changed nothing.
@Suite struct PhoneBooksTests {
    private static func run(_ world: World) -> Everything {
        Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1).everything()
    }

    private static let standstills: [(String, [(Int64, Change)], SuspensionCode, Int64)] = [
        // Suspended after 5 s, until the process is gone.
        ("ios-18", [(60, .app(foreground: false)), (600, .kill), (1_200, .app(foreground: true))], .suspended, 535),
        ("ios-18", [(60, .app(foreground: false)), (600, .app(foreground: true))], .suspended, 535),
        // Frozen after 10 s; until the horizon.
        ("android-15", [(60, .app(foreground: false)), (600, .app(foreground: true))], .frozen, 530),
        ("android-15", [(60, .app(foreground: false))], .frozen, 3_530),
    ]

    /// Broken: time in which the app could not run is booked with another length or reason, or also without a process.
    @Test(arguments: standstills)
    func aStandstillHasALengthAndAReason(
        platform: String, changes: [(Int64, Change)], reason: SuspensionCode, seconds: Int64
    ) {
        let run = Self.run(ProcessTests.world(platform, minutes: 60, changes))
        #expect(run.sum(.suspended) == TimeSpan.seconds(seconds).nanoseconds)
        #expect(run.tags(.suspended) == [reason.rawValue])
    }

    /// Broken: the processor's sleep is no standstill. Where nobody freezes, dark time is time awake and time asleep.
    @Test func asleepIsAStandstill() {
        let run = Self.run(ProcessTests.world("android-9", minutes: 60, [(60, .screen(false))]))
        #expect(run.sum(.suspended) + run.sum(.awake) == TimeSpan.minutes(59).nanoseconds)
        #expect(Set(run.tags(.suspended)) == [SuspensionCode.asleep.rawValue] && run.sum(.awake) > 0)
    }

    private static let windows: [(String, [(Int64, Change)], Int)] = [
        ("android-15", [(60, .screen(false)), (480, .screen(true))], 0),
        // Idle from 5 to 10 min, then a window of a minute, in which the user comes.
        ("android-15", [(60, .screen(false)), (630, .screen(true))], 1), ("android-15", [(60, .screen(false))], 4),
        ("ios-18", [(60, .app(foreground: false))] + (1...6).map { ($0 * 120, .push(urgent: false)) }, 0),
    ]

    /// Broken: the user's coming, or a push's turn, is booked as a maintenance window, or a window lasts longer than it does.
    @Test(arguments: windows)
    func aWindowIsOneOfDoze(platform: String, changes: [(Int64, Change)], count: Int) {
        let run = Self.run(ProcessTests.world(platform, minutes: 60, changes))
        #expect(run.count(.window) == count)
        #expect(run.values(.window).allSatisfy { $0 <= TimeSpan.seconds(60).nanoseconds })
        #expect(run.count(.weather) == changes.count + 1)
    }

    private static func tenant(_ wake: Wake) -> Tenant {
        Tenant(
            name: "other", gap: .uniform(TimeSpan.minutes(7).nanoseconds, TimeSpan.minutes(9).nanoseconds), up: 200,
            down: 200, cause: .otherApps, wake: wake)
    }

    /// Broken: other apps of an iPhone have the alarms and jobs of Android, and wake it all night.
    @Test(arguments: Wake.allCases)
    func othersHaveNoAlarmsOnIOS(_ wake: Wake) {
        var world = ProcessTests.world("ios-18", minutes: 240, [(60, .screen(false)), (14_100, .screen(true))])
        world.tenants = [Self.tenant(wake)]
        let run = Self.run(world)
        #expect(run.tags(.woke).allSatisfy { $0 != UInt16(Cause.otherApps.rawValue) })
        #expect(run.packets(.up, .otherApps) > 0)
    }

    /// Broken: a job of another app that was wished for in a window goes off after its end, in Doze.
    @Test func jobsOfOthersKeepToWindows() {
        var world = ProcessTests.world("android-15", minutes: 240, [(60, .screen(false))])
        world.tenants = [Self.tenant(.job)]
        let run = Self.run(world)
        let windows = run.records.filter { $0.kind == .window }.map { ($0.at - .nanoseconds($0.value), $0.at) }
        let wakes = run.records.filter { $0.kind == .woke && $0.tag == UInt16(Cause.otherApps.rawValue) }
        for wake in wakes where .zero + .minutes(5) < wake.at {
            #expect(windows.contains { $0.0 <= wake.at && wake.at <= $0.1 }, "awake at \(wake.at)")
        }
        #expect(windows.count == 5 && run.packets(.up, .otherApps) > 3)
    }

    private static let idle: [(String, [Change])] = [
        ("android-15", [.charging(false)]), ("android-15", [.moving(false)]), ("android-15", [.screen(true)]),
        ("android-15", [.saving(false)]), ("android-15", [.app(foreground: true)]), ("android-9", [.saving(false)]),
        ("ios-18", [.moving(true)]), ("ios-18", [.saving(true), .saving(true)]),
        ("ios-18", [.alarmClock(.zero + .hours(7))]),
        ("android-15", [.kill, .kill]), ("android-15", [.kill, .app(foreground: false)]),
        ("android-15", [.forceStop, .forceStop]), ("android-15", [.charging(true), .charging(true)]),
    ]

    /// Broken: a change that changes nothing counts as one, so that a scenario proves less than it says.
    @Test(arguments: idle)
    func whatChangesNothingIsNoChange(platform: String, changes: [Change]) {
        let run = Self.run(
            ProcessTests.world(
                platform, minutes: 10, changes.enumerated().map { (Int64($0.offset + 1) * 60, $0.element) }))
        #expect(run.values(.weather).last == 0)
        #expect(run.values(.weather).dropLast().allSatisfy { $0 == 1 })
    }

    /// Broken: a change of the phone that is one counts for nothing.
    @Test func whatChangesSomethingIsAChange() {
        let changes: [Change] = [
            .charging(true), .charging(false), .moving(true), .moving(false), .saving(true), .saving(false),
            .alarmClock(.zero + .hours(7)), .screen(false), .screen(true), .kill, .forceStop, .app(foreground: true),
        ]
        let run = Self.run(
            ProcessTests.world(
                "android-15", minutes: 20, changes.enumerated().map { (Int64($0.offset + 1) * 60, $0.element) }))
        #expect(run.values(.weather) == Array(repeating: 1, count: changes.count + 1))
    }

    /// Broken: an address that is taken away without a word goes on working for the time that announced ones linger.
    @Test func aSilentReaddressLeavesNothingToLinger() {
        for (manner, zombie) in [(OldPath.silent, [TimeSpan.minutes(9).nanoseconds]), (.error, [])] {
            var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(10))
            world.platform = Platform.named("android-15")
            world.timeline.append(TimelineEntry(at: .zero + .seconds(60), .readdress(.cellular, manner)))
            let run = Rider(.webSocket).run(world)
            #expect(run.values(.undetected) == zombie)
            #expect(run.count(.opened) == 1)
        }
    }
}
