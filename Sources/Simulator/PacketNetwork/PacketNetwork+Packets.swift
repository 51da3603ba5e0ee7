import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport

/// Moves packets over radio and link, hop by hop.
extension PacketNetwork {
    // MARK: Departures

    /// Takes a packet from the phone's network stack to its radio, or to the tunnel before it.
    @inline(__always)
    mutating func transmit(
        _ flight: PacketInFlight, _ sender: PacketSender, _ networks: inout Networks,
        _ resources: inout PacketResources
    ) {
        if let tunnel, tunnel.pointee.carries(flight) {
            return sendThroughTunnel(flight, tunnel, sender, networks, &resources)
        }
        transmitOutside(flight, isAllowed: sender.isAllowed, at: sender.now, &networks, &resources)
    }

    /// Passes a packet to the radio: one of an app without a tunnel, or one of the tunnel.
    mutating func transmitOutside(
        _ flight: PacketInFlight, isAllowed: Bool, at now: Instant, _ networks: inout Networks,
        _ resources: inout PacketResources
    ) {
        guard networks.reaches(flight.interface, flight.addressNumber), isAllowed || flight.isOfSystem else {
            return drop(flight, at: now, &resources)
        }
        guard networks.maySend(over: flight.interface, ofApp: flight.slot != .max, at: now) else {
            // The packet may have started the opening of an access gate.
            resources.effects.append(.networkDeadlineChanged)
            return drop(flight, at: now, &resources)
        }
        let offer = offerToRadio(flight, .up, at: now, &resources)
        if offer.isHeld {
            hold(flight, until: offer.flowsAt, lag: offer.lag, &resources)
        } else {
            recordBytes(flight, .up, at: now, &resources)
            crossLink(flight, .up, sentAt: now, at: now, networks, &resources)
        }
    }

    /// Takes a packet of the server, which has passed the middleboxes in front of it.
    mutating func sendDown(
        _ flight: PacketInFlight, sentAt: Instant, at now: Instant, _ networks: borrowing Networks,
        _ resources: inout PacketResources
    ) {
        if tunnel != nil { return sendThroughGateway(flight, sentAt: sentAt, at: now, networks, &resources) }
        crossLink(flight, .down, sentAt: sentAt, at: now, networks, &resources)
    }

    // MARK: Hops

    /// Handles the end of a packet's hop, and starts its next one.
    @inline(__always)
    mutating func finishHop(
        _ flight: PacketInFlight, at now: Instant, _ networks: borrowing Networks, _ resources: inout PacketResources
    ) -> PacketArrival {
        switch flight.location {
        case .heldByPhone, .heldByEdge: return endHold(flight, at: now, networks, &resources)
        case .toEdge: return arriveAtEdge(flight, at: now, networks, &resources)
        case .toServer: return arriveBeyondLink(flight, at: now, networks, &resources)
        default: return .none
        }
    }

    @inline(__always)
    private mutating func endHold(
        _ flight: PacketInFlight, at now: Instant, _ networks: borrowing Networks, _ resources: inout PacketResources
    ) -> PacketArrival {
        accessPaths[flight.interface.arrayIndex].endHold()
        guard networks.reaches(flight.interface, flight.addressNumber) else {
            drop(flight, at: now, &resources)
            return .none
        }
        guard flight.location == .heldByPhone else {
            recordBytes(flight, .down, at: now, &resources)
            return .atPhone
        }
        recordBytes(flight, .up, at: now, &resources)
        crossLink(flight, .up, sentAt: now, at: now, networks, &resources)
        return .none
    }

    /// Handles a packet that reached the base station or access point. The phone's radio may be asleep.
    @inline(__always)
    private mutating func arriveAtEdge(
        _ flight: PacketInFlight, at now: Instant, _ networks: borrowing Networks, _ resources: inout PacketResources
    ) -> PacketArrival {
        guard networks.reaches(flight.interface, flight.addressNumber), passes(flight, .down, at: now, networks) else {
            drop(flight, at: now, &resources)
            return .none
        }
        let rests = accessPaths[flight.interface.arrayIndex].rests(profile(flight.interface, resources))
        if rests, isCoreFull(flight.interface, at: now, &resources) {
            drop(flight, at: now, &resources)
            return .none
        }
        let offer = offerToRadio(flight, .down, at: now, &resources)
        guard offer.isHeld else {
            recordBytes(flight, .down, at: now, &resources)
            return .atPhone
        }
        if rests {
            journal(
                .downlinkHeld, flight.interface, value: (offer.flowsAt - now).nanoseconds, at: now, &resources)
        }
        var held = flight
        held.location = .heldByEdge
        hold(held, until: offer.flowsAt, lag: offer.lag, &resources)
        return .none
    }

    /// `true` if the core network has no room for one more packet of a resting device. Records the drop.
    @inline(never)
    private func isCoreFull(_ interface: Interface, at now: Instant, _ resources: inout PacketResources) -> Bool {
        guard accessPaths[interface.arrayIndex].isCoreFull(profile(interface, resources)) else { return false }
        journal(.downlinkDropped, interface, value: 1, at: now, &resources)
        return true
    }

