import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld

/// What the app's library says and hears beside messages, calls and pings: permission to speak, credit, goodbyes.
extension Lane {
    /// A new connection in the slot: what its protocol begins with.
    mutating func prepare(_ slot: Int, _ stage: borrowing Stage) {
        var talk = Talk()
        if lines[slot].isQUIC { talk.moves.isAllowed = stage.world.server.allowsMigration }
        if lines[slot].isHTTP2 || hasWindow(slot, stage) { talk.taken = WindowsTaken(window: window(stage)) }
        lines[slot].talk = talk
    }

    /// Each end of HTTP/2 begins with whole windows.
    mutating func openWindowUp(_ slot: Int) {
        if lines[slot].isHTTP2 { lines[slot].client.credit = HTTP2Allowance() }
    }

    /// Says a word of the protocol, now or as soon as the stream has a place for it.
    mutating func sayUp(_ word: Word, _ slot: Int) {
        lines[slot].talk.owed.add(word)
        speakUp(slot)
    }

    /// As much of what is owed as there are places for. To be called before whatever else is written.
    mutating func speakUp(_ slot: Int) {
        while let word = lines[slot].talk.owed.first {
            let rules = lines[slot].upward
            let bytes = word.bytes(rules.framing)
            let cause = lines[slot].terms.pointee.cause(of: word)
            guard lines[slot].client.write(word.track, word.item, bytes: bytes, cause: cause, rules) else { return }
            lines[slot].talk.owed.remove(word)
        }
    }

    // MARK: Permission to speak

    /// The server has confirmed the session on this connection; a long poll begins with it: the app's library asks, and will be
    /// answered when there is something to say.
    mutating func sessionStands(_ slot: Int, _ stage: inout Stage) {
        announceBeats(slot, &stage)
        if lines[slot].carrier.kind == .longPolling { sayUp(.poll, slot) }
    }

    // MARK: Words

    mutating func receiveWordAtPhone(_ item: UInt32, _ slot: Int, _ stage: inout Stage) {
        let name = ConnectionSlot(UInt8(slot))
        switch Word(item: item) {
        case .goAway:
            journal(.goAway, .noError, value: Int64(HTTP2Draining.anyStream), &stage)
            lines[slot].isDismissed = true
            tell(.goingAway(name, .noError), &stage)
        case .goAwaySettled:
            // The app has known since the first.
            let last = Int64(server.lastStream(slot))
            journal(.goAway, .noError, value: last, &stage)
            passOver(slot, &stage)
        case .tooManyPings:
            let last = Int64(server.lastStream(slot))
            journal(.goAway, .tooManyPings, value: last, &stage)
            lines[slot].isDismissed = true
            passOver(slot, &stage)
            tell(.goingAway(name, .tooManyPings), &stage)
        case .pollAnswer: sayUp(.poll, slot)
        case .heartbeat: hearBeat(slot, &stage)
        // What follows is the end.
        case .loginRefused: lines[slot].talk.isDenied = true
        case .turnedAway: hearRefusal(isPermanent: false, slot, &stage)
        case .turnedAwayForGood: hearRefusal(isPermanent: true, slot, &stage)
        case .grant(let bytes): lines[slot].client.credit?.grow(connection: bytes, stream: 0)
        case .grantStream(let bytes): lines[slot].client.credit?.grow(connection: 0, stream: bytes)
        case .confirmation, .poll, .pong, .end, .resync, nil: break
        }
    }

    // MARK: Credit and confirmation

    /// Items of the server have reached the app's library: it confirms them, and grants what it has taken. It takes everything at once, unless its consumer holds it back; one that does not
    /// run takes nothing.
    mutating func tookDown(_ run: Run, _ slot: Int, _ stage: inout Stage) {
        if run.track == .message && lines[slot].upward.framing.confirmation > 0 {
            sayUp(.confirmation(run.count), slot)
        }
        guard hasWindow(slot, stage), run.track.isOfSession || run.track == .answer else { return }
        let isMessage = run.track == .message
        // A snapshot passes by the consumer's buffer.
        let isOfSession = run.track.isOfSession
        let bytes = lines[slot].downward.framing.controlled(run.bytes, count: run.count, isMessage: isOfSession)
        if isMessage && delivery.holdsCredit {
            if !stage.strategy.intake.holdsConnection { grantDown(connection: bytes, stream: 0, slot) }
        } else if appRuns {
            grantDown(connection: bytes, stream: isOfSession ? bytes : 0, slot)
        } else {
            lines[slot].talk.unreadBytes.connection += bytes
            lines[slot].talk.unreadBytes.stream += isOfSession ? bytes : 0
        }
    }

    /// The app's library has taken so much, and says so once it is worth it.
    mutating func grantDown(connection: UInt32, stream: UInt32, _ slot: Int) {
        let grant = lines[slot].talk.taken.take(connection: connection, stream: stream)
        if grant.connection > 0 { sayUp(.grant(grant.connection), slot) }
        if grant.stream > 0 { sayUp(.grantStream(grant.stream), slot) }
    }

    /// An app that runs again reads what has come meanwhile.
    mutating func readUnread(_ stage: inout Stage) {
        for slot in Self.slots where lines[slot].belief == .open && lines[slot].talk.unreadBytes != (0, 0) {
            let unread = lines[slot].talk.unreadBytes
            lines[slot].talk.unreadBytes = (0, 0)
            grantDown(connection: unread.connection, stream: unread.stream, slot)
            flushClient(slot, &stage)
        }
    }
}
