/// The facts about some packets that all their readers need.
package struct PacketSummary: Sendable {
    /// All kinds of neighbour traffic that occur, perhaps more.
    package let kinds: TrafficKinds
    /// The number of described flows for which memory is needed: a limit of the indices that occur.
    package let flows: Int
    /// The interface of all packets; `nil` if there are several, or no packets.
    package let interface: UInt32?

    init(kinds: TrafficKinds, flows: Int, interface: UInt32?) {
        self.kinds = kinds
        self.flows = flows
        self.interface = interface
    }

    package init(_ packets: Span<CapturedPacket>) {
        var kinds = TrafficKinds()
        var (flows, isMixed) = (0, packets.isEmpty)
        for index in packets.indices {
            kinds.insert(packets[index].neighbourTraffic)
            let flow = Int(packets[index].flow.index)
            if flow < Flow.described { flows = max(flows, flow &+ 1) }
            if packets[index].interface != packets[0].interface { isMixed = true }
        }
        self.init(kinds: kinds, flows: flows, interface: isMixed ? nil : packets[0].interface)
    }
}

/// A set of kinds of traffic, for example those that a replay leaves out.
package struct TrafficKinds: Sendable {
    @usableFromInline var bits: UInt16 = 0

    /// The traffic of other hosts on the local link.
    package static let ofNeighbours = Self(where: \.isOfNeighbours)

    package init() {}

    private init(where isContained: (NeighbourTraffic) -> Bool) { add(where: isContained) }

    package mutating func add(where isContained: (NeighbourTraffic) -> Bool) {
        for kind in NeighbourTraffic.allCases where isContained(kind) { insert(kind) }
    }

    mutating func insert(_ kind: NeighbourTraffic) { bits |= 1 &<< UInt16(kind.rawValue) }

    @inlinable package func contains(_ kind: NeighbourTraffic) -> Bool { bits &>> UInt16(kind.rawValue) & 1 != 0 }

    package func overlaps(_ others: Self) -> Bool { bits & others.bits != 0 }
}
