import DeadzoneBase
import DeadzoneTransport

/// The middleboxes (NATs, firewalls) on the paths of connections, which can forget them.
///
/// All of them are modelled beyond the link, where the server is. They never see a packet that the link loses, and they
/// see the server's packets immediately. After a connection has moved, those of its old path are not simulated any
/// more.
extension PacketNetwork {
    /// A mapping that a middlebox has lost.
    struct LostMapping: BitwiseCopyable {
        let interface: Interface
        /// `true` if the middlebox ends the connection at once, as a proxy does: it notifies both ends.
        let endsConnection: Bool
    }

    /// Sends a packet of a connection through the middleboxes on its path. `nil` if there are none. A reset for the
    /// phone is sent here; one for the server is the caller's task.
    @inline(__always)
    mutating func crossMiddleboxes(
        _ flight: PacketInFlight, _ direction: Direction, sentAt: Instant, at now: Instant,
        _ networks: borrowing Networks, _ resources: inout PacketResources
    ) -> MiddleboxMappings.CrossingResult? {
        guard let mappings, resources.boxes(flight.interface).pointee.count > 0 else { return nil }
        return cross(mappings, flight, direction, sentAt: sentAt, at: now, networks, &resources)
    }

    @inline(never)
    private mutating func cross(
        _ mappings: UnsafeMutablePointer<MiddleboxState>, _ flight: PacketInFlight, _ direction: Direction,
        sentAt: Instant, at now: Instant, _ networks: borrowing Networks, _ resources: inout PacketResources
    ) -> MiddleboxMappings.CrossingResult? {
        let slot = Int(flight.slot)
        guard Self.slots.contains(slot), case let connection = self[connection: slot],
            connection.generation == flight.generation, connection.interface == flight.interface,
            connection.addressNumber == flight.addressNumber
        else { return nil }
        let crossing = mappings[slot].cross(
            direction, under: flight.connectionAddress, resources.boxes(flight.interface), isUDP: connection.isUDP,
            opensConnection: flight.packet.content == .hello, at: sentAt)
        switch crossing {
        case .passes, .vanishes: break
        case .isBlocked: journal(.protocolBlocked, flight.interface, at: now, &resources)
        case .isReset where direction == .up:
            sendReset(slot, answering: flight.packet, at: now, networks, &resources)
        case .isReset: break
        }
        return crossing
    }

    /// Sends a reset to the phone, in the name of the connection's other end.
    mutating func sendReset(
        _ slot: Int, answering packet: Packet?, at now: Instant, _ networks: borrowing Networks,
        _ resources: inout PacketResources
    ) {
        let connection = self[connection: slot]
        let reset = Packet(.reset, cause: .connect, bytes: Wire.tcp, stamp: now, answering: packet)
        let flight = PacketInFlight(
            at: now, packet: reset, location: .toEdge, interface: connection.interface, slot: UInt8(slot),
            generation: connection.generation, addressNumber: connection.addressNumber)
        sendDown(flight, sentAt: now, at: now, networks, &resources)
    }

    // MARK: Mappings

    /// `intact` if the middleboxes on the connection's path let its packets through.
    func mappingStatus(_ slot: Int) -> MiddleboxMappings.MappingStatus { mappings?[slot].status ?? .intact }

    /// Time at which a middlebox forgets the connection if no packet passes before; `.never` if none does. Mappings
    /// expire even while the phone sleeps.
    @inline(__always)
    func mappingEndsAt(_ slot: Int) -> Instant { mappings?[slot].endsAt ?? .never }

    /// Removes a mapping of the connection that has expired. `nil` if none has.
    mutating func expireMapping(_ slot: Int, at now: Instant, _ resources: borrowing PacketResources) -> LostMapping? {
        guard let mappings, case let connection = self[connection: slot] else { return nil }
        let path = resources.boxes(connection.interface)
        return mappings[slot].expire(at: now, path, isUDP: connection.isUDP).map { lose($0, connection, path) }
    }

    /// Makes one middlebox of an interface forget the connection, as after a restart. `nil` if none has a mapping any
    /// more. Middleboxes in front of the server keep theirs.
    mutating func forgetMapping(
        _ slot: Int, over interface: Interface, _ resources: borrowing PacketResources
    ) -> LostMapping? {
        guard let mappings, !resources.tunnelCarriesApp, case let connection = self[connection: slot],
            connection.interface == interface
        else { return nil }
        let path = resources.boxes(interface)
        for place in 0..<resources.accessBoxes(interface).pointee.count
        where mappings[slot].forget(place, path, isUDP: connection.isUDP) {
            return lose(place, connection, path)
        }
        return nil
    }

    private func lose(
        _ place: Int, _ connection: CarriedConnection, _ path: UnsafePointer<MiddleboxPath>
    ) -> LostMapping {
        LostMapping(
            interface: connection.interface,
            endsConnection: path.pointee[place].expiryAction == .close && !connection.isUDP)
    }
}
