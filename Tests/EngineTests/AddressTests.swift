import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Networks with addresses that change.
@Suite struct AddressTests {
    /// Broken: sockets of an address that was replaced twice within the grace period get no event. With one new address
    /// they get it 30 s later, with a second new address at that moment.
    @Test(arguments: [(nil, 330), (305, 305)] as [(Int64?, Int64)])
    func everyOldAddressEnds(_ again: Int64?, _ closedAt: Int64) {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(30))
        world.platform = Platform.named("android-15")
        world.timeline += ([300] + [again].compactMap { $0 }).map {
            TimelineEntry(at: .zero + .seconds($0), .readdress(.cellular, .error))
        }
        let run = SingleConnectionStrategy(.webSocket).run(world)
        #expect(run.times(.closed) == [closedAt * 1_000] && run.tags(.closed) == [CloseCode.pathLost.rawValue])
        #expect(run.times(.networkTold).contains { $0 > 300_000 })
    }

    /// Broken: the properties of an unused network are lost before the network is needed.
    @Test func aStandbyNetworkKeepsItsProperties() throws {
        var world = World(
            horizon: .zero + .minutes(8), wifi: Fixture.wifi, cellular: Fixture.lte, wifiLink: Fixture.link(),
            cellularLink: Fixture.link(),
            timeline: [
                TimelineEntry(at: .zero, .pathUp(.wifi, .plain)),
                TimelineEntry(
                    at: .zero + .seconds(60), .pathUp(.cellular, Attachment(usableAfter: .seconds(200)))),
                TimelineEntry(at: .zero + .seconds(120), .pathDown(.wifi, .error)),
            ])
        world.platform = Platform.named("android-15")
        let run = RecoveringClient(.webSocket).run(world)
        let opened = run.times(.opened)
        // The cellular network is up a second later, and usable 200 s after that.
        #expect(opened.count == 2 && (321_000..<345_000).contains(opened.last ?? 0), "\(opened)")
    }
}
