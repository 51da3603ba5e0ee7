import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Connections that the app abandons during an outage. Only later events decide whether that was a mistake.
@Suite struct AbandonedConnectionTests {
    /// The uplink is cut after the ping of the first minute. The next ping gets no answer, and the client waits until
    /// 1:40. The box on the path drops its mapping one minute after the last packet.
    private func falseDrops(uplinkIsBackAt seconds: Int64, _ more: [TimelineEntry] = []) -> Int {
        var world = Fixture.wifiWorld(horizon: .minutes(5))
        world.middleboxes.wifi = [Middlebox(tcp: .seconds(60))]
        world.timeline += [TimelineEntry(at: .zero + .seconds(65), .uplink(.wifi, false))]
        world.timeline += more + [TimelineEntry(at: .zero + .seconds(seconds), .uplink(.wifi, true))]
        let strategy = Fixture.strategy(Patient.self, [("ping", "30s"), ("timeout", "10s")])
        return Simulation(world: world, strategy: strategy, seed: 1).allRecords().count(.falseDrop)
    }

    @Test("Abandoning a connection is a mistake only while its server can still be reached")
    func abandonmentIsAMistakeWhileTheServerIsReachable() {
        #expect(falseDrops(uplinkIsBackAt: 110) == 1)
        #expect(falseDrops(uplinkIsBackAt: 150) == 0)
        let standstill = TimelineEntry(at: .zero + .seconds(105), .server(.frozen))
        #expect(falseDrops(uplinkIsBackAt: 110, [standstill]) == 0)
    }
}
