package import DeadzoneBase

/// The server's addresses as one network and one client see them: families, private addresses, and NAT64.
extension Resolver {
    /// Settings of the resolver and the addresses of one network that differ; `nil` for a setting that is the same.
    package struct NetworkDifference: Hashable, Sendable {
        package var ttl: TimeSpan?
        package var negativeTTL: TimeSpan?
        package var work: TimeSpan?
        package var failureMode: FailureMode?
        package var ipv4: AddressStatus?
        package var ipv6: AddressStatus?
        /// `nil` if the network has IPv4. Otherwise its DNS64 makes IPv6 addresses of IPv4 addresses (RFC 6147): `true`
        /// if its NAT64 (RFC 6146) translates them, `false` if packets to them vanish.
        package var translates: Bool?
        /// The answer is a private address of the server, which only networks with such an answer reach (split DNS).
        package var privateAddress: PrivateAddress?
        /// `false` if packets from this network to the server's public address vanish: its router has no NAT loopback.
        package var reachesPublicAddress: Bool?

        package init() {}

        /// `true` if the server's addresses are others on this network.
        package var changesAddresses: Bool {
            ipv4 != nil || ipv6 != nil || translates != nil || privateAddress != nil || reachesPublicAddress != nil
        }
    }

    /// Reaction to packets for the private address on other networks.
    package enum PrivateAddress: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Packets vanish there.
        case silent
        /// Another host has the address there, and answers TCP with a reset.
        case reset
    }

    /// Translation on the phone between IPv4 of apps and the NAT64 of their network.
    package enum Translation: UInt8, Hashable, Sendable, BitwiseCopyable {
        case none
        /// The system's functions replace a written IPv4 address. Apple names `getaddrinfo` and its high-level
        /// functions, and says that sockets of IPv4 do not work (Supporting IPv6 DNS64/NAT64 Networks).
        case literals
        /// The phone translates packets of IPv4, as Android's clatd does (464XLAT, RFC 6877).
        case packets
    }

    package func difference(on interface: Interface) -> NetworkDifference { interface == .wifi ? wifi : cellular }

    /// `true` if an address may reach the server from some networks only.
    package var dependsOnNetwork: Bool {
        [wifi, cellular].contains {
            $0.translates != nil || $0.privateAddress != nil || $0.reachesPublicAddress == false
        }
    }

    /// The resolver of the networks of this interface, with the addresses that exist there.
    package func on(_ interface: Interface) -> Resolver {
        let own = difference(on: interface)
        var resolver = self
        resolver.ttl = own.ttl ?? ttl
        resolver.negativeTTL = own.negativeTTL ?? negativeTTL
        resolver.work = own.work ?? work
        resolver.failureMode = own.failureMode ?? failureMode
        resolver.ipv4 = own.ipv4 ?? ipv4
        resolver.ipv6 = own.ipv6 ?? ipv6
        return resolver
    }

    /// `true` if DNS64 makes the server's IPv6 address on networks of this interface: the name has none that is
    /// answered (RFC 6147 §5.1).
    package func synthesises(on interface: Interface) -> Bool {
        guard difference(on: interface).translates != nil else { return false }
        let own = on(interface)
        return [.absent, .unanswered].contains(own.ipv6) && [.works, .broken].contains(own.ipv4)
    }

    /// The resolver and the addresses that a client can use on networks of this interface.
    /// - Parameter address: Number of an address that the client has kept; `nil` if it resolves the name.
    package func view(
        on interface: Interface, for family: AddressFamily, _ translation: Translation, keeping address: UInt16? = nil
    ) -> Resolver {
        var view = on(interface)
        guard let works = difference(on: interface).translates else {
            if family != .any { view.ipv6 = .absent }
            return view
        }
        let translated: AddressStatus = works ? view.ipv4 : view.ipv4 == .works ? .broken : view.ipv4
        switch family {
        case .any:
            if synthesises(on: interface) {
                // An address that another network's resolver gave is one of IPv4.
                let isOld = address.map { !ServerAddress(number: $0).isSynthesised } ?? false
                view.hasNoRoute = isOld && translation != .packets
                view.ipv6 = isOld ? .absent : translated
            }
            // Without translation on the phone there is no IPv4 to fall back to.
            view.ipv4 = translation == .packets ? translated : .absent
        case .ipv4, .literal:
            view.ipv6 = .absent
            view.ipv4 = translated
            let isUntranslated = translation == .none || family == .ipv4 && translation != .packets
            view.hasNoRoute = isUntranslated && [.works, .broken].contains(translated)
        }
        return view
    }
}

/// The number of a server's address, in a world in which addresses depend on the network.
///
/// The upper two bits describe the network that gave the address. The others count the moves of the server; after
/// 16,384 moves numbers repeat.
package struct ServerAddress: Hashable, Sendable, BitwiseCopyable {
    package let number: UInt16
    private static let privateBit: UInt16 = 1 << 15
    private static let synthesisedBit: UInt16 = 1 << 14

    package init(number: UInt16) { self.number = number }

    /// The answer of the resolver of this interface while the name has the address `move`.
    package init(move: UInt16, _ resolver: Resolver, on interface: Interface) {
        var number = Self(number: move).move
        if resolver.difference(on: interface).privateAddress != nil { number |= Self.privateBit }
        if resolver.synthesises(on: interface) { number |= Self.synthesisedBit }
        self.number = number
    }

    /// Number of the move that gave the server this address.
    package var move: UInt16 { number & ~(Self.privateBit | Self.synthesisedBit) }
    package var isPrivate: Bool { number & Self.privateBit != 0 }
    package var isSynthesised: Bool { number & Self.synthesisedBit != 0 }

    /// `true` if packets from networks of this interface to this address arrive, if the server still has it.
    package func isReachable(_ resolver: Resolver, on interface: Interface) -> Bool {
        let network = resolver.difference(on: interface)
        return isPrivate ? network.privateAddress != nil : network.reachesPublicAddress ?? true
    }
}
