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

    /// Broken: a plain timer is checked once, while the phone is awake, and wakes it later; or it is not checked again
    /// when the phone wakes. It must run during wake-ups of others.
    @Test func aPlainTimerDoesNotWakeThePhone() {
        let run = run(.none)
        #expect(!run.records.contains { $0.kind == .woke && $0.tag == UInt16(Cause.otherApps.rawValue) })
        #expect(requestCount(run) >= 5)
    }
}
