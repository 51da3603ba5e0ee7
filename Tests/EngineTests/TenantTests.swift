import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// Other programs of a phone that sleeps.
@Suite struct TenantTests {
    private func run(_ wake: Wake) -> Everything {
        var world = Fixture.cellularWorld(Traffic(), horizon: .hours(8))
        world.platform = Platform.named("android-15")
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(60), .app(foreground: false)),
            TimelineEntry(at: .zero + .seconds(90), .screen(false)),
        ]
        world.tenants = [
            Tenant(
                name: "chatty", gap: .uniform(TimeSpan.minutes(8).nanoseconds, TimeSpan.minutes(12).nanoseconds),
                up: 2_000, down: 20_000, cause: .otherApps, wake: wake)
        ]
        return Simulation(world: world, strategy: Fixture.strategy(Eager.self), seed: 1).everything()
    }

    private func errands(_ run: Everything) -> Int { run.packets(.up, .otherApps) }

    /// Broken: a job that runs while Doze keeps it waiting, or gives its errand up in the moment in which a window opens. Every
    /// window serves it, and it wakes the phone at no other time.
    @Test func aJobWaitsForItsWindow() {
        let run = run(.job)
        let windows = run.count(.window)
        #expect(windows >= 5)
        #expect(errands(run) >= windows, "\(errands(run)) errands in \(windows) windows")
        let wakings = run.records.count { $0.kind == .woke && $0.tag == UInt16(Cause.otherApps.rawValue) }
        #expect(wakings <= errands(run), "\(wakings) wake-ups for \(errands(run)) errands")
    }

    /// Broken: a plain timer that is asked about once, while the phone is awake, and wakes it later; or that nobody asks about
    /// again when it wakes. It rides on the wake-ups of others.
    @Test func aPlainTimerWakesNobody() {
        let run = run(.none)
        #expect(!run.records.contains { $0.kind == .woke && $0.tag == UInt16(Cause.otherApps.rawValue) })
        #expect(errands(run) >= 5)
    }
}
