import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Simulates the middleboxes (NATs, firewalls) on the path, which can forget connections. All of them are modelled
/// beyond the link, where the server is. They never see a packet that the link loses, and they see the server's packets
/// immediately.
extension PhoneSimulation {
    /// `true` if the middleboxes on the path let a packet of a connection through.
    @inline(__always)
    mutating func passesMiddleboxes(
        _ flight: PacketInFlight, _ direction: Direction, at sentAt: Instant, _ context: inout WorkerContext
    ) -> Bool {
        guard context.packets.hasMiddleboxes, context.packets.boxes(flight.interface).pointee.count > 0 else {
            return true
        }
        return crossMiddleboxes(flight, direction, at: sentAt, &context)
    }

    @inline(never)
    private mutating func crossMiddleboxes(
        _ flight: PacketInFlight, _ direction: Direction, at sentAt: Instant, _ context: inout WorkerContext
    ) -> Bool {
        let slot = Int(flight.slot)
        guard Self.slots.contains(slot), phoneEnd[slot].generation == flight.generation else { return true }
        // After a connection has moved, the middleboxes of its old path are not simulated any more.
        guard flight.interface == phoneEnd[slot].interface, flight.epoch == phoneEnd[slot].epoch else { return true }
        let crossing = connections.truths[slot].boxes.cross(
            direction, under: flight.connectionAddress, context.packets.boxes(flight.interface),
            isUDP: phoneEnd[slot].isUDP, opensConnection: flight.packet.content == .hello, at: sentAt)
        switch crossing {
        case .passes: if direction == .up, connections.truths[slot].state == .blocked { reassess(&context) }
        case .vanishes: break
        case .isBlocked:
            journal(.protocolBlocked, flight.interface, &context)
            reassess(&context)
        // The middlebox has no mapping for the connection, and sends the reset in the name of the other end.
        case .isReset where direction == .up: sendReset(slot, answering: flight.packet, &context)
        case .isReset:
            callServer(&context) { $0.dropClient(slot, at: $1, &$2) }
            reassess(&context)
        }
        return crossing == .passes
    }

    /// Sends a reset to the phone, in the name of the connection's other end.
    mutating func sendReset(_ slot: Int, answering packet: Packet?, _ context: inout WorkerContext) {
        let packet = Packet(.reset, cause: .connect, bytes: Wire.tcp, stamp: now, answering: packet)
        let flight = PacketInFlight(
            at: now, packet: packet, location: .toEdge, interface: phoneEnd[slot].interface, slot: UInt8(slot),
            generation: phoneEnd[slot].generation, epoch: phoneEnd[slot].epoch)
        callPacketNetwork(&context) { $0.sendDown(flight, sentAt: $1, at: $1, $2, &$3) }
    }

    /// Returns the connection's next deadline in the network: an expiring middlebox mapping or a step of the address
    /// resolution. Mappings expire even while the phone sleeps. Address resolution runs on the phone and waits while
    /// its processor sleeps (`kernelSleeps`).
    func mappingOrResolutionDeadline(_ slot: Int, _ kernelSleeps: Bool) -> Instant {
        let forgotten = connections.truths[slot].boxes.endsAt
        return kernelSleeps ? forgotten : min(forgotten, max(phoneEnd.resolutionDeadline(slot), now))
    }

    mutating func advanceMappingOrResolution(_ slot: Int, _ context: inout WorkerContext) {
        if connections.truths[slot].boxes.endsAt <= now {
            let path = context.packets.boxes(phoneEnd[slot].interface)
            let place = connections.truths[slot].boxes.expire(at: now, path, isUDP: phoneEnd[slot].isUDP)
            if let place { loseMapping(slot, place, &context) }
        } else {
            expireResolution(slot, &context)
        }
    }

    private mutating func loseMapping(_ slot: Int, _ place: Int, _ context: inout WorkerContext) {
        let interface = phoneEnd[slot].interface
        if phoneEnd[slot].belief == .open { journal(.mappingExpired, interface, &context) }
        server.changeSource(slot)
        let box = context.packets.boxes(interface).pointee[place]
        if box.expiryAction == .close, !phoneEnd[slot].isUDP {
            callServer(&context) { $0.dropClient(slot, at: $1, &$2) }
            sendReset(slot, answering: nil, &context)
        }
        reassess(&context)
    }

    /// Makes the middleboxes of an interface forget all mappings, as after a restart. Middleboxes in front of the
    /// server keep theirs. Returns `false` if no mapping was lost.
    mutating func loseMappings(_ interface: Interface, _ context: inout WorkerContext) -> Bool {
        var isAny = callPacketNetwork(&context) { $0.loseTunnelMappings(interface, at: $1, &$3) }
        guard !context.packets.tunnelCarriesApp else { return isAny }
        let path = context.packets.boxes(interface)
        connections.forgetAbandoned(over: interface)
        for slot in Self.slots
        where phoneEnd[slot].interface == interface && (phoneEnd[slot].belief != .closed || server.isHeld(slot)) {
            let isUDP = phoneEnd[slot].isUDP
            for place in 0..<context.packets.accessBoxes(interface).pointee.count
            where connections.truths[slot].boxes.forget(place, path, isUDP: isUDP) {
                isAny = true
                loseMapping(slot, place, &context)
            }
        }
        return isAny
    }
}
