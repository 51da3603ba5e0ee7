package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The server's processing of calls, the app's requests: its program answers them, refuses them, or defers them.
extension Server {
    /// Time after which the program tries again to write an answer that did not fit into the send buffer.
    private static let retryDelay = TimeSpan.milliseconds(100)

    /// Processes a call that has reached the server program.
    mutating func receiveCall(
        call: UInt32, _ slot: Int, visit: UInt64, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        // A stream above the last one that GOAWAY names is ignored (RFC 9113 §6.8).
        guard acceptsCalls(slot) else { return }
        ends[slot].seenCalls |= 1 << UInt64(call % 64)
        out.note(.serverAsked, value: Int64(call))
        if let refusal = refusal(of: call, visit: visit, at: now) {
            if refusal == .unauthenticated { out.note(.credentialsRefused, .call) }
            refuse(call, refusal, slot, &out)
            return updateStreamUse(slot, at: now, &out)
        }
        if profile.pointee.sharesCalls {
            submitToCluster(.call(call), slot, of: ends[slot].instance, at: now, &out)
        } else {
            processCall(on: call, slot, at: now, &out)
        }
    }

    /// Decides if the call is refused: returns the reason, or `nil` if it is accepted. The rate limit is checked first,
    /// as in a proxy before the server.
    private mutating func refusal(
        of call: UInt32, visit: UInt64, at now: Instant
    ) -> RefusalCode? {
        let troubles = profile.pointee.faults
        if let limit = troubles.rateLimit, !limit.admits(at: now, fullAt: &rateFullAt) { return .rateLimited }
        if profile.pointee.credentials?.checksCalls ?? false, hasExpiredToken(at: now) { return .unauthenticated }
        let dice = traffic.pointee.dice(.serverErrors)
        // A permanent error depends on the call only; the others on the visit as well. Each call has eight dice
        // addresses.
        if troubles.permanent.hits(dice.pair(at: UInt64(call) * 8).1) { return .permanent }
        let (first, second) = dice.pair(at: UInt64(call) * 8 + 1 + min(visit, 6))
        if troubles.unprocessed.hits(first) { return .unprocessed }
        guard troubles.transient.hits(second) else { return nil }
        return troubles.afterHeaders.hits(first) ? .committed : .transient
    }

    private mutating func refuse(
        _ call: UInt32, _ refusal: RefusalCode, _ slot: Int, _ out: inout EffectQueue<ServerEffect>
    ) {
        out.note(.serverRejected, RejectionCode(refusal), value: Int64(call))
        ends[slot].writeRefusal(refusal, of: call)
    }

    /// Answers the call after the server's think time.
    private mutating func processCall(
        on call: UInt32, _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let think = profile.pointee.thinkTime
        if think == .zero && ends[slot].writeAnswer(to: call, traffic.pointee) {
            return updateStreamUse(slot, at: now, &out)
        }
        processCall(on: call, slot, until: now + max(think, .milliseconds(1)), &out)
    }

    private func processCall(on call: UInt32, _ slot: Int, until at: Instant, _ out: inout EffectQueue<ServerEffect>) {
        out.append(.schedule(.answer(call), at: at, slot: slot, generation: ends[slot].generation))
    }

    /// Runs work that the server had scheduled for later. Returns `true` if the send buffer still had no room, so that
    /// nothing has changed.
    package mutating func runDeferredWork(
        to work: DeferredWork, _ slot: Int, _ generation: UInt16, _ introduction: Introduction, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        switch work {
        case .token: return false
        case .session:
            accept(slot, generation, introduction, at: now, acceptedAt: now, &out)
            return false
        case .refusal(let call):
            refuseTimedOutCall(call, slot, generation, at: now, &out)
            return false
        case .answer(let call), .answerRetry(let call): return !answer(call, slot, generation, at: now, &out)
        }
    }

    /// Writes the answer to a call, if the call's connection still exists. Returns `false` if there was no room for it.
    private mutating func answer(
        _ call: UInt32, _ slot: Int, _ generation: UInt16, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        guard ends[slot].generation == generation, ends[slot].isAttached else { return true }
        guard !isFrozen, ends[slot].writeAnswer(to: call, traffic.pointee) else {
            out.append(.schedule(.answerRetry(call), at: now + Self.retryDelay, slot: slot, generation: generation))
            return false
        }
        updateStreamUse(slot, at: now, &out)
        flush(slot, at: now, &out)
        return true
    }

    /// Refuses a call that timed out in the queue, if its connection still exists. If the program is frozen, tries
    /// again later.
    private mutating func refuseTimedOutCall(
        _ call: UInt32, _ slot: Int, _ generation: UInt16, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard ends[slot].generation == generation, ends[slot].isAttached else { return }
        guard !isFrozen else {
            return out.append(.schedule(.refusal(call), at: now + Self.retryDelay, slot: slot, generation: generation))
        }
        refuseOverloaded(call, slot, at: now, sentAt: now, &out)
    }

    private mutating func refuseOverloaded(
        _ call: UInt32, _ slot: Int, at now: Instant, sentAt: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        refuse(call, .overloaded, slot, &out)
        updateStreamUse(slot, at: now, &out)
        flush(slot, at: now, sentAt: sentAt, &out)
    }

    /// Answers or refuses a call, as the shared cluster has decided.
    mutating func answer(
        _ call: UInt32, _ request: ClusterRequest, _ outcome: Cluster.ServiceOutcome, windowEnd: Instant,
        at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        let slot = request.slot
        guard ends[slot].generation == request.generation, ends[slot].isAttached else { return }
        let doneAt: Instant
        switch outcome {
        case .served(let at, _): doneAt = at
        case .dropped(let at) where windowEnd <= at:
            return out.append(.schedule(.refusal(call), at: at, slot: slot, generation: ends[slot].generation))
        case .dropped(let at): return refuseOverloaded(call, slot, at: now, sentAt: at, &out)
        case .refused, .unanswered, .reset: return refuseOverloaded(call, slot, at: now, sentAt: request.at, &out)
        }
        let at = doneAt + profile.pointee.thinkTime
        if at < windowEnd && ends[slot].writeAnswer(to: call, traffic.pointee) {
            return flush(slot, at: now, sentAt: at, &out)
        }
        processCall(on: call, slot, until: max(at, windowEnd), &out)
    }
}

extension RejectionCode {
    init(_ refusal: RefusalCode) {
        switch refusal {
        case .transient, .committed: self = .transient
        case .permanent, .unauthenticated: self = .permanent
        case .rateLimited: self = .rateLimited
        case .overloaded: self = .overloaded
        case .unprocessed: self = .unprocessed
        }
    }
}

extension ExpiryCode {
    init(_ reason: ConnectionLimits.LimitReason) {
        switch reason {
        case .idle: self = .idle
        case .age: self = .age
        case .session: self = .session
        }
    }
}
