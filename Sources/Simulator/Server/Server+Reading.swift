package import DeadzoneBase
import DeadzoneClient
package import DeadzoneTransport

/// The server program's processing of what it reads from the phone's stream: flights, messages, pings and calls.
extension Server {
    /// `true` if the server reads the next item of the phone's stream. A captive portal answers one flight and reads no
    /// more, and a program reads nothing while it decides about the session.
    package func isReading(_ slot: Int) -> Bool {
        guard ends[slot].isHeld, !ends[slot].isCaptured else { return ends[slot].isHeld }
        return !isFrozen && !ends[slot].isOrphaned && ends[slot].sessionRequest == .none
    }

    /// Processes items that the program reads from the phone's stream.
    /// - Parameter visit: For a call: the number of times that it has arrived before.
    /// - Parameter upload: What the program may refuse or keep of the next message; `nil` if neither.
    /// - Returns: `true` if the server reads on after its effects were applied.
    package mutating func read(
        _ run: FrameRange, slot: Int, visit: UInt64, _ introduction: Introduction,
        upload: UnsafeMutablePointer<UploadState>? = nil, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        guard !ends[slot].isCaptured else {
            if run.kind == .flight { ends[slot].writeAnswer(toFlight: run.first) }
            flush(slot, at: now, &out)
            return false
        }
        handle(run, slot, visit: visit, introduction, upload, at: now, &out)
        ends[slot].didConsume(run)
        return true
    }

    private mutating func handle(
        _ run: FrameRange, _ slot: Int, visit: UInt64, _ introduction: Introduction,
        _ upload: UnsafeMutablePointer<UploadState>?, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        ends[slot].lastReadAt = now
        if ends[slot].isAttached && ends[slot].probesClient {
            ends[slot].keepaliveSupervisor.received(run.kind, keepaliveRules(slot), at: now)
        }
        switch run.kind {
        case .flight: answerFlight(run.first, slot, introduction, at: now, &out)
        case .message:
            if let upload {
                judgeMessages(run.first..<run.last, slot, upload, introduction, at: now, &out)
            } else {
                receiveMessages(run.first..<run.last, introduction, at: now, &out)
            }
            scheduleReceipt(from: run.first, slot, at: now)
        case .receipt: handleReceipt(upTo: run.last)
        case .ping: answerPings(run, slot, at: now, &out)
        case .call:
            ends[slot].callCount += 1
            ends[slot].openCallCount += 1
            updateStreamUse(slot, at: now, &out)
            receiveCall(call: run.first, slot, visit: visit, at: now, &out)
        // The ping of a graceful GOAWAY has number 0.
        case .pong where run.first == 0:
            perform(ends[slot].draining.receivePong(lastStream: ends[slot].lastStream, at: now), slot, at: now, &out)
        case .pong: break
        case .control: handleControlFrame(run.first, slot, upload, at: now, &out)
        case .answer, .refusal, .finish, .snapshot, .subscription: break
        }
    }

    /// Ends a read after the last available item: sends a due receipt and everything that was written.
    package mutating func finishReading(
        _ slot: Int, _ reading: ReadTrigger, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        switch reading {
        case .newData:
            if profile.pointee.receipts != nil && !ends[slot].isCaptured { sendReceipt(slot, at: now) }
        case .thaw(let wasHeldBack):
            if wasHeldBack && ends[slot].isHeld { ends[slot].tcp.announceWindow() }
        }
        flush(slot, at: now, &out)
    }

    /// Answers a flight of the connection set-up; the last requests the session. With a shared cluster, the request for
    /// the program's first answer is queued there.
    private mutating func answerFlight(
        _ index: UInt32, _ slot: Int, _ introduction: Introduction, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        let setup = ends[slot].setup
        if index == setup.sessionFlight && rejectsSession(slot, at: now, &out) { return }
        if index == setup.firstProgramFlight && profile.pointee.sharesSessions {
            ends[slot].sessionRequest = .queued
            return submitToCluster(.session(handshake: handshakeCost(slot)), slot, of: nil, at: now, &out)
        }
        guard index == setup.sessionFlight else {
            if index == setup.firstProgramFlight { ends[slot].isAccepted = true }
            return ends[slot].writeAnswer(toFlight: index)
        }
        // Authenticates the client, then accepts it. If phones do not compete for the server's processor, a handshake
        // takes its own time only.
        var span = profile.pointee.authentication ?? .zero
        if !profile.pointee.sharesSessions { span = span + handshakeCost(slot) }
        if span > .zero {
            ends[slot].sessionRequest = .authenticating
            out.append(.schedule(.session, at: now + span, slot: slot, generation: ends[slot].generation))
        } else {
            accept(slot, ends[slot].generation, introduction, at: now, acceptedAt: now, &out)
        }
    }

    /// Processor time of the connection's TLS handshake.
    private func handshakeCost(_ slot: Int) -> TimeSpan {
        profile.pointee.handshakeCost?.cost(ends[slot].config.pointee.transport.security) ?? .zero
    }

