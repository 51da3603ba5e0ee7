import DeadzoneBase
import DeadzoneTransport

/// Finds out why the phone has no working connection, and which timeline change led to it. Both are recorded when they
/// change. Lost messages are charged to them (`OutageLog`).
///
/// A change is charged for what it causes at once: a connection that ends, an app that is stopped. A later effect, such
/// as the freezer of the operating system, is charged to the latest change that could lead to it. An outage that goes on
/// for another reason without a new change stays charged to its first change.
extension PhoneSimulation {
    /// Updates the reason for which the phone has no working connection. Call it after a change of the true state of a
    /// connection, or of the app's process.
    mutating func updateOutage(_ context: inout WorkerContext) {
        guard !isConnected else {
            if delivery.outages.current != nil { endSilence(&context) }
            return
        }
        setOutage(missingConnectionCause(context), &context)
    }

    /// Gives the outage another cause, or begins it.
    mutating func setOutage(_ cause: LossCause, _ context: inout WorkerContext) {
        let present = delivery.outages.current
        guard present?.cause != cause else { return }
        let change = changeBehind(cause, present, context)
        if present != nil { recordSilence(&context) }
        delivery.noteOutage(
            OutageLog.OutageReason(cause, change: change), written: server.written.index, arrived: server.arrived.index)
        silentSince = now
    }

    private mutating func endSilence(_ context: inout WorkerContext) {
        recordSilence(&context)
        delivery.endOutage(written: server.written.index)
        silentSince = .never
    }

    /// Records the time since the last change of the reason as silence.
    mutating func recordSilence(_ context: inout WorkerContext) {
        guard let outage = delivery.outages.current, silentSince < now else { return }
        let tag = SilenceTag(outage.cause, change: outage.change)
        journal(.silent, tag, value: (now - silentSince).nanoseconds, &context)
        silentSince = now
    }

    // MARK: The cause

    private func missingConnectionCause(_ context: borrowing WorkerContext) -> LossCause {
        if let system {
            if !system.pointee.appLives { return .processEnded }
            if system.pointee.appIsStopped || !system.pointee.networkIsAllowed { return .appStopped }
        }
        for slot in Self.slots where connectionTruths[slot].state == .dead { return deathCause(slot, context) }
        for slot in Self.slots where connectionTruths[slot].state == .blocked {
            let network = phoneEnd[slot].interface
            if connectionTruths[slot].boxes.status == .waitsForUplink && networkWorks(network, context) {
                return .mappingForgotten
            }
            if context.packets.tunnelCarriesApp && packetNetwork.tunnelMappingIsForgotten(networks) {
                return .mappingForgotten
            }
            return server.isFrozen || server.isDown ? .serverUnavailable : .noPath
        }
        if server.isDown || server.isFrozen || server.refusesLogins { return .serverUnavailable }
        if server.hasExpiredToken(at: now) { return .credentialsExpired }
        let works = networks.truePath.map { networks.isWorkingWithAddress($0) } ?? false
        guard works else { return .noPath }
        guard serverLocation.address > 0, let path = networks.truePath, let address = phoneEnd.latestAddress else {
            return .notConnected
        }
        let isOld = serverLocation.isOld(address, over: path, context.resolverOfNetworks)
        return isOld ? .oldAddress : .notConnected
    }

    /// The reason for which a connection that the client believes open is dead.
    private func deathCause(_ slot: Int, _ context: borrowing WorkerContext) -> LossCause {
        if isAtOldAddress(slot, context), phoneEnd[slot].unreportedLoss == nil { return .oldAddress }
        // A box that cuts off UDP has never had a mapping.
        if connectionTruths[slot].boxes.status == .cut {
            return phoneEnd[slot].isUDP ? .deadConnection : .mappingForgotten
        }
        guard holdsAddress(phoneEnd[slot].interface, phoneEnd[slot].epoch, context),
            phoneEnd[slot].unreportedLoss == nil
        else { return .deadConnection }
        // At the beginning of an outage, and when the server changes, the server ended the connection by itself. Later it
        // ended the connection because it got no answers.
        let isByServer = delivery.outages.current == nil || serverChanges(context)
        if server.isDown || (isByServer && !(server.isHeld(slot) && server.serves(slot))) { return .serverUnavailable }
        return delivery.outages.current?.cause == .serverUnavailable ? .serverUnavailable : .deadConnection
    }

    /// `true` if the change that is being applied is one of the server.
    private func serverChanges(_ context: borrowing WorkerContext) -> Bool {
        guard let active = recentChanges.active, Int(active) < context.firstChange + context.world.timeline.count else {
            return false
        }
        return switch context.world.timeline[Int(active) - context.firstChange].change {
        case .server, .instance, .deploy: true
        default: false
        }
    }

    // MARK: The change

    private func changeBehind(
        _ cause: LossCause, _ present: OutageLog.OutageReason?, _ context: borrowing WorkerContext
    ) -> UInt16? {
        let active = recentChanges.active
        switch cause {
        case .appStopped, .processEnded: return active ?? recentChanges.app
        case .oldAddress: return latestMove(context) ?? active ?? present?.change ?? recentChanges.network
        case .noPath: return active ?? present?.change ?? recentChanges.network
        case .notConnected:
            if let present { return present.change ?? active }
            // The client left a working connection, for a better network or by its own decision.
            let moved = Self.slots.contains { phoneEnd[$0].generation > 0 && !isOnDefaultPath($0, context) }
            return active ?? (moved ? recentChanges.network : nil)
        case .deadConnection:
            let isGone = !Self.slots.contains {
                holdsAddress(phoneEnd[$0].interface, phoneEnd[$0].epoch, context)
            }
            return active ?? present?.change ?? (isGone ? recentChanges.network : nil)
        default: return active ?? present?.change
        }
    }

    /// Notes a timeline change that is about to be applied.
    mutating func beginChange(_ change: ConditionChange, _ context: borrowing WorkerContext) {
        recentChanges.begin(change, context.firstChange + Int(nextChange.index))
    }
}
