import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneProtocols
public import DeadzoneTransport

/// What the program makes of what the phone has said.
extension Server {
    /// It takes the next item of the phone's stream. A portal answers one flight and reads no more.
    @inlinable public func isReading(_ slot: Int) -> Bool {
        ends[slot].isHeld && (ends[slot].isCaptured || (!isFrozen && !ends[slot].isForgotten))
    }

    /// - Parameter visit: Of a call: how often it has come before.
    /// - Returns: Whether it reads on, once what it asks for is done.
    public mutating func read(
        _ run: Run, slot: Int, visit: UInt64, _ introduction: Introduction, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) -> Bool {
        guard !ends[slot].isCaptured else {
            if run.track == .flight { ends[slot].writeAnswer(toFlight: run.first) }
            flush(slot, at: now, &out)
            return false
        }
        take(run, slot, visit: visit, introduction, at: now, &out)
        ends[slot].took(run)
        return true
    }

    private mutating func take(
        _ run: Run, _ slot: Int, visit: UInt64, _ introduction: Introduction, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        ends[slot].saidAt = now
        if ends[slot].isAttached && ends[slot].asksForSigns {
            ends[slot].care.heard(run.track, careRules(slot), at: now)
        }
        switch run.track {
        case .flight: answerFlight(run.first, slot, introduction, at: now, &out)
        case .message:
            takeMessages(run.first..<run.last, introduction, at: now, &out)
            oweReceipt(from: run.first, slot, at: now)
        case .receipt: takeReceipt(upTo: run.last)
        case .ping: answerPings(run, slot, at: now, &out)
        case .call:
            ends[slot].calls += 1
            ends[slot].openCalls += 1
            noteStreams(slot, at: now, &out)
            consider(call: run.first, slot, visit: visit, at: now, &out)
        // The goodbye's ping has number 0.
        case .pong where run.first == 0:
            follow(ends[slot].draining.pong(lastStream: ends[slot].lastStream, at: now), slot, at: now, &out)
        case .pong: break
        case .control: hear(run.first, slot, at: now, &out)
        case .answer, .refusal, .finish, .snapshot: break
        }
    }

    /// There is no more to read.
    public mutating func finishReading(
        _ slot: Int, _ reading: Reading, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        switch reading {
        case .news:
            if profile.pointee.receipts != nil && !ends[slot].isCaptured { sayReceipt(slot, at: now) }
        case .thaw(let wasHeldBack):
            if wasHeldBack && ends[slot].isHeld { ends[slot].kernel.announceRoom() }
        }
        flush(slot, at: now, &out)
    }

    /// The last flight asks for the session. With a shared server the first one that its program answers waits for its turn.
    private mutating func answerFlight(
        _ index: UInt32, _ slot: Int, _ introduction: Introduction, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        let setup = ends[slot].setup
        if index == setup.session && turnsAway(slot, at: now, &out) { return }
        if index == setup.accepted && profile.pointee.sharesSessions {
            ends[slot].isQueued = true
            let handshake = profile.pointee.handshakeCost?.of(ends[slot].terms.pointee.carrier.security) ?? .zero
            return queueUp(.session(handshake: handshake), slot, of: nil, at: now, &out)
        }
        guard index == setup.session else {
            if index == setup.accepted { ends[slot].isAccepted = true }
            return ends[slot].writeAnswer(toFlight: index)
        }
        // Makes sure of the client, and lets it in.
        let span = profile.pointee.authentication ?? .zero
        if span > .zero {
            out.append(.later(.session, at: now + span, slot: slot, generation: ends[slot].generation))
        } else {
            accept(slot, ends[slot].generation, introduction, at: now, acceptedAt: now, &out)
        }
    }

    private mutating func hear(
        _ item: UInt32, _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        switch Word(item: item) {
        case .poll:
            let hasNews = ends[slot].kernel.offered < written.index
            if ends[slot].exchange.ask(hasNews: hasNews, at: now) { ends[slot].answerPoll(upTo: written.index) }
        case .grant(let bytes): ends[slot].kernel.credit?.grow(connection: bytes, stream: 0)
        case .grantStream(let bytes): ends[slot].kernel.credit?.grow(connection: 0, stream: bytes)
        case .resync:
            ends[slot].owesSnapshot = true
            writeSnapshot(slot, &out)
        case .goAway, .goAwaySettled, .tooManyPings, .pollAnswer, .confirmation, .heartbeat, .pong, .end, .loginRefused,
            .turnedAway, .turnedAwayForGood, nil:
            break
        }
    }