    private mutating func handleControlFrame(
        _ item: UInt32, _ slot: Int, _ upload: UnsafeMutablePointer<UploadState>?, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        switch ControlFrame(item: item) {
        case .poll:
            let hasNews = ends[slot].tcp.offeredEnd < written.index
            if ends[slot].polling.receiveRequest(hasNews: hasNews, at: now) {
                ends[slot].answerPoll(upTo: written.index)
            }
        case .connectionWindowUpdate(let bytes): ends[slot].tcp.sendWindows?.grow(connection: bytes, stream: 0)
        case .streamWindowUpdate(let bytes): ends[slot].tcp.sendWindows?.grow(connection: 0, stream: bytes)
        case .resync:
            ends[slot].needsSnapshot = true
            writeSnapshot(slot, &out)
        case .messagesAgain: ends[slot].ignoresMessages = false
        case .offsetRequest: if let upload { answerOffset(slot, upload, at: now, &out) }
        case .messageRefused, .messageRefusedPermanently, .messageLocked, .offset: break
        case .goAway, .finalGoAway, .tooManyPings, .pollAnswer, .confirmation, .heartbeat, .pong, .finish,
            .loginRefused, .streamCompleted, .sessionRefused, .sessionRefusedPermanently, nil:
            break
        }
    }

    /// Answers pings of the app. On a polling connection, pings are polls: pending data is sent, too.
    @inline(__always)
    private mutating func answerPings(
        _ run: FrameRange, _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let judges = ends[slot].isHTTP2 && profile.pings != nil
        for number in run.first..<run.last {
            if judges {
                let verdict = ends[slot].pingPolicy.receive(at: now, hasStreams: ends[slot].hasStreams)
                if verdict != .fine {
                    out.note(.pingStruck, value: Int64(ends[slot].pingPolicy.strikes))
                }
                if verdict == .tooMany { return closeForExcessPings(slot, at: now, &out) }
                if verdict == .strike && !ends[slot].pingPolicy.answersStrikes { continue }
            }
            ends[slot].send(.pong(number))
        }
        if ends[slot].config.pointee.pingsArePolls {
            ends[slot].tcp.offer(from: written.index, upTo: written.index)
        }
    }

    // MARK: Messages of the app

    mutating func receiveMessages(
        _ messages: Range<UInt32>, _ introduction: Introduction, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        skipMessages(before: messages.lowerBound, &out)
        takeMessages(messages, introduction, at: now, &out)
    }

    /// Passes the app's messages that can no longer arrive, because a later one has.
    @inline(__always)
    mutating func skipMessages(before first: UInt32, _ out: inout EffectQueue<ServerEffect>) {
        guard arrived.index < first, let schedule = traffic.pointee.upSchedule else { return }
        out.append(.uplinkSkipped(from: arrived.index, upTo: first))
        while arrived.index < first { arrived.advance(schedule) }
    }

    /// Receives messages of which none is missing before the first.
    @inline(__always)
    mutating func takeMessages(
        _ messages: Range<UInt32>, _ introduction: Introduction, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard let schedule = traffic.pointee.upSchedule else { return }
        if messages.lowerBound < arrived.index {
            receiveDuplicates(
                messages.lowerBound..<min(messages.upperBound, arrived.index), introduction, at: now, &out)
        }
        while arrived.index < messages.upperBound {
            if admits(arrived.index, introduction, at: now, &out) {
                out.note(.deliveredUp, value: (now - arrived.time).nanoseconds)
            } else {
                out.note(.mistakenUp, value: 1)
                out.note(MessageLoss(.deduplicated, .serverDuplicates, first: arrived.index, count: 1), .up)
            }
            arrived.advance(schedule)
        }
        memory.recordReceived(before: messages.upperBound)
    }

    /// Handles app messages that have arrived before.
    private mutating func receiveDuplicates(
        _ messages: Range<UInt32>, _ introduction: Introduction, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
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

    /// `true` if the server treats the message as new, `false` if as a duplicate.
    private mutating func admits(
        _ index: UInt32, _ introduction: Introduction, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        guard profile.pointee.dedup != .none, introduction.keysMessages else { return true }
        let (isNew, more) = memory.admits(index, salt: traffic.pointee.dice(.dedup).at(0), at: now)
        if more > 0 { out.note(.dedupMemory, value: Int64(more)) }
        return isNew
    }

    // MARK: Receipts

    /// Schedules a receipt for messages that have arrived. Messages that arrive again get another receipt, because the
    /// app missed the first one.
    private mutating func scheduleReceipt(from first: UInt32, _ slot: Int, at now: Instant) {
        guard let rules = profile.pointee.receipts else { return }
        ends[slot].receipts.recordDelivery(from: first, upTo: memory.receivedBelow, at: now, rules)
    }

    /// Sends a receipt if it is due and the send queue has room. If there is no room, the client's next packet triggers
    /// it again.
    mutating func sendReceipt(_ slot: Int, at now: Instant) {
        let receipts = ends[slot].receipts
        let position = memory.receivedBelow
        guard profile.pointee.receipts != nil, ends[slot].isAttached, !isFrozen, receipts.reportedEnd < position,
            receipts.due <= now || receipts.due == .never
        else { return }
        let rules = ends[slot].config.downward
        let bytes = rules.pointee.framing.message(traffic.pointee.envelope.receipt(position))
        ends[slot].receipts.postpone()
        let isWritten = ends[slot].tcp.write(
            .receipt, receipts.reportedEnd, upTo: position, bytes: bytes, cause: .ack, rules)
        guard isWritten else { return }
        ends[slot].receipts.recordSent(upTo: position)
        ends[slot].pingPolicy.sentData()
    }

    /// Handles a receipt from the app: deletes the confirmed messages from the history, if the history's rules say so.
    private mutating func handleReceipt(upTo position: UInt32) {
        guard profile.pointee.history.purge == .acknowledged else { return }
        memory.purge(before: min(position, written.index))
    }
}
