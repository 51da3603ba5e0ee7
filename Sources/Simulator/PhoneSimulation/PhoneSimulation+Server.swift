package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the effects of `Server` in order, and passes packets, deadlines and decisions to it.
extension PhoneSimulation {
    @inline(__always)
    mutating func applyServerEffect(_ index: Int, _ context: inout WorkerContext) {
        switch context.effects.server[index] {
        case .note(let note): write(note, &context)
        case .transmit(let packet, let address, let slot, let generation, let sentAt):
            sendDown(
                packet, slot: slot, over: address.interface, addressNumber: address.addressNumber,
                generation: generation, at: sentAt,
                &context)
        case .transmitSystemPacket(let packet, let address):
            sendDown(packet, slot: nil, over: address.interface, addressNumber: address.addressNumber, &context)
        case .schedule(let task, let at, let slot, let generation):
            packetNetwork.insert(
                PacketInFlight(task, at: at, slot: slot, generation: generation), &context.packets)
        case .submit(var arrival):
            arrival.phoneIndex = phone.index
            context.recordArrival(arrival, at: now)
        case .connectionReleased(let instance): context.departures.append(Departure(at: now, instance: instance))
        case .captured(let slot): packetNetwork.capture(slot)
        case .read(let slot, let reading): deliverToServer(slot, reading, &context)
        case .thaw(let slot):
            deliverToServer(slot, .thaw(wasHeldBack: phoneEnd[slot].tcp.isBlockedByReceiver), &context)
        case .flushed(let slot): callServer(&context) { $0.updateAfterFlush(slot, at: $1, &$2) }
        case .connectionChanged: reassess(&context)
        case .attached:
            // A connection that is replaced by its successor is no outage.
            let wasBroken = connections.recovery.isBroken
            context.subscriptions?.server.pointee.attached()
            measureSubscriptions(&context)
            reassess(&context)
            if !wasBroken { connections.recovery.end() }
        case .subscriptionsChanged: measureSubscriptions(&context)
        case .sessionResumed(let slot, let next, let gap):
            phoneEnd.beginReceipts(slot, from: next)
            passLeftOut(before: next, &context)
            // The cursor can be ahead of the shown messages: a process that ended had stored it.
            let place = gap ?? (phoneEnd[slot].resuming == .fresh ? .sessionStart : .appMemory)
            callDelivery(&context) { $0.continueStream(at: next, isGap: gap != nil, place: place, &$1, &$2) }
        case .sessionRestarted(let slot, let next, let isAsked):
            phoneEnd.beginReceipts(slot, from: next)
            callDelivery(&context) { $0.beginSnapshot(at: next, isAsked: isAsked, &$1, &$2) }
        case .messageWritten: connections.limitAbandoned(until: now + Server.retransmissionLimit)
        case .uplinkSkipped(let from, let upTo):
            let isDatagram = server.usesDatagrams
            callDelivery(&context) {
                $0.loseUp(from, upTo, isDatagram: isDatagram, &$2)
                $0.settleRefused(from, upTo, $1)
            }
        case .datagramsReceived(let end): callDelivery(&context) { $0.skipUp(to: end, &$1, &$2) }
        case .push(let isUrgent, let isForPending):
            if isForPending && delivery.received >= server.written.index { return }
            _ = requestPush(isUrgent: isUrgent, for: max(server.written.index, 1) - 1, &context)
        case .announcePending: callServer(&context) { $0.announcePendingMessages(&$2) }
        }
    }

    /// Passes the items that the phone has written to its stream to the server's application, one by one.
    @inline(__always)
    private mutating func deliverToServer(_ slot: Int, _ reading: ReadTrigger, _ context: inout WorkerContext) {
        let uploads = context.uploads
        while server.isReading(slot), let run = phoneEnd.nextFrameRange(slot, upTo: server.expected(slot)) {
            if run.kind == .subscription {
                guard let subscriptions = context.subscriptions else { continue }
                callServer(&context) { $0.readJoins(run, slot, subscriptions.server, at: $1, &$2) }
                continue
            }
            let visit = run.kind == .call && server.acceptsCalls(slot) ? phoneEnd.countVisit(call: run.first) : 0
            let goesOn = callServer(&context) { [introduction] in
                $0.read(run, slot: slot, visit: visit, introduction, upload: uploads, at: $1, &$2)
            }
            guard goesOn else { return }
        }
        if let uploads, let next = phoneEnd[slot].tcp.unreadMessage {
            server.noteProgress(next.message, from: next.start, slot, uploads, at: now)
        }
        callServer(&context) { $0.finishReading(slot, reading, at: $1, &$2) }
    }

    // MARK: Inputs

    /// The data with which the client introduces itself to the server.
    var introduction: Introduction {
        Introduction(epoch: host.session.epoch, keysMessages: host.session.messagesHaveKeys)
    }

