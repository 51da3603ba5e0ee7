import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the effects of `PhoneEnd`, the phone's side of its connections, and passes packets, deadlines and network
/// changes to it.
extension PhoneSimulation {
    /// The app's current permissions from the operating system: to run and to use the network.
    var appPermissions: AppPermissions { AppPermissions(runs: host.appRuns, mayUseNetwork: host.networkIsAllowed) }

    /// The session data that the phone's side of its connections needs.
    @inline(__always)
    var sessionView: SessionView { SessionView(host.session, received: delivery.received) }

    @inline(__always)
    mutating func applyPhoneEndEffect(_ index: Int, _ context: inout WorkerContext) {
        switch context.effects.phoneEnd[index] {
        case .note(let note): write(note, &context)
        case .notify(let event): context.client.events.append(event)
        case .transmit(let packet, let interface, let addressNumber, let slot, let generation):
            transmit(
                PacketInFlight(
                    at: now, packet: packet, location: .heldByPhone, interface: interface, slot: UInt8(slot),
                    generation: generation, addressNumber: addressNumber), &context)
        case .retryCall(let call, let at, let slot, let generation):
            packetNetwork.insert(
                PacketInFlight(call, location: .retryingCall, at: at, slot: slot, generation: generation),
                &context.packets)
        case .read(let slot): readServerStream(slot, &context)
        case .received(let slot, let run):
            callDelivery(&context) { $0.receive(run, &$1, &$2) }
            context.client.events.append(
                .received(ConnectionSlot(UInt8(slot)), upTo: Cursor(run.last), bytes: run.bytes))
            phoneEnd.didConsume(run, slot, appPermissions)
        case .receivedDatagram(let first, let last, let bytes, let slot):
            callDelivery(&context) { $0.receive(datagram: first..<last, &$1, &$2) }
            context.client.events.append(
                .received(ConnectionSlot(UInt8(slot)), upTo: Cursor(delivery.received), bytes: bytes))
        case .confirmed(let slot, let end):
            callDelivery(&context) { $0.confirmUp(before: end, &$1, &$2) }
            context.client.events.append(.acknowledged(ConnectionSlot(UInt8(slot)), Cursor(end)))
        case .receivedSnapshot(_, let run): delivery.receiveAll(before: run.first)
        case .resumed(let slot): notifyResumed(slot, &context)
        case .sessionStarted(let slot):
            guard let interval = server.announcedHeartbeat(slot) else { return }
            context.client.events.append(.heartbeat(ConnectionSlot(UInt8(slot)), every: interval))
        case .heartbeat(let slot):
            let interval = server.announcedHeartbeat(slot) ?? .zero
            context.client.events.append(.heartbeat(ConnectionSlot(UInt8(slot)), every: interval))
        case .sessionRejected(let slot, let isPermanent):
            notifyCode(of: isPermanent ? .forbidden : .turnedAway, slot, &context)
            let retryAfter = isPermanent ? nil : context.world.server.retryAfter
            context.client.events.append(
                .sessionRefused(
                    ConnectionSlot(UInt8(slot)), SessionRefusal(isPermanent: isPermanent, retryAfter: retryAfter)))
        case .endedByServer(let slot, let reason): notifyCode(of: EndKind(reason), slot, &context)
        case .opened, .died, .believedClosed, .closedByExit, .gaveUp:
            applyToTruth(context.effects.phoneEnd[index], &context)
        case .heard(let slot):
            guard let wait = connections.hear(slot, at: now) else { return }
            journal(.recovered, value: wait.nanoseconds, &context)
        case .snapshotRequested: callDelivery(&context) { $0.requestResync(&$1, &$2) }
        case .wantsNoConnection: connections.recovery.end()
        case .subscriptionsChanged: measureSubscriptions(&context)
        case .nameAnswered(let address): context.names?.answered(address, at: now)
        case .nameUnresolved: context.names?.unresolved(at: now)
        case .measured(let slot, let span): server.measure(slot, span)
        case .sendsDatagrams(let slot):
            callServer(&context) { [introduction] in $0.openDatagrams(slot, introduction, at: $1, &$2) }
            let resumedAt = server.start(slot).resumedAt
            callPhoneEnd(&context) { [sessionView] in $0.sendDatagrams(slot, resumedAt: resumedAt, sessionView, &$2) }
        case .closedDatagrams(let slot): callServer(&context) { server, _, _ in server.closeDatagrams(slot) }
        case .callSent(let call, let slot): server.forgetSeen(call, slot)
        }
    }

    /// Notifies the strategy of the code that the server states for an end, if it states one.
    private mutating func notifyCode(of kind: EndKind, _ slot: Int, _ context: inout WorkerContext) {
        let code = server.profile.pointee.codes[kind]
        if code != 0 { context.client.events.append(.codeStated(ConnectionSlot(UInt8(slot)), code)) }
    }

    // MARK: Incoming packets

