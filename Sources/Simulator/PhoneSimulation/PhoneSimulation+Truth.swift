import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Tracks the true state of each connection, independently of the client's view: available, blocked and zombie time,
/// and recovery.
extension PhoneSimulation {
    /// Recomputes the true state of all connections after a change of conditions.
    mutating func reassess(_ context: inout WorkerContext) {
        for slot in Self.slots {
            if connectionTruths[slot].state != .absent { setTruth(actualTruth(of: slot, context), slot, &context) }
            reassessAbandoned(slot, &context)
        }
        reassessRepair(&context)
        updateOutage(&context)
    }

    /// Sets the true state of the connection. The period of the previous state ends now and is recorded in the journal.
    mutating func setTruth(_ truth: ConnectionTruth.State, _ slot: Int, _ context: inout WorkerContext) {
        let before = connectionTruths[slot].state
        guard before != truth else { return }
        closeOtherPeriod(than: slot, &context)
        closePeriod(slot, isStopped: appIsStopped, &context)
        connectionTruths[slot].state = truth
        if truth == .dead { connectionTruths[slot].diedAt = now }
        if before == .working && (truth == .dead || truth == .blocked) { recovery.connectionLost() }
        // Data in flight waits for its retransmission timer, so the outage lasts until a byte is delivered. With
        // nothing in flight the outage is over.
        if before == .blocked && truth == .working && !phoneEnd[slot].kernel.hasUnacknowledged
            && !server.hasUnacknowledged(slot)
        {
            recovery.connectionReturned()
        }
        reassessRepair(&context)
        updateHerd(&context)
        updateOutage(&context)
        measureSubscriptions(&context)
    }

    /// Records the period of the connection's true state that ends now, and begins a new period.
    /// - Parameter isStopped: `true` if the system prevents the app from running, or did so during the period.
    mutating func closePeriod(_ slot: Int, isStopped: Bool, _ context: inout WorkerContext) {
        let span = (now - connectionTruths[slot].since).nanoseconds
        connectionTruths[slot].since = now
        switch connectionTruths[slot].state {
        case .absent: break
        case .working where isCountedByRelay(slot, context): break
        case .working: journal(.available, value: span, &context)
        case .blocked: journal(.blocked, value: span, &context)
        case .dead: journal(isStopped ? .zombieFrozen : .zombie, value: span, &context)
        }
    }

    /// Called when the client begins to consider the connection closed, correctly or not.
    mutating func noteClosedByClient(_ slot: Int, _ context: inout WorkerContext) {
        cancelWaits(slot, &context)
        if connectionTruths[slot].state == .dead {
            journal(.detected, value: (now - connectionTruths[slot].diedAt).nanoseconds, &context)
        }
        setTruth(.absent, slot, &context)
    }

    /// Called when the client begins to consider the connection open.
    mutating func noteOpenedByClient(_ slot: Int, _ context: inout WorkerContext) {
        closeOtherPeriod(than: slot, &context)
        connectionTruths[slot].since = now
        connectionTruths[slot].diedAt = now
        connectionTruths[slot].state = actualTruth(of: slot, context)
        journal(.opened, value: Int64(phoneEnd[slot].generation), &context)
        updateHerd(&context)
        updateOutage(&context)
        measureSubscriptions(&context)
    }

    /// Handles data from the server on a connection that the client considers open. Ends the current outage if the
    /// connection works.
    mutating func noteServed(_ slot: Int, _ context: inout WorkerContext) {
        guard recovery.isBroken, connectionTruths[slot].state == .working else { return }
        if let wait = recovery.waited(until: now) { journal(.recovered, value: wait.nanoseconds, &context) }
        recovery.end()
    }

    /// Starts a new period of zombie time (the client believes a dead connection open) when the system stops the app or
    /// lets it run again. Zombie time of a stopped app is recorded separately.
    mutating func splitZombies(wasStopped: Bool, _ context: inout WorkerContext) {
        for slot in Self.slots where connectionTruths[slot].state == .dead {
            closePeriod(slot, isStopped: wasStopped, &context)
        }
    }

    func actualTruth(of slot: Int, _ context: borrowing WorkerContext) -> ConnectionTruth.State {
        let (interface, epoch, migrates) = (
            phoneEnd[slot].interface, phoneEnd[slot].epoch, context.strategy.migrates
        )
        let direct = directPath(slot, context)
        return ConnectionFacts(
            isClosedByKernel: phoneEnd[slot].unreportedLoss != nil,
            isServed: server.isHeld(slot) && server.serves(slot),
            hasItsAddress: holdsAddress(interface, epoch, context),
            canMigrate: migrates && phoneEnd[slot].canMigrate,
            middleboxes: connectionTruths[slot].boxes.status, isDatagram: phoneEnd[slot].isDatagram,
            isAtOldAddress: isAtOldAddress(slot, context) || direct.isDead, serverIsDown: server.isDown,
            serverIsFrozen: server.isFrozen,
            networkWorks: networkWorks(interface, context) && !direct.isCutOff
        ).state
    }

    private mutating func reassessRepair(_ context: inout WorkerContext) {
        let isPossible = networks.truePath.map { networks.isWorkingWithAddress($0) } ?? false
        let isServable =
            isPossible && serverLocation.isNamed && !server.isDown && !server.isFrozen && !server.refusesLogins
        recovery.update(isServable: isServable, at: now)
    }
}
