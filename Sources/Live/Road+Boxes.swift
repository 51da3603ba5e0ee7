import DeadzoneNetwork
import DeadzonePrimitives

/// The boxes on the way, which remember what they have seen.
extension Road {
    mutating func passesBoxes(_ flight: Flight, _ direction: Direction) -> Bool {
        let path = paths[Int(flight.interface.rawValue)]
        guard path.count > 0 else { return true }
        var (boxes, _) = mappings[flight.name] ?? (Mappings(), flight.interface)
        let isUDP = flight.name.isUDP
        let begins = flight.packet.flags.contains(.syn) && !flight.packet.flags.contains(.ack)
        let crossing = boxes.cross(direction, path, isUDP: isUDP, begins: begins || isUDP, at: now)
        mappings[flight.name] = (boxes, flight.interface)
        mappingsAt = min(mappingsAt, boxes.nextExpiry(path, isUDP: isUDP))
        if crossing == .isReset, !flight.packet.flags.contains(.rst) { reset(flight, direction) }
        return crossing == .passes
    }

    /// The box answers for the other end, which it cannot find.
    private mutating func reset(_ flight: Flight, _ direction: Direction) {
        let packet = flight.packet
        let segment = flight.name.segment(
            direction == .up ? .down : .up, [.rst, .ack], sequence: packet.acknowledgement,
            acknowledgement: packet.nextSequence)
        if direction == .up {
            cross(
                Flight(
                    packet: segment, name: flight.name, interface: flight.interface, cause: .connect, hop: .toEdge),
                .down)
        } else {
            arrived.append((segment, .server, now))
        }
    }

    mutating func expireMappings() {
        mappingsAt = .never
        for (name, entry) in mappings {
            var boxes = entry.boxes
            let path = paths[Int(entry.interface.rawValue)]
            while let place = boxes.expire(at: now, path, isUDP: name.isUDP) {
                forget(name, entry.interface, path[place], boxes.standing(path, isUDP: name.isUDP))
            }
            mappings[name]?.boxes = boxes
            mappingsAt = min(mappingsAt, boxes.nextExpiry(path, isUDP: name.isUDP))
        }
    }

    mutating func forget(_ name: FlowName, _ interface: Interface, _ box: Middlebox, _ left: Mappings.Standing) {
        watch.forgotten(name, interface, isDead: left == .cut, at: now)
        guard box.manner == .close, !name.isUDP, let ends = watch.ends(of: name) else { return }
        let segment = name.segment(.down, [.rst, .ack], sequence: ends.phone, acknowledgement: ends.server)
        cross(Flight(packet: segment, name: name, interface: interface, cause: .connect, hop: .toEdge), .down)
        arrived.append(
            (name.segment(.up, [.rst, .ack], sequence: ends.server, acknowledgement: ends.phone), .server, now))
    }
}
