import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneTransport

/// Calls: what the program makes of them, and the ones it does not do, or cannot do yet.
extension Server {
    /// A program that has no room for its answer looks again so much later.
    private static let secondLook = TimeSpan.milliseconds(100)

    /// A call has reached the program.
    mutating func consider(
        call: UInt32, _ slot: Int, visit: UInt64, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        // A stream above the last one that counts is not looked at (RFC 9113 §6.8).
        guard considers(slot) else { return }
        ends[slot].seen |= 1 << UInt64(call % 64)
        out.note(.serverAsked, value: Int64(call))
        if let refusal = refusal(of: call, visit: visit, at: now) {
            refuse(call, refusal, slot, &out)
            return noteStreams(slot, at: now, &out)
        }
        if profile.pointee.sharesCalls {
            queueUp(.call(call), slot, of: ends[slot].instance, at: now, &out)
        } else {
            work(on: call, slot, at: now, &out)
        }
    }

    /// The limit of its rate comes first, as in a proxy before the server.
    private mutating func refusal(
        of call: UInt32, visit: UInt64, at now: Instant
    ) -> Refusal? {
        let troubles = profile.pointee.troubles
        if let limit = troubles.rateLimit, !limit.admits(at: now, fullAt: &rateFullAt) { return .rateLimited }
        let dice = said.pointee.dice(.serverErrors)
        // What is never done is a matter of the call; the rest of the visit. A call has eight addresses.
        if troubles.permanent.hits(dice.pair(at: UInt64(call) * 8).1) { return .permanent }
        let (first, second) = dice.pair(at: UInt64(call) * 8 + 1 + min(visit, 6))
        if troubles.unprocessed.hits(first) { return .unprocessed }
        guard troubles.transient.hits(second) else { return nil }
        return troubles.afterHeaders.hits(first) ? .committed : .transient
    }

    private mutating func refuse(
        _ call: UInt32, _ refusal: Refusal, _ slot: Int, _ out: inout Steps<ServerStep>
    ) {
        out.note(.serverRejected, RejectionCode(refusal), value: Int64(call))
        ends[slot].writeRefusal(refusal, of: call)
    }

    /// It takes its time.
    private mutating func work(
        on call: UInt32, _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        let think = profile.pointee.think
        if think == .zero && ends[slot].writeAnswer(to: call, said.pointee) {
            return noteStreams(slot, at: now, &out)
        }
        work(on: call, slot, until: now + max(think, .milliseconds(1)), &out)
    }

    private func work(on call: UInt32, _ slot: Int, until at: Instant, _ out: inout Steps<ServerStep>) {
        out.append(.later(.answer(call), at: at, slot: slot, generation: ends[slot].generation))
    }

    /// What it asked to come back to is due. Returns whether it looked in vain, which has changed nothing.
    public mutating func comeBack(
        to matter: Matter, _ slot: Int, _ generation: UInt16, _ introduction: Introduction, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) -> Bool {
        switch matter {
        case .session:
            accept(slot, generation, introduction, at: now, acceptedAt: now, &out)
            return false
        case .refusal(let call):
            drop(call, slot, generation, at: now, &out)
            return false
        case .answer(let call), .room(let call): return !answer(call, slot, generation, at: now, &out)
        }
    }

    /// It has an answer, if the connection is still the one that was asked on. Returns false when there was no room for it.
    private mutating func answer(
        _ call: UInt32, _ slot: Int, _ generation: UInt16, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) -> Bool {
        guard ends[slot].generation == generation, ends[slot].isAttached else { return true }
        guard !isFrozen, ends[slot].writeAnswer(to: call, said.pointee) else {
            out.append(.later(.room(call), at: now + Self.secondLook, slot: slot, generation: generation))
            return false
        }
        noteStreams(slot, at: now, &out)
        flush(slot, at: now, &out)
        return true
    }

    /// It has waited in the queue for too long, and its client hears so if it is still there. Who stands still says it later.
    private mutating func drop(
        _ call: UInt32, _ slot: Int, _ generation: UInt16, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        guard ends[slot].generation == generation, ends[slot].isAttached else { return }
        guard !isFrozen else {
            return out.append(.later(.refusal(call), at: now + Self.secondLook, slot: slot, generation: generation))
        }
        turnDown(call, slot, at: now, sentAt: now, &out)
    }

    private mutating func turnDown(
        _ call: UInt32, _ slot: Int, at now: Instant, sentAt: Instant, _ out: inout Steps<ServerStep>
    ) {
        refuse(call, .overloaded, slot, &out)
        noteStreams(slot, at: now, &out)
        flush(slot, at: now, sentAt: sentAt, &out)
    }

    /// The instances that all phones share have found when the call is done.
    mutating func answer(
        _ call: UInt32, _ arrival: Arrival, _ verdict: Cluster.Verdict, roundEnd: Instant, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        let slot = arrival.slot
        guard ends[slot].generation == arrival.generation, ends[slot].isAttached else { return }
        let doneAt: Instant
        switch verdict {
        case .served(let at, _): doneAt = at
        case .dropped(let at) where roundEnd <= at:
            return out.append(.later(.refusal(call), at: at, slot: slot, generation: ends[slot].generation))
        case .dropped(let at): return turnDown(call, slot, at: now, sentAt: at, &out)
        case .refused, .unheard, .reset: return turnDown(call, slot, at: now, sentAt: arrival.at, &out)
        }
        let at = doneAt + profile.pointee.think
        if at < roundEnd && ends[slot].writeAnswer(to: call, said.pointee) {
            return flush(slot, at: now, sentAt: at, &out)
        }
        work(on: call, slot, until: max(at, roundEnd), &out)
    }
}

extension RejectionCode {
    init(_ refusal: Refusal) {
        switch refusal {
        case .transient, .committed: self = .transient
        case .permanent: self = .permanent
        case .rateLimited: self = .rateLimited
        case .overloaded: self = .overloaded
        case .unprocessed: self = .unprocessed
        }
    }
}

extension ExpiryCode {
    init(_ reason: ConnectionLimits.Reason) {
        switch reason {
        case .idle: self = .idle
        case .age: self = .age
        }
    }
}
