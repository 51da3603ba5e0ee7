import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTestKit
import Testing
@testable import DeadzoneTransport

@Suite struct WakeUpTests {
    private static func otherApp(_ cause: Cause, every gap: TimeSpan) -> OtherApp {
        OtherApp(
            name: "\(cause.name)", gap: .constant(gap.nanoseconds), up: 200, down: 200, cause: cause, wake: .whileIdle,
            isExempt: true)
    }

    /// Broken: the phone goes to sleep while a delayed acknowledgement waits for an answer to carry it. No source
    /// documents when the acknowledgement leaves in that case. It cannot happen: a packet keeps every processor awake
    /// for longer than that delay.
    @Test func noProcessorSleepsOverAnAcknowledgement() {
        let sleepers = ShippedPlatform.all.map(\.platform.processor).filter(\.sleeps)
        let longestDelay = TimeSpan.milliseconds(Int64(TCPEnd.DelayedAck.maxTimeout))
        #expect(sleepers.count > 3 && sleepers.allSatisfy { longestDelay < $0.packetSpan })
    }

    /// Broken: a kernel retransmits while its processor sleeps, or the repeat that is due then never leaves. The app is
    /// exempt from Doze, because the firewall of Doze would drop the packets of any other app.
    @Test func repeatsWaitForAProcessorThatSleeps() {
        var world = ProcessTests.world(
            "android-9", minutes: 40,
            [(2, .app(foreground: false)), (5, .screen(false)), (590, .uplink(.wifi, false))])
        world.wifi = Fixture.wifi
        let beat = Node.map([.init(key: "interval", value: .text("5m")), .init(key: "wake", value: .text("alarm"))])
        let exempt = Node.map([.init(key: "exempt", value: .text("true"))])
        let run = Simulation(
            world: world, strategy: Fixture.composed([("keepalive", beat), ("life-cycle", exempt)]), seed: 1
        ).allRecords()
        let awake = run.records.filter { $0.kind == .awake }.map { $0.at - TimeSpan(nanoseconds: $0.value)...$0.at }
        let repeats = run.records.filter { $0.tag(of: .bytes)?.cause == .retransmit && $0.at > .zero + .seconds(590) }
        #expect(repeats.count > 2)
        for one in repeats { #expect(awake.contains { $0.contains(one.at) }, "a repeat at \(one.at)") }
        // The next repeat of the ping is due a second after the processor falls asleep. It leaves at the wake-up.
        let woke = Set(run.records.filter { $0.kind == .woke }.map(\.at))
        #expect(repeats.contains { woke.contains($0.at) }, "\(repeats.map(\.at))")
    }

    @Test func anAwakePhoneDoesNotWakeAgain() {
        // Broken: a second cause within one wake-up is counted, and charged, as a wake-up of its own.
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(30))
        world.platform = Platform.named("android-15")
        world.timeline.append(TimelineEntry(at: .zero + .seconds(10), .screen(false)))
        world.otherApps = [
            Self.otherApp(.push, every: .seconds(60)), Self.otherApp(.otherApps, every: .milliseconds(60_050)),
        ]
        var seen = AllRecords()
        Simulation(world: world, strategy: Fixture.strategy(Eager.self), seed: 1).run(0..<1, into: &seen)
        let ends = Set(seen.records.filter { $0.kind == .awake }.map(\.at))
        for record in seen.records where record.kind == .woke { #expect(!ends.contains(record.at), "\(record)") }
        #expect(seen.count(.woke) > 20 && seen.count(.awake) > seen.count(.woke), "no wake-up was taken over")
    }

    /// Sets an alarm every five minutes, and reports at each one for how many seconds the phone has slept in total.
    private struct Sleeper: Strategy {
        static let name = "sleeper"
        static let about = "tells how long it slept"

        init() {}
        init(_ settings: inout SettingsReader) {}
        func initialState() -> UInt8 { 0 }

        func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
            switch event {
            case .started, .fired: session.arm(TimerSlot(0), after: .minutes(5), wake: .alarm)
            default: return
            }
            out.append(.wrote(pending: UInt32(session.slept.nanoseconds / 1_000_000_000)))
        }
    }

    @Test("The time asleep is the sum of all sleep periods, not only the last")
    func sleepAddsUp() {
        let world = ProcessTests.world("android-9", minutes: 40, [(2, .app(foreground: false)), (5, .screen(false))])
        let run = Simulation(world: world, strategy: AnyStrategy(Sleeper()), seed: 1).allRecords()
        let told = run.records.filter { $0.kind == .writesPending }
        let awake = run.records.filter { $0.kind == .awake }
        #expect(told.count > 4 && awake.count > 4)
        for one in told.dropFirst(2) {
            // The phone was awake until the screen went off. Since then, it was asleep whenever it was not awake.
            let sinceDark = awake.filter { $0.at < one.at }.reduce(0) { $0 + $1.value }
            let slept = one.at.nanoseconds - TimeSpan.seconds(5).nanoseconds - sinceDark
            #expect(abs(one.value - slept / 1_000_000_000) <= 2, "at \(one.at)")
        }
    }
}
