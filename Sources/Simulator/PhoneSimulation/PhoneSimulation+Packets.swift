import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Passes packets to the network, and takes those that arrive to their receiver. `PacketNetwork` carries them.
extension PhoneSimulation {
    /// Calls the network that carries the phone's packets, and applies the effects of the call.
    @discardableResult @inline(__always)
    mutating func callPacketNetwork<Result>(
        _ context: inout WorkerContext,
        _ call: (inout PacketNetwork, Instant, inout Networks, inout PacketResources) -> Result
    ) -> Result {
        let result = call(&packetNetwork, now, &networks, &context.packets)
        drainPacketEffects(&context)
        return result
    }

    @inline(__always)
    private mutating func drainPacketEffects(_ context: inout WorkerContext) {
        if context.packets.effects.hasMore { applyPacketEffects(&context) }
    }

    @inline(never)
    private mutating func applyPacketEffects(_ context: inout WorkerContext) {
        let batch = context.packets.effects.begin()
        for index in batch { applyPacketEffect(index, &context) }
        context.packets.effects.end(batch)
    }

    private mutating func applyPacketEffect(_ index: Int, _ context: inout WorkerContext) {
        switch context.packets.effects[index] {
        case .lost(.push, let number): context.pushes?.pointee.lose(number, at: now)
        case .lost(_, let number): if number == 0 { context.pushes?.pointee.loseToken(at: now) }
        case .networkDeadlineChanged: cachedWeather = .unknown
        case .wakeForTunnel: callHost(&context) { $0.system?.pointee.wake(for: .tunnel, isAlarm: true, at: $1, &$2) }
        case .transmit(let flight):
            callPacketNetwork(&context) { [networkIsAllowed = host.networkIsAllowed] in
                $0.transmitOutside(flight, isAllowed: networkIsAllowed, at: $1, &$2, &$3)
            }
        case .tunnelChanged: reassessTunnel(&context)
        }
    }

    // MARK: Departures

    /// The phone's state as the sender of packets.
    @inline(__always)
    var packetSender: PacketSender {
        PacketSender(
            now: now, isAllowed: host.networkIsAllowed,
            isAsleep: host.processorSleeps, slept: host.session.slept)
    }

