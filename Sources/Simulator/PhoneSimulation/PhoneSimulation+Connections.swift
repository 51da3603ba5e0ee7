import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Passes facts to `Connections`, the true state of connections, and applies its effects.
extension PhoneSimulation {
    mutating func applyConnectionsEffect(_ index: Int, _ context: inout WorkerContext) {
        switch context.effects.connections[index] {
        case .note(let note): write(note, &context)
        case .stateChanged:
            updateRecovery()
            updateOutage(&context)
            measureSubscriptions(&context)
        case .outageChanged:
            guard let outage = connections.outage else { return delivery.endOutage(written: server.written.index) }
            delivery.noteOutage(
                OutageLog.OutageReason(outage.cause, change: outage.change), written: server.written.index,
                arrived: server.arrived.index)
        }
    }

    /// Applies a change of the client's view of a connection.
    mutating func applyToTruth(_ effect: PhoneEndEffect, _ context: inout WorkerContext) {
        switch effect {
        case .opened(let slot):
            let (facts, number) = (connectionFacts(slot, context), phoneEnd[slot].generation)
            callConnections(&context) { $0.open(slot, facts, number: number, isStopped: $1, at: $2, &$3) }
            updateOutage(&context)
            measureSubscriptions(&context)
            context.names?.opened()
        case .died(let slot): callConnections(&context) { $0.set(.dead, slot, isStopped: $1, at: $2, &$3) }
        case .believedClosed(let slot):
            cancelWaits(slot, &context)
            callConnections(&context) { $0.close(slot, isStopped: $1, at: $2, &$3) }
        case .closedByExit(let slot): callConnections(&context) { $0.set(.absent, slot, isStopped: $1, at: $2, &$3) }
        case .gaveUp(let slot):
            var until = min(server.giveUpTime(slot, at: now), packetNetwork.mappingEndsAt(slot))
            if phoneEnd[slot].isQUIC { until = min(until, server.silenceEnds(slot)) }
            let given = AbandonedConnection(
                interface: phoneEnd[slot].interface, addressNumber: phoneEnd[slot].addressNumber,
                number: phoneEnd[slot].generation,
                until: until)
            let isProtocolBlocked = packetNetwork.mappingStatus(slot) == .cut
            callConnections(&context) { $0.giveUp(slot, given, isProtocolBlocked: isProtocolBlocked, &$3) }
        default: break
        }
    }

    /// Recomputes the true state of all connections after a change of conditions.
    mutating func reassess(_ context: inout WorkerContext) {
        for slot in Self.slots {
            if connections.truths[slot].state != .absent { reassess(slot, &context) }
            guard let given = connections.truths[slot].abandoned else { continue }
            let path = packetNetwork.state(of: given.interface, given.addressNumber, networks, context.packets)
            let facts = ConnectionFacts(
                hasItsAddress: path.hasAddress, serverIsDown: server.isDown, serverIsFrozen: server.isFrozen,
                networkWorks: path.works)
            callConnections(&context) { $0.reassessAbandoned(slot, facts, at: $2, &$3) }
        }
        updateRecovery()
        updateOutage(&context)
    }

    /// Recomputes the true state of a connection that the client believes open.
    mutating func reassess(_ slot: Int, _ context: inout WorkerContext) {
        let facts = connectionFacts(slot, context)
        callConnections(&context) { $0.reassess(slot, facts, isStopped: $1, at: $2, &$3) }
    }

    /// The facts that decide the true state of a connection that the client believes open.
    func connectionFacts(_ slot: Int, _ context: borrowing WorkerContext) -> ConnectionFacts {
        let path = packetNetwork.state(
            of: phoneEnd[slot].interface, phoneEnd[slot].addressNumber, networks, context.packets)
        let peer = packetNetwork.route(of: slot) == .direct ? context.peer : nil
        let isCutOff = connections.truths[slot].state == .blocked
        return ConnectionFacts(
            isClosedByKernel: phoneEnd[slot].unreportedLoss != nil,
            isServed: server.isHeld(slot) && server.serves(slot), hasItsAddress: path.hasAddress,
            canMigrate: context.client.strategy.migrates && phoneEnd[slot].canMigrate,
            middleboxes: packetNetwork.mappingStatus(slot), isDatagram: phoneEnd[slot].isDatagram,
            isUDP: phoneEnd[slot].isUDP,
            isAtOldAddress: serverLocation.isOld(
                phoneEnd[slot].address, over: phoneEnd[slot].interface, context.resolverOfNetworks),
            isAtOldPeerAddress: peer?.pointee.isDead ?? false, serverIsDown: server.isDown,
            serverIsFrozen: server.isFrozen, networkWorks: path.works,
            isCutOffFromPeer: peer?.pointee.isCutOff ?? false,
            hasUnacknowledged: isCutOff
                && (phoneEnd[slot].tcp.hasUnacknowledged || server.hasUnacknowledged(slot)))
    }

    private mutating func updateRecovery() {
        let isServable = networks.isWorking && server.acceptsSessions && serverLocation.isNamed
        connections.recovery.update(isServable: isServable, at: now)
    }

    // MARK: Outages

    /// Updates the reason for which the phone has no working connection. Call it after a change of the true state of a
    /// connection, or of the app's process.
    /// - Parameter cause: The reason; `nil` if it follows from the state of all parts.
    mutating func updateOutage(_ context: inout WorkerContext, cause: LossCause? = nil) {
        guard cause != nil || !connections.isConnected else {
            return callConnections(&context) { $0.endOutage(at: $2, &$3) }
        }
        let facts = outageFacts(context)
        callConnections(&context) { $0.updateOutage(facts, cause: cause, at: $2, &$3) }
    }

    private func outageFacts(_ context: borrowing WorkerContext) -> OutageFacts {
        var facts = OutageFacts(
            networkWorks: networks.isWorking,
            tunnelMappingIsForgotten: context.packets.tunnelCarriesApp
                && packetNetwork.tunnelMappingIsForgotten(networks),
            serverAcceptsSessions: server.acceptsSessions, tokenIsExpired: server.hasExpiredToken(at: now))
        if let system = host.system {
            facts.appLives = system.pointee.appLives
            facts.appIsStopped = system.pointee.appIsStopped || !system.pointee.networkIsAllowed
        }
        if let path = networks.truePath, let address = phoneEnd.latestAddress {
            facts.latestAddressIsOld = serverLocation.isOld(address, over: path, context.resolverOfNetworks)
        }
        facts.hasMoved = Self.slots.contains {
            phoneEnd[$0].generation > 0 && !phoneEnd.isOnDefaultPath($0, sessionView)
        }
        facts.hasLostAddress = !Self.slots.contains {
            packetNetwork.state(of: phoneEnd[$0].interface, phoneEnd[$0].addressNumber, networks, context.packets)
                .hasAddress
        }
        if let slot = connections.brokenSlot { facts.connection = connectionFacts(slot, context) }
        return facts
    }
}
