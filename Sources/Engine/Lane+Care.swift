public import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
public import DeadzoneServer
import DeadzoneTransport

/// How the server's program looks after a connection by its own clock: heartbeats, and how long it keeps it at all.
extension Lane {
    /// The server's program has the session.
    mutating func beginCare(_ slot: Int, _ stage: borrowing Stage) {
        guard !lines[slot].isDatagram, !lines[slot].isAnswersOnly else { return }
        let server = stage.world.server
        lines[slot].keepalive(of: server)?.opened(&lines[slot].talk.probe, at: now)
        lines[slot].heartbeat(of: server)?.opened(&lines[slot].talk.beat, at: now)
        let word = stage.dice(.serverAge, phone).at(UInt64(lines[slot].generation) << 1 | UInt64(slot))
        var limits = server.limits
        // Elsewhere a connection without calls is not idle: `idle-limit` is what there is.
        if !lines[slot].isHTTP2 { limits.idle = nil }
        limits.opened(&lines[slot].talk.limits, hasStreams: lines[slot].hasStreams, word: word, at: now)
    }

    /// The client has said something.
    mutating func careHeard(_ track: Track, _ slot: Int, _ stage: borrowing Stage) {
        guard lines[slot].isAttached else { return }
        lines[slot].keepalive(of: stage.world.server)?.heard(
            isAnswer: track == .pong, &lines[slot].talk.probe, at: now)
        guard let beats = lines[slot].heartbeat(of: stage.world.server) else { return }
        let isAnswer = track == (beats.kind == .expects ? .ping : .pong)
        beats.heard(isAnswer: isAnswer, &lines[slot].talk.beat, at: now)
    }

    /// A call was opened or answered: the connection is in use, or idle from now on.
    mutating func careStreams(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].isHTTP2, lines[slot].isAttached, !lines[slot].isEnding else { return }
        let hasStreams = lines[slot].hasStreams
        stage.world.server.limits.streams(hasStreams, &lines[slot].talk.limits, at: now)
        if !hasStreams { follow(lines[slot].talk.draining.streamsEnded(), slot, &stage) }
    }

    func careDeadline(_ slot: Int) -> Instant {
        min(lines[slot].talk.probe.deadline, lines[slot].talk.beat.deadline, lines[slot].talk.limits.deadline)
    }

    mutating func expireCare(_ slot: Int, _ stage: inout Stage) {
        let server = stage.world.server
        if lines[slot].talk.limits.deadline <= now,
            let reason = server.limits.expire(&lines[slot].talk.limits, at: now)
        {
            journal(.serverExpired, ExpiryCode(reason), value: Int64(lines[slot].generation), &stage)
            beginDraining(slot, grace: server.limits.grace(reason), &stage)
        }
        if let keepalive = lines[slot].keepalive(of: server), lines[slot].talk.probe.deadline <= now {
            follow(keepalive.expire(&lines[slot].talk.probe, at: now), of: keepalive, slot, &stage)
        }
        if let beats = lines[slot].heartbeat(of: server), lines[slot].talk.beat.deadline <= now {
            follow(beats.expire(&lines[slot].talk.beat, at: now), of: beats, slot, &stage)
        }
    }

    private mutating func follow(_ step: Heartbeat.Step, of beats: Heartbeat, _ slot: Int, _ stage: inout Stage) {
        switch step {
        case .nothing: break
        case .beat: beat(beats, slot, &stage)
        case .over:
            journal(.serverExpired, .unanswered, value: Int64(lines[slot].generation), &stage)
            end(slot, &stage)
        }
    }

    private mutating func beat(_ beats: Heartbeat, _ slot: Int, _ stage: inout Stage) {
        lines[slot].talk.beatsSent &+= 1
        let number = lines[slot].talk.beatsSent
        journal(.serverPinged, value: Int64(number), &stage)
        let rules = lines[slot].downward
        switch beats.kind {
        // A ping of the protocol, which the client's library answers. Number 0 is the goodbye's.
        case .asks:
            _ = lines[slot].server.write(.ping, number, bytes: rules.framing.ping, cause: .keepalive, rules)
        case .beats, .expects:
            let said = max(beats.bytes, stage.world.traffic.envelope.heartbeat(writtenDown.index))
            _ = lines[slot].server.write(
                .control, Word.heartbeat.item, bytes: rules.framing.message(said), cause: .keepalive, rules)
            lines[slot].talk.policy.spoke()
        }
    }

    // MARK: At the phone

    /// The server has said how often it wants a sign of life.
    mutating func announceBeats(_ slot: Int, _ stage: inout Stage) {
        guard let beats = lines[slot].heartbeat(of: stage.world.server), beats.isAnnounced else { return }
        hearBeat(slot, &stage)
    }

    mutating func hearBeat(_ slot: Int, _ stage: inout Stage) {
        let beats = lines[slot].heartbeat(of: stage.world.server)
        let interval = beats.map { $0.isAnnounced ? $0.interval : .zero } ?? .zero
        tell(.heartbeat(ConnectionSlot(UInt8(slot)), every: interval), &stage)
    }

    /// Pings of the server have come. The app's library answers them, if it runs.
    mutating func receivePingsAtPhone(_ run: Run, _ slot: Int, _ stage: inout Stage) {
        hearBeat(slot, &stage)
        guard appRuns else {
            return lines[slot].talk.unread.add(run)
        }
        for number in run.first..<run.last { sayUp(.pong(number), slot) }
    }

    /// The app runs again, and its library reads what has waited.
    mutating func answerOwedPings(_ stage: inout Stage) {
        for slot in Self.slots where lines[slot].talk.unread.first < lines[slot].talk.unread.last {
            let unread = lines[slot].talk.unread
            lines[slot].talk.unread = Talk.Numbers()
            guard lines[slot].belief == .open else { continue }
            for number in unread.first..<unread.last { sayUp(.pong(number), slot) }
            flushClient(slot, &stage)
        }
    }
}

extension Line {
    /// Pings of HTTP/2, which the client's library answers.
    fileprivate func keepalive(of server: ServerProfile) -> Heartbeat? { isHTTP2 ? server.keepalive : nil }

    /// What the server's program says by itself, for as long as the session is on this connection.
    fileprivate func heartbeat(of server: ServerProfile) -> Heartbeat? {
        guard let beats = server.heartbeat, carrier.bears(beats), !talk.isPassedOn else { return nil }
        return beats
    }
}

extension Carrier {
    /// The server's program can beat so on such a connection. Where it may only answer it has nobody to speak to. Over HTTP/2 a beat
    /// is a message on the session's stream, to which nothing answers by itself, and the client's own pings never reach the program.
    public func bears(_ beats: Heartbeat) -> Bool {
        switch kind {
        case .datagram, .polling, .longPolling: false
        case .http2: holdsStream && beats.kind == .beats
        case .webSocket, .quic, .serverSentEvents, .mqtt: true
        }
    }
}
