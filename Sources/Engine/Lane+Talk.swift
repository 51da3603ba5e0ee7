import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// What the programs at both ends say to each other beside messages, calls and pings: permission to speak, credit, goodbyes.
extension Lane {
    /// A new connection in the slot: what its protocol begins with.
    mutating func prepare(_ slot: Int, _ stage: borrowing Stage) {
        let server = stage.world.server
        lines[slot].authenticates = server.authentication != nil && !lines[slot].isDatagram
        var talk = Talk()
        talk.policy = server.pings ?? PingPolicy(strikesAllowed: 0)
        talk.draining = HTTP2Draining(grace: server.grace)
        talk.exchange = Exchange(patience: lines[slot].carrier.kind == .longPolling ? server.hold : .zero)
        if lines[slot].isQUIC {
            talk.moves.isAllowed = server.allowsMigration
            talk.moves.interface = lines[slot].interface
            talk.moves.epoch = lines[slot].epoch
        }
        if lines[slot].isHTTP2 || hasWindow(slot, stage) { talk.takenDown = Talk.Taken(window: window(stage)) }
        lines[slot].talk = talk
    }

    /// Each end of HTTP/2 begins with whole windows.
    mutating func openWindowUp(_ slot: Int) {
        if lines[slot].isHTTP2 { lines[slot].client.credit = HTTP2Allowance() }
    }

    mutating func openWindowDown(_ slot: Int, _ stage: borrowing Stage) {
        if hasWindow(slot, stage) { lines[slot].server.credit = window(stage) }
    }

    /// Says a word of the protocol, now or as soon as the stream has a place for it.
    mutating func sayDown(_ word: Word, _ slot: Int) {
        lines[slot].talk.owedDown.add(word)
        speakDown(slot)
    }

    mutating func sayUp(_ word: Word, _ slot: Int) {
        lines[slot].talk.owedUp.add(word)
        speakUp(slot)
    }

    /// As much of what is owed as there are places for. To be called before whatever else is written.
    mutating func speakDown(_ slot: Int) {
        while let word = lines[slot].talk.owedDown.first {
            let rules = lines[slot].downward
            let bytes = word.bytes(rules.framing)
            let cause = lines[slot].cause(of: word)
            guard lines[slot].server.write(word.track, word.item, bytes: bytes, cause: cause, rules) else { return }
            lines[slot].talk.owedDown.remove(word)
        }
    }

    mutating func speakUp(_ slot: Int) {
        while let word = lines[slot].talk.owedUp.first {
            let rules = lines[slot].upward
            let bytes = word.bytes(rules.framing)
            let cause = lines[slot].cause(of: word)
            guard lines[slot].client.write(word.track, word.item, bytes: bytes, cause: cause, rules) else { return }
            lines[slot].talk.owedUp.remove(word)
        }
    }

    // MARK: Permission to speak

    /// The server has something for the phone: it says so now, or when it is next asked.
    mutating func offerDown(_ slot: Int, upTo end: UInt32) {
        guard lines[slot].carrier.holdsStream else { return }
        guard lines[slot].isAnswersOnly else {
            lines[slot].server.offer(from: end - 1, upTo: end)
            return lines[slot].talk.policy.spoke()
        }
        if lines[slot].talk.exchange.tell() { answerPoll(slot) }
    }

    /// The same of all that came up while the program stood still.
    mutating func catchUp(_ slot: Int) {
        guard lines[slot].server.offered < written else { return }
        guard lines[slot].isAnswersOnly else { return lines[slot].server.offer(upTo: written) }
        if lines[slot].talk.exchange.tell() { answerPoll(slot) }
    }

    private var written: UInt32 { writtenDown.index }

    private mutating func answerPoll(_ slot: Int) {
        sayDown(.pollAnswer, slot)
        lines[slot].server.offer(from: written, upTo: written)
    }

    /// The server has confirmed the session on this connection; a long poll begins with it: the app's library asks, and will be
    /// answered when there is something to say.
    mutating func sessionStands(_ slot: Int, _ stage: inout Stage) {
        announceBeats(slot, &stage)
        if lines[slot].carrier.kind == .longPolling { sayUp(.poll, slot) }
    }

    // MARK: Pings

    /// Pings of the app have come. On a polling connection they are polls.
    mutating func answerPings(_ run: Run, _ slot: Int, _ stage: inout Stage) {
        for number in run.first..<run.last {
            if lines[slot].isHTTP2 && stage.world.server.pings != nil {
                let verdict = lines[slot].talk.policy.receive(at: now, hasStreams: lines[slot].hasStreams)
                if verdict != .fine { journal(.pingStruck, value: Int64(lines[slot].talk.policy.strikes), &stage) }
                if verdict == .enough { return dismiss(slot, &stage) }
                if verdict == .strike && !lines[slot].talk.policy.answersStrikes { continue }
            }
            sayDown(.pong(number), slot)
        }
        if lines[slot].carrier.kind == .polling { lines[slot].server.offer(from: written, upTo: written) }
    }

    mutating func dismiss(_ slot: Int, _ stage: inout Stage) {
        lines[slot].talk.draining.dismiss()
        sayDown(.tooManyPings, slot)
        end(slot, &stage)
    }

    // MARK: Goodbyes

    /// A deploy: HTTP/2 says goodbye in two stages, everything else just ends.
    mutating func beginDraining(_ slot: Int, grace: TimeSpan? = nil, _ stage: inout Stage) {
        guard lines[slot].isHTTP2 else { return end(slot, &stage) }
        follow(lines[slot].talk.draining.begin(at: now, grace: grace), slot, &stage)
        flushServer(slot, &stage)
    }