    /// Passes a packet of the phone to the network.
    mutating func transmit(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        callPacketNetwork(&context) { [packetSender] in $0.transmit(flight, packetSender, &$2, &$3) }
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

    /// Sends a packet from the server into the network. The server does not know whether the phone is still reachable.
    mutating func sendDown(
        _ packet: Packet, slot: Int?, over interface: Interface, epoch: UInt16, generation: UInt16? = nil,
        at sentAt: Instant? = nil, _ context: inout WorkerContext
    ) {
        let flight = PacketInFlight(
            at: now, packet: packet, location: .toEdge, interface: interface, slot: slot.map(UInt8.init) ?? .max,
            generation: generation ?? slot.map { phoneEnd[$0].generation } ?? 0, epoch: epoch)
        // The resolver's answer uses a mapping that its own query has just created, so it cannot have expired.
        let isOfResolver = packet.content == .dnsResponse
        guard isOfResolver || !isToOldAddress(flight, context), !isCutOff(flight, context),
            isOfResolver || passesMiddleboxes(flight, .down, at: sentAt ?? now, &context)
        else { return drop(flight, &context) }
        callPacketNetwork(&context) { $0.sendDown(flight, sentAt: sentAt ?? $1, at: $1, $2, &$3) }
    }

    mutating func drop(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        callPacketNetwork(&context) { $0.drop(flight, at: $1, &$3) }
    }

    // MARK: Arrivals

    /// Takes the first packet or task from the queue, and handles the end of its current hop or wait.
    mutating func finishHop(_ context: inout WorkerContext) {
        let flight = context.packets.pool.removeFirst(&packetNetwork.packetsInFlight)
        if !flight.location.isRetry { packetNetwork.noteActivity(at: now, &context.packets) }
        switch flight.location {
        case .heldByPhone, .heldByEdge, .toServer, .toEdge:
            let arrival = packetNetwork.finishHop(flight, at: now, networks, &context.packets)
            drainPacketEffects(&context)
            switch arrival {
            case .none: break
            case .atPhone: wakeAndReceive(flight, &context)
            case .atServer: reachServer(flight, &context)
            case .atResolver: queryResolver(flight, &context)
            case .atPortal:
                callServer(&context) {
                    $0.receiveAtPortal(
                        flight.packet, slot: Int(flight.slot), generation: flight.generation, at: $1, &$2)
                }
            case .atGateway: receiveAtGateway(flight, &context)
            }
        case .inAcceptQueue: resumeServerTask(flight, .session, &context)
        case .processing: resumeServerTask(flight, .answer(flight.packet.first), &context)
        case .timingOut: resumeServerTask(flight, .refusal(flight.packet.first), &context)
        case .retryingAnswer: resumeServerTask(flight, .answerRetry(flight.packet.first), &context)
        case .resolving: sendResolverAnswer(flight, &context)
        case .retryingCall: retryCall(flight, &context)
        case .awaitingToken: callCredentials(&context) { $0.check(flight.packet, after: flight.lag, $1, at: $2) }
        case .issuingToken, .refusingToken: decideTokenRequest(flight, &context)
        case .heldByTunnel, .heldByGateway: break
        }
    }

    /// Passes a packet through the middleboxes to the server.
    @inline(__always)
    private mutating func reachServer(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard passesMiddleboxes(flight, .up, at: now, &context), !isCutOff(flight, context) else {
            return drop(flight, &context)
        }
        if isToOldAddress(flight, context) { return receiveAtOldAddress(flight, &context) }
        receiveAtServer(flight, &context)
    }

    /// Delivers a packet to the phone, and wakes the phone if it sleeps.
    @inline(__always)
    private mutating func wakeAndReceive(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        if host.canBeWoken {
            callHost(&context) { $0.system?.pointee.wake(for: flight.packet.account, at: $1, &$2) }
        }
        if flight.isOfTunnel { return receiveFromGateway(flight, &context) }
        if flight.packet.content == .dnsResponse { return receiveResolverAnswer(flight, &context) }
        receiveAtPhone(flight, &context)
    }

    /// Lets the app's library try again to send a call that found no buffer space.
    private mutating func retryCall(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        let isInVain = callPhoneEnd(&context) {
            $0.retryCall(flight.packet.first, Int(flight.slot), generation: flight.generation, at: $1, &$2)
        }
        switch isInVain {
        case true: packetNetwork.parkRetries(at: now, &context.packets)
        case false: packetNetwork.noteActivity(isLate: true, at: now, &context.packets)
        case nil: break
        }
    }

    // MARK: The tunnel

    /// Passes a packet of the tunnel to the gateway, and the app's packet in it to its receiver.
    @inline(never)
    private mutating func receiveAtGateway(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        var inner = flight
        switch callPacketNetwork(&context, { $0.receiveAtGateway(&inner, at: $1, $2, &$3) }) {
        case .atServer: reachServer(inner, &context)
        case .atResolver: queryResolver(inner, &context)
        default: return
        }
        reassessTunnel(&context)
    }

    /// Passes a packet of the tunnel to the tunnel's end on the phone, and the app's packet in it to its receiver.
    @inline(never)
    private mutating func receiveFromGateway(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        var inner = flight
        let hasPacket = callPacketNetwork(&context) { [packetSender] in
            $0.unwrapAtPhone(&inner, packetSender, $2, &$3)
        }
        guard hasPacket else { return }
        if inner.packet.content == .dnsResponse { return receiveResolverAnswer(inner, &context) }
        receiveAtPhone(inner, &context)
    }

    /// Carries out what is due in the tunnel.
    mutating func advanceTunnel(_ context: inout WorkerContext) {
        callPacketNetwork(&context) { [packetSender] in $0.advanceTunnel(packetSender, $2, &$3) }
    }

    /// Notifies the tunnel of the default network. Call it after a change of networks.
    mutating func updateTunnelPath(_ context: inout WorkerContext) {
        callPacketNetwork(&context) { [packetSender] in $0.followDefaultNetwork(packetSender, $2, &$3) }
        packetNetwork.updateTunnelPeriod(at: now, networks, &context.packets)
    }

    /// Records the time without a tunnel, when it ends, and the true state of connections in the tunnel.
    private mutating func reassessTunnel(_ context: inout WorkerContext) {
        packetNetwork.updateTunnelPeriod(at: now, networks, &context.packets)
        reassess(&context)
    }

    /// `true` if a connection with this address still has it.
    @inline(__always)
    func holdsAddress(_ interface: Interface, _ epoch: UInt16, _ context: borrowing WorkerContext) -> Bool {
        networks.holds(interface, epoch) || context.packets.tunnelCarriesApp
    }

    /// `true` if the network of a connection passes its packets in both directions.
    @inline(__always)
    func networkWorks(_ interface: Interface, _ context: borrowing WorkerContext) -> Bool {
        context.packets.tunnelCarriesApp ? packetNetwork.tunnelWorks(networks) : networks.isWorking(interface)
    }
}
