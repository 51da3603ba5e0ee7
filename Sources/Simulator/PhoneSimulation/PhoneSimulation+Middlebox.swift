import DeadzoneBase
import DeadzoneTransport

/// The consequences of middleboxes that stop packets or forget connections, for both ends of a connection.
extension PhoneSimulation {
    /// `true` if the middleboxes on the path let a packet of a connection through.
    @inline(__always)
    mutating func passesMiddleboxes(
        _ flight: PacketInFlight, _ direction: Direction, at sentAt: Instant, _ context: inout WorkerContext
    ) -> Bool {
        guard let crossing = crossMiddleboxes(flight, direction, at: sentAt, &context) else { return true }
        if crossing == .passes {
            if direction == .up, connections.truths[Int(flight.slot)].state == .blocked { reassess(&context) }
            return true
        }
        applyStop(crossing, direction, Int(flight.slot), &context)
        return false
    }

    /// Applies the consequences of a packet that a middlebox has stopped.
    @inline(never)
    private mutating func applyStop(
        _ crossing: MiddleboxMappings.CrossingResult, _ direction: Direction, _ slot: Int,
        _ context: inout WorkerContext
    ) {
        switch (crossing, direction) {
        case (.passes, _), (.vanishes, _), (.isReset, .up): return
        case (.isBlocked, _): break
        case (.isReset, .down): callServer(&context) { $0.dropClient(slot, at: $1, &$2) }
        }
        reassess(&context)
    }

    mutating func advanceMappingOrResolution(_ slot: Int, _ context: inout WorkerContext) {
        guard packetNetwork.mappingEndsAt(slot) <= now else {
            callPhoneEnd(&context) { [sessionView] in $0.expireResolution(slot, at: $1, sessionView, &$2) }
            return
        }
        if let lost = packetNetwork.expireMapping(slot, at: now, context.packets) { loseMapping(slot, lost, &context) }
    }

    private mutating func loseMapping(
        _ slot: Int, _ lost: PacketNetwork.LostMapping, _ context: inout WorkerContext
    ) {
        if phoneEnd[slot].belief == .open { journal(.mappingExpired, lost.interface, &context) }
        server.changeSource(slot)
        if lost.endsConnection {
            callServer(&context) { $0.dropClient(slot, at: $1, &$2) }
            callPacketNetwork(&context) { $0.sendReset(slot, answering: nil, at: $1, $2, &$3) }
        }
        reassess(&context)
    }

    /// Makes the middleboxes of an interface forget all mappings, as after a restart. Returns `false` if no mapping was
    /// lost.
    mutating func loseMappings(_ interface: Interface, _ context: inout WorkerContext) -> Bool {
        var isAny = callPacketNetwork(&context) { $0.loseTunnelMappings(interface, at: $1, &$3) }
        if !context.packets.tunnelCarriesApp { connections.forgetAbandoned(over: interface) }
        for slot in Self.slots where phoneEnd[slot].belief != .closed || server.isHeld(slot) {
            while let lost = packetNetwork.forgetMapping(slot, over: interface, context.packets) {
                isAny = true
                loseMapping(slot, lost, &context)
            }
        }
        return isAny
    }
}
