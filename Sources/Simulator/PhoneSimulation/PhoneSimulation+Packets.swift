import DeadzoneBase
import DeadzoneDevice
import DeadzoneTransport

/// Moves packets between phone and server, hop by hop.
///
///     up:    send ─▶ radio ─(held by the phone until data flows)─▶ link ─▶ server
///     down:  send ─▶ link ─▶ edge ─▶ radio ─(held by the edge until the phone listens)─▶ phone
///
/// A packet that meets no address, an old address, or no coverage is dropped. Its sender is not notified.
extension PhoneSimulation {
    /// Sends a packet from the server into the network. The server does not know whether the phone is still reachable.
    mutating func sendDown(
        _ packet: Packet, slot: Int?, over interface: Interface, epoch: UInt16, generation: UInt16? = nil,
        at sentAt: Instant? = nil, _ context: inout WorkerContext
    ) {
        let flight = PacketInFlight(
            at: now, packet: packet, location: .toEdge, interface: interface, slot: slot.map(UInt8.init) ?? .max,
            generation: generation ?? slot.map { phoneEnd[$0].generation } ?? 0, epoch: epoch)
        if packet.content != .dnsResponse && isToOldAddress(flight, context) { return dropPacket(flight, &context) }
        if isCutOff(flight, context) { return dropPacket(flight, &context) }
        // The resolver's answer uses a mapping that its own query has just created, so it cannot have expired.
        guard packet.content == .dnsResponse || passesMiddleboxes(flight, .down, at: sentAt ?? now, &context) else {
            return dropPacket(flight, &context)
        }
        if context.tunnel != nil { return sendThroughGateway(flight, at: sentAt ?? now, &context) }
        crossLink(flight, .down, at: sentAt ?? now, &context)
    }

    /// Takes the first packet from the queue, handles the end of its current hop, and starts its next hop.
    mutating func finishHop(_ context: inout WorkerContext) {
        let flight = context.packets.removeFirst(&packetsInFlight)
        if !flight.location.isRetry { noteActivity(&context) }
        switch flight.location {
        case .heldByPhone, .heldByEdge:
            accessPaths[flight.interface.arrayIndex].endHold()
            guard isReachable(flight) else { return dropPacket(flight, &context) }
            if flight.location == .heldByPhone {
                recordBytes(flight, .up, &context)
                crossLink(flight, .up, at: now, &context)
            } else {
                recordBytes(flight, .down, &context)
                wakeAndReceive(flight, &context)
            }
        case .toServer: arriveBeyondLink(flight, &context)
        case .toEdge: arriveAtEdge(flight, &context)
        case .inAcceptQueue: resumeServerTask(flight, .session, &context)
        case .processing: resumeServerTask(flight, .answer(flight.packet.first), &context)
        case .timingOut: resumeServerTask(flight, .refusal(flight.packet.first), &context)
        case .retryingAnswer: resumeServerTask(flight, .answerRetry(flight.packet.first), &context)
        case .resolving: sendResolverAnswer(flight, &context)
        case .retryingCall: retryCall(flight, &context)
        case .awaitingToken: checkRefresh(flight, &context)
        case .issuingToken, .refusingToken: decideTokenRequest(flight, &context)
        case .heldByTunnel, .heldByGateway: break
        }
    }

    /// Passes a packet from the phone's network stack to its radio, or to the tunnel before it.
    mutating func transmit(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        if let tunnel = context.tunnel, tunnel.pointee.carries(flight) {
            return sendThroughTunnel(flight, tunnel, &context)
        }
        transmitOutside(flight, &context)
    }

    /// Sends a packet that belongs to none of the app's connections.
    /// - Parameter epoch: The address that sends it; `nil` for the present address of the interface.
    mutating func transmitSystemPacket(
        _ packet: Packet, over interface: Interface, epoch: UInt16? = nil, _ context: inout WorkerContext
    ) {
        transmit(
            PacketInFlight(
                at: now, packet: packet, location: .heldByPhone, interface: interface, slot: .max, generation: 0,
                epoch: epoch ?? networks.epoch(interface)), &context)
    }

    /// Passes a packet to the radio: one of an app without a tunnel, or one of the tunnel.
    mutating func transmitOutside(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard isReachable(flight), networkIsAllowed || flight.isOfSystem,
            networks.maySend(over: flight.interface, ofApp: flight.slot != .max, at: now)
        else {
            // The packet may have started the opening of an access gate, so the cached network deadline is invalid.
            cachedWeather = .unknown
            return dropPacket(flight, &context)
        }
        let offer = offerToRadio(flight, .up, &context)
        if offer.isHeld {
            hold(flight, until: offer.flowsAt, lag: offer.lag, &context)
        } else {
            recordBytes(flight, .up, &context)
            crossLink(flight, .up, at: now, &context)
        }
    }

