import DeadzoneBase
import DeadzoneTestKit
import DeadzoneTransport
import Testing

/// The addresses of a server as one network and one client see them.
@Suite struct NetworkViewTests {
    private func resolver(
        _ ipv4: Resolver.AddressStatus, _ ipv6: Resolver.AddressStatus, nat64: Bool?
    ) -> Resolver {
        var resolver = Resolver(ipv4: ipv4, ipv6: ipv6)
        resolver.cellular.translates = nat64
        return resolver
    }

    private func row(
        _ resolver: Resolver, _ family: AddressFamily, _ translation: Resolver.Translation, _ kept: UInt16?
    )
        -> String
    {
        let view = resolver.view(on: .cellular, for: family, translation, keeping: kept)
        return view.hasNoRoute ? "no route" : "\(view.ipv4)/\(view.ipv6)"
    }

    /// Broken: a client uses a family that its network does not have, or does not use one that it has.
    @Test func addressesByNetworkAndClient() {
        // IPv4 and IPv6 of the server, NAT64 of the network; then any/ipv4/literal without translation on the phone,
        // with that of written addresses, and with that of packets.
        let table: [(Resolver.AddressStatus, Resolver.AddressStatus, Bool?, String)] = [
            (.works, .absent, nil, "works/absent works/absent works/absent"),
            (.works, .broken, nil, "works/broken works/absent works/absent"),
            (.works, .absent, true, "absent/works no route no route"),
            (.works, .works, true, "absent/works no route no route"),
            (.works, .broken, true, "absent/broken no route no route"),
            (.works, .unanswered, true, "absent/works no route no route"),
            (.works, .absent, false, "absent/broken no route no route"),
            (.broken, .absent, true, "absent/broken no route no route"),
            (.absent, .absent, true, "absent/absent absent/absent absent/absent"),
        ]
        for (ipv4, ipv6, nat64, expected) in table {
            let resolver = resolver(ipv4, ipv6, nat64: nat64)
            let found = AddressFamily.allCases.map { row(resolver, $0, .none, nil) }.joined(separator: " ")
            #expect(found == expected, "\(ipv4) \(ipv6) \(String(describing: nat64)): \(found)")
        }
        let network = resolver(.works, .absent, nat64: true)
        #expect(
            AddressFamily.allCases.map { row(network, $0, .literals, nil) } == [
                "absent/works", "no route", "works/absent",
            ])
        #expect(
            AddressFamily.allCases.map { row(network, $0, .packets, nil) } == [
                "works/works", "works/absent", "works/absent",
            ])
        let broken = resolver(.works, .absent, nat64: false)
        #expect(
            AddressFamily.allCases.map { row(broken, $0, .packets, nil) } == [
                "broken/broken", "broken/absent", "broken/absent",
            ])
    }

    /// Broken: an address of another network has a family that it did not have there.
    @Test func keptAddressesKeepTheirFamily() {
        let network = resolver(.works, .absent, nat64: true)
        let other = ServerAddress(move: 3, network, on: .wifi).number
        let own = ServerAddress(move: 3, network, on: .cellular).number
        #expect(other != own && ServerAddress(number: own).move == 3 && ServerAddress(number: own).isSynthesised)
        #expect(row(network, .any, .none, other) == "no route" && row(network, .any, .none, own) == "absent/works")
        #expect(row(network, .any, .packets, other) == "works/absent")
        #expect(row(network, .any, .literals, other) == "no route")
        // A server with IPv6 gave its IPv6 address there, too.
        let six = resolver(.works, .works, nat64: true)
        #expect(row(six, .any, .none, ServerAddress(move: 3, six, on: .wifi).number) == "absent/works")
    }

    /// Broken: an address is reached from a network that does not lead to it, or the reverse.
    @Test func privateAddressesBelongToTheirNetworks() {
        var resolver = Resolver()
        #expect(!resolver.dependsOnNetwork)
        resolver.wifi.privateAddress = .silent
        let inner = ServerAddress(move: 1, resolver, on: .wifi)
        let outer = ServerAddress(move: 1, resolver, on: .cellular)
        #expect(resolver.dependsOnNetwork && inner.isPrivate && !outer.isPrivate && inner.move == outer.move)
        #expect(inner.isReachable(resolver, on: .wifi) && !inner.isReachable(resolver, on: .cellular))
        #expect(outer.isReachable(resolver, on: .wifi) && outer.isReachable(resolver, on: .cellular))
        resolver.wifi.reachesPublicAddress = false
        #expect(!outer.isReachable(resolver, on: .wifi) && outer.isReachable(resolver, on: .cellular))
        #expect(inner.isReachable(resolver, on: .wifi))
    }

    /// Broken: addresses of a world depend on the network although each network reaches the server by the same ones, or
    /// the reverse.
    @Test func someNetworksMakeAddressesDependOnThem() {
        for translates in [nil, true, false] as [Bool?] {
            for privateAddress in [nil] + Resolver.PrivateAddress.allCases.map(Optional.some) {
                for reachesPublicAddress in [nil, true, false] as [Bool?] {
                    var network = Resolver.NetworkDifference()
                    // Other times and families of addresses lead to the same server.
                    (network.ttl, network.ipv4, network.ipv6) = (.seconds(1), .broken, .unanswered)
                    network.translates = translates
                    network.privateAddress = privateAddress
                    network.reachesPublicAddress = reachesPublicAddress
                    let isPlain = translates == nil && privateAddress == nil && reachesPublicAddress != false
                    for path in [\Resolver.wifi, \Resolver.cellular] {
                        var resolver = Resolver()
                        resolver[keyPath: path] = network
                        #expect(resolver.dependsOnNetwork == !isPlain, "\(network)")
                    }
                }
            }
        }
    }
}
