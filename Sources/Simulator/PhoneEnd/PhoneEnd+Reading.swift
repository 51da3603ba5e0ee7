package import DeadzoneBase
import DeadzoneClient
package import DeadzoneTransport

/// Reads the items of the server's stream, one by one: messages, responses, pings, control frames.
extension PhoneEnd {
    /// Reads one item of the server's stream. Handshake flights, refused calls and control frames have methods of their
    /// own.
    package mutating func read(
        _ run: FrameRange, _ slot: Int, _ permissions: AppPermissions, at now: Instant, _ session: SessionView,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        switch run.kind {
        // Window credit is returned once the app has the message: see `didConsume`.
        case .message: return out.append(.received(slot: slot, run))
        case .pong:
            let after = connections[slot].pingTracker.receivedPongs(upTo: run.last, at: now)
            for _ in run.first..<run.last { out.note(.ponged, value: after.nanoseconds) }
            out.append(.notify(.pong(name(slot), after: after)))
        case .answer: readAnswer(run.first, slot, at: now, &out)
        case .finish: readFinish(slot, permissions, at: now, &out)
        case .ping: readPings(run, slot, permissions, &out)
        case .receipt: readReceipt(upTo: run.last, slot, session, &out)
        case .snapshot:
            out.append(.receivedSnapshot(slot: slot, run))
            out.append(.notify(.received(name(slot), upTo: Cursor(run.first), bytes: run.bytes)))
        case .call, .flight, .refusal, .control, .subscription: break
        }
        didConsume(run, slot, permissions)
    }

    /// Handles the end of the server's stream. The app closes its own end as soon as it is notified.
    private mutating func readFinish(
        _ slot: Int, _ permissions: AppPermissions, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief == .open else {
            connections[slot].tcp.close()
            return fail(slot, .refused, &out)
        }
        reportDeath(slot, &out)
        // The kernel acknowledges the end even if the app is suspended.
        flush(slot, at: now, &out)
        reportLoss(slot, endReason(slot), permissions, &out)
        closeInReply(slot, at: now, &out)
    }

    /// The reason that the server gave before it ended its stream.
    private func endReason(_ slot: Int) -> CloseReason {
        if connections[slot].protocolState.isDenied { return .denied }
        return connections[slot].protocolState.isCompleted ? .completed : .ended
    }

    /// Reads pings of the server. The app's library responds at once if the app runs, otherwise when it runs again.
    private mutating func readPings(
        _ run: FrameRange, _ slot: Int, _ permissions: AppPermissions, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        out.append(.heartbeat(slot: slot))
        guard permissions.runs else { return connections[slot].protocolState.unansweredPings.add(run) }
        for number in run.first..<run.last { sendControlFrame(.pong(number), slot) }
    }

    /// Reads a receipt: the server's program confirms all messages of the app below `position`.
    private func readReceipt(
        upTo position: UInt32, _ slot: Int, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        let known = min(position, session.produced)
        if session.acknowledged < known { out.append(.confirmed(slot: slot, before: known)) }
    }

    // MARK: Control frames

    /// Reads a control frame from the server.
    /// - Parameters:
    ///   - lastStream: The last client stream that the server processes, as GOAWAY names it.
    ///   - seen: The calls that the server has seen. Bit n stands for a call with index n modulo 64.
    ///   - arrived: Number of the app's messages that the server has taken.
    package mutating func read(
        word item: UInt32, _ slot: Int, lastStream: UInt32, seen: UInt64, arrived: UInt32,
        _ permissions: AppPermissions, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        switch ControlFrame(item: item) {
        case .goAway:
            out.note(.goAway, .noError, value: Int64(HTTP2Draining.anyStream))
            connections[slot].hasReceivedGoAway = true
            out.append(.notify(.goingAway(name(slot), .noError)))
        case .finalGoAway:
            // The app was notified at the first GOAWAY.
            out.note(.goAway, .noError, value: Int64(lastStream))
            rejectUnprocessedCalls(slot, seen: seen, &out)
        case .tooManyPings:
            out.note(.goAway, .tooManyPings, value: Int64(lastStream))
            connections[slot].hasReceivedGoAway = true
            rejectUnprocessedCalls(slot, seen: seen, &out)
            out.append(.notify(.goingAway(name(slot), .tooManyPings)))
        case .pollAnswer: sendControlFrame(.poll, slot)
        case .heartbeat: out.append(.heartbeat(slot: slot))
        // The end of the stream follows.
        case .loginRefused: connections[slot].protocolState.isDenied = true
        case .streamCompleted: connections[slot].protocolState.isCompleted = true
        case .sessionRefused: readRefusal(isPermanent: false, slot, permissions, &out)
        case .sessionRefusedPermanently: readRefusal(isPermanent: true, slot, permissions, &out)
        case .connectionWindowUpdate(let bytes):
            connections[slot].tcp.sendWindows?.grow(connection: bytes, stream: 0)
        case .streamWindowUpdate(let bytes): connections[slot].tcp.sendWindows?.grow(connection: 0, stream: bytes)
        case .messageRefused: readRefusal(.transient, of: arrived, slot, session, &out)
        case .messageRefusedPermanently: readRefusal(.permanent, of: arrived, slot, session, &out)
        case .messageLocked: readRefusal(.locked, of: arrived, slot, session, &out)
        case .offset: out.append(.notify(.offsetStated(name(slot))))
        case .confirmation, .poll, .pong, .finish, .resync, .messagesAgain, .offsetRequest, nil: break
        }
    }

    /// Handles the refusal of the app's next message. It confirms all earlier ones.
    private func readRefusal(
        _ refusal: MessageRefusal, of message: UInt32, _ slot: Int, _ session: SessionView,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        readReceipt(upTo: message, slot, session, &out)
        out.append(.notify(.messageRefused(name(slot), Cursor(min(message, session.produced)), refusal)))
    }

    /// Handles the server's rejection of the session.
    private mutating func readRefusal(
        isPermanent: Bool, _ slot: Int, _ permissions: AppPermissions, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        out.append(.sessionRejected(slot: slot, isPermanent: isPermanent))
        if connections[slot].belief == .opening {
            connections[slot].tcp.close()
            fail(slot, .sessionRefused, &out)
        } else {
            reportDeath(slot, &out)
            reportLoss(slot, .ended, permissions, &out)
            if connections[slot].belief == .closed { connections[slot].tcp.close() }
        }
    }
}
