import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// The packets that a network lets through depend on its uplink, its set-up, its portal and its reach.
@Suite struct NetworkConditionTests {
    /// Broken: a network without one of its parts counts as connected, or one with all of them does not.
    @Test func everyPartIsNecessary() {
        let combinations = withEvery { choices in
            let (hasUplink, isUsable) = (choices.one(of: [true, false]), choices.one(of: [true, false]))
            let (hasPortal, reach) = (choices.one(of: [true, false]), choices.one(of: Reach.self))
            var network = NetworkCondition()
            network.join(
                usableAfter: isUsable ? .zero : .seconds(5), portal: hasPortal ? .seconds(5) : nil, reach: reach,
                at: .zero)
            if !hasUplink { _ = network.setUplink(false) }
            let now = Instant.zero + .seconds(1)
            let isOpen = hasUplink && isUsable && !hasPortal
            #expect(network.isConnected(at: now) == (isOpen && reach.contains(.internet)))
            #expect(network.isOnline(at: now) == (isOpen && reach.contains(.internet)))
            #expect(network.reachesServer(at: now) == (isOpen && reach.contains(.server)))
            // After five seconds only the uplink and the reach matter.
            #expect(network.isConnected(at: now + .seconds(5)) == (hasUplink && reach.contains(.internet)))
        }
        #expect(combinations == 32)
    }
}
