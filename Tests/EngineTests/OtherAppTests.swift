import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Other apps on a sleeping phone.
@Suite struct OtherAppTests {
    private func run(_ wake: WakePolicy) -> AllRecords {
        var world = Fixture.cellularWorld(Traffic(), horizon: .hours(8))
        world.platform = Platform.named("android-15")
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(60), .app(foreground: false)),
            TimelineEntry(at: .zero + .seconds(90), .screen(false)),
        ]
        world.otherApps = [
            OtherApp(
                name: "chatty", gap: .uniform(TimeSpan.minutes(8).nanoseconds, TimeSpan.minutes(12).nanoseconds),
                up: 2_000, down: 20_000, cause: .otherApps, wake: wake)
        ]
        return Simulation(world: world, strategy: Fixture.strategy(Eager.self), seed: 1).allRecords()
    }

    private func requestCount(_ run: AllRecords) -> Int { run.packets(.up, .otherApps) }

    /// Broken: a job runs while Doze holds it back, or is discarded at the moment when a window opens. Every window
    /// must run it, and it wakes the phone at no other time.
    @Test func aJobWaitsForItsWindow() {
        let run = run(.job)
        let windows = run.count(.window)
        #expect(windows >= 5)
        #expect(requestCount(run) >= windows, "\(requestCount(run)) requests in \(windows) windows")
        let wakings = run.records.count { $0.kind == .woke && $0.tag == UInt16(Cause.otherApps.rawValue) }
        #expect(wakings <= requestCount(run), "\(wakings) wake-ups for \(requestCount(run)) requests")
    }

    /// Broken: an alarm or a job of another app does not deliver the waiting alarm of light Doze; a plain timer does.
    /// Light Doze may begin from 300 s on and begins at 360 s. Its first window follows 300 s to 360 s later.
    @Test(arguments: [(WakePolicy.none, 720), (.job, 690), (.alarm, 660), (.whileIdle, 660)] as [(WakePolicy, Int64)])
    func alarmsOfOthersDeliverThoseOfDoze(_ wake: WakePolicy, _ opens: Int64) throws {
        var world = ProcessTests.world("android-15", minutes: 14, [(60, .screen(false))])
        world.otherApps = [
            OtherApp(
                name: "regular", gap: .constant(TimeSpan.seconds(330).nanoseconds), up: 200, down: 200,
                cause: .otherApps, wake: wake)
        ]
        let run = Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1).allRecords()
        let window = try #require(run.records.first { $0.kind == .window })
        #expect(window.at - .nanoseconds(window.value) == .zero + .seconds(opens))
    }

    /// Broken: a plain timer is checked once, while the phone is awake, and wakes it later; or it is not checked again
    /// when the phone wakes. It must run during wake-ups of others.
    @Test func aPlainTimerDoesNotWakeThePhone() {
        let run = run(.none)
        #expect(!run.records.contains { $0.kind == .woke && $0.tag == UInt16(Cause.otherApps.rawValue) })
        #expect(requestCount(run) >= 5)
    }
}
