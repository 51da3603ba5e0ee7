import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Records of the phone's states: suspension, maintenance windows, wake-ups by others, and changes without effect.
@Suite struct PhoneRecordsTests {
    private static func run(_ world: World) -> AllRecords {
        Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1).allRecords()
    }

    private static let standstills: [(String, [(Int64, ConditionChange)], SuspensionCode, Int64)] = [
        // Suspended after 5 s, until the process ends.
        ("ios-18", [(60, .app(foreground: false)), (600, .kill), (1_200, .app(foreground: true))], .suspended, 535),
        ("ios-18", [(60, .app(foreground: false)), (600, .app(foreground: true))], .suspended, 535),
        // Frozen after 10 s, until the app returns or until the horizon.
        ("android-15", [(60, .app(foreground: false)), (600, .app(foreground: true))], .frozen, 530),
        ("android-15", [(60, .app(foreground: false))], .frozen, 3_530),
    ]

    /// Broken: time in which the app could not run is recorded with another length or reason, or also without a
    /// process.
    @Test(arguments: standstills)
    func aSuspensionHasALengthAndAReason(
        platform: String, changes: [(Int64, ConditionChange)], reason: SuspensionCode, seconds: Int64
    ) {
        let run = Self.run(ProcessTests.world(platform, minutes: 60, changes))
        #expect(run.sum(.suspended) == TimeSpan.seconds(seconds).nanoseconds)
        #expect(run.tags(.suspended) == [reason.rawValue])
    }

    /// Broken: the processor's sleep is not recorded as a suspension. Without app freezing, the time with the screen
    /// off is time awake plus time asleep.
    @Test func processorSleepIsASuspension() {
        let run = Self.run(ProcessTests.world("android-9", minutes: 60, [(60, .screen(false))]))
        #expect(run.sum(.suspended) + run.sum(.awake) == TimeSpan.minutes(59).nanoseconds)
        #expect(Set(run.tags(.suspended)) == [SuspensionCode.asleep.rawValue] && run.sum(.awake) > 0)
    }

    private static let windows: [(String, [(Int64, ConditionChange)], Int)] = [
        ("android-15", [(60, .screen(false)), (480, .screen(true))], 0),
        // Idle from 6 to 12 min, then a window of 5 s, in which the user returns.
        ("android-15", [(60, .screen(false)), (723, .screen(true))], 1), ("android-15", [(60, .screen(false))], 3),
        ("ios-18", [(60, .app(foreground: false))] + (1...6).map { ($0 * 120, .push(urgent: false)) }, 0),
    ]

    /// Broken: the user's return, or the run time of a push, is recorded as a maintenance window, or a window is
    /// recorded as too long.
    @Test(arguments: windows)
    func onlyDozeHasWindows(platform: String, changes: [(Int64, ConditionChange)], count: Int) {
        let run = Self.run(ProcessTests.world(platform, minutes: 60, changes))
        #expect(run.count(.window) == count)
        #expect(run.values(.window).allSatisfy { $0 <= TimeSpan.seconds(5).nanoseconds })
        #expect(run.count(.weather) == changes.count + 1)
    }

    private static func otherApp(_ wake: WakePolicy) -> OtherApp {
        OtherApp(
            name: "other", gap: .uniform(TimeSpan.minutes(7).nanoseconds, TimeSpan.minutes(9).nanoseconds), up: 200,
            down: 200, cause: .otherApps, wake: wake)
    }

    /// Broken: a network that is lost or comes back does not wake an Android phone, so that a client with a foreground
    /// service acts hours later. Or the loss keeps the processor awake for longer than a minute.
    @Test func aChangeOfTheDefaultNetworkWakesThePhone() {
        let at = [Int64(1_800), 2_400]
        let changes: [(Int64, ConditionChange)] = [
            (60, .screen(false)), (at[0], .pathDown(.wifi, .error)), (at[1], .pathUp(.wifi, .plain)),
        ]
        let run = Self.run(ProcessTests.world("android-9", minutes: 60, changes))
        let wakes = run.records.filter { $0.kind == .woke }.map(\.at)
        for second in at { #expect(wakes.contains { $0 == .zero + .seconds(second) }, "no wake-up at \(second) s") }
        let awake = run.records.filter { $0.kind == .awake && $0.tag == UInt16(Cause.wake.rawValue) }
        #expect(awake.contains { $0.at == .zero + .seconds(at[0] + 60) && $0.value == TimeSpan.minutes(1).nanoseconds })
        #expect(run.records.contains { $0.kind == .opened && .zero + .seconds(at[1]) <= $0.at })
        let iPhone = Self.run(ProcessTests.world("ios-18", minutes: 60, changes))
        #expect(!iPhone.records.contains { $0.kind == .woke && $0.at == .zero + .seconds(at[1]) })
    }

    /// Broken: other apps on an iPhone have Android's alarms and jobs, and wake the phone all night.
    @Test(arguments: WakePolicy.allCases)
    func othersHaveNoAlarmsOnIOS(_ wake: WakePolicy) {
        var world = ProcessTests.world("ios-18", minutes: 240, [(60, .screen(false)), (14_100, .screen(true))])
        world.otherApps = [Self.otherApp(wake)]
        let run = Self.run(world)
        #expect(run.tags(.woke).allSatisfy { $0 != UInt16(Cause.otherApps.rawValue) })
        #expect(run.packets(.up, .otherApps) > 0)
    }

    /// Broken: a job that another app requested during a window starts after the end of the window, in Doze.
    @Test func jobsOfOthersKeepToWindows() {
        var world = ProcessTests.world("android-15", minutes: 240, [(60, .screen(false))])
        world.otherApps = [Self.otherApp(.job)]
        let run = Self.run(world)
        let windows = run.records.filter { $0.kind == .window }.map { ($0.at - .nanoseconds($0.value), $0.at) }
        let wakes = run.records.filter { $0.kind == .woke && $0.tag == UInt16(Cause.otherApps.rawValue) }
        for wake in wakes where .zero + .minutes(5) < wake.at {
            #expect(windows.contains { $0.0 <= wake.at && wake.at <= $0.1 }, "awake at \(wake.at)")
        }
        #expect(windows.count == 5 && run.packets(.up, .otherApps) > 3)
    }

    private static let idle: [(String, [ConditionChange])] = [
        ("android-15", [.charging(false)]), ("android-15", [.moving(false)]), ("android-15", [.screen(true)]),
        ("android-15", [.saving(false)]), ("android-15", [.app(foreground: true)]), ("android-9", [.saving(false)]),
        ("ios-18", [.moving(true)]), ("ios-18", [.saving(true), .saving(true)]),
        ("ios-18", [.alarmClock(.zero + .hours(7))]), ("android-6", [.dataSaver(true)]), ("ios-18", [.dataSaver(true)]),
        ("android-15", [.dataSaver(false)]), ("android-8", [.restriction(true)]), ("ios-18", [.restriction(true)]),
        ("android-15", [.restriction(true), .restriction(true)]),
        ("android-15", [.kill, .kill]), ("android-15", [.kill, .app(foreground: false)]),
        ("android-15", [.forceStop, .forceStop]), ("android-15", [.charging(true), .charging(true)]),
    ]

    /// Broken: a change without effect counts as a change, so a scenario proves less than it states.
    @Test(arguments: idle)
    func changesWithoutEffectDoNotCount(platform: String, changes: [ConditionChange]) {
        let run = Self.run(
            ProcessTests.world(
                platform, minutes: 10, changes.enumerated().map { (Int64($0.offset + 1) * 60, $0.element) }))
        #expect(run.values(.weather).last == 0)
        #expect(run.values(.weather).dropLast().allSatisfy { $0 == 1 })
    }

    /// Broken: an effective change of the phone does not count.
    @Test func effectiveChangesCount() {
        let changes: [ConditionChange] = [
            .charging(true), .charging(false), .moving(true), .moving(false), .saving(true), .saving(false),
            .dataSaver(true), .dataSaver(false), .restriction(true), .restriction(false),
            .alarmClock(.zero + .hours(7)), .screen(false), .screen(true), .kill, .forceStop, .app(foreground: true),
        ]
        let run = Self.run(
            ProcessTests.world(
                "android-15", minutes: 20, changes.enumerated().map { (Int64($0.offset + 1) * 60, $0.element) }))
        #expect(run.values(.weather) == Array(repeating: 1, count: changes.count + 1))
    }

    /// Broken: an address that is removed silently keeps working for the linger time of announced removals.
    @Test func aSilentReaddressLeavesNothingToLinger() {
        for (lossSignal, zombie) in [(PathLossSignal.silent, [TimeSpan.minutes(9).nanoseconds]), (.error, [])] {
            var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(10))
            world.platform = Platform.named("android-15")
            world.timeline.append(TimelineEntry(at: .zero + .seconds(60), .readdress(.cellular, lossSignal)))
            let run = SingleConnectionStrategy(.webSocket).run(world)
            #expect(run.values(.undetected) == zombie)
            #expect(run.count(.opened) == 1)
        }
    }
}