    /// Handles a packet that reached the far end of the link.
    @inline(__always)
    private mutating func arriveBeyondLink(
        _ flight: PacketInFlight, at now: Instant, _ networks: borrowing Networks, _ resources: inout PacketResources
    ) -> PacketArrival {
        if flight.isOfTunnel { return .atGateway }
        switch flight.packet.content {
        case .dnsQuery: return .atResolver
        case .unansweredSYN:
            drop(flight, at: now, &resources)
            return .none
        default: return networks.isPortal(flight.interface, at: now) ? .atPortal : .atServer
        }
    }

    // MARK: The radio

    /// Hands the packet to the radio, and records what the radio spent until now.
    private mutating func offerToRadio(
        _ flight: PacketInFlight, _ direction: Direction, at now: Instant, _ resources: inout PacketResources
    ) -> RadioOffer {
        let interface = flight.interface
        let airtime = link(interface, direction, resources).pointee.airtime(ofBytes: flight.packet.bytes)
        let burst = Burst(
            direction: direction, bytes: flight.packet.bytes, airtime: airtime, cause: flight.packet.account)
        let offer = accessPaths[interface.arrayIndex].offer(burst, at: now, profile(interface, resources))
        if offer.isPromoted { journal(.promotion, interface, at: now, &resources) }
        recordRadio(offer.spent, interface, at: now, &resources)
        if accessPaths[interface.arrayIndex].held > 0 {
            reschedule(interface, to: offer.flowsAt, isSlow: offer.lag > .zero, at: now, &resources)
        }
        return offer
    }

    private mutating func hold(
        _ flight: PacketInFlight, until flowsAt: Instant, lag: TimeSpan, _ resources: inout PacketResources
    ) {
        var held = flight
        held.at = flowsAt + lag
        held.lag = lag
        accessPaths[flight.interface.arrayIndex].hold()
        insert(held, &resources)
    }

    /// Moves the packets that wait for a radio to the instant at which it can transmit after a change.
    mutating func rescheduleHeld(_ interface: Interface, at now: Instant, _ resources: inout PacketResources) {
        let flowsAt = accessPaths[interface.arrayIndex].radio?.dataFlowsFrom ?? .never
        reschedule(interface, to: flowsAt, isSlow: true, at: now, &resources)
    }

    /// Reschedules the packets that wait for the radio, after it becomes ready earlier or later than promised. They
    /// keep their order. Packets already being sent on a slow channel are not affected.
    private mutating func reschedule(
        _ interface: Interface, to flowsAt: Instant, isSlow: Bool, at now: Instant, _ resources: inout PacketResources
    ) {
        guard accessPaths[interface.arrayIndex].held > 0, flowsAt != .never else { return }
        let moved = { (flight: PacketInFlight) in
            HeldTimes(at: flight.at, lag: flight.lag).moved(to: flowsAt, isSlow: isSlow, at: now)
        }
        while var flight = resources.pool.removeFirst(
            from: &packetsInFlight, where: { $0.isHeld && $0.interface == interface && moved($0) != nil })
        {
            if let times = moved(flight) { (flight.at, flight.lag) = (times.at, times.lag) }
            insert(flight, &resources)
        }
    }

    /// Drops all packets that wait for the interface's radio, after it lost its network.
    mutating func dropHeld(_ interface: Interface, at now: Instant, _ resources: inout PacketResources) {
        while let flight = resources.pool.removeFirst(
            from: &packetsInFlight, where: { $0.isHeld && $0.interface == interface })
        {
            accessPaths[interface.arrayIndex].endHold()
            drop(flight, at: now, &resources)
        }
    }

    /// Records the packet's bytes in the journal, as transmitted over the air.
    @inline(__always)
    private func recordBytes(
        _ flight: PacketInFlight, _ direction: Direction, at now: Instant, _ resources: inout PacketResources
    ) {
        let tag = BytesTag(
            interface: flight.interface, technology: accessPaths[flight.interface.arrayIndex].technology,
            direction: direction, cause: flight.packet.cause)
        if flight.inner != nil { return recordTunnelledBytes(flight, tag, at: now, &resources) }
        journal(.bytes, tag, value: Int64(flight.packet.bytes), at: now, &resources)
    }

    // MARK: The link

    @inline(__always)
    private func link(
        _ interface: Interface, _ direction: Direction, _ resources: borrowing PacketResources
    ) -> UnsafePointer<LinkDirection> {
        resources.link(interface, direction, condition: accessPaths[interface.arrayIndex].condition)
    }

