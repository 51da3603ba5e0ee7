import DeadzoneClient
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld

/// Boxes on the path that forget connections. They all stand beyond the link, where the server is: what the link loses they
/// never see, and what the server sends they see at once.
extension Lane {
    /// What becomes of a packet of a line at the boxes of its path.
    mutating func passesBoxes(_ flight: Flight, _ direction: Direction, at now: Instant, _ stage: inout Stage) -> Bool {
        let slot = Int(flight.slot)
        guard stage.hasMiddleboxes, stage.boxes(flight.interface).pointee.count > 0, Self.slots.contains(slot),
            lines[slot].generation == flight.generation
        else { return true }
        // Of a connection that has moved, the boxes of its old path are not remembered.
        guard flight.interface == lines[slot].interface, flight.epoch == lines[slot].epoch else { return true }
        let path = stage.boxes(flight.interface)
        beginMappings(slot, flight)
        let crossing = lines[slot].mappings.cross(
            direction, path.pointee, isUDP: lines[slot].isUDP, begins: flight.packet.content == .hello, at: now)
        watch(slot, path.pointee)
        if crossing == .passes, direction == .up, lines[slot].truth == .blocked { reassess(&stage) }
        if crossing == .isReset { reset(flight, direction, &stage) }
        return crossing == .passes
    }

    /// Whose mappings the boxes hold: those of one connection on one address.
    private mutating func beginMappings(_ slot: Int, _ flight: Flight) {
        let place = UInt64(flight.interface.rawValue) << 16 | UInt64(flight.epoch)
        let name = UInt64(flight.generation) << 32 | place
        guard lines[slot].mappingsOf != name else { return }
        forgetMappings(slot)
        lines[slot].mappingsOf = name
    }

    /// Of another address of the connection.
    private mutating func forgetMappings(_ slot: Int) {
        lines[slot].mappingsOf = 0
        lines[slot].mappings = Mappings()
        lines[slot].mappingEnds = .never
        lines[slot].mappingState = .whole
    }

    private mutating func watch(_ slot: Int, _ path: MiddleboxPath) {
        lines[slot].mappingEnds = lines[slot].mappings.nextExpiry(path, isUDP: lines[slot].isUDP)
        lines[slot].mappingState = lines[slot].mappings.standing(path, isUDP: lines[slot].isUDP)
    }

    /// The box answers for the other end, which it cannot find.
    private mutating func reset(_ flight: Flight, _ direction: Direction, _ stage: inout Stage) {
        switch direction {
        case .up: sendReset(Int(flight.slot), answering: flight.packet, &stage)
        case .down:
            loseClient(Int(flight.slot), &stage)
            reassess(&stage)
        }
    }

    private mutating func sendReset(_ slot: Int, answering packet: Packet?, _ stage: inout Stage) {
        let packet = Packet(.goodbye, cause: .connect, bytes: Wire.tcp, stamp: now, answering: packet)
        cross(
            Flight(
                at: now, packet: packet, hop: .toEdge, interface: lines[slot].interface, slot: UInt8(slot),
                generation: lines[slot].generation, epoch: lines[slot].epoch), .down, at: now, &stage)
    }

    /// The next thing that happens to the line beyond its ends and its packets. Mappings run out in the network; the way to an
    /// address is the phone's, and waits while its processor sleeps.
    func networkDeadline(_ slot: Int, _ kernelSleeps: Bool) -> Instant {
        kernelSleeps ? lines[slot].mappingEnds : min(lines[slot].mappingEnds, max(lines[slot].approachEnds, now))
    }

    mutating func advanceNetwork(_ slot: Int, _ stage: inout Stage) {
        if lines[slot].mappingEnds <= now { expireMapping(slot, &stage) } else { expireApproach(slot, &stage) }
    }

    private mutating func expireMapping(_ slot: Int, _ stage: inout Stage) {
        let interface = lines[slot].interface
        let path = stage.boxes(interface)
        let place = lines[slot].mappings.expire(at: now, path.pointee, isUDP: lines[slot].isUDP)
        watch(slot, path.pointee)
        if let place { loseMapping(slot, place, &stage) }
    }

    private mutating func loseMapping(_ slot: Int, _ place: Int, _ stage: inout Stage) {
        let interface = lines[slot].interface
        if lines[slot].belief == .open { journal(.mappingExpired, interface, &stage) }
        let box = stage.boxes(interface).pointee[place]
        if box.manner == .close, !lines[slot].isUDP {
            loseClient(slot, &stage)
            sendReset(slot, answering: nil, &stage)
        }
        reassess(&stage)
    }

    /// The boxes of an interface are new ones, as after a restart; those at the server stay.
    mutating func loseMappings(_ interface: Interface, _ stage: inout Stage) -> Bool {
        let path = stage.boxes(interface)
        var isAny = false
        for slot in Self.slots where lines[slot].givenUp?.interface == interface { lines[slot].givenUp = nil }
        for slot in Self.slots
        where lines[slot].interface == interface && (lines[slot].belief != .closed || server.isHeld(slot)) {
            for place in 0..<stage.world.middleboxes.own(interface).count where lines[slot].mappings.forget(place) {
                isAny = true
                watch(slot, path.pointee)
                loseMapping(slot, place, &stage)
            }
        }
        return isAny
    }
}
