import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneStrategies
import DeadzoneSystem
import DeadzoneTestKit
@testable import DeadzoneTransport
import DeadzoneWorld
import Testing

@Suite struct WakeUpTests {
    private static func tenant(_ cause: Cause, every gap: TimeSpan) -> Tenant {
        Tenant(
            name: "\(cause.name)", gap: .constant(gap.nanoseconds), up: 200, down: 200, cause: cause, wake: .whileIdle,
            isExempt: true)
    }

    /// Broken: an acknowledgement that waits for an answer when the phone goes to sleep over it. Nobody has written down when it leaves then:
    /// a packet keeps every processor awake for longer than that.
    @Test func noProcessorSleepsOverAnAcknowledgement() {
        let sleepers = ShippedPlatform.all.map(\.platform.processor).filter(\.sleeps)
        let patience = TimeSpan.milliseconds(Int64(TCPEnd.Manner.most))
        #expect(sleepers.count > 3 && sleepers.allSatisfy { patience < $0.packetSpan })
    }

    @Test("Else the kernel repeats what nobody acknowledges while its processor sleeps")
    func repeatsWaitForAProcessorThatSleeps() {
        var world = ProcessTests.world(
            "android-9", minutes: 40,
            [(2, .app(foreground: false)), (5, .screen(false)), (590, .uplink(.wifi, false))])
        world.wifi = Fixture.wifi
        let beat = Node.map([.init(key: "interval", value: .text("5m")), .init(key: "wake", value: .text("alarm"))])
        let run = Simulation(world: world, strategy: Fixture.composed([("keepalive", beat)]), seed: 1).everything()
        let awake = run.records.filter { $0.kind == .awake }.map { $0.at - TimeSpan(nanoseconds: $0.value)...$0.at }
        let repeats = run.records.filter { $0.tag(of: .bytes)?.cause == .retransmit && $0.at > .zero + .seconds(590) }
        #expect(repeats.count > 2)
        for one in repeats { #expect(awake.contains { $0.contains(one.at) }, "a repeat at \(one.at)") }
    }

    @Test func whoIsAwakeDoesNotWakeOnceMore() {
        // Broken: a second cause within one wake-up is counted, and billed, as a wake-up of its own.
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(30))
        world.platform = Platform.named("android-15")
        world.timeline.append(TimelineEntry(at: .zero + .seconds(10), .screen(false)))
        world.tenants = [
            Self.tenant(.push, every: .seconds(60)), Self.tenant(.otherApps, every: .milliseconds(60_050)),
        ]
        var seen = Everything()
        Simulation(world: world, strategy: Fixture.strategy(Eager.self), seed: 1).run(0..<1, into: &seen)
        let ends = Set(seen.records.filter { $0.kind == .awake }.map(\.at))
        for record in seen.records where record.kind == .woke { #expect(!ends.contains(record.at), "\(record)") }
        #expect(seen.count(.woke) > 20 && seen.count(.awake) > seen.count(.woke), "nobody took a wake-up over")
    }

    /// An alarm every five minutes, at each of which it says for how many seconds the phone has slept so far.
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

    @Test("Else the clock that stands while the phone sleeps would lose all of its sleep but the last")
    func sleepAddsUp() {
        let world = ProcessTests.world("android-9", minutes: 40, [(2, .app(foreground: false)), (5, .screen(false))])
        let run = Simulation(world: world, strategy: AnyStrategy(Sleeper()), seed: 1).everything()
        let told = run.records.filter { $0.kind == .writesPending }
        let awake = run.records.filter { $0.kind == .awake }
        #expect(told.count > 4 && awake.count > 4)
        for one in told.dropFirst(2) {
            // Until the screen went dark it was awake, and since then for as long as it says.
            let sinceDark = awake.filter { $0.at < one.at }.reduce(0) { $0 + $1.value }
            let slept = one.at.nanoseconds - TimeSpan.seconds(5).nanoseconds - sinceDark
            #expect(abs(one.value - slept / 1_000_000_000) <= 2, "at \(one.at)")
        }
    }
}
