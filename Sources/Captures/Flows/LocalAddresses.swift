/// The IP addresses of the captured device itself. They are named by the user, or inferred from a sample of the first
/// packets.
///
/// The device is the address that takes part in most of the captured packets. Its other addresses are those that send
/// from its station (Ethernet, Wi-Fi). Without stations, they are the most frequent addresses in the rest of the sample
/// that behave like a client. Later addresses (a handoff, a new lease) are learned by the same criteria.
struct LocalAddresses {
    /// Limit of addresses. A phone has a few; more would belong to other hosts.
    private static let maximumCount = 32

    private(set) var addresses: [IPAddress] = []
    /// Station (MAC) address of the device, if the link has stations.
    private(set) var station: UInt64?
    private(set) var isStated: Bool
    /// Number of sampled packets with an inferred address at one end.
    private(set) var explained = 0
    private(set) var sampled = 0

    init(stated: [IPAddress]) {
        addresses = stated
        isStated = !stated.isEmpty
    }

    /// The fields of one sampled packet that are needed to infer the device's addresses.
    struct AddressSample {
        var source: IPAddress
        var destination: IPAddress
        var sourceStation: UInt64
        var destinationStation: UInt64
        /// `true` if the packet opens a connection, or goes from a client port to a server port.
        var isClientLike: Bool
        /// Direction recorded in the file.
        var direction: PacketDirection
    }

    @inline(__always) func contains(_ bits: UInt128, isIPv6: Bool) -> Bool {
        for address in addresses where address.bits == bits && address.isIPv6 == isIPv6 { return true }
        return false
    }

    mutating func infer(from addressSamples: [AddressSample]) {
        sampled = addressSamples.count
        guard !isStated, !addressSamples.isEmpty else { return }
        // If the file records which packets went up, their senders are the device.
        for addressSample in addressSamples where addressSample.direction == .up { learn(addressSample.source) }
        guard addresses.isEmpty else { return countExplained(addressSamples) }
        guard let first = Self.mostFrequentAddress(addressSamples) else { return }
        addresses = [first]
        station = Self.station(of: first, addressSamples)
        if let station {
            for addressSample in addressSamples where addressSample.sourceStation == station {
                learn(addressSample.source)
            }
        } else {
            inferMore(addressSamples, beside: first)
        }
        countExplained(addressSamples)
    }

    private mutating func countExplained(_ addressSamples: [AddressSample]) {
        explained = addressSamples.count { isLocal($0.source) || isLocal($0.destination) }
    }

    /// Adds addresses of the other IP family and addresses of the same family that replaced the first.
    private mutating func inferMore(_ addressSamples: [AddressSample], beside first: IPAddress) {
        var rest = addressSamples
        for _ in 0..<8 {
            rest.removeAll { isLocal($0.source) || isLocal($0.destination) }
            guard let next = Self.mostFrequentAddress(rest) else { return }
            let votes = rest.count { $0.source == next || $0.destination == next }
            let isClient = rest.contains { $0.source == next && $0.isClientLike }
            guard votes > 1, isClient || next.isIPv6 != first.isIPv6 else { return }
            learn(next)
        }
    }

    mutating func learn(_ address: IPAddress) {
        guard addresses.count < Self.maximumCount, address.isUnicast, !isLocal(address) else { return }
        guard !address.isLoopback || hasOnlyLoopback else { return }
        // The first address of a network ends a capture of loopback traffic alone.
        if !address.isLoopback { addresses.removeAll(where: \.isLoopback) }
        addresses.append(address)
    }

    /// `true` if no address is known by which the device takes part in a network.
    var hasOnlyLoopback: Bool { addresses.allSatisfy(\.isLoopback) }

    func isLocal(_ address: IPAddress) -> Bool { contains(address.bits, isIPv6: address.isIPv6) }

    private struct Votes {
        var packets = 0
        var asClient = 0
        var asServer = 0
    }

    /// Returns the address that occurs in most packets.
    ///
    /// On equal counts the order is: client behaviour, then a private address, then the first seen. A phone that
    /// changed its address may have fewer packets under each address than its server. Therefore the most frequent
    /// client wins if it has at least half as many packets. In a capture taken on a server, no single client has that
    /// many.
    private static func mostFrequentAddress(_ addressSamples: [AddressSample]) -> IPAddress? {
        var votes: [IPAddress: Votes] = [:]
        var order: [IPAddress] = []
        func vote(_ address: IPAddress, asClient: Bool, asServer: Bool) {
            guard address.isUnicast else { return }
            if votes[address] == nil { order.append(address) }
            votes[address, default: Votes()].packets += 1
            if asClient { votes[address, default: Votes()].asClient += 1 }
            if asServer { votes[address, default: Votes()].asServer += 1 }
        }
        for addressSample in addressSamples {
            vote(addressSample.source, asClient: addressSample.isClientLike, asServer: false)
            vote(addressSample.destination, asClient: false, asServer: addressSample.isClientLike)
        }
        func first(of addresses: [IPAddress]) -> (address: IPAddress, votes: Votes)? {
            addresses.reduce(nil) { best, address in
                let own = votes[address] ?? Votes()
                guard let best else { return (address, own) }
                let isBetter =
                    (own.packets, own.asClient, address.isPrivate ? 1 : 0)
                    > (best.votes.packets, best.votes.asClient, best.address.isPrivate ? 1 : 0)
                return isBetter ? (address, own) : best
            }
        }
        guard let best = first(of: order) else { return nil }
        let clients = order.filter { (votes[$0]?.asClient ?? 0) > (votes[$0]?.asServer ?? 0) }
        guard let client = first(of: clients), 2 * client.votes.packets >= best.votes.packets else {
            return best.address
        }
        return client.address
    }

    /// Returns the station of an address.
    ///
    /// `nil` on links without stations, if one station is both sender and receiver of a packet, or if the station sent
    /// to the address too: an anonymised capture, loopback, or a router.
    private static func station(of address: IPAddress, _ addressSamples: [AddressSample]) -> UInt64? {
        guard !addressSamples.contains(where: { $0.sourceStation == $0.destinationStation }) else { return nil }
        let sent = addressSamples.first { $0.source == address && $0.sourceStation != 0 }
        let received = addressSamples.first { $0.destination == address && $0.destinationStation != 0 }
        let station = sent?.sourceStation ?? received?.destinationStation
        return addressSamples.contains { $0.destination == address && $0.sourceStation == station } ? nil : station
    }
}
