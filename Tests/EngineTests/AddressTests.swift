import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// Networks with addresses that come and go.
@Suite struct AddressTests {
    /// Broken: sockets of an address that was replaced twice within the time of grace are never told. With one new address they
    /// hear of it 30 s later, with a second one at that moment.
    @Test(arguments: [(nil, 330), (305, 305)] as [(Int64?, Int64)])
    func everyOldAddressEnds(_ again: Int64?, _ closedAt: Int64) {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(30))
        world.platform = Platform.named("android-15")
        world.timeline += ([300] + [again].compactMap { $0 }).map {
            TimelineEntry(at: .zero + .seconds($0), .readdress(.cellular, .error))
        }
        let run = Rider(.webSocket).run(world)
        #expect(run.times(.closed) == [closedAt * 1_000] && run.tags(.closed) == [CloseCode.pathLost.rawValue])
        #expect(run.times(.networkTold).contains { $0 > 300_000 })
    }

    /// Broken: what a network is like that nobody needed yet is forgotten until somebody does.
    @Test func aNetworkInReserveIsWhatItWas() throws {
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
        let run = Reviver(.webSocket).run(world)
        let opened = run.times(.opened)
        // The cellular network is there a second later, and usable 200 s after that.
        #expect(opened.count == 2 && (321_000..<345_000).contains(opened.last ?? 0), "\(opened)")
    }
}
