import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The server's address: connections to an address that the server has left never work again.
///
/// The server is not notified that it has moved. Its ends of such connections stay until its own timers close them.
extension PhoneSimulation {
    /// `true` if the slot's connection, or the last one, is to an address that the server has left, or that its network
    /// does not reach.
    @inline(__always)
    func isAtOldAddress(_ slot: Int, _ context: borrowing WorkerContext) -> Bool {
        serverLocation.address > 0
            && serverLocation.isOld(
                phoneEnd[slot].address, over: phoneEnd[slot].interface, context.resolverOfNetworks)
    }

    /// Moves the server to another address. The change concerns every phone, so it always takes effect.
    mutating func moveServer(leaving oldAddress: OldAddress, _ context: inout WorkerContext) -> Bool {
        serverLocation.move(leaving: oldAddress)
        connections.forgetAbandoned()
        reassess(&context)
        return true
    }

    /// Gives the server's name the present address. Answers that a phone has cached do not change.
    mutating func updateName(_ context: inout WorkerContext) -> Bool {
        guard serverLocation.updateName() else { return false }
        reassess(&context)
        return true
    }

    /// `true` if the packet of a connection is to or from an address that the server has left, or that the packet's
    /// network does not reach.
    @inline(__always)
    func isToOldAddress(_ flight: PacketInFlight, _ context: borrowing WorkerContext) -> Bool {
        guard serverLocation.address > 0, Self.slots.contains(Int(flight.slot)) else { return false }
        return serverLocation.isOld(
            phoneEnd.address(Int(flight.slot), generation: flight.generation), over: flight.interface,
            context.resolverOfNetworks)
    }

    /// Handles a packet that reached the address that the server has left, or no host of this address.
    @inline(never)
    mutating func receiveAtOldAddress(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        let slot = Int(flight.slot)
        let address = phoneEnd.address(slot, generation: flight.generation)
        guard serverLocation.isReset(address, context.resolverOfNetworks), flight.packet.content != .reset,
            !phoneEnd[slot].isUDP, phoneEnd[slot].generation == flight.generation
        else { return drop(flight, &context) }
        callPacketNetwork(&context) { $0.sendReset(slot, answering: flight.packet, at: $1, $2, &$3) }
    }
}
