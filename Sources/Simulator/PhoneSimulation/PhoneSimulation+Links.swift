import DeadzoneBase
import DeadzoneTransport

/// Sends packets over the phone's links, and switches the link condition of an interface.
extension PhoneSimulation {
    @inline(__always)
    func link(_ interface: Interface, _ direction: Direction, _ context: borrowing WorkerContext) -> UnsafePointer<
        LinkDirection
    > {
        context.link(interface, direction, condition: accessInterfaces[interface.arrayIndex].condition)
    }

    mutating func offerToLink(
        _ flight: PacketInFlight, parts: UInt32, _ direction: Direction, at sentAt: Instant,
        _ context: borrowing WorkerContext
    ) -> Transit {
        let purposes = flight.interface.linkPurposes
        let bytes = flight.packet.bytes
        let link = link(flight.interface, direction, context)
        switch direction {
        case .up:
            return accessInterfaces[flight.interface.arrayIndex].up.transmit(
                bytes: bytes, parts: parts, at: sentAt, over: link, packets: context.dice(purposes.up, phone),
                dwells: context.dice(purposes.lossUp, phone))
        case .down:
            return accessInterfaces[flight.interface.arrayIndex].down.transmit(
                bytes: bytes, parts: parts, at: sentAt, over: link, packets: context.dice(purposes.down, phone),
                dwells: context.dice(purposes.lossDown, phone))
        }
    }

    /// Switches the link condition of an interface. Condition 0 is the usual one; the world's alternative conditions
    /// follow in their order. Returns `false` if nothing changed.
    mutating func setLinkCondition(_ interface: Interface, condition: UInt8, _ context: inout WorkerContext) -> Bool {
        guard accessInterfaces[interface.arrayIndex].radio != nil,
            accessInterfaces[interface.arrayIndex].condition != condition
        else { return false }
        accessInterfaces[interface.arrayIndex].condition = condition
        let purposes = interface.linkPurposes
        let dwells = (up: context.dice(purposes.lossUp, phone), down: context.dice(purposes.lossDown, phone))
        accessInterfaces[interface.arrayIndex].up.change(to: link(interface, .up, context).pointee, dwells: dwells.up)
        accessInterfaces[interface.arrayIndex].down.change(
            to: link(interface, .down, context).pointee, dwells: dwells.down)
        return true
    }
}
