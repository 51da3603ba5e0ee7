import DeadzoneBase
import DeadzoneTransport
import Testing

/// The server's addresses as the networks of a world see them.
@Suite struct NetworkAddressesTests {
    private typealias Difference = Resolver.NetworkDifference

    private static let changes: [(String, Bool, @Sendable (inout Difference) -> Void)] = [
        ("none", false, { _ in }), ("ttl", false, { $0.ttl = .seconds(1) }),
        ("negative ttl", false, { $0.negativeTTL = .seconds(1) }), ("work", false, { $0.work = .seconds(1) }),
        ("IPv4", true, { $0.ipv4 = .works }), ("IPv6", true, { $0.ipv6 = .works }),
        ("NAT64", true, { $0.translates = true }), ("no NAT64", true, { $0.translates = false }),
        ("private", true, { $0.privateAddress = .silent }), ("hairpin", true, { $0.reachesPublicAddress = false }),
        ("public", true, { $0.reachesPublicAddress = true }),
    ]

    /// Broken: a network with addresses of its own is treated as any other, so that a client keeps an address that
    /// works only at home.
    @Test func eachAddressSettingChangesTheAddresses() {
        for (name, isChanged, change) in Self.changes {
            var difference = Difference()
            change(&difference)
            #expect(difference.changesAddresses == isChanged, "\(name)")
        }
    }

    /// Broken: a network has the families or the resolver's settings of another one, or of all networks.
    @Test func eachNetworkHasItsOwnSettings() {
        var resolver = Resolver(ttl: .seconds(9), ipv4: .works, ipv6: .absent)
        (resolver.cellular.ipv4, resolver.cellular.ipv6) = (.broken, .works)
        (resolver.wifi.ttl, resolver.wifi.failureMode) = (.seconds(1), .refusing)
        let (home, street) = (resolver.on(.wifi), resolver.on(.cellular))
        #expect(home.ipv4 == .works && home.ipv6 == .absent && street.ipv4 == .broken && street.ipv6 == .works)
        #expect(home.ttl == .seconds(1) && street.ttl == .seconds(9))
        #expect(home.failureMode == .refusing && street.failureMode == .silent)
    }

    /// Broken: an address has the number of another move, or a private address is reachable from the street.
    @Test func anAddressKnowsItsNetwork() {
        var resolver = Resolver()
        resolver.wifi.privateAddress = .reset
        for move in [0, 1, 16_383] as [UInt16] {
            let home = ServerAddress(move: move, resolver, on: .wifi)
            let street = ServerAddress(move: move, resolver, on: .cellular)
            #expect(home.move == move && street.move == move && street.number == move)
            #expect(home.isPrivate && !street.isPrivate && !home.isSynthesised && !street.isSynthesised)
            #expect(home.isReachable(resolver, on: .wifi) && !home.isReachable(resolver, on: .cellular))
            #expect(street.isReachable(resolver, on: .wifi) && street.isReachable(resolver, on: .cellular))
        }
        resolver.wifi.reachesPublicAddress = false
        let street = ServerAddress(move: 2, resolver, on: .cellular)
        #expect(!street.isReachable(resolver, on: .wifi) && street.isReachable(resolver, on: .cellular))
        #expect(ServerAddress(move: 16_384, resolver, on: .cellular).move == 0)
    }
}
