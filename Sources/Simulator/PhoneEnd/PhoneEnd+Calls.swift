package import DeadzoneBase
package import DeadzoneClient
import DeadzoneTransport

/// Sends the app's calls (requests to the server) and handles their responses. A call is open from the time when the
/// app makes it until it is answered or given up, over any number of connections.
extension PhoneEnd {
    /// Interval at which the client library retries a call for which the buffer had no space.
    private static let retryDelay = TimeSpan.milliseconds(100)

    /// Opens the app's next call.
    package mutating func addCall(at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        guard let schedule = traffic.pointee.callSchedule else { return }
        if let oldest = calls.oldestToEvict() { endCall(oldest, failedBy: .unavailable, at: now, &out) }
        out.note(.called, value: Int64(calls.nextCall.index))
        calls.add(schedule)
    }

    /// Returns the event that reports the app's next call to the strategy; `nil` if there is none.
    package mutating func nextCall() -> Event? {
        guard let call = calls.nextUnreported() else { return nil }
        return .wantsToCall(Message(index: call, bytes: traffic.pointee.call.bytes(of: call)))
    }

    private mutating func endCall(
        _ call: UInt32, failedBy code: CallCode?, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard let schedule = traffic.pointee.callSchedule else { return }
        let wishedAt = calls.close(call, schedule)
        // The bit stands for another call from now on.
        for slot in Self.slots where connections[slot].waitingCalls | connections[slot].sentCalls != 0 {
            connections[slot].waitingCalls &= ~OpenCallWindow.bit(call)
            connections[slot].sentCalls &= ~OpenCallWindow.bit(call)
        }
        let after = (now - wishedAt).nanoseconds
        if let code {
            out.note(.callFailed, code, value: after)
            if failedInARow == 0 { callsFailingSince = max(wishedAt, lastAnswerAt) }
            failedInARow = failedInARow == .max ? .max : failedInARow + 1
        } else {
            out.note(.answered, value: after)
            endCallOutage(at: now, &out)
        }
    }

    /// Ends and records a period in which all calls failed. Called when a call succeeds, and at the horizon.
    package mutating func endCallOutage(at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        guard failedInARow > 0 else { return }
        out.note(.callOutage, failedInARow, value: (now - callsFailingSince).nanoseconds)
        failedInARow = 0
    }

    /// Records the calls that are open at the horizon.
    func finishCalls(at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        guard let schedule = traffic.pointee.callSchedule, calls.openCount > 0 else { return }
        out.note(.callPending, value: Int64(calls.openCount))
        var walker = calls.first
        while walker.index < calls.nextCall.index {
            if calls.isOpen(walker.index) { out.note(.waitedCall, value: (now - walker.time).nanoseconds) }
            walker.advance(schedule)
        }
    }

    /// Sends a call on this connection. Without buffer space it waits in the client's library, and the app is notified
    /// that the socket is full. Returns `true` if there was no space and nothing has changed since the last attempt.
    @discardableResult
    package mutating func sendCall(
        _ call: UInt32, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) -> Bool {
        guard connections[slot].belief == .open, !connections[slot].isDatagram, calls.isOpen(call) else { return false }
        if connections[slot].hasReceivedGoAway {
            reject(call, slot, CallRefusal(.unavailable, isUnprocessed: true, isConnectionDraining: true), &out)
            return false
        }
        let bytes = connections[slot].upward.pointee.framing.exchange(traffic.pointee.call.bytes(of: call))
        let wasStalled = connections[slot].tcp.isStalled
        let isAsked = connections[slot].tcp.write(
            .call, call, bytes: bytes, cause: .payload, connections[slot].upward)
        if isAsked {
            if calls.markSent(call) { out.note(.callRepeated, value: Int64(call)) }
            connections[slot].sentCalls |= OpenCallWindow.bit(call)
            out.append(.callSent(call: call, slot: slot))
        } else if connections[slot].waitingCalls & OpenCallWindow.bit(call) == 0 {
            // The client's library retries while the call and the connection are open.
            connections[slot].waitingCalls |= OpenCallWindow.bit(call)
            out.append(
                .retryCall(call: call, at: now + Self.retryDelay, slot: slot, generation: connections[slot].generation))
        }
        reportStall(slot, unless: wasStalled, &out)
        let hasSpoken = flush(slot, at: now, &out)
        return !isAsked && wasStalled && !hasSpoken
    }

    /// Retries to send a call that waits for buffer space. Returns `nil` if the call or the connection is no longer
    /// open, otherwise `true` if there is still no space and nothing has changed.
    package mutating func retryCall(
        _ call: UInt32, _ slot: Int, generation: UInt16, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) -> Bool? {
        guard connections[slot].generation == generation, calls.isOpen(call) else { return nil }
        connections[slot].waitingCalls &= ~OpenCallWindow.bit(call)
        return sendCall(call, slot, at: now, &out)
    }

    /// Ends every call that was reported to the strategy as failed, because the app's process has ended.
    package mutating func failCalls(at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        while let call = calls.oldestReported { endCall(call, failedBy: .unavailable, at: now, &out) }
    }

    package mutating func abandon(
        call: UInt32, _ failure: CallFailure, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        if calls.isOpen(call) { endCall(call, failedBy: CallCode(failure), at: now, &out) }
    }

    mutating func readAnswer(_ call: UInt32, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        guard calls.isOpen(call) else { return out.note(.answerUnused, value: Int64(call)) }
        endCall(call, failedBy: nil, at: now, &out)
        lastAnswerAt = now
        out.append(.notify(.answered(name(slot), call: call)))
    }

    /// Handles the server's rejection of a call (refusal).
    package mutating func readRefusal(
        of call: UInt32, _ refusal: CallRefusal, _ slot: Int, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard calls.isOpen(call) else { return out.note(.answerUnused, value: Int64(call)) }
        connections[slot].sentCalls &= ~OpenCallWindow.bit(call)
        reject(call, slot, refusal, &out)
    }

    /// Rejects the calls on streams above the last one that GOAWAY names: the server never processed them.
    /// - Parameter seen: The calls that the server has seen. Bit n stands for a call with index n modulo 64.
    mutating func rejectUnprocessedCalls(_ slot: Int, seen: UInt64, _ out: inout EffectQueue<PhoneEndEffect>) {
        var left = connections[slot].sentCalls & ~seen
        connections[slot].sentCalls &= seen
        guard left != 0 else { return }
        var call = calls.firstIndex
        while left != 0 && call < calls.nextCall.index {
            let bit = OpenCallWindow.bit(call)
            if left & bit != 0 && calls.isOpen(call) {
                reject(call, slot, CallRefusal(.unavailable, isUnprocessed: true, isConnectionDraining: true), &out)
            }
            left &= ~bit
            call += 1
        }
    }

    private func reject(_ call: UInt32, _ slot: Int, _ refusal: CallRefusal, _ out: inout EffectQueue<PhoneEndEffect>) {
        out.append(.notify(.rejected(name(slot), call: call, refusal)))
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