    /// Pings of the app have come. On a polling connection they are polls.
    @inline(__always)
    private mutating func answerPings(
        _ run: Run, _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        let judges = ends[slot].isHTTP2 && profile.pings != nil
        for number in run.first..<run.last {
            if judges {
                let verdict = ends[slot].policy.receive(at: now, hasStreams: ends[slot].hasStreams)
                if verdict != .fine {
                    out.note(.pingStruck, value: Int64(ends[slot].policy.strikes))
                }
                if verdict == .enough { return dismiss(slot, at: now, &out) }
                if verdict == .strike && !ends[slot].policy.answersStrikes { continue }
            }
            ends[slot].say(.pong(number))
        }
        if ends[slot].terms.pointee.pingsArePolls {
            ends[slot].kernel.offer(from: written.index, upTo: written.index)
        }
    }

    // MARK: Messages of the app

    mutating func takeMessages(
        _ messages: Range<UInt32>, _ introduction: Introduction, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        guard let course = said.pointee.upCourse else { return }
        if arrived.index < messages.lowerBound {
            out.append(.passedUp(from: arrived.index, upTo: messages.lowerBound))
            out.note(.lostUp, value: Int64(messages.lowerBound - arrived.index))
            while arrived.index < messages.lowerBound { arrived.advance(course) }
        }
        if messages.lowerBound < arrived.index {
            takeAgain(messages.lowerBound..<min(messages.upperBound, arrived.index), introduction, at: now, &out)
        }
        while arrived.index < messages.upperBound {
            if admits(arrived.index, introduction, at: now, &out) {
                out.note(.deliveredUp, value: (now - arrived.at).nanoseconds)
            } else {
                out.note(.mistakenUp, value: 1)
                out.note(.lostUp, value: 1)
            }
            arrived.advance(course)
        }
        memory.had(before: messages.upperBound)
    }

    /// They have come once more.
    private mutating func takeAgain(
        _ messages: Range<UInt32>, _ introduction: Introduction, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        var taken: Int64 = 0
        var late: Int64 = 0
        for index in messages where admits(index, introduction, at: now, &out) {
            taken += 1
            if index + 1 < arrived.index { late += 1 }
        }
        if taken > 0 { out.note(.duplicatedUp, value: taken) }
        if late > 0 { out.note(.reorderedUp, value: late) }
        let dropped = Int64(messages.count) - taken
        if dropped > 0 { out.note(.suppressedUp, value: dropped) }
    }

    /// The message is taken for new.
    private mutating func admits(
        _ index: UInt32, _ introduction: Introduction, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) -> Bool {
        guard profile.pointee.dedup != .none, introduction.keysMessages else { return true }
        let (isNew, more) = memory.admits(index, salt: said.pointee.dice(.dedup).at(0), at: now)
        if more > 0 { out.note(.dedupMemory, value: Int64(more)) }
        return isNew
    }

    // MARK: Receipts

    /// The program has something of the app's that it has not spoken of, or not so that the app had heard of it.
    private mutating func oweReceipt(from first: UInt32, _ slot: Int, at now: Instant) {
        guard let rules = profile.pointee.receipts else { return }
        ends[slot].receipts.took(from: first, upTo: memory.knownUp, at: now, rules)
    }

    /// It says so, if it is time and there is room; what found none goes with the next packet of the client.
    mutating func sayReceipt(_ slot: Int, at now: Instant) {
        let receipts = ends[slot].receipts
        let position = memory.knownUp
        guard profile.pointee.receipts != nil, ends[slot].isAttached, !isFrozen, receipts.said < position,
            receipts.due <= now || receipts.due == .never
        else { return }
        let rules = ends[slot].terms.downward
        let bytes = rules.pointee.framing.message(said.pointee.envelope.receipt(position))
        ends[slot].receipts.wait()
        let isWritten = ends[slot].kernel.write(
            .receipt, receipts.said, upTo: position, bytes: bytes, cause: .ack, rules)
        guard isWritten else { return }
        ends[slot].receipts.say(upTo: position)
        ends[slot].policy.spoke()
    }

    /// The app has said what it has.
    private mutating func takeReceipt(upTo position: UInt32) {
        guard profile.pointee.history.purge == .acknowledged else { return }
        memory.purge(before: min(position, written.index))
    }
}
