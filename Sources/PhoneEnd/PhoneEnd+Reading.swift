import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneTransport

/// What the server has said, item by item.
extension PhoneEnd {
    /// Of flights, calls that were refused and words see the verbs of their own.
    public mutating func read(
        _ run: Run, _ slot: Int, _ leave: Leave, at now: Instant, _ session: SessionView,
        _ out: inout Steps<PhoneEndStep>
    ) {
        switch run.track {
        // What it is worth is granted once the app has it: see `took`.
        case .message: return out.append(.received(slot: slot, run))
        case .pong:
            let after = lines[slot].pings.heard(upTo: run.last, at: now)
            for _ in run.first..<run.last { out.note(.ponged, value: after.nanoseconds) }
            out.append(.tell(.pong(name(slot), after: after)))
        case .answer: readAnswer(run.first, slot, at: now, &out)
        case .finish: readEnd(slot, leave, at: now, &out)
        case .ping: readPings(run, slot, leave, &out)
        case .receipt: readReceipt(upTo: run.last, slot, session, &out)
        case .snapshot:
            out.append(.receivedAll(slot: slot, run))
            out.append(.tell(.received(name(slot), upTo: Cursor(run.first), bytes: run.bytes)))
        case .call, .flight, .refusal, .control: break
        }
        took(run, slot, leave)
    }

    /// The server has ended the stream; an app that is told closes its end, too.
    private mutating func readEnd(
        _ slot: Int, _ leave: Leave, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        guard lines[slot].belief == .open else {
            lines[slot].client.close()
            return fail(slot, .refused, &out)
        }
        out.append(.died(slot: slot))
        // The kernel confirms the end whether the app runs or not.
        flush(slot, at: now, &out)
        lose(slot, lines[slot].talk.isDenied ? .denied : .ended, leave, &out)
        endInTurn(slot, at: now, &out)
    }

    /// Pings of the server have come. The app's library answers them, if it runs.
    private mutating func readPings(_ run: Run, _ slot: Int, _ leave: Leave, _ out: inout Steps<PhoneEndStep>) {
        out.append(.beat(slot: slot))
        guard leave.runs else { return lines[slot].talk.unread.add(run) }
        for number in run.first..<run.last { say(.pong(number), slot) }
    }

    /// The app learns what the server's program has.
    private func readReceipt(
        upTo position: UInt32, _ slot: Int, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        let known = min(position, session.produced)
        if session.acknowledged < known { out.append(.confirmed(slot: slot, before: known)) }
    }

    // MARK: Words

    /// A word of the server.
    /// - Parameters:
    ///   - lastStream: The last of the client's streams that counts, as a goodbye names it.
    ///   - seen: Bit n: the server has seen a call whose index ends in n.
    public mutating func read(
        word item: UInt32, _ slot: Int, lastStream: UInt32, seen: UInt64, _ leave: Leave,
        _ out: inout Steps<PhoneEndStep>
    ) {
        switch Word(item: item) {
        case .goAway:
            out.note(.goAway, .noError, value: Int64(HTTP2Draining.anyStream))
            lines[slot].isDismissed = true
            out.append(.tell(.goingAway(name(slot), .noError)))
        case .goAwaySettled:
            // The app has known since the first.
            out.note(.goAway, .noError, value: Int64(lastStream))
            passOver(slot, seen: seen, &out)
        case .tooManyPings:
            out.note(.goAway, .tooManyPings, value: Int64(lastStream))
            lines[slot].isDismissed = true
            passOver(slot, seen: seen, &out)
            out.append(.tell(.goingAway(name(slot), .tooManyPings)))
        case .pollAnswer: say(.poll, slot)
        case .heartbeat: out.append(.beat(slot: slot))
        // What follows is the end.
        case .loginRefused: lines[slot].talk.isDenied = true
        case .turnedAway: readRefusal(isPermanent: false, slot, leave, &out)
        case .turnedAwayForGood: readRefusal(isPermanent: true, slot, leave, &out)
        case .grant(let bytes): lines[slot].client.credit?.grow(connection: bytes, stream: 0)
        case .grantStream(let bytes): lines[slot].client.credit?.grow(connection: 0, stream: bytes)
        case .confirmation, .poll, .pong, .end, .resync, nil: break
        }
    }

    /// The server does not open the session.
    private mutating func readRefusal(
        isPermanent: Bool, _ slot: Int, _ leave: Leave, _ out: inout Steps<PhoneEndStep>
    ) {
        out.append(.turnedAway(slot: slot, isPermanent: isPermanent))
        if lines[slot].belief == .opening {
            lines[slot].client.close()
            fail(slot, .turnedAway, &out)
        } else {
            out.append(.died(slot: slot))
            lose(slot, .ended, leave, &out)
            if lines[slot].belief == .closed { lines[slot].client.close() }
        }
    }
}
