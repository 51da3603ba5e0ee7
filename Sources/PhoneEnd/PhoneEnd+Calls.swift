public import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneTransport

/// Questions of the app and answers of the server. A call is open from the app's wish until it is answered or given up, on
/// whatever connections it is asked.
extension PhoneEnd {
    /// A library that has no room for a call looks again each time so much later.
    private static let secondLook = TimeSpan.milliseconds(100)

    /// The app has a question.
    public mutating func wantCall(at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        guard let course = said.pointee.callCourse else { return }
        if let oldest = calls.oldestInTheWay() { endCall(oldest, failedBy: .unavailable, at: now, &out) }
        out.note(.called, value: Int64(calls.wanted.index))
        calls.add(course)
    }

    /// The next call that the strategy has to hear of.
    public mutating func nextCall() -> Event? {
        guard let call = calls.nextUntold() else { return nil }
        return .wantsToCall(Message(index: call, bytes: said.pointee.call.bytes(of: call)))
    }

    private mutating func endCall(
        _ call: UInt32, failedBy code: CallCode?, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        guard let course = said.pointee.callCourse else { return }
        let wishedAt = calls.close(call, course)
        for slot in Self.slots where lines[slot].unasked != 0 { lines[slot].unasked &= ~CallBook.bit(call) }
        let after = (now - wishedAt).nanoseconds
        if let code {
            out.note(.callFailed, code, value: after)
            if failedInARow == 0 { callsFailSince = max(wishedAt, lastAnswerAt) }
            failedInARow = failedInARow == .max ? .max : failedInARow + 1
        } else {
            out.note(.answered, value: after)
            endCallOutage(at: now, &out)
        }
    }

    /// A stretch in which no call succeeded is over, by an answer or at the horizon.
    public mutating func endCallOutage(at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        guard failedInARow > 0 else { return }
        out.note(.callOutage, failedInARow, value: (now - callsFailSince).nanoseconds)
        failedInARow = 0
    }

    /// The app asks on this connection. What does not fit waits in its library; the app is told that the socket is full.
    /// Returns whether that was in vain and has changed nothing.
    @discardableResult
    public mutating func ask(
        _ call: UInt32, _ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) -> Bool {
        guard lines[slot].belief == .open, !lines[slot].isDatagram, calls.isOpen(call) else { return false }
        if lines[slot].isDismissed {
            reject(call, slot, CallRefusal(.unavailable, isUnprocessed: true, isGoodbye: true), &out)
            return false
        }
        let bytes = lines[slot].upward.pointee.framing.exchange(said.pointee.call.bytes(of: call))
        let wasStalled = lines[slot].client.isStalled
        let isAsked = lines[slot].client.write(.call, call, bytes: bytes, cause: .payload, lines[slot].upward)
        if isAsked {
            if calls.ask(call) { out.note(.callRepeated, value: Int64(call)) }
            lines[slot].asked |= CallBook.bit(call)
            out.append(.asked(call: call, slot: slot))
        } else if lines[slot].unasked & CallBook.bit(call) == 0 {
            // The client's library looks again, as long as the call and the connection are open.
            lines[slot].unasked |= CallBook.bit(call)
            out.append(
                .lookAgain(call: call, at: now + Self.secondLook, slot: slot, generation: lines[slot].generation))
        }
        tellStall(slot, unless: wasStalled, &out)
        let hasSpoken = flush(slot, at: now, &out)
        return !isAsked && wasStalled && !hasSpoken
    }

    /// The library looks again. Returns nil when nobody waits any more.
    public mutating func askAgain(
        _ call: UInt32, _ slot: Int, generation: UInt16, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) -> Bool? {
        guard lines[slot].generation == generation, calls.isOpen(call) else { return nil }
        lines[slot].unasked &= ~CallBook.bit(call)
        return ask(call, slot, at: now, &out)
    }

    /// The process ends, and with it every call that it had heard of.
    public mutating func failCalls(at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        while let call = calls.oldestTold { endCall(call, failedBy: .unavailable, at: now, &out) }
    }

    public mutating func abandon(
        call: UInt32, _ failure: CallFailure, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        if calls.isOpen(call) { endCall(call, failedBy: CallCode(failure), at: now, &out) }
    }

    mutating func readAnswer(_ call: UInt32, _ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        lines[slot].asked &= ~CallBook.bit(call)
        guard calls.isOpen(call) else { return out.note(.answerUnused, value: Int64(call)) }
        endCall(call, failedBy: nil, at: now, &out)
        lastAnswerAt = now
        out.append(.tell(.answered(name(slot), call: call)))
    }

    /// The server did not do it.
    public mutating func readRefusal(
        of call: UInt32, _ refusal: CallRefusal, _ slot: Int, _ out: inout Steps<PhoneEndStep>
    ) {
        lines[slot].asked &= ~CallBook.bit(call)
        guard calls.isOpen(call) else { return out.note(.answerUnused, value: Int64(call)) }
        reject(call, slot, refusal, &out)
    }

    /// GOAWAY names the last stream that counts: calls on later ones were never looked at, and the client knows it.
    mutating func passOver(_ slot: Int, seen: UInt64, _ out: inout Steps<PhoneEndStep>) {
        var left = lines[slot].asked & ~seen
        lines[slot].asked &= seen
        guard left != 0 else { return }
        var call = calls.firstIndex
        while left != 0 && call < calls.wanted.index {
            let bit = CallBook.bit(call)
            if left & bit != 0 && calls.isOpen(call) {
                reject(call, slot, CallRefusal(.unavailable, isUnprocessed: true, isGoodbye: true), &out)
            }
            left &= ~bit
            call += 1
        }
    }

    private func reject(_ call: UInt32, _ slot: Int, _ refusal: CallRefusal, _ out: inout Steps<PhoneEndStep>) {
        out.append(.tell(.rejected(name(slot), call: call, refusal)))
    }
}

extension CallCode {
    init(_ failure: CallFailure) {
        switch failure {
        case .deadlineExceeded: self = .deadlineExceeded
        case .unavailable: self = .unavailable
        case .resourceExhausted: self = .resourceExhausted
        case .permissionDenied: self = .permissionDenied
        }
    }
}

extension GoAwayCode {
    init(_ reason: GoAway) {
        switch reason {
        case .noError: self = .noError
        case .tooManyPings: self = .tooManyPings
        }
    }
}
