import DeadzoneBase
import DeadzoneTransport

/// Middleboxes on the path, which keep state per flow.
extension LivePath {
    mutating func passesMiddleboxes(_ pending: PendingPacket, _ direction: Direction) -> Bool {
        let path = paths[Int(pending.interface.rawValue)]
        guard path.count > 0 else { return true }
        let known = mappings[pending.name]?.boxes
        var boxes = known ?? MiddleboxMappings()
        let isUDP = pending.name.isUDP
        let begins = pending.packet.flags.contains(.syn) && !pending.packet.flags.contains(.ack)
        let crossing = boxes.cross(direction, path, isUDP: isUDP, opensConnection: begins || isUDP, at: now)
        mappings[pending.name] = (boxes, pending.interface)
        mappingsAt = min(mappingsAt, boxes.nextExpiry(path, isUDP: isUDP))
        if crossing == .isReset, !pending.packet.flags.contains(.rst) { sendReset(pending, direction) }
        if crossing == .isBlocked, known == nil { observer.recordBlocking(pending.name, pending.interface, at: now) }
        return crossing == .passes
    }

    /// The middlebox has no state for the packet and resets its sender in place of the other end.
    private mutating func sendReset(_ pending: PendingPacket, _ direction: Direction) {
        let packet = pending.packet
        let segment = pending.name.segment(
            direction == .up ? .down : .up, [.rst, .ack], sequence: packet.acknowledgement,
            acknowledgement: packet.nextSequence)
        if direction == .up {
            sendThroughLink(
                PendingPacket(
                    packet: segment, name: pending.name, interface: pending.interface, cause: .connect,
                    account: .connect, hop: .toEdge),
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
                handleExpiry(name, entry.interface, path[place], boxes.status(path, isUDP: name.isUDP))
            }
            mappings[name]?.boxes = boxes
            mappingsAt = min(mappingsAt, boxes.nextExpiry(path, isUDP: name.isUDP))
        }
    }

    mutating func handleExpiry(
        _ name: LiveFlowKey, _ interface: Interface, _ box: Middlebox, _ left: MiddleboxMappings.MappingStatus
    ) {
        observer.recordMappingExpiry(name, interface, isDead: left == .cut, at: now)
        guard box.expiryAction == .close, !name.isUDP, let ends = observer.expectedSequences(of: name) else { return }
        let segment = name.segment(.down, [.rst, .ack], sequence: ends.phone, acknowledgement: ends.server)
        sendThroughLink(
            PendingPacket(
                packet: segment, name: name, interface: interface, cause: .connect, account: .connect, hop: .toEdge),
            .down)
        arrived.append(
            (name.segment(.up, [.rst, .ack], sequence: ends.server, acknowledgement: ends.phone), .server, now))
    }
}
