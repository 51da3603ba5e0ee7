package import DeadzoneCaptures

/// Detects in a capture that the phone gets another IP address. The sign is the first flow from an address that the
/// phone did not have before.
package struct AddressChangeDetector: Sendable {
    package struct AddressChange: Sendable {
        package let at: Timestamp
        package let from: IPAddress
        package let to: IPAddress
    }

    private static let bound = 1_000
    package private(set) var changes: [AddressChange] = []
    private var known: Set<IPAddress> = []
    private var latest: [Bool: IPAddress] = [:]
    private var looked = 0

    package init() {}

    /// Scans the flows that are new since the last call.
    package mutating func scanNewFlows(_ reader: CaptureReader) {
        while looked < reader.describedFlows {
            let flow = reader.flow(FlowID(UInt32(looked)))
            looked += 1
            let address = flow.local.address
            guard flow.deviceSide != nil, flow.up.packets > 0, address.isStated, address.isUnicast,
                flow.remote.address.isUnicast, flow.neighbourTraffic != .loopback,
                known.count < Self.bound
            else { continue }
            guard known.insert(address).inserted else {
                latest[address.isIPv6] = address
                continue
            }
            if let before = latest[address.isIPv6], changes.count < Self.bound {
                changes.append(AddressChange(at: flow.first, from: before, to: address))
            }
            latest[address.isIPv6] = address
        }
    }
}
