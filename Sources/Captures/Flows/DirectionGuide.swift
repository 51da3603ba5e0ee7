/// Determines whether a captured packet goes up (sent by the device) or down.
///
/// In this order: the addresses that the user names; the direction that the file records for the packet; the inferred
/// device; for a flow between two unknown addresses, the end that behaves like a client.
struct DirectionGuide {
    private var local: LocalAddresses
    private var packetsWithStatedDirection: UInt64 = 0

    init(stated: [IPAddress]) { local = LocalAddresses(stated: stated) }

    var report: DirectionReport {
        DirectionReport(
            device: local.addresses, isDeviceStated: local.isStated,
            packetsWithStatedDirection: packetsWithStatedDirection, sampled: local.sampled,
            explained: local.explained, hasStation: local.station != nil)
    }

    /// Counts a packet with a direction in the file, and no address that would be needed to learn more.
    mutating func countStated() { packetsWithStatedDirection &+= 1 }

    mutating func infer(_ sample: [SampledPacket], _ packets: UnsafeBufferPointer<CapturedPacket>) {
        // Loopback addresses are the device's in a capture of loopback traffic alone.
        let isLoopbackOnly = packets.allSatisfy { $0.network == .other || $0.neighbourTraffic != .none }
        let addressSamples = zip(sample, packets).compactMap { sampled, packet -> LocalAddresses.AddressSample? in
            guard packet.network != .other, isLoopbackOnly || packet.neighbourTraffic != .loopback else { return nil }
            let result = sampled.result
            return LocalAddresses.AddressSample(
                source: Self.address(result.source, packet), destination: Self.address(result.destination, packet),
                sourceStation: result.sourceStation, destinationStation: result.destinationStation,
                isClientLike: Self.isClientLike(packet, result), direction: result.direction)
        }
        local.infer(from: addressSamples)
    }

    private static func address(_ bits: UInt128, _ packet: CapturedPacket) -> IPAddress {
        IPAddress(bits: bits, isIPv6: packet.network == .ipv6)
    }

    /// First port that Linux assigns to clients (`ip_local_port_range`); IANA and Apple begin at 49,152.
    private static let firstClientPort: UInt16 = 32_768

    /// Server ports above the first 1,024: STUN, MQTT, XMPP, Apple's and Google's push, and alternative HTTP ports.
    private static let serverPorts: Set<UInt16> = [1_883, 3_478, 5_222, 5_223, 5_228, 5_349, 8_080, 8_443, 8_883]

    private static func isServerPort(_ port: UInt16) -> Bool { port < 1_024 || serverPorts.contains(port) }

    /// `true` if the packet opens a connection, or goes from a non-server port to a server port.
    private static func isClientLike(_ packet: CapturedPacket, _ result: Dissection) -> Bool {
        if packet.transport == .tcp, packet.flags.contains(.syn) { return !packet.flags.contains(.ack) }
        guard result.hasPorts else { return false }
        let (source, destination) = (result.sourcePort, result.destinationPort)
        if isServerPort(source) != isServerPort(destination) { return isServerPort(destination) }
        return destination < firstClientPort && source >= firstClientPort
    }

    /// `true` if an IPv4 packet has its flow's known direction and there is nothing to learn from it.
    /// - Parameter stated: The direction that the file records.
    @inline(never) mutating func confirms(
        _ known: PacketDirection, stated: PacketDirection, source: UInt64
    ) -> Bool {
        if local.isStated { return true }
        guard stated == known, stated == .down || local.contains(UInt128(source), isIPv6: false) else { return false }
        packetsWithStatedDirection &+= 1
        return true
    }

    @inline(never) mutating func direction(
        _ packet: CapturedPacket, _ result: Dissection, _ flowLookup: FlowTracker.FlowLookup?,
        _ flowTracker: borrowing FlowTracker
    ) -> PacketDirection {
        if let known = flowLookup?.direction, result.direction == .unknown || local.isStated { return known }
        return directionSlowly(packet, result, flowLookup, flowTracker)
    }

    private mutating func directionSlowly(
        _ packet: CapturedPacket, _ result: Dissection, _ flowLookup: FlowTracker.FlowLookup?,
        _ flowTracker: borrowing FlowTracker
    ) -> PacketDirection {
        var direction = PacketDirection.unknown
        if local.isStated { direction = byAddress(packet, result) }
        if direction == .unknown, result.direction != .unknown {
            direction = result.direction
            packetsWithStatedDirection += 1
            if !local.isStated, packet.network != .other, direction == .up {
                local.learn(Self.address(result.source, packet))
            }
        }
        if direction == .unknown { direction = byAddress(packet, result) }
        if direction == .unknown { direction = byStation(packet, result) }
        if direction == .unknown, flowLookup != nil { direction = byBehaviour(packet, result) }
        if let flowLookup, direction != .unknown, flowLookup.state.pointee.device == .unknown {
            flowLookup.state.pointee.device = (direction == .up) == flowLookup.isLower ? .lower : .higher
            flowTracker.setDevice(packet.flow, isOpener: (direction == .up) == (packet.side == .opener))
        }
        return direction
    }

    private func byAddress(_ packet: CapturedPacket, _ result: Dissection) -> PacketDirection {
        guard packet.network != .other else { return .unknown }
        let isIPv6 = packet.network == .ipv6
        if local.contains(result.source, isIPv6: isIPv6) { return .up }
        return local.contains(result.destination, isIPv6: isIPv6) ? .down : .unknown
    }

    /// Decides by station (MAC) address: packets from the device's station are up; other packets that it receives are
    /// down.
    private mutating func byStation(_ packet: CapturedPacket, _ result: Dissection) -> PacketDirection {
        guard !local.isStated, let station = local.station, result.sourceStation != 0 else {
            return byGroupDestination(packet, result)
        }
        if result.sourceStation == station {
            if packet.network != .other { local.learn(Self.address(result.source, packet)) }
            return .up
        }
        let isGroup = result.destinationStation >> 40 & 1 == 1
        return isGroup || result.destinationStation == station ? .down : byGroupDestination(packet, result)
    }

    /// Multicast and broadcast from an unknown address are down: the device's radio had to listen.
    private func byGroupDestination(_ packet: CapturedPacket, _ result: Dissection) -> PacketDirection {
        guard packet.network != .other, !local.addresses.isEmpty else { return .unknown }
        let destination = Self.address(result.destination, packet)
        return destination.isUnicast ? .unknown : .down
    }

    /// Decides between two unknown addresses: the client is the device, and its address is learned.
    private mutating func byBehaviour(_ packet: CapturedPacket, _ result: Dissection) -> PacketDirection {
        guard !local.isStated, local.station == nil else { return .unknown }
        guard packet.neighbourTraffic != .loopback || local.hasOnlyLoopback else { return .unknown }
        let source = Self.address(result.source, packet)
        let destination = Self.address(result.destination, packet)
        let isUp: Bool
        if source.isPrivate != destination.isPrivate {
            isUp = source.isPrivate
        } else if Self.isClientLike(packet, result) {
            isUp = true
        } else if Self.isServerPort(result.sourcePort) && !Self.isServerPort(result.destinationPort)
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
