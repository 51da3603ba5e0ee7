public import DeadzoneCaptures

/// Sees when the phone takes another address: the first flow of an address that it did not have before.
public struct AddressWatch: Sendable {
    public struct Change: Sendable {
        public let at: Stamp
        public let from: IPAddress
        public let to: IPAddress
    }

    private static let bound = 1_000
    public private(set) var changes: [Change] = []
    private var known: Set<IPAddress> = []
    private var latest: [Bool: IPAddress] = [:]
    private var looked = 0

    /// Looks at the flows that are new.
    public init() {}

    public mutating func look(_ reader: CaptureReader) {
        while looked < reader.describedFlows {
            let flow = reader.flow(FlowID(UInt32(looked)))
            looked += 1
            let address = flow.local.address
            guard flow.deviceSide != nil, flow.up.packets > 0, address.isUnicast, flow.remote.address.isUnicast,
                known.count < Self.bound
            else { continue }
            guard known.insert(address).inserted else {
                latest[address.isIPv6] = address
                continue
            }
            if let before = latest[address.isIPv6], changes.count < Self.bound {
                changes.append(Change(at: flow.first, from: before, to: address))
            }
            latest[address.isIPv6] = address
        }
    }
}