    /// Handles a packet that has reached the far end of the network: the middleboxes are on its way to the server.
    mutating func receiveAtServer(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard packetNetwork.mappings == nil || passesMiddleboxes(flight, .up, at: now, &context),
            !isCutOff(flight, context)
        else { return callPacketNetwork(&context) { $0.drop(flight, at: $1, &$3) } }
        if isToOldAddress(flight, context) { return receiveAtOldAddress(flight, &context) }
        switch flight.packet.content {
        case .probeReply: journal(.probeAnswered, value: (now - flight.packet.echo).nanoseconds, &context)
        case .systemRequest:
            let answer = otherApps.response(to: flight.packet.number)
            sendDown(
                Packet(.systemResponse, answer, at: now, answering: flight.packet), slot: nil, over: flight.interface,
                addressNumber: flight.addressNumber, &context)
        case .tokenRequest where flight.packet.number == 0:
            let isServed = !server.isDown && !server.isFrozen
            callPushes(&context) { $0.receiveToken(isServed: isServed, at: $1, &$2) }
        case .tokenRequest:
            guard let credentials = context.credentials else { return }
            callServer(&context) {
                $0.receiveTokenRequest(flight.packet, from: flight.address, credentials, at: $1, &$2)
            }
        default:
            callServer(&context) { [introduction] in
                $0.receive(
                    flight.packet, slot: Int(flight.slot), generation: flight.generation, from: flight.address, at: $1,
                    introduction, &$2)
            }
            if let subscriptions = context.subscriptions {
                callServer(&context) { $0.serve(subscriptions.server, at: $1, &$2) }
            }
        }
    }

    mutating func resumeServerTask(_ flight: PacketInFlight, _ task: DeferredWork, _ context: inout WorkerContext) {
        let isInVain = callServer(&context) { [introduction] in
            $0.runDeferredWork(to: task, Int(flight.slot), flight.generation, introduction, at: $1, &$2)
        }
        if flight.location.isRetry || isInVain {
            packetNetwork.endRetry(isInVain: isInVain, at: now, &context.packets)
        }
    }

    mutating func applyToServer(_ change: ServerChange, _ context: inout WorkerContext) -> Bool {
        let applied = callServer(&context) { $0.apply(change, at: $1, &$2) }
        if let subscriptions = context.subscriptions {
            callServer(&context) { $0.serve(subscriptions.server, at: $1, &$2) }
        }
        return applied
    }

    mutating func advanceDeploy(_ context: inout WorkerContext) {
        guard case .deploy(let deploy) = context.world.timeline[server.deployEntry].change else { return }
        connections.recentChanges.resumeDeploy(context.firstChange + server.deployEntry)
        callServer(&context) { $0.advance(deploy, at: $1, &$2) }
        connections.recentChanges.end()
    }

    // MARK: Shared instances

    /// Applies the shared server's decision about a request of this phone (the arrival).
    package mutating func applyDecision(
        _ verdict: Cluster.ServiceOutcome, of arrival: ClusterRequest, windowEnd: Instant,
        _ context: inout WorkerContext
    ) {
        guard !isStopped else { return }
        packetNetwork.noteActivity(at: now, &context.packets)
        cachedNext = .unknown
        callServer(&context) { [introduction] in
            $0.applyOutcome(verdict, of: arrival, windowEnd: windowEnd, introduction, at: $1, &$2)
        }
        if let presence = context.presence { updatePresence(presence, &context) }
    }
}

extension PacketInFlight {
    /// The phone's address that the packet has come from, or goes to.
    @inline(__always)
    fileprivate var address: PhoneAddress { PhoneAddress(interface, addressNumber: addressNumber) }

    /// Creates the queue entry of a pending server task. The entry contains no real packet.
    init(_ task: DeferredWork, at: Instant, slot: Int, generation: UInt16) {
        let (hop, call): (PacketLocation, UInt32) =
            switch task {
            case .session: (.inAcceptQueue, 0)
            case .answer(let call): (.processing, call)
            case .refusal(let call): (.timingOut, call)
            case .answerRetry(let call): (.retryingAnswer, call)
            case .token(let number, let isServed): (isServed ? .issuingToken : .refusingToken, UInt32(number))
            }
        self.init(call, location: hop, at: at, slot: slot, generation: generation)
    }

    /// Creates the queue entry of a pending task of phone or server. The entry contains no real packet.
    init(_ call: UInt32, location: PacketLocation, at: Instant, slot: Int, generation: UInt16) {
        self.init(
            at: at, packet: Packet(.hello, cause: .connect, bytes: 0, first: call, last: call + 1, stamp: at),
            location: location,
            interface: .wifi, slot: UInt8(slot), generation: generation, addressNumber: 0)
    }
}