    mutating func follow(_ step: HTTP2Draining.Step, _ slot: Int, _ stage: inout Stage) {
        switch step {
        case .nothing: break
        case .warn:
            sayDown(.goAway, slot)
            let rules = lines[slot].downward
            _ = lines[slot].server.write(.ping, 0, bytes: rules.framing.ping, cause: .connect, rules)
        case .settle:
            sayDown(.goAwaySettled, slot)
            if !lines[slot].hasStreams { follow(lines[slot].talk.draining.streamsEnded(), slot, &stage) }
        case .close: end(slot, &stage)
        }
    }

    /// The ping between the two stages came back.
    mutating func receivePongAtServer(_ slot: Int, _ stage: inout Stage) {
        follow(lines[slot].talk.draining.pong(lastStream: lines[slot].talk.lastStream, at: now), slot, &stage)
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
            let last = Int64(lines[slot].talk.lastStream)
            journal(.goAway, .noError, value: last, &stage)
            passOver(slot, &stage)
        case .tooManyPings:
            let last = Int64(lines[slot].talk.lastStream)
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

    mutating func receiveWordAtServer(_ item: UInt32, _ slot: Int, _ stage: inout Stage) {
        switch Word(item: item) {
        case .poll:
            let hasNews = lines[slot].server.offered < written
            if lines[slot].talk.exchange.ask(hasNews: hasNews, at: now) { answerPoll(slot) }
        case .grant(let bytes): lines[slot].server.credit?.grow(connection: bytes, stream: 0)
        case .grantStream(let bytes): lines[slot].server.credit?.grow(connection: 0, stream: bytes)
        case .resync:
            lines[slot].owesSnapshot = true
            writeSnapshot(slot, &stage)
        case .goAway, .goAwaySettled, .tooManyPings, .pollAnswer, .confirmation, .heartbeat, .pong, .end, .loginRefused,
            .turnedAway, .turnedAwayForGood, nil:
            break
        }
    }

    // MARK: Credit and confirmation

    /// Items of the app have reached the server's program: it confirms them, and grants what it has taken.
    mutating func tookUp(_ run: Run, _ slot: Int) {
        if run.track == .message && lines[slot].downward.framing.confirmation > 0 {
            sayDown(.confirmation(run.count), slot)
        }
        guard lines[slot].isHTTP2 else { return }
        let grant = lines[slot].talk.takenUp.add(run, lines[slot].upward.framing)
        if grant.connection > 0 { sayDown(.grant(grant.connection), slot) }
        if grant.stream > 0 { sayDown(.grantStream(grant.stream), slot) }
    }

    /// The same at the phone. The app's library takes everything at once, unless its consumer holds it back; one that does not
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
        if isMessage && holdsCredit(stage) {
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
        let ofConnection = lines[slot].talk.takenDown.connection.consume(connection)
        if ofConnection > 0 { sayUp(.grant(ofConnection), slot) }
        let ofStream = lines[slot].talk.takenDown.stream.consume(stream)
        if ofStream > 0 { sayUp(.grantStream(ofStream), slot) }
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

    // MARK: Time

    func talkDeadline(_ slot: Int) -> Instant {
        guard lines[slot].isAttached, !lines[slot].isEnding, !serverIsFrozen else { return .never }
        return min(
            lines[slot].talk.draining.deadline, lines[slot].talk.exchange.deadline, careDeadline(slot),
            lines[slot].talk.receipts.due)
    }

    /// Something of the above is due.
    mutating func expireTalk(_ slot: Int, _ stage: inout Stage) {
        if lines[slot].talk.draining.deadline <= now {
            let last = lines[slot].talk.lastStream
            follow(lines[slot].talk.draining.expire(lastStream: last, at: now), slot, &stage)
        }
        if lines[slot].talk.exchange.deadline <= now {
            lines[slot].talk.exchange.expire()
            answerPoll(slot)
        }
        expireCare(slot, &stage)
        sayReceipt(slot, stage)
        flushServer(slot, &stage)
    }
}

extension Talk.Taken {
    /// What each window is to be given back now. Calls have streams of their own.
    mutating func add(_ run: Run, _ framing: Framing) -> (connection: UInt32, stream: UInt32) {
        guard run.track.isControlled else { return (0, 0) }
        let isMessage = run.track.isOfSession
        let bytes = framing.controlled(run.bytes, count: run.count, isMessage: isMessage)
        return (connection.consume(bytes), isMessage ? stream.consume(bytes) : 0)
    }
}

extension Line {
    func cause(of word: Word) -> Cause {
        switch word {
        case .goAway, .goAwaySettled, .tooManyPings, .loginRefused, .end, .turnedAway, .turnedAwayForGood: .connect
        case .poll, .pollAnswer: .poll
        case .confirmation, .grant, .grantStream: .ack
        case .pong: pongCause
        case .heartbeat: .keepalive
        case .resync: .resume
        }
    }

    /// What a pong's bytes are for; on a polling connection it is the answer to a poll.
    var pongCause: Cause { isAnswersOnly ? .poll : .pong }
    var pingCause: Cause { isAnswersOnly ? .poll : .keepalive }
}

extension Carrier {
    /// How long a server bears silence of the client, which has its own limit. An MQTT broker bears one and a half keep alive
    /// times.
    func patience(_ idleLimit: TimeSpan?) -> TimeSpan? {
        guard kind == .mqtt, let keepAlive, keepAlive > .zero else { return idleLimit }
        let limit = MQTTKeepAlive.limit(keepAlive)
        return idleLimit.map { min($0, limit) } ?? limit
    }
}
