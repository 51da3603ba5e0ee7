import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport

/// What is truly so of each connection, beside what the client believes: availability, blocked and zombie time, recovery.
extension Lane {
    /// Looks again at everything after the conditions changed.
    mutating func reassess(_ stage: inout Stage) {
        for slot in Self.slots {
            if realities[slot].truth != .absent { become(truth(of: slot), slot, &stage) }
            judge(slot, &stage)
        }
        reassessRepair(&stage)
    }

    /// The period that was ends now; what it was goes to the journal.
    mutating func become(_ truth: Reality.Truth, _ slot: Int, _ stage: inout Stage) {
        let before = realities[slot].truth
        guard before != truth else { return }
        closePeriod(slot, isStopped: appIsStopped, &stage)
        realities[slot].truth = truth
        if truth == .dead { realities[slot].diedAt = now }
        if before == .working && (truth == .dead || truth == .blocked) { isBroken = true }
        // What is in flight waits for its timer: the outage lasts until a byte is served. Nothing in flight: it is over.
        if before == .blocked && truth == .working && !phoneEnd[slot].client.hasUnacknowledged
            && !server.hasUnacknowledged(slot)
        {
            isBroken = false
        }
        reassessRepair(&stage)
        followHerd(&stage)
    }

    /// - Parameter isStopped: The system keeps the app from running, or did in the period.
    mutating func closePeriod(_ slot: Int, isStopped: Bool, _ stage: inout Stage) {
        let span = (now - realities[slot].since).nanoseconds
        realities[slot].since = now
        switch realities[slot].truth {
        case .absent: break
        case .working: journal(.available, value: span, &stage)
        case .blocked: journal(.blocked, value: span, &stage)
        case .dead: journal(isStopped ? .zombieFrozen : .zombie, value: span, &stage)
        }
    }

    /// The client no longer believes in the connection, rightly or not.
    mutating func disbelieve(_ slot: Int, _ stage: inout Stage) {
        endWaiting(slot, &stage)
        if realities[slot].truth == .dead {
            journal(.detected, value: (now - realities[slot].diedAt).nanoseconds, &stage)
        }
        become(.absent, slot, &stage)
    }

    /// The client believes in the connection from now on.
    mutating func believe(_ slot: Int, _ stage: inout Stage) {
        realities[slot].since = now
        realities[slot].diedAt = now
        realities[slot].truth = truth(of: slot)
        journal(.opened, value: Int64(phoneEnd[slot].generation), &stage)
        followHerd(&stage)
    }

    /// The server was heard on a connection that the client believes in: that ends an outage, if it works.
    mutating func served(_ slot: Int, _ stage: inout Stage) {
        guard isBroken, realities[slot].truth == .working else { return }
        if repairableSince != .never {
            journal(.recovered, value: (now - repairableSince).nanoseconds, &stage)
        }
        mend()
    }

    /// An app that the system stops, or lets run again, believes by another account from now on.
    mutating func splitZombies(wasStopped: Bool, _ stage: inout Stage) {
        for slot in Self.slots where realities[slot].truth == .dead {
            closePeriod(slot, isStopped: wasStopped, &stage)
        }
    }

    /// Nothing waits for a byte to be served.
    mutating func mend() {
        isBroken = false
        repairableSince = .never
    }

    func truth(of slot: Int) -> Reality.Truth {
        // Its kernel has let it go; only the app, which does not run, has yet to hear of it.
        guard phoneEnd[slot].untoldLoss == nil else { return .dead }
        // Opened with early data, which nobody has seen yet.
        let isUnheard = phoneEnd[slot].belief == .open && phoneEnd[slot].isEarly && !server.isJudged(slot)
        guard server.isHeld(slot) || isUnheard, server.serves(slot) else { return .dead }
        guard networks.holds(phoneEnd[slot].interface, phoneEnd[slot].epoch) else {
            return phoneEnd[slot].canMove ? .blocked : .dead
        }
        if realities[slot].boxes.standing == .cut { return .dead }
        if realities[slot].boxes.standing == .waitsForUplink { return .blocked }
        // A server that is down ends connections. Of datagrams there is nothing to end: they are answered when it is back.
        if server.isDown { return phoneEnd[slot].isDatagram ? .blocked : .dead }
        return networks.carries(phoneEnd[slot].interface) && !server.isFrozen ? .working : .blocked
    }

    private mutating func reassessRepair(_ stage: inout Stage) {
        let isPossible = networks.truePath.map { networks.serves($0) } ?? false
        let isThere = isPossible && !server.isDown && !server.isFrozen && !server.refusesLogins
        if !isBroken || !isThere {
            repairableSince = .never
        } else if repairableSince == .never {
            repairableSince = now
        }
    }
}
