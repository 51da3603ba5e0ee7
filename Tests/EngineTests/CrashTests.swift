import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import Testing

/// Connects, and crashes its own process ten seconds after each start.
private struct Fragile: Strategy {
    static let name = "fragile"
    static let about = "does not last"

    init() {}
    init(_ settings: inout SettingsReader) {}

    func initialState() -> UInt8 { 0 }

    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        let line = ConnectionSlot(0)
        switch event {
        case .started:
            out.append(.connect(line, .webSocket, resuming: .fresh))
            session.arm(TimerSlot(0), after: .seconds(10))
            session.arm(TimerSlot(1), after: .seconds(11))
        case .fired(TimerSlot(0)):
            state += 1
            out.append(state == 1 ? .crash : .ping(line))
            out.append(.ping(line))
        case .fired: out.append(.ping(line))
        default: break
        }
    }
}

@Suite struct CrashTests {
    /// Broken: a crash stops the simulator, actions after the crash are performed, a timer, a connection or the memory
    /// outlives the process, or the crash is not counted.
    @Test func endsTheProcessAndNothingElse() {
        let run = Simulation(
            world: Fixture.wifiWorld(horizon: .seconds(55)), strategy: AnyStrategy(Fragile()), seed: 1
        ).allRecords()
        let moments: [Int64] = [10_000, 20_000, 30_000, 40_000, 50_000]
        #expect(run.times(.crashed) == moments && run.times(.relaunched) == moments && run.count(.killed) == 0)
        #expect(run.times(.closed) == moments && run.count(.opened) == 6)
        #expect(run.count(.pinged) == 0 && run.count(.stopped) == 0)
    }

    /// Broken: on a phone with an operating system, the app is back before the user opens it.
    @Test func onAPlatformTheUserRestartsIt() {
        var world = Fixture.wifiWorld(horizon: .minutes(2))
        world.platform = Platform.named("android-15")
        world.timeline.append(TimelineEntry(at: .zero + .seconds(40), .app(foreground: true)))
        let run = Simulation(world: world, strategy: AnyStrategy(Fragile()), seed: 1).allRecords()
        #expect(run.times(.crashed) == [10_000, 50_000] && run.times(.relaunched) == [40_000])
        #expect(run.count(.killed) == 0 && run.count(.opened) == 2)
    }

    /// Broken: the article's loop overflows at another point than the original. In Swift it overflows at the 55th
    /// attempt, 1,501.0 s after the first failure; in Kotlin never.
    @Test(arguments: [("swift", [1_501_000]), ("kotlin", [])] as [(String, [Int64])])
    func theArticlesLoopOverflows(_ language: String, _ crashes: [Int64]) {
        // No network is ever announced, so every attempt fails at once.
        var world = Fixture.wifiWorld(horizon: .minutes(45))
        world.timeline = []
        let loop = Fixture.strategy(StreamLoop.self, [("language", language)])
        let run = Simulation(world: world, strategy: loop, seed: 1).allRecords()
        #expect(run.times(.crashed) == crashes)
        #expect(run.count(.stopped) == 0 && run.count(.timerFired) > 50)
    }
}
