import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneStrategies
import DeadzoneWorld
import Testing
import DeadzoneEngine
@testable import DeadzoneLane

/// A connection that the app gives up while it is cut off: whether that was a mistake, only what comes after says.
@Suite struct GivenUpTests {
    /// Its uplink is cut after the ping of the first minute, and the ping after that is waited for in vain, until 1:40. The box on the
    /// path forgets a minute after the last packet.
    private func falseDrops(uplinkIsBackAt seconds: Int64, _ more: [TimelineEntry] = []) -> Int {
        var world = Fixture.wifiWorld(horizon: .minutes(5))
        world.middleboxes.wifi = [Middlebox(tcp: .seconds(60))]
        world.timeline += [TimelineEntry(at: .zero + .seconds(65), .uplink(.wifi, false))]
        world.timeline += more + [TimelineEntry(at: .zero + .seconds(seconds), .uplink(.wifi, true))]
        let strategy = Fixture.strategy(Patient.self, [("ping", "30s"), ("timeout", "10s")])
        return Simulation(world: world, strategy: strategy, seed: 1).everything().count(.falseDrop)
    }

    @Test("Else a client is blamed for what it could not have kept, or never blamed")
    func itWasGoodWhileItsServerCouldStillBeReached() {
        #expect(falseDrops(uplinkIsBackAt: 110) == 1)
        #expect(falseDrops(uplinkIsBackAt: 150) == 0)
        let standstill = TimelineEntry(at: .zero + .seconds(105), .server(.frozen))
        #expect(falseDrops(uplinkIsBackAt: 110, [standstill]) == 0)
    }
}