    /// Handles a packet that reached the base station or access point. The phone's radio may be asleep.
    @inline(__always)
    private mutating func arriveAtEdge(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard isReachable(flight), networkPasses(flight, .down) else { return dropPacket(flight, &context) }
        let rests = accessPaths[flight.interface.arrayIndex].rests(profile(flight.interface, context))
        if rests, isCoreFull(flight, &context) { return dropPacket(flight, &context) }
        let offer = offerToRadio(flight, .down, &context)
        if offer.isHeld {
            if rests {
                journal(.downlinkHeld, flight.interface, value: (offer.flowsAt - now).nanoseconds, &context)
            }
            var held = flight
            held.location = .heldByEdge
            hold(held, until: offer.flowsAt, lag: offer.lag, &context)
        } else {
            recordBytes(flight, .down, &context)
            wakeAndReceive(flight, &context)
        }
    }

    /// `true` if the core network has no room for one more packet of a resting device. Records the drop.
    @inline(never)
    private mutating func isCoreFull(_ flight: PacketInFlight, _ context: inout WorkerContext) -> Bool {
        let interface = flight.interface
        guard accessPaths[interface.arrayIndex].isCoreFull(profile(interface, context)) else { return false }
        journal(.downlinkDropped, interface, value: 1, &context)
        return true
    }

    /// Handles a packet that reached the far end of the link: passes it to the resolver, the captive portal, or through
    /// the middleboxes to the server.
    @inline(__always)
    private mutating func arriveBeyondLink(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        if flight.isOfTunnel { return receiveAtGateway(flight, &context) }
        switch flight.packet.content {
        case .dnsQuery: queryResolver(flight, &context)
        case .unansweredSYN: dropPacket(flight, &context)
        case _ where networks.isPortal(flight.interface, at: now):
            callServer(&context) {
                $0.receiveAtPortal(flight.packet, slot: Int(flight.slot), generation: flight.generation, at: $1, &$2)
            }
        default: reachServer(flight, &context)
        }
    }

    /// Passes a packet through the middleboxes to the server.
    @inline(__always)
    mutating func reachServer(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard passesMiddleboxes(flight, .up, at: now, &context) else { return dropPacket(flight, &context) }
        if isCutOff(flight, context) { return dropPacket(flight, &context) }
        if isToOldAddress(flight, context) { return receiveAtOldAddress(flight, &context) }
        receiveAtServer(flight, &context)
    }

    /// Delivers a packet to the phone, and wakes the phone if it sleeps.
    @inline(__always)
    private mutating func wakeAndReceive(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        wakePhone(for: flight.packet.account, &context)
        if flight.isOfTunnel { return receiveFromGateway(flight, &context) }
        if flight.packet.content == .dnsResponse { return receiveResolverAnswer(flight, &context) }
        receiveAtPhone(flight, &context)
    }

    /// Hands the packet to the radio, and records what the radio spent until now.
    private mutating func offerToRadio(
        _ flight: PacketInFlight, _ direction: Direction, _ context: inout WorkerContext
    ) -> RadioOffer {
        let interface = flight.interface
        let airtime = link(interface, direction, context).pointee.airtime(ofBytes: flight.packet.bytes)
        let burst = Burst(
            direction: direction, bytes: flight.packet.bytes, airtime: airtime, cause: flight.packet.account)
        let offer = accessPaths[interface.arrayIndex].offer(burst, at: now, profile(interface, context))
        if offer.isPromoted { journal(.promotion, interface, &context) }
        recordRadio(offer.spent, interface, &context)
        if accessPaths[interface.arrayIndex].held > 0 {
            reschedule(interface, to: offer.flowsAt, isSlow: offer.lag > .zero, &context)
        }
        return offer
    }

    private mutating func hold(
        _ flight: PacketInFlight, until flowsAt: Instant, lag: TimeSpan, _ context: inout WorkerContext
    ) {
        var held = flight
        held.at = flowsAt + lag
        held.lag = lag
        accessPaths[flight.interface.arrayIndex].hold()
        context.packets.insert(held, into: &packetsInFlight)
    }

