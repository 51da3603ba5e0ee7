import DeadzoneClient
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneTestKit
import DeadzoneTransport
import DeadzoneWorld
import Testing
import DeadzoneEngine
@testable import DeadzoneLane

@Suite struct CallTests {
    /// Broken: the way of a call: a round trip, the server's time, and the bytes of both.
    @Test(arguments: [TimeSpan.zero, .milliseconds(20), .seconds(3)])
    func aCallTakesARoundTripAndTheServersTime(think: TimeSpan) {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(2))
        world.traffic.calls = .every(.seconds(5), bytes: 400)
        world.traffic.answer = .constant(1_000)
        world.server.think = think
        let run = Simulation(world: world, strategy: AnyStrategy(Asker(patience: .hours(1))), seed: 1).everything()
        // The radio is awake every five seconds; it may listen 40 ms later.
        let spans = run.values(.answered)
        let least = TimeSpan.milliseconds(70) + think
        #expect(spans.count >= 22 && spans.dropFirst().allSatisfy { $0 >= least.nanoseconds })
        #expect(spans.dropFirst().allSatisfy { $0 <= (least + .milliseconds(50)).nanoseconds }, "\(spans)")
    }

    /// Broken: a sender that goes on with the window it had before a long pause, because a question has just come in (RFC 5681
    /// §4.1 looks at what was sent last).
    @Test func anAnswerAfterAPauseBeginsSlowly() {
        var world = Fixture.wifiWorld(horizon: .minutes(7))
        world.wifiLink = Fixture.link(delay: .milliseconds(50), bitsPerSecond: 1_000_000_000)
        world.traffic.calls = .every(.seconds(100), bytes: 10)
        world.traffic.answer = .constant(1 << 20)
        let run = Simulation(world: world, strategy: AnyStrategy(Asker(patience: .hours(1))), seed: 1).everything()
        let spans = run.values(.answered)
        // 725 segments of ten, twenty, forty: the seventh flight is the last, a round trip each.
        #expect(spans.count == 4 && spans.allSatisfy { 690_000_000 < $0 && $0 < 900_000_000 }, "\(spans)")
    }

    /// Broken: open calls without end. Of more than 64 the oldest has failed.
    @Test func noMoreThanAWindowOfCallsIsOpen() {
        var world = Fixture.cellularWorld(Traffic(), horizon: .seconds(101))
        world.traffic.calls = .every(.seconds(1))
        world.timeline = []
        let run = Simulation(world: world, strategy: AnyStrategy(Asker(patience: .hours(1))), seed: 1).everything()
        #expect(run.count(.called) == 100 && run.sum(.callPending) == 64)
        let failures = run.records.filter { $0.kind == .callFailed }
        #expect(failures.count == 36)
        #expect(failures.allSatisfy { $0.tag == CallCode.unavailable.rawValue && $0.value == 64_000_000_000 })
    }

    @Test("Seven calls wait a minute for room: nobody looks in vain ten times a second")
    func aCallWithoutRoomIsLookedAtWhenSomethingHappens() {
        var world = Fixture.wifiWorld(horizon: .minutes(5))
        world.traffic.calls = .every(.seconds(1), bytes: 300, until: .zero + .seconds(10))
        world.timeline += [
            TimelineEntry(at: .zero + .milliseconds(1_500), .oneWay(.wifi, .down, passes: false)),
            TimelineEntry(at: .zero + .seconds(60), .oneWay(.wifi, .down, passes: true)),
        ]
        var carrier = Carrier(.webSocket)
        carrier.sendBuffer = 1_000
        // It counts in bytes.
        world.ownKernel = .xnu
        // Now and then the kernel repeats what is in flight, and all look again.
        var resting = 0
        for seconds in [33, 41, 47, 51, 57] as [Int64] {
            OnePhone.run(
                world, AnyStrategy(Asker(patience: .hours(1), over: carrier)), until: .zero + .seconds(seconds)
            ) { lane, stage in
                var looking = 0
                stage.flights.forEach(in: lane.flights) { if $0.hop.isLook { looking += 1 } }
                if !lane.looks.isEmpty && looking == 0 { resting += 1 }
                lane.run(until: world.horizon, &stage)
                #expect(lane.looks.isEmpty && lane.phoneEnd.calls.openCount == 0)
            }
        }
        #expect(resting >= 1, "they look in vain")
    }
}
