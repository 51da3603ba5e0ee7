import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Passes packets to the network, and takes those that arrive to their receiver. `PacketNetwork` carries them.
extension PhoneSimulation {
    mutating func applyPacketEffect(_ index: Int, _ context: inout WorkerContext) {
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

    /// Sends a packet from the server into the network. The server does not know whether the phone is still reachable.
    mutating func sendDown(
        _ packet: Packet, slot: Int?, over interface: Interface, addressNumber: UInt16, generation: UInt16? = nil,
        at sentAt: Instant? = nil, _ context: inout WorkerContext
    ) {
        let flight = PacketInFlight(
            at: now, packet: packet, location: .toEdge, interface: interface, slot: slot.map(UInt8.init) ?? .max,
            generation: generation ?? slot.map { phoneEnd[$0].generation } ?? 0, addressNumber: addressNumber)
        // The resolver's answer uses a mapping that its own query has just created, so it cannot have expired.
        let isOfResolver = packet.content == .dnsResponse
        guard isOfResolver || !isToOldAddress(flight, context), !isCutOff(flight, context),
            isOfResolver || packetNetwork.mappings == nil
                || passesMiddleboxes(flight, .down, at: sentAt ?? now, &context)
        else { return callPacketNetwork(&context) { $0.drop(flight, at: $1, &$3) } }
        callPacketNetwork(&context) { $0.sendDown(flight, sentAt: sentAt ?? $1, at: $1, $2, &$3) }
    }

    // MARK: Arrivals

    /// Takes the first packet or task from the queue, and handles the end of its current hop or wait.
    mutating func finishHop(_ context: inout WorkerContext) {
        let flight = context.packets.pool.removeFirst(&packetNetwork.packetsInFlight)
        if !flight.location.isRetry { packetNetwork.noteActivity(at: now, &context.packets) }
        switch flight.location {
        case .heldByPhone, .heldByEdge, .toServer, .toEdge:
            switch endHop(flight, &context) {
            case .none: break
            case .atPhone:
                if host.canBeWoken {
                    let account = flight.packet.account
                    callHost(&context) { $0.system?.pointee.wake(for: account, at: $1, &$2) }
                }
                if flight.isOfTunnel { receiveFromGateway(flight, &context) } else { receiveAtPhone(flight, &context) }
            case .atServer: receiveAtServer(flight, &context)
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
        case .resolving:
            sendDown(
                flight.packet, slot: Int(flight.slot), over: flight.interface, addressNumber: flight.addressNumber,
                generation: flight.generation, &context)
        case .retryingCall:
            let isInVain = callPhoneEnd(&context) {
                $0.retryCall(flight.packet.first, Int(flight.slot), generation: flight.generation, at: $1, &$2)
            }
            if let isInVain { packetNetwork.endRetry(isInVain: isInVain, at: now, &context.packets) }
        case .awaitingToken: callCredentials(&context) { $0.check(flight.packet, after: flight.lag, $1, at: $2) }
        case .issuingToken, .refusingToken: decideTokenRequest(flight, &context)
        case .heldByTunnel, .heldByGateway: break
        }
    }

    // MARK: The tunnel

    /// Passes a packet of the tunnel to the gateway, and the app's packet in it to its receiver.
    @inline(never)
    private mutating func receiveAtGateway(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        var inner = flight
        switch callPacketNetwork(&context, { $0.receiveAtGateway(&inner, at: $1, $2, &$3) }) {
        case .atServer: receiveAtServer(inner, &context)
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
        if hasPacket { receiveAtPhone(inner, &context) }
    }

    /// Records the time without a tunnel, when it ends, and the true state of connections in the tunnel.
    private mutating func reassessTunnel(_ context: inout WorkerContext) {
        packetNetwork.updateTunnelPeriod(at: now, networks, &context.packets)
        reassess(&context)
    }

    // MARK: Addresses

    /// `true` if the packet of a connection is to or from an address that the server has left, or that the packet's
    /// network does not reach. The server is not notified that it has moved: its ends of such connections stay until
    /// its own timers close them.
    @inline(__always)
    func isToOldAddress(_ flight: PacketInFlight, _ context: borrowing WorkerContext) -> Bool {
        Self.slots.contains(Int(flight.slot))
            && serverLocation.isOld(
                phoneEnd.address(Int(flight.slot), generation: flight.generation), over: flight.interface,
                context.resolverOfNetworks)
    }

    /// Handles a packet that reached the address that the server has left, or no host of this address.
    @inline(never)
    mutating func receiveAtOldAddress(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        let slot = Int(flight.slot)
        let address = phoneEnd.address(slot, generation: flight.generation)
        guard serverLocation.isReset(address, context.resolverOfNetworks), flight.packet.content != .reset,
            !phoneEnd[slot].isUDP, phoneEnd[slot].generation == flight.generation
        else { return callPacketNetwork(&context) { $0.drop(flight, at: $1, &$3) } }
        callPacketNetwork(&context) { $0.sendReset(slot, answering: flight.packet, at: $1, $2, &$3) }
    }

    /// `true` if the packet is on a direct path to a peer that is cut off. Packets of both directions meet this check
    /// where they leave the network of the peer, or reach it.
    @inline(__always)
    func isCutOff(_ flight: PacketInFlight, _ context: borrowing WorkerContext) -> Bool {
        guard let peer = context.peer else { return false }
        return peer.pointee.isCutOff && packetNetwork.route(of: flight) == .direct
    }
}