    /// Sends the packet through the link, which may lose it or parts of it, or delay them. The parts between two missing
    /// ones go on as a packet of their own, as does each late part.
    mutating func crossLink(
        _ flight: PacketInFlight, _ direction: Direction, sentAt: Instant, at now: Instant,
        _ networks: borrowing Networks, _ resources: inout PacketResources
    ) {
        guard passes(flight, direction, at: now, networks) else { return drop(flight, at: now, &resources) }
        let parts = flight.packet.parts
        var transit = offerToLink(flight, parts: parts, direction, at: sentAt, resources)
        if resources.relayDelay > .zero, route(of: flight) == .relay { transit.at += resources.relayDelay }
        let hop = direction == .up ? PacketLocation.toServer : .toEdge
        if transit.intact == parts {
            guard parts > 1 else {
                return resources.pool.insert(flight, hop, at: transit.at, into: &packetsInFlight)
            }
            var burst = flight
            burst.packet.setSpread(transit.spread)
            return resources.pool.insert(burst, hop, at: transit.at, into: &packetsInFlight)
        }
        if transit.dropped > 0 {
            let tag = BytesTag(interface: flight.interface, direction: direction, cause: flight.packet.cause)
            journal(.queueDropped, tag, value: Int64(transit.dropped), at: now, &resources)
        }
        guard transit.dropped + transit.lost < parts else { return drop(flight, at: now, &resources) }
        var next: UInt32 = 0
        while let range = transit.arrivals(from: next, of: parts) {
            var rest = flight
            rest.packet = flight.packet.slice(range)
            rest.packet.setSpread(transit.spread * Int64(range.count - 1) / Int64(max(parts - 1, 1)))
            resources.pool.insert(rest, hop, at: transit.at, into: &packetsInFlight)
            next = range.upperBound
        }
        while let (part, at) = transit.nextLate(of: parts) {
            var late = flight
            late.packet = flight.packet.slice(part..<part + 1)
            resources.pool.insert(late, hop, at: at, into: &packetsInFlight)
        }
    }

    private mutating func offerToLink(
        _ flight: PacketInFlight, parts: UInt32, _ direction: Direction, at sentAt: Instant,
        _ resources: borrowing PacketResources
    ) -> Transit {
        let purposes = flight.interface.linkPurposes
        // An acknowledgement stands for several, of which the next one makes up for a late one.
        return accessPaths[flight.interface.arrayIndex].cross(
            direction, bytes: flight.packet.bytes, parts: parts,
            mayBeLate: flight.packet.content != .acknowledgement, at: sentAt,
            over: link(flight.interface, direction, resources),
            packets: resources.dice(direction == .up ? purposes.up : purposes.down, phone),
            dwells: resources.dice(direction == .up ? purposes.lossUp : purposes.lossDown, phone))
    }

    /// `true` if the network behind the radio lets the packet through.
    @inline(__always)
    private func passes(
        _ flight: PacketInFlight, _ direction: Direction, at now: Instant, _ networks: borrowing Networks
    ) -> Bool {
        networks.passes(
            direction, flight.interface, ofApp: flight.slot != .max,
            isOfPortal: flight.packet.content == .dnsResponse || isOfPortal(flight),
            target: flight.target, at: now)
    }

    // MARK: The horizon

    /// Number of datagrams of connections that are in flight.
    func datagramsInFlight(_ direction: Direction, _ resources: borrowing PacketResources) -> Int64 {
        var count: Int64 = 0
        resources.pool.forEach(in: packetsInFlight) { flight in
            let flies =
                switch direction {
                case .up: flight.location == .heldByPhone || flight.location == .toServer
                case .down: flight.location == .toEdge || flight.location == .heldByEdge
                }
            if flies && flight.packet.content == .datagram { count += 1 }
        }
        return count
    }

    /// Records how long the probes in flight have waited since the server sent them.
    func recordProbes(at now: Instant, _ resources: inout PacketResources) {
        var sent: [Instant] = []
        resources.pool.forEach(in: packetsInFlight) { flight in
            if flight.packet.content == .probe { sent.append(flight.packet.stamp) }
            if flight.packet.content == .probeReply { sent.append(flight.packet.echo) }
        }
        for instant in sent { journal(.waitedProbe, value: (now - instant).nanoseconds, at: now, &resources) }
    }

    // MARK: Losses

    /// Drops a packet. A connection finds out by itself; other senders depend on an effect.
    mutating func drop(_ flight: PacketInFlight, at now: Instant, _ resources: inout PacketResources) {
        switch flight.packet.content {
        case .probe, .probeReply: journal(.probeLost, value: 1, at: now, &resources)
        case .push, .tokenRequest:
            resources.effects.append(.lost(flight.packet.content, number: flight.packet.number))
        default: break
        }
    }
}

extension PacketInFlight {
    /// Identifies the packet's connection on its address.
    var connectionAddress: UInt64 {
        UInt64(generation) << 32 | UInt64(interface.rawValue) << 16 | UInt64(addressNumber)
    }

    var isHeld: Bool { location == .heldByPhone || location == .heldByEdge }

    /// The host to which the packet goes, or from which it comes.
    var target: Reach.RemoteHost {
        switch packet.content {
        case .dnsQuery, .dnsResponse: .resolver
        case .push, .systemRequest, .systemResponse, .tunnel: .internet
        default: inner == nil ? .server : .internet
        }
    }
}