    /// Handles a packet that arrived at the phone.
    @inline(__always)
    mutating func receiveAtPhone(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        switch flight.packet.content {
        case .probe:
            let reply = Packet(
                .probeReply, cause: .probe, bytes: flight.packet.bytes, stamp: now, answering: flight.packet)
            return transmit(
                PacketInFlight(reply, over: flight.interface, addressNumber: flight.addressNumber, at: now), &context)
        case .push:
            context.pushes?.pointee.arrive(flight.packet.number, at: now)
            return advancePushes(&context)
        case .systemResponse: return
        case .tokenResponse:
            if host.networkIsAllowed { callCredentials(&context) { $0.receive(flight.packet, $1, at: $2) } }
            return
        case .dnsResponse:
            callPhoneEnd(&context) { [sessionView] in
                $0.receiveResolution(
                    flight.packet, Int(flight.slot), generation: flight.generation, over: flight.interface,
                    addressNumber: flight.addressNumber, at: $1, sessionView, &$2)
            }
            return
        default: break
        }
        let slot = Int(flight.slot)
        guard phoneEnd[slot].generation == flight.generation else { return }
        // The firewall filters only packets that have a socket. The kernel itself rejects a packet without a socket.
        let hasSocket = phoneEnd[slot].belief != .closed && phoneEnd[slot].unreportedLoss == nil
        guard host.networkIsAllowed || !hasSocket else { return }
        callPhoneEnd(&context) { [appPermissions, sessionView] in
            $0.receive(flight.packet, slot, appPermissions, at: $1, sessionView, &$2)
        }
        if let subscriptions = context.subscriptions {
            callPhoneEnd(&context) { $0.sendJoins(&subscriptions.client.pointee, at: $1, &$2) }
        }
    }

    /// Passes the items of the server's stream (messages, responses, control frames) to the app's library, one by one.
    private mutating func readServerStream(_ slot: Int, _ context: inout WorkerContext) {
        while phoneEnd.reads(slot), let run = server.nextFrameRange(slot, upTo: phoneEnd.expected(slot)) {
            deliverItem(run, slot, &context)
        }
        callPhoneEnd(&context) { $0.flush(slot, at: $1, &$2) }
    }

    /// Passes one item of the server's stream to the app's library, together with the server state that the item refers
    /// to.
    @inline(__always)
    private mutating func deliverItem(_ run: FrameRange, _ slot: Int, _ context: inout WorkerContext) {
        switch run.kind {
        case .flight:
            let (start, isProven) = (server.start(slot), !server.isCaptured(slot))
            callPhoneEnd(&context) { [appPermissions, sessionView] in
                $0.readFlight(
                    run.first, slot, isProven: isProven, resumedAt: start.resumedAt, confirmed: start.confirmedUp,
                    appPermissions, at: $1, sessionView, &$2)
            }
        case .refusal:
            guard let refusal = RefusalCode(item: run.first) else { return }
            let reason = refusal.callRefusal(context.world.server.faults)
            callPhoneEnd(&context) { $0.readRefusal(of: RefusalCode.call(ofItem: run.first), reason, slot, &$2) }
        case .subscription:
            guard let subscriptions = context.subscriptions else { return }
            callPhoneEnd(&context) { $0.readSubscriptions(run, slot, &subscriptions.client.pointee, &$2) }
        case .control:
            let (lastStream, seen, arrived) = (server.lastStream(slot), server.seenCalls(slot), server.arrived.index)
            callPhoneEnd(&context) { [appPermissions, sessionView] in
                $0.read(
                    word: run.first, slot, lastStream: lastStream, seen: seen, arrived: arrived, appPermissions,
                    sessionView, &$2)
            }
        default:
            callPhoneEnd(&context) { [appPermissions, sessionView] in
                $0.read(run, slot, appPermissions, at: $1, sessionView, &$2)
            }
        }
    }

    /// Notifies the strategy of the session state (epoch and cursors) that the server announced on this connection.
    private mutating func notifyResumed(_ slot: Int, _ context: inout WorkerContext) {
        server.syncClientCount()
        let (epoch, start) = (server.namedEpoch, server.start(slot))
        host.session.epoch = epoch
        let greeting = ResumeResponse(
            epoch: epoch, sent: Cursor(start.sent), received: Cursor(start.confirmedUp), next: Cursor(start.resumedAt),
            bringsSnapshot: start.bringsSnapshot)
        context.client.events.append(.resumeResponse(ConnectionSlot(UInt8(slot)), greeting))
    }

    // MARK: Time, networks, the resolver

    mutating func closeByPeer(_ slot: Int, _ reason: CloseReason, _ context: inout WorkerContext) {
        // A datagram flow has no connection that the peer could close.
        guard !phoneEnd[slot].isDatagram else { return }
        callServer(&context) { $0.dropClient(slot, at: $1, &$2) }
        if phoneEnd[slot].belief == .open && !phoneEnd[slot].isUnconfirmed {
            reassess(slot, &context)
        }
        callPhoneEnd(&context) { [appPermissions] in $0.handlePeerClose(slot, reason, appPermissions, &$2) }
    }

    mutating func closeByError(_ slot: Int, _ context: inout WorkerContext) {
        if phoneEnd[slot].belief == .open {
            phoneEnd.release(slot)
            if !phoneEnd[slot].isUnconfirmed { reassess(slot, &context) }
        }
        callPhoneEnd(&context) { [appPermissions] in $0.handleNetworkLoss(slot, appPermissions, &$2) }
    }

    /// Handles a DNS query that reached the resolver.
    mutating func queryResolver(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard let resolver = context.world.resolver?.on(flight.interface) else { return }
        let answer = serverLocation.answer(
            to: flight.packet, over: flight.interface, resolver, context.resolverOfNetworks)
        guard let answer else { return callPacketNetwork(&context) { $0.drop(flight, at: $1, &$3) } }
        var reply = flight
        reply.packet = answer
        guard resolver.work > .zero else {
            return sendDown(
                answer, slot: Int(flight.slot), over: flight.interface, addressNumber: flight.addressNumber,
                generation: flight.generation, &context)
        }
        reply.at = now + resolver.work
        reply.location = .resolving
        packetNetwork.insert(reply, &context.packets)
    }
}
