import DeadzoneBase
import DeadzoneTransport

/// Sends packets over the phone's links, and switches the link condition of an interface.
extension PhoneSimulation {
    @inline(__always)
    func link(_ interface: Interface, _ direction: Direction, _ context: borrowing WorkerContext) -> UnsafePointer<
        LinkDirection
    > {
        context.link(interface, direction, condition: accessPaths[interface.arrayIndex].condition)
    }

    mutating func offerToLink(
        _ flight: PacketInFlight, parts: UInt32, _ direction: Direction, at sentAt: Instant,
        _ context: borrowing WorkerContext
    ) -> Transit {
        let purposes = flight.interface.linkPurposes
        // An acknowledgement stands for several, of which the next one makes up for a late one.
        return accessPaths[flight.interface.arrayIndex].cross(
            direction, bytes: flight.packet.bytes, parts: parts,
            mayBeLate: flight.packet.content != .acknowledgement, at: sentAt,
            over: link(flight.interface, direction, context),
            packets: context.dice(direction == .up ? purposes.up : purposes.down, phone),
            dwells: context.dice(direction == .up ? purposes.lossUp : purposes.lossDown, phone))
    }

    /// Switches the link condition of an interface. Condition 0 is the usual one; the world's alternative conditions
    /// follow in their order. Returns `false` if nothing changed.
    mutating func setLinkCondition(_ interface: Interface, condition: UInt8, _ context: inout WorkerContext) -> Bool {
        let purposes = interface.linkPurposes
        return accessPaths[interface.arrayIndex].setCondition(
            condition, up: context.link(interface, .up, condition: condition).pointee,
            down: context.link(interface, .down, condition: condition).pointee,
            dwells: (up: context.dice(purposes.lossUp, phone), down: context.dice(purposes.lossDown, phone)))
    }
}
