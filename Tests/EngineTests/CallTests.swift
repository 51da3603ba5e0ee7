import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneTestKit
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

@Suite struct CallTests {
    /// Broken: the duration of a call: one round trip, the server's processing time, and the transmission of request
    /// and answer.
    @Test(arguments: [TimeSpan.zero, .milliseconds(20), .seconds(3)])
    func aCallTakesARoundTripAndTheServersTime(think: TimeSpan) {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(2))
        world.traffic.calls = .every(.seconds(5), bytes: 400)
        world.traffic.answer = .constant(1_000)
        world.server.thinkTime = think
        let run = Simulation(world: world, strategy: AnyStrategy(CallingStrategy(timeout: .hours(1))), seed: 1)
            .allRecords()
        // A call every five seconds keeps the radio awake, but the radio may listen up to 40 ms later.
        let spans = run.values(.answered)
        let least = TimeSpan.milliseconds(70) + think
        #expect(spans.count >= 22 && spans.dropFirst().allSatisfy { $0 >= least.nanoseconds })
        #expect(spans.dropFirst().allSatisfy { $0 <= (least + .milliseconds(50)).nanoseconds }, "\(spans)")
    }

    /// Broken: a sender that keeps its old congestion window after a long pause, because a request has just arrived
    /// (RFC 5681 §4.1 counts from the last packet sent).
    @Test func anAnswerAfterAPauseBeginsSlowly() {
        var world = Fixture.wifiWorld(horizon: .minutes(7))
        world.wifiLink = Fixture.link(delay: .milliseconds(50), bitsPerSecond: 1_000_000_000)
        world.traffic.calls = .every(.seconds(100), bytes: 10)
        world.traffic.answer = .constant(1 << 20)
        let run = Simulation(world: world, strategy: AnyStrategy(CallingStrategy(timeout: .hours(1))), seed: 1)
            .allRecords()
        let spans = run.values(.answered)
        // 725 segments in flights of ten, twenty, forty and more: the seventh flight is the last, and each takes a
        // round trip.
        #expect(spans.count == 4 && spans.allSatisfy { 690_000_000 < $0 && $0 < 900_000_000 }, "\(spans)")
    }

    /// Broken: an unlimited number of open calls. Beyond 64 open calls, the oldest one fails.
    @Test func noMoreThanAWindowOfCallsIsOpen() {
        var world = Fixture.cellularWorld(Traffic(), horizon: .seconds(101))
        world.traffic.calls = .every(.seconds(1))
        world.timeline = []
        let run = Simulation(world: world, strategy: AnyStrategy(CallingStrategy(timeout: .hours(1))), seed: 1)
            .allRecords()
        #expect(run.count(.called) == 100 && run.sum(.callPending) == 64)
        let failures = run.records.filter { $0.kind == .callFailed }
        #expect(failures.count == 36)
        #expect(failures.allSatisfy { $0.tag == CallCode.unavailable.rawValue && $0.value == 64_000_000_000 })
    }

    @Test("A call without room is retried when something happens, not ten times a second")
    func aCallWithoutRoomIsRetriedOnEvents() {
        var world = Fixture.wifiWorld(horizon: .minutes(5))
        world.traffic.calls = .every(.seconds(1), bytes: 300, until: .zero + .seconds(10))
        world.timeline += [
            TimelineEntry(at: .zero + .milliseconds(1_500), .oneWay(.wifi, .down, passes: false)),
            TimelineEntry(at: .zero + .seconds(60), .oneWay(.wifi, .down, passes: true)),
        ]
        var carrier = Transport(.webSocket)
        carrier.sendBuffer = 1_000
        // XNU counts the send buffer in bytes.
        world.tcpKernel = .xnu
        // From time to time the kernel retransmits, and every waiting call then retries.
        var quietCount = 0
        for seconds in [33, 41, 47, 51, 57] as [Int64] {
            OnePhone.run(
                world, AnyStrategy(CallingStrategy(timeout: .hours(1), over: carrier)), until: .zero + .seconds(seconds)
            ) { simulation, context in
                var pendingRetries = 0
                context.packets.pool.forEach(in: simulation.packetNetwork.packetsInFlight) {
                    if $0.location.isRetry { pendingRetries += 1 }
                }
                if !simulation.packetNetwork.parkedRetries.isEmpty && pendingRetries == 0 { quietCount += 1 }
                simulation.run(until: world.horizon, &context)
                #expect(simulation.packetNetwork.parkedRetries.isEmpty && simulation.phoneEnd.calls.openCount == 0)
            }
        }
        #expect(quietCount >= 1, "waiting calls retry without reason")
    }
}
