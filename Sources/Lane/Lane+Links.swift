import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneTransport

/// The links of a phone: which conditions hold on an interface, and what they do to a packet.
extension Lane {
    @inline(__always)
    func link(_ interface: Interface, _ direction: Direction, _ stage: borrowing Stage) -> UnsafePointer<LinkDirection>
    {
        stage.link(interface, direction, condition: ports[interface.port].condition)
    }

    mutating func offer(
        _ flight: Flight, parts: UInt32, _ direction: Direction, at sentAt: Instant, _ stage: borrowing Stage
    ) -> Transit {
        let purposes = flight.interface.linkPurposes
        let bytes = flight.packet.bytes
        let link = link(flight.interface, direction, stage)
        switch direction {
        case .up:
            return ports[flight.interface.port].up.offer(
                bytes: bytes, parts: parts, at: sentAt, over: link, packets: stage.dice(purposes.up, phone),
                dwells: stage.dice(purposes.lossUp, phone))
        case .down:
            return ports[flight.interface.port].down.offer(
                bytes: bytes, parts: parts, at: sentAt, over: link, packets: stage.dice(purposes.down, phone),
                dwells: stage.dice(purposes.lossDown, phone))
        }
    }

    /// Other conditions on an interface, from now on: 0 are its usual ones, then the world's alternatives in their order.
    mutating func meet(_ interface: Interface, condition: UInt8, _ stage: inout Stage) -> Bool {
        guard ports[interface.port].radio != nil, ports[interface.port].condition != condition else { return false }
        ports[interface.port].condition = condition
        let purposes = interface.linkPurposes
        let dwells = (up: stage.dice(purposes.lossUp, phone), down: stage.dice(purposes.lossDown, phone))
        ports[interface.port].up.change(to: link(interface, .up, stage).pointee, dwells: dwells.up)
        ports[interface.port].down.change(to: link(interface, .down, stage).pointee, dwells: dwells.down)
        return true
    }
}