    /// Reschedules the packets that wait for the radio, after it becomes ready earlier or later than promised. They
    /// keep their order. Packets already being sent on a slow channel are not affected.
    mutating func reschedule(_ interface: Interface, to flowsAt: Instant, isSlow: Bool, _ context: inout WorkerContext)
    {
        guard accessPaths[interface.arrayIndex].held > 0, flowsAt != .never else { return }
        let moved = { [now] (flight: PacketInFlight) in
            HeldTimes(at: flight.at, lag: flight.lag).moved(to: flowsAt, isSlow: isSlow, at: now)
        }
        while var flight = context.packets.removeFirst(
            from: &packetsInFlight, where: { $0.isHeld && $0.interface == interface && moved($0) != nil })
        {
            if let times = moved(flight) { (flight.at, flight.lag) = (times.at, times.lag) }
            context.packets.insert(flight, into: &packetsInFlight)
        }
    }

    /// Records the packet's bytes in the journal, as transmitted over the air.
    @inline(__always)
    private mutating func recordBytes(_ flight: PacketInFlight, _ direction: Direction, _ context: inout WorkerContext)
    {
        let tag = BytesTag(
            interface: flight.interface, technology: accessPaths[flight.interface.arrayIndex].technology,
            direction: direction,
            cause: flight.packet.cause)
        if flight.inner != nil { return recordTunnelledBytes(flight, tag, &context) }
        journal(.bytes, tag, value: Int64(flight.packet.bytes), &context)
    }

    /// Sends the packet through the link, which may lose it or parts of it, or delay them. The parts between two missing
    /// ones go on as a packet of their own, as does each late part.
    mutating func crossLink(
        _ flight: PacketInFlight, _ direction: Direction, at sentAt: Instant, _ context: inout WorkerContext
    ) {
        guard networkPasses(flight, direction) else { return dropPacket(flight, &context) }
        let parts = flight.packet.parts
        var transit = offerToLink(flight, parts: parts, direction, at: sentAt, context)
        if context.peer != nil { transit.at += relayDelay(of: flight, context) }
        let hop = direction == .up ? PacketLocation.toServer : .toEdge
        if transit.intact == parts {
            guard parts > 1 else {
                return context.packets.insert(flight, hop, at: transit.at, into: &packetsInFlight)
            }
            var burst = flight
            burst.packet.setSpread(transit.spread)
            return context.packets.insert(burst, hop, at: transit.at, into: &packetsInFlight)
        }
        if transit.dropped > 0 {
            let tag = BytesTag(interface: flight.interface, direction: direction, cause: flight.packet.cause)
            journal(.queueDropped, tag, value: Int64(transit.dropped), &context)
        }
        guard transit.dropped + transit.lost < parts else { return dropPacket(flight, &context) }
        var next: UInt32 = 0
        while let range = transit.arrivals(from: next, of: parts) {
            var rest = flight
            rest.packet = flight.packet.slice(range)
            rest.packet.setSpread(transit.spread * Int64(range.count - 1) / Int64(max(parts - 1, 1)))
            context.packets.insert(rest, hop, at: transit.at, into: &packetsInFlight)
            next = range.upperBound
        }
        while let (part, at) = transit.nextLate(of: parts) {
            var late = flight
            late.packet = flight.packet.slice(part..<part + 1)
            context.packets.insert(late, hop, at: at, into: &packetsInFlight)
        }
    }

    @inline(__always)
    private func isReachable(_ flight: PacketInFlight) -> Bool {
        networks.reaches(flight.interface, flight.epoch)
    }

    /// `true` if the network behind the radio lets the packet through.
    @inline(__always)
    private func networkPasses(_ flight: PacketInFlight, _ direction: Direction) -> Bool {
        networks.passes(
            direction, flight.interface, ofApp: flight.slot != .max,
            isOfPortal: flight.packet.content == .dnsResponse
                || (flight.slot != .max && server.isCaptured(Int(flight.slot))),
            target: flight.target, at: now)
    }

    mutating func dropPacket(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        switch flight.packet.content {
        case .probe, .probeReply: journal(.probeLost, value: 1, &context)
        case .push: context.pushes?.pointee.lose(flight.packet.number, at: now)
        case .tokenRequest where flight.packet.number == 0: context.pushes?.pointee.loseToken(at: now)
        default: break
        }
    }

    /// Drops all packets that wait for the interface's radio, after it lost its network.
    mutating func dropHeld(_ interface: Interface, _ context: inout WorkerContext) {
        while let flight = context.packets.removeFirst(
            from: &packetsInFlight, where: { $0.isHeld && $0.interface == interface })
        {
            accessPaths[interface.arrayIndex].endHold()
            dropPacket(flight, &context)
        }
    }
}

extension PacketInFlight {
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
