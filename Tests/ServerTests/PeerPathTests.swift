import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator
@testable import DeadzoneTransport

/// The paths of one phone to its peer: which one is the second, which one the peer uses, and which one is cut off.
@Suite struct PeerPathTests {
    private static let relay = carrier(.relay)
    private static let direct = carrier(.direct)

    private static func carrier(_ route: DatagramLayer.PeerRoute) -> Transport {
        var transport = Transport.datagram
        transport.datagrams.route = route
        return transport
    }

    private func openDatagrams(_ bench: ServerBench, _ transport: Transport, _ slot: Int) -> [String] {
        bench.renew(transport, slot)
        return bench.taking {
            bench.act { [now = bench.now, introduction = bench.introduction] in
                $0.openDatagrams(slot, introduction, at: now, &$1)
            }
        }
    }

    /// Broken: a path counts as the second one beside itself, beside a connection to a server, or beside a closed path.
    @Test func aSecondPathNeedsAnOpenOne() {
        let transports = [Transport.webSocket, .datagram, Self.relay, Self.direct]
        let isPeer = [false, false, true, true]
        var second = 0
        for slot in 0..<2 {
            for (own, other) in (0..<16).map({ ($0 / 4, $0 % 4) }) {
                for (ownIsOpen, otherIsOpen) in [(false, false), (false, true), (true, false), (true, true)] {
                    let bench = ServerBench(.everySecond)
                    bench.renew(transports[own], slot)
                    bench.renew(transports[other], 1 - slot)
                    bench.server.ends[slot].isAttached = ownIsOpen
                    bench.server.ends[1 - slot].isAttached = otherIsOpen
                    let expected = isPeer[own] && isPeer[other] && otherIsOpen
                    #expect(bench.server.isSecondPath(slot) == expected, "\(slot) \(own) \(other)")
                    second += expected ? 1 : 0
                }
            }
        }
        #expect(second == 2 * 4 * 2)
    }

    /// Broken: the second path replaces the first one, or the peer sends on another path than the client has chosen.
    @Test func theSecondPathOpensBesideTheFirst() {
        let bench = ServerBench(.everySecond)
        bench.now = .zero + .seconds(5)
        for _ in 0..<3 { bench.write() }
        #expect(openDatagrams(bench, Self.relay, 0).contains("attached"))
        #expect(bench.server.ends[0].isAttached && !bench.server.ends[0].isSuperseded)
        #expect(openDatagrams(bench, Self.direct, 1) == ["attached"])
        #expect(bench.server.ends[1].isHeld && bench.server.ends[1].isAttached && bench.server.ends[1].isSuperseded)
        #expect(bench.server.ends[0].isAttached && !bench.server.ends[0].isSuperseded)
        #expect(bench.server.written.index == 3 && bench.server.ends[1].sessionStart.resumedAt == 3)
        for chosen in [1, 0, 0, 1] {
            bench.server.nominate(chosen)
            #expect((0..<2).map { bench.server.ends[$0].isSuperseded } == [chosen == 1, chosen == 0])
        }
        // A connection to a server takes no part.
        bench.renew(.datagram, 0)
        bench.server.nominate(1)
        #expect(!bench.server.ends[0].isSuperseded && !bench.server.ends[1].isSuperseded)
    }

    /// Broken: a direct path passes packets to a peer that has moved or is blocked, or a new one does not pass any.
    @Test func theDirectPathEndsWithThePeersAddress() {
        var paths = PeerPaths()
        #expect(!paths.isDead && !paths.isCutOff)
        let opened = paths.apply(.open)
        let blocked = [paths.apply(.blocked), paths.isCutOff, paths.isDead, paths.apply(.blocked)]
        #expect(!opened && blocked == [true, true, false, false])
        let open = [paths.apply(.open), paths.isCutOff]
        #expect(open == [true, false])
        for _ in 0..<2 {
            let moved = [paths.apply(.moves), paths.isDead, paths.isCutOff]
            #expect(moved == [true, true, true])
        }
        paths.openDirect()
        #expect(!paths.isDead && !paths.isCutOff)
        _ = paths.apply(.blocked)
        _ = paths.apply(.moves)
        paths.openDirect()
        #expect(!paths.isDead && paths.isCutOff)
        #expect(PeerChange.allCases.map(\.name) == ["moves", "blocked", "open"])
    }

    /// Broken: the time on a path counts from another selection, or for another path.
    @Test func timeCountsForTheSelectedPath() {
        var paths = PeerPaths()
        #expect(paths.selected == nil && paths.used(until: .zero + .seconds(9)) == nil)
        let first = paths.select(1, at: .zero + .seconds(10))
        #expect(first == nil && paths.selected == 1)
        let second = paths.select(0, at: .zero + .seconds(13))
        #expect(second?.slot == 1 && second?.span == .seconds(3))
        let used = paths.used(until: .zero + .seconds(20))
        #expect(used?.slot == 0 && used?.span == .seconds(7) && paths.selected == 0)
    }

    // Broken: a change of the direct path does not lead to another true state, or one without effect does. Or the time
    // on a path is recorded for the other path, or at the horizon not at all.
    @Test func changesAndTimesAreRequests() {
        let bench = ServerBench(.everySecond)
        let paths = UnsafeMutablePointer<PeerPaths>.allocate(capacity: 1)
        defer { paths.deallocate() }
        paths.initialize(to: PeerPaths())
        func apply(_ change: PeerChange) -> [String] {
            bench.taking { bench.act { _ = $0.apply(change, paths, &$1) } }
        }
        #expect(apply(.open) == [] && apply(.blocked).count == 1 && apply(.blocked) == [] && apply(.moves).count == 1)
        func select(_ slot: UInt8) -> [String] {
            bench.taking { bench.act { [now = bench.now] in $0.selectPath(slot, paths, at: now, &$1) } }
        }
        #expect(select(0) == [])
        bench.wait(.seconds(3))
        let second = select(1)
        #expect(second.count == 2 && second[0].contains("usedRelay") && second[1].contains("pathSelected"))
        bench.wait(.seconds(4))
        let last = bench.taking { bench.act { [now = bench.now] in $0.finishPaths(paths, at: now, &$1) } }
        #expect(last.count == 1 && last[0].contains("usedDirect") && last[0].contains("4000000000"))
    }
}
