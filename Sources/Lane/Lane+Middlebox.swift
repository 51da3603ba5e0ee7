import DeadzoneClient
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld

/// Boxes on the path that forget connections. They all stand beyond the link, where the server is: what the link loses they
/// never see, and what the server sends they see at once.
extension Lane {
    /// What becomes of a packet of a line at the boxes of its path.
    @inline(__always)
    mutating func passesBoxes(_ flight: Flight, _ direction: Direction, at now: Instant, _ stage: inout Stage) -> Bool {
        guard stage.hasMiddleboxes, stage.boxes(flight.interface).pointee.count > 0 else { return true }
        return meetsBoxes(flight, direction, at: now, &stage)
    }

    @inline(never)
    private mutating func meetsBoxes(
        _ flight: Flight, _ direction: Direction, at now: Instant, _ stage: inout Stage
    ) -> Bool {
        let slot = Int(flight.slot)
        guard Self.slots.contains(slot), phoneEnd[slot].generation == flight.generation else { return true }
        // Of a connection that has moved, the boxes of its old path are not remembered.
        guard flight.interface == phoneEnd[slot].interface, flight.epoch == phoneEnd[slot].epoch else { return true }
        // One connection on one address.
        let address = UInt64(flight.generation) << 32 | UInt64(flight.interface.rawValue) << 16 | UInt64(flight.epoch)
        let crossing = realities[slot].boxes.cross(
            direction, under: address, stage.boxes(flight.interface), isUDP: phoneEnd[slot].isUDP,
            begins: flight.packet.content == .hello, at: now)
        if crossing == .passes, direction == .up, realities[slot].truth == .blocked { reassess(&stage) }
        if crossing == .isReset { reset(flight, direction, &stage) }
        return crossing == .passes
    }

    /// The box answers for the other end, which it cannot find.
    @inline(never)
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
                at: now, packet: packet, hop: .toEdge, interface: phoneEnd[slot].interface, slot: UInt8(slot),
                generation: phoneEnd[slot].generation, epoch: phoneEnd[slot].epoch), .down, at: now, &stage)
    }

    /// The next thing that happens to the line beyond its ends and its packets. Mappings run out in the network; the way to an
    /// address is the phone's, and waits while its processor sleeps.
    func networkDeadline(_ slot: Int, _ kernelSleeps: Bool) -> Instant {
        let forgotten = realities[slot].boxes.endsAt
        return kernelSleeps ? forgotten : min(forgotten, max(phoneEnd.approachDue(slot), now))
    }

    mutating func advanceNetwork(_ slot: Int, _ stage: inout Stage) {
        if realities[slot].boxes.endsAt <= now { expireMapping(slot, &stage) } else { expireApproach(slot, &stage) }
    }

    private mutating func expireMapping(_ slot: Int, _ stage: inout Stage) {
        let path = stage.boxes(phoneEnd[slot].interface)
        let place = realities[slot].boxes.expire(at: now, path, isUDP: phoneEnd[slot].isUDP)
        if let place { loseMapping(slot, place, &stage) }
    }

    private mutating func loseMapping(_ slot: Int, _ place: Int, _ stage: inout Stage) {
        let interface = phoneEnd[slot].interface
        if phoneEnd[slot].belief == .open { journal(.mappingExpired, interface, &stage) }
        let box = stage.boxes(interface).pointee[place]
        if box.manner == .close, !phoneEnd[slot].isUDP {
            loseClient(slot, &stage)
            sendReset(slot, answering: nil, &stage)
        }
        reassess(&stage)
    }

    /// The boxes of an interface are new ones, as after a restart; those at the server stay.
    mutating func loseMappings(_ interface: Interface, _ stage: inout Stage) -> Bool {
        let path = stage.boxes(interface)
        var isAny = false
        for slot in Self.slots where realities[slot].givenUp?.interface == interface { realities[slot].givenUp = nil }
        for slot in Self.slots
        where phoneEnd[slot].interface == interface && (phoneEnd[slot].belief != .closed || server.isHeld(slot)) {
            let isUDP = phoneEnd[slot].isUDP
            for place in 0..<stage.world.middleboxes.own(interface).count
            where realities[slot].boxes.forget(place, path, isUDP: isUDP) {
                isAny = true
                loseMapping(slot, place, &stage)
            }
        }
        return isAny
    }
}
