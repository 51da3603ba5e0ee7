import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// What the programs say to each other of the messages they have: receipts, snapshots, and who may have the session.
extension Lane {
    // MARK: Receipts of the server

    /// The server's program has something of the app's that it has not spoken of, or not so that the app had heard of it.
    mutating func oweReceipt(from first: UInt32, _ slot: Int, _ stage: borrowing Stage) {
        guard let rules = stage.world.server.receipts else { return }
        lines[slot].talk.receipts.took(from: first, upTo: desk.pointee.knownUp, at: now, rules)
    }

    /// It says so, if it is time and there is room; what found none goes with the next packet of the client.
    mutating func sayReceipt(_ slot: Int, _ stage: borrowing Stage) {
        let receipts = lines[slot].talk.receipts
        let position = desk.pointee.knownUp
        guard stage.world.server.receipts != nil, lines[slot].isAttached, !serverIsFrozen, receipts.said < position,
            receipts.due <= now || receipts.due == .never
        else { return }
        let rules = lines[slot].downward
        let bytes = rules.framing.message(stage.world.traffic.envelope.receipt(position))
        lines[slot].talk.receipts.wait()
        let isWritten = lines[slot].server.write(
            .receipt, receipts.said, upTo: position, bytes: bytes, cause: .ack, rules)
        guard isWritten else { return }
        lines[slot].talk.receipts.say(upTo: position)
        lines[slot].talk.policy.spoke()
    }

    /// The app learns what the server's program has.
    mutating func hearReceipt(upTo position: UInt32, _ slot: Int, _ stage: inout Stage) {
        let known = min(position, session.produced.position)
        guard session.acknowledged.position < known else { return }
        confirmUp(before: known, &stage)
        tell(.acknowledged(ConnectionSlot(UInt8(slot)), Cursor(known)), &stage)
    }

    // MARK: Receipts of the app

    /// The app tells the server what it has.
    mutating func acknowledge(_ slot: Int, _ position: UInt32, _ stage: inout Stage) {
        let said = lines[slot].talk.receiptsDown.said
        let position = min(position, receivedDown)
        guard lines[slot].belief == .open, !lines[slot].isDatagram, said < position else { return }
        let rules = lines[slot].upward
        let bytes = rules.framing.message(stage.world.traffic.envelope.receipt(position))
        guard lines[slot].client.write(.receipt, said, upTo: position, bytes: bytes, cause: .ack, rules) else {
            return
        }
        lines[slot].talk.receiptsDown.say(upTo: position)
        flushClient(slot, &stage)
    }

    mutating func takeReceipt(upTo position: UInt32, _ stage: borrowing Stage) {
        guard stage.world.server.history.purge == .acknowledged else { return }
        desk.pointee.purged = max(desk.pointee.purged, min(position, writtenDown.index))
    }

    // MARK: Everything anew

