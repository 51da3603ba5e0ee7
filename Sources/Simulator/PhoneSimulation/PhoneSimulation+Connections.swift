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
            var until = server.giveUpTime(slot, at: now)
            if phoneEnd[slot].isQUIC { until = min(until, server.silenceEnds(slot)) }
            let given = AbandonedConnection(
                interface: phoneEnd[slot].interface, epoch: phoneEnd[slot].epoch, number: phoneEnd[slot].generation,
                until: until)
            if connections.giveUp(slot, given) { journal(.falseDrop, value: Int64(given.number), &context) }
        default: break
        }
    }

    /// Recomputes the true state of all connections after a change of conditions.
    mutating func reassess(_ context: inout WorkerContext) {
        for slot in Self.slots {
            if connections.truths[slot].state != .absent { reassess(slot, &context) }
            guard let given = connections.truths[slot].abandoned else { continue }
            let facts = ConnectionFacts(
                hasItsAddress: holdsAddress(given.interface, given.epoch, context), serverIsDown: server.isDown,
                serverIsFrozen: server.isFrozen, networkWorks: networkWorks(given.interface, context))
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
        let (interface, epoch) = (phoneEnd[slot].interface, phoneEnd[slot].epoch)
        let direct = directPath(slot, context)
        let isCutOff = connections.truths[slot].state == .blocked
        return ConnectionFacts(
            isClosedByKernel: phoneEnd[slot].unreportedLoss != nil,
            isServed: server.isHeld(slot) && server.serves(slot),
            hasItsAddress: holdsAddress(interface, epoch, context),
            canMigrate: context.client.strategy.migrates && phoneEnd[slot].canMigrate,
            middleboxes: connections.truths[slot].boxes.status, isDatagram: phoneEnd[slot].isDatagram,
            isUDP: phoneEnd[slot].isUDP, isAtOldAddress: isAtOldAddress(slot, context),
            isAtOldPeerAddress: direct.isDead, serverIsDown: server.isDown, serverIsFrozen: server.isFrozen,
            networkWorks: networkWorks(interface, context), isCutOffFromPeer: direct.isCutOff,
            hasUnacknowledged: isCutOff
                && (phoneEnd[slot].kernel.hasUnacknowledged || server.hasUnacknowledged(slot)))
    }

    private mutating func updateRecovery() {
        let isServable = networkWorks && serverAcceptsSessions && serverLocation.isNamed
        connections.recovery.update(isServable: isServable, at: now)
    }

    private var networkWorks: Bool { networks.truePath.map { networks.isWorkingWithAddress($0) } ?? false }

    private var serverAcceptsSessions: Bool { !server.isDown && !server.isFrozen && !server.refusesLogins }

    // MARK: Outages

    /// Updates the reason for which the phone has no working connection. Call it after a change of the true state of a
    /// connection, or of the app's process.
    mutating func updateOutage(_ context: inout WorkerContext) {
        if !connections.isConnected {
            setOutage(connections.missingConnectionCause(outageFacts(context)), &context)
        } else if connections.outage != nil {
            recordSilence(&context)
            connections.outage = nil
            delivery.endOutage(written: server.written.index)
        }
    }

    /// Gives the outage another cause, or begins it.
    mutating func setOutage(_ cause: LossCause, _ context: inout WorkerContext) {
        guard connections.outage?.cause != cause else { return }
        let hasMoved = Self.slots.contains { phoneEnd[$0].generation > 0 && !isOnDefaultPath($0, context) }
        let hasLostAddress = !Self.slots.contains {
            holdsAddress(phoneEnd[$0].interface, phoneEnd[$0].epoch, context)
        }
        recordSilence(&context)
        connections.setOutage(cause, hasMoved: hasMoved, hasLostAddress: hasLostAddress, at: now)
        delivery.noteOutage(
            OutageLog.OutageReason(cause, change: connections.outage?.change), written: server.written.index,
            arrived: server.arrived.index)
    }

    /// Records the time since the last change of the reason as silence.
    mutating func recordSilence(_ context: inout WorkerContext) {
        guard let (tag, span) = connections.endSilence(at: now) else { return }
        journal(.silent, tag, value: span.nanoseconds, &context)
    }

    private func outageFacts(_ context: borrowing WorkerContext) -> OutageFacts {
        var facts = OutageFacts(
            networkWorks: networkWorks,
            tunnelMappingIsForgotten: context.packets.tunnelCarriesApp
                && packetNetwork.tunnelMappingIsForgotten(networks),
            serverAcceptsSessions: serverAcceptsSessions, tokenIsExpired: server.hasExpiredToken(at: now))
        if let system = host.system {
            facts.appLives = system.pointee.appLives
            facts.appIsStopped = system.pointee.appIsStopped || !system.pointee.networkIsAllowed
        }
        if serverLocation.address > 0, let path = networks.truePath, let address = phoneEnd.latestAddress {
            facts.latestAddressIsOld = serverLocation.isOld(address, over: path, context.resolverOfNetworks)
        }
        if let slot = connections.brokenSlot { facts.connection = connectionFacts(slot, context) }
        return facts
    }
}
