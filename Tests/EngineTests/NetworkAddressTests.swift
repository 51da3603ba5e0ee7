import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Addresses of the server that depend on the network: private addresses, families, and NAT64.
@Suite struct NetworkAddressTests {
    private static let left = Instant.zero + .minutes(5)
    private static let returned = Instant.zero + .minutes(10)

    /// A phone that leaves its Wi-Fi for cellular after five minutes and returns after ten.
    private func run(
        _ resolver: Resolver, names: [(String, String)]? = nil, platform: String? = nil, transport: String = "websocket"
    ) -> AllRecords {
        var world = Fixture.twoNetworkWorld(
            Traffic(down: .every(.seconds(5)), up: .every(.seconds(7))), horizon: .minutes(15))
        world.resolver = resolver
        world.platform = platform.flatMap { Platform.named($0) }
        world.timeline = [
            TimelineEntry(at: .zero, .pathUp(.wifi, .plain)),
            TimelineEntry(at: Self.left, .pathDown(.wifi, .error)),
            TimelineEntry(at: Self.left, .pathUp(.cellular, .plain)),
            TimelineEntry(at: Self.returned, .pathDown(.cellular, .error)),
            TimelineEntry(at: Self.returned, .pathUp(.wifi, .plain)),
        ]
        var settings: [(String, [(String, String)])] = [
            ("transport", [("kind", transport)]), ("backoff", [("base", "1s"), ("cap", "1s"), ("jitter", "none")]),
            ("keepalive", [("interval", "20s"), ("timeout", "5s")]),
            ("connect", [("timeout", "5s"), ("when", "always")]),
            ("on-path-change", [("available", "reconnect"), ("lost", "reconnect")]),
        ]
        if let names { settings.append(("names", names)) }
        return Simulation(world: world, strategy: Fixture.composed(settings), seed: 3).allRecords()
    }

    private func away(_ run: AllRecords, since: Instant) -> TimeSpan? {
        run.records.first { $0.kind == .opened && $0.at > since }.map { $0.at - since }
    }

    private func failures(_ run: AllRecords, _ code: FailureCode) -> Int {
        run.records.count { $0.kind == .failed && $0.tag(of: .failed) == code }
    }

    private func resolver(_ change: (inout Resolver) -> Void) -> Resolver {
        var resolver = Resolver(ttl: .seconds(30))
        change(&resolver)
        return resolver
    }

    /// Broken: the private address works on another network, or not on its own; the cache of another network is used;
    /// the silence has another cause; or another host does not reset.
    @Test(arguments: [Resolver.PrivateAddress.silent, .reset])
    func privateAddresses(outside: Resolver.PrivateAddress) throws {
        let split = resolver { $0.wifi.privateAddress = outside }
        let usual = run(split)
        #expect(away(usual, since: .zero)! < .seconds(2) && away(usual, since: Self.left)! < .seconds(3))
        #expect(away(usual, since: Self.returned)! < .seconds(3))
        let kept = run(split, names: [("cache", "7m")])
        // The address was kept at the start, so it is asked for again two minutes after the phone has left.
        #expect((.seconds(110) ... .seconds(130)).contains(try #require(away(kept, since: Self.left))))
        let silent = kept.records.filter { $0.kind == .silent && $0.at > Self.left && $0.at < Self.returned }
        #expect(silent.contains { $0.tag(of: .silent)?.cause == .oldAddress && $0.value > 100_000_000_000 })
        #expect(outside == .reset ? failures(kept, .refused) > 90 : failures(kept, .refused) == 0)
        // The public address works at home, too.
        #expect(away(kept, since: Self.returned)! < .seconds(3))
    }

    /// Broken: packets to the public address are looped back where they are not, or the reverse.
    @Test func publicAddressAtHome() {
        let split = resolver {
            $0.wifi.privateAddress = .silent
            $0.wifi.reachesPublicAddress = false
        }
        let kept = run(split, names: [("cache", "7m")])
        // The public address was kept two minutes after the phone had left, for seven minutes.
        #expect((.seconds(230) ... .seconds(255)).contains(away(kept, since: Self.returned) ?? .zero))
        #expect(away(run(split), since: Self.returned)! < .seconds(3))
    }

    /// Broken: the pool of a connection that migrates to a network without its address stays open.
    @Test func migrationToTheWrongAddress() {
        let split = resolver { $0.wifi.privateAddress = .silent }
        let moved = run(split, transport: "quic")
        #expect(moved.sum(.zombie) + moved.sum(.silent) > 0 && moved.count(.opened) >= 2)
    }

    /// Broken: a family of a network is that of all networks, or IPv4 is used where there is none.
    @Test func familiesByNetwork() {
        let none = resolver { $0.cellular.ipv4 = .absent }
        #expect(away(run(none), since: Self.left)! > .minutes(5))
        #expect(failures(run(none), .unresolved) > 100)
        let six = resolver {
            $0.cellular.ipv4 = .absent
            $0.cellular.ipv6 = .works
        }
        #expect(away(run(six), since: Self.left)! < .seconds(3))
    }

    /// Broken: NAT64 helps a client that it does not help, or does not help one that uses the name. Sockets of IPv4
    /// need a phone that translates, written addresses at least a system that replaces them.
    @Test(arguments: [nil, "android-15", "ios-18"], [nil, "ipv4", "literal"])
    func translation(platform: String?, family: String?) {
        let network = resolver { $0.cellular.translates = true }
        let run = run(network, names: family.map { [("family", $0)] }, platform: platform)
        let works = family == nil || platform == "android-15" || platform == "ios-18" && family == "literal"
        #expect((away(run, since: Self.left)! < .seconds(5)) == works)
        #expect((failures(run, .noPath) > 20) == !works)
        // The public address in an app costs no query.
        #expect((run.ledger.bytes(.up, for: .dns, on: .wifi) == 0) == (family == "literal"))
    }

    /// Broken: packets through a broken NAT64 arrive, or an address of IPv4 that was kept works without translation.
    @Test func translationThatFails() {
        let broken = resolver { $0.cellular.translates = false }
        #expect(away(run(broken), since: Self.left)! > .minutes(5))
        let network = resolver { $0.cellular.translates = true }
        let kept = [("resolves", "at-start")]
        #expect(away(run(network, names: kept), since: Self.left)! > .minutes(5))
        #expect(away(run(network, names: kept, platform: "android-15"), since: Self.left)! < .seconds(5))
        // A server with IPv6 needs no translation, and neither does an address that DNS64 gave.
        let six = resolver {
            $0.ipv6 = .works
            $0.cellular.translates = false
        }
        #expect(away(run(six, names: kept), since: Self.left)! < .seconds(3))
    }
}