    mutating func askForAll(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].belief == .open, !lines[slot].isDatagram else { return }
        sayUp(.resync, slot)
        noticeGap(.down, &stage)
        desk.pointee.gapIsPromised = true
        flushClient(slot, &stage)
    }

    mutating func writeSnapshot(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].owesSnapshot, lines[slot].isAttached else { return }
        let rules = lines[slot].downward
        let payload = stage.world.server.history.snapshot
        let bytes = rules.framing.message(stage.world.traffic.envelope.snapshot(payload, writtenDown.index))
        guard lines[slot].server.write(.snapshot, writtenDown.index, bytes: bytes, cause: .resume, rules) else {
            return
        }
        lines[slot].owesSnapshot = false
        journal(.fullSync, value: Int64(payload), &stage)
    }

    /// Everything anew is here: the app can show all that the server had when it wrote it.
    mutating func receiveSnapshot(_ run: Run, _ slot: Int, _ stage: inout Stage) {
        let head = run.first
        // Seen again as part of the whole is not seen twice.
        desk.pointee.seenBefore = Desk.Stretch()
        desk.pointee.gap = Desk.Stretch()
        desk.pointee.gapIsPromised = false
        receivedDown = max(receivedDown, head)
        tell(.received(ConnectionSlot(UInt8(slot)), upTo: Cursor(head), bytes: run.bytes), &stage)
    }

    // MARK: Who has the session

    /// An older connection of the same session stands in the way.
    func isTaken(by slot: Int, _ stage: borrowing Stage) -> Bool {
        guard !stage.world.server.session.replaces else { return false }
        if Self.slots.contains(where: { $0 != slot && lines[$0].isAttached }) { return true }
        return desk.pointee.ghost.map { now < $0.until } ?? false
    }

    mutating func refuseSession(_ slot: Int, _ stage: inout Stage) {
        journal(.sessionRefused, value: Int64(lines[slot].generation), &stage)
        end(slot, &stage)
    }

    /// The phone puts another connection in the place of one that the server still believes in.
    mutating func leaveGhost(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].serverHolds, lines[slot].isAttached, !lines[slot].isDatagram else {
            return endHold(since: lines[slot].heldSince, &stage)
        }
        forgetGhost(&stage)
        desk.pointee.ghost = Desk.Ghost(
            slot: UInt8(slot), generation: lines[slot].generation, until: serverGivesUp(slot, stage),
            heldSince: lines[slot].heldSince)
    }

    /// When the server gives a connection up of which it hears nothing more; `.never`: it has no reason to.
    func serverGivesUp(_ slot: Int, _ stage: borrowing Stage) -> Instant {
        var until = Instant.never
        if let limit = lines[slot].carrier.patience(stage.world.server.idleLimit) { until = lines[slot].saidAt + limit }
        if lines[slot].server.hasUnacknowledged { until = min(until, now + Self.retransmissionLimit) }
        return until
    }

    mutating func forgetGhost(_ stage: inout Stage) {
        guard let ghost = desk.pointee.ghost else { return }
        endHold(since: ghost.heldSince, until: ghost.until, &stage)
        desk.pointee.ghost = nil
    }

    /// Linux gives a connection up 924.6 s after the first byte that nobody confirms (`net/ipv4/tcp_timer.c`,
    /// tcp_model_timeout with 15 retries and a first timeout of 200 ms).
    static let retransmissionLimit = TimeSpan.milliseconds(924_600)

    /// The server has something to say to the ghost.
    mutating func writeToGhost() {
        guard let until = desk.pointee.ghost?.until, until == .never else { return }
        desk.pointee.ghost?.until = now + Self.retransmissionLimit
    }

    /// A goodbye of a connection that has been replaced.
    mutating func bury(_ flight: Flight, _ stage: inout Stage) {
        guard flight.packet.content == .goodbye, let ghost = desk.pointee.ghost, ghost.slot == flight.slot,
            ghost.generation == flight.generation
        else { return }
        forgetGhost(&stage)
        if !Self.slots.contains(where: { lines[$0].isAttached }) { desk.pointee.leftAt = now }
    }

    // MARK: Freshness

    /// The user opens the app, and wants to see what is new.
    mutating func beginFreshness(_ stage: inout Stage) {
        desk.pointee.freshFrom = writtenDown.index
        desk.pointee.openedAt = now
        noticeFreshness(&stage)
    }

    mutating func noticeFreshness(_ stage: inout Stage) {
        guard desk.pointee.openedAt != .never, desk.pointee.freshFrom <= seenDown.index else { return }
        journal(.fresh, value: (now - desk.pointee.openedAt).nanoseconds, &stage)
        desk.pointee.openedAt = .never
    }

    /// The user leaves, or the run is over.
    mutating func endFreshness(_ stage: inout Stage) {
        guard desk.pointee.openedAt != .never else { return }
        journal(.stale, value: (now - desk.pointee.openedAt).nanoseconds, &stage)
        desk.pointee.openedAt = .never
    }
}
