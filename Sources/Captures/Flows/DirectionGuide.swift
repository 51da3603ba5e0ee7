/// Tells up from down. In this order: the addresses the user names; what the file says of the packet; the device that was
/// inferred; for a flow between two strangers, who behaves like a client.
struct DirectionGuide {
    private var local: LocalAddresses
    private var packetsTold: UInt64 = 0

    init(told: [IPAddress]) { local = LocalAddresses(told: told) }

    var report: DirectionReport {
        DirectionReport(
            device: local.addresses, isDeviceTold: local.isTold, packetsTold: packetsTold, sampled: local.sampled,
            explained: local.explained, hasStation: local.station != nil)
    }

    mutating func infer(_ sample: [SampledPacket], _ packets: UnsafeBufferPointer<Packet>) {
        let sights = zip(sample, packets).compactMap { sampled, packet -> LocalAddresses.Sight? in
            guard packet.network != .other else { return nil }
            let result = sampled.result
            return LocalAddresses.Sight(
                source: Self.address(result.source, packet), destination: Self.address(result.destination, packet),
                sourceStation: result.sourceStation, destinationStation: result.destinationStation,
                isClientLike: Self.isClientLike(packet, result), direction: result.direction)
        }
        local.infer(from: sights)
    }

    private static func address(_ bits: UInt128, _ packet: Packet) -> IPAddress {
        IPAddress(bits: bits, isIPv6: packet.network == .ipv6)
    }

    /// Where Linux begins with ports that it gives to clients (`ip_local_port_range`); IANA and Apple begin at 49,152.
    private static let firstOfClients: UInt16 = 32_768

    /// Of servers, beyond the first 1,024: STUN, MQTT, XMPP, Apple's and Google's push, and HTTP beside its own.
    private static let portsOfServers: Set<UInt16> = [1_883, 3_478, 5_222, 5_223, 5_228, 5_349, 8_080, 8_443, 8_883]

    private static func isOfServer(_ port: UInt16) -> Bool { port < 1_024 || portsOfServers.contains(port) }

    /// Opens a connection, or sends to a port of servers from one that is none.
    private static func isClientLike(_ packet: Packet, _ result: Dissection) -> Bool {
        if packet.transport == .tcp, packet.flags.contains(.syn) { return !packet.flags.contains(.ack) }
        guard result.hasPorts else { return false }
        let (source, destination) = (result.sourcePort, result.destinationPort)
        if isOfServer(source) != isOfServer(destination) { return isOfServer(destination) }
        return destination < firstOfClients && source >= firstOfClients
    }

    /// Whether a packet of IPv4 goes where its flow says and nothing is to be learned from it.
    /// - Parameter told: by the file.
    @inline(never) mutating func confirms(
        _ known: PacketDirection, told: PacketDirection, source: UInt64
    ) -> Bool {
        if local.isTold { return true }
        guard told == known, told == .down || local.contains(UInt128(source), isIPv6: false) else { return false }
        packetsTold &+= 1
        return true
    }

    @inline(never) mutating func direction(
        _ packet: Packet, _ result: Dissection, _ place: FlowBook.Place?, _ book: borrowing FlowBook
    ) -> PacketDirection {
        if let known = place?.direction, result.direction == .unknown || local.isTold { return known }
        return directionSlowly(packet, result, place, book)
    }

    private mutating func directionSlowly(
        _ packet: Packet, _ result: Dissection, _ place: FlowBook.Place?,
        _ book: borrowing FlowBook
    ) -> PacketDirection {
        var direction = PacketDirection.unknown
        if local.isTold { direction = byAddress(packet, result) }
        if direction == .unknown, result.direction != .unknown {
            direction = result.direction
            packetsTold += 1
            if !local.isTold, packet.network != .other, direction == .up {
                local.learn(Self.address(result.source, packet))
            }
        }
        if direction == .unknown { direction = byAddress(packet, result) }
        if direction == .unknown { direction = byStation(packet, result) }
        if direction == .unknown, place != nil { direction = byBehaviour(packet, result) }
        if let place, direction != .unknown, place.state.pointee.device == .unknown {
            place.state.pointee.device = (direction == .up) == place.isLower ? .lower : .higher
            book.setDevice(packet.flow, isOpener: (direction == .up) == (packet.side == .opener))
        }
        return direction
    }

    private func byAddress(_ packet: Packet, _ result: Dissection) -> PacketDirection {
        guard packet.network != .other else { return .unknown }
        let isIPv6 = packet.network == .ipv6
        if local.contains(result.source, isIPv6: isIPv6) { return .up }
        return local.contains(result.destination, isIPv6: isIPv6) ? .down : .unknown
    }

    /// What a station sends is up; whatever else it could hear is down.
    private mutating func byStation(_ packet: Packet, _ result: Dissection) -> PacketDirection {
        guard !local.isTold, let station = local.station, result.sourceStation != 0 else {
            return toEverybody(packet, result)
        }
        if result.sourceStation == station {
            if packet.network != .other { local.learn(Self.address(result.source, packet)) }
            return .up
        }
        let isGroup = result.destinationStation >> 40 & 1 == 1
        return isGroup || result.destinationStation == station ? .down : toEverybody(packet, result)
    }

    /// To a group or to all, from a stranger: the device's radio had to listen.
    private func toEverybody(_ packet: Packet, _ result: Dissection) -> PacketDirection {
        guard packet.network != .other, !local.addresses.isEmpty else { return .unknown }
        let destination = Self.address(result.destination, packet)
        return destination.isUnicast ? .unknown : .down
    }

    /// Two addresses that were never seen: the client is the device, and its address is learned.
    private mutating func byBehaviour(_ packet: Packet, _ result: Dissection) -> PacketDirection {
        guard !local.isTold, local.station == nil else { return .unknown }
        let source = Self.address(result.source, packet)
        let destination = Self.address(result.destination, packet)
        let isUp: Bool
        if source.isPrivate != destination.isPrivate {
            isUp = source.isPrivate
        } else if Self.isClientLike(packet, result) {
            isUp = true
        } else if Self.isOfServer(result.sourcePort) && !Self.isOfServer(result.destinationPort)
            || packet.transport == .tcp && packet.flags.isSuperset(of: [.syn, .ack])
        {
            isUp = false
        } else {
            return .unknown
        }
        local.learn(isUp ? source : destination)
        return isUp ? .up : .down
    }
}
