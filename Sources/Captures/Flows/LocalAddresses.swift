/// Which addresses are the device's own: told, or inferred from a sample of the first packets.
///
/// The device is what takes part in most of what was captured on it. Its other addresses are those that send from its station
/// (Ethernet, Wi-Fi), or, where there are no stations, those that the rest of the sample has in common and that behave like a
/// client. Later addresses (a handoff, a new lease) are learned by the same signs as they come.
struct LocalAddresses {
    /// A phone has a few; more are some other host's.
    private static let most = 32

    private(set) var addresses: [IPAddress] = []
    /// The station of the device, where the link has stations.
    private(set) var station: UInt64?
    private(set) var isTold: Bool
    /// How much of the sample the inferred addresses explain.
    private(set) var explained = 0
    private(set) var sampled = 0

    init(told: [IPAddress]) {
        addresses = told
        isTold = !told.isEmpty
    }

    /// What the sample keeps of one packet.
    struct Sight {
        var source: IPAddress
        var destination: IPAddress
        var sourceStation: UInt64
        var destinationStation: UInt64
        /// Began a connection, or sent to a server's port from a client's.
        var isClientLike: Bool
        /// As the file says.
        var direction: PacketDirection
    }

    @inline(__always) func contains(_ bits: UInt128, isIPv6: Bool) -> Bool {
        for address in addresses where address.bits == bits && address.isIPv6 == isIPv6 { return true }
        return false
    }

    mutating func infer(from sights: [Sight]) {
        sampled = sights.count
        guard !isTold, !sights.isEmpty else { return }
        // Where the file says which packets went up, their senders are the device.
        for sight in sights where sight.direction == .up { learn(sight.source) }
        guard addresses.isEmpty else { return countExplained(sights) }
        guard let first = Self.favourite(sights) else { return }
        addresses = [first]
        station = Self.station(of: first, sights)
        if let station {
            for sight in sights where sight.sourceStation == station { learn(sight.source) }
        } else {
            inferMore(sights, beside: first)
        }
        countExplained(sights)
    }

    private mutating func countExplained(_ sights: [Sight]) {
        explained = sights.count { isLocal($0.source) || isLocal($0.destination) }
    }

    /// Another family first, then what changed in the same one.
    private mutating func inferMore(_ sights: [Sight], beside first: IPAddress) {
        var rest = sights
        for _ in 0..<8 {
            rest.removeAll { isLocal($0.source) || isLocal($0.destination) }
            guard let next = Self.favourite(rest) else { return }
            let votes = rest.count { $0.source == next || $0.destination == next }
            let isClient = rest.contains { $0.source == next && $0.isClientLike }
            guard votes > 1, isClient || next.isIPv6 != first.isIPv6 else { return }
            learn(next)
        }
    }

    mutating func learn(_ address: IPAddress) {
        guard addresses.count < Self.most, address.isUnicast, !isLocal(address) else { return }
        addresses.append(address)
    }

    func isLocal(_ address: IPAddress) -> Bool { contains(address.bits, isIPv6: address.isIPv6) }

    private struct Votes {
        var packets = 0
        var asClient = 0
        var asServer = 0
    }

    /// The address in most packets; of equals the one that behaves like a client, then a private one, then the one seen first.
    /// A phone that has changed its address may have less packets under each than the server it talks to: the first among
    /// clients wins if it has half as many packets. Where a server was captured, no client of many has.
    private static func favourite(_ sights: [Sight]) -> IPAddress? {
        var votes: [IPAddress: Votes] = [:]
        var order: [IPAddress] = []
        func vote(_ address: IPAddress, asClient: Bool, asServer: Bool) {
            guard address.isUnicast else { return }
            if votes[address] == nil { order.append(address) }
            votes[address, default: Votes()].packets += 1
            if asClient { votes[address, default: Votes()].asClient += 1 }
            if asServer { votes[address, default: Votes()].asServer += 1 }
        }
        for sight in sights {
            vote(sight.source, asClient: sight.isClientLike, asServer: false)
            vote(sight.destination, asClient: false, asServer: sight.isClientLike)
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

    /// Nil on links without stations, and where one station is at both ends, or stands before both: an anonymized capture, the
    /// loopback, a router.
    private static func station(of address: IPAddress, _ sights: [Sight]) -> UInt64? {
        guard !sights.contains(where: { $0.sourceStation == $0.destinationStation }) else { return nil }
        let sent = sights.first { $0.source == address && $0.sourceStation != 0 }
        let received = sights.first { $0.destination == address && $0.destinationStation != 0 }
        let station = sent?.sourceStation ?? received?.destinationStation
        return sights.contains { $0.destination == address && $0.sourceStation == station } ? nil : station
    }
}
