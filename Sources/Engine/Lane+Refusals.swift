import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// Calls that the server does not do, or cannot do yet.
extension Lane {
    /// A call has reached the server's program.
    mutating func consider(call: UInt32, _ slot: Int, _ stage: inout Stage) {
        // A stream above the last one that counts is not looked at (RFC 9113 §6.8).
        let draining = lines[slot].talk.draining.stage
        guard !lines[slot].isEnding, draining == .serving || draining == .warned else { return }
        lines[slot].seen |= CallBook.bit(call)
        journal(.serverAsked, value: Int64(call), &stage)
        if let refusal = refusal(of: call, &stage) { return refuse(call, refusal, slot, &stage) }
        guard stage.world.server.troubles.requestsPerSecond != nil else { return work(on: call, slot, &stage) }
        stage.arrivals.append(
            Arrival(
                at: now, lane: phone.index, sequence: arrivalsSent, slot: slot, generation: lines[slot].generation,
                call: call))
        arrivalsSent += 1
    }

    /// The limit of its rate comes first, as in a proxy before the server.
    private mutating func refusal(of call: UInt32, _ stage: inout Stage) -> Refusal? {
        let troubles = stage.world.server.troubles
        let visit = calls.meet(call)
        if let limit = troubles.rateLimit, !limit.admits(at: now, fullAt: &rateFullAt) { return .rateLimited }
        let dice = stage.dice(.serverErrors, phone)
        // What is never done is a matter of the call; the rest of the visit. A call has eight addresses.
        if troubles.permanent.hits(dice.pair(at: UInt64(call) * 8).1) { return .permanent }
        let (first, second) = dice.pair(at: UInt64(call) * 8 + 1 + min(visit, 6))
        if troubles.unprocessed.hits(first) { return .unprocessed }
        guard troubles.transient.hits(second) else { return nil }
        return troubles.afterHeaders.hits(first) ? .committed : .transient
    }

    private mutating func refuse(_ call: UInt32, _ refusal: Refusal, _ slot: Int, _ stage: inout Stage) {
        journal(.serverRejected, RejectionCode(refusal), value: Int64(call), &stage)
        writeRefusal(of: call, refusal, slot, &stage)
        careStreams(slot, &stage)
    }

    private mutating func writeRefusal(of call: UInt32, _ refusal: Refusal, _ slot: Int, _ stage: inout Stage) {
        let rules = lines[slot].downward
        // An answer without content; RST_STREAM has 13 bytes (RFC 9113 §6.4).
        let bytes = refusal == .unprocessed ? rules.framing.control(13) : rules.framing.exchange(0)
        lines[slot].talk.policy.spoke()
        lines[slot].talk.answered()
        if lines[slot].server.write(.refusal, refusal.item(call), bytes: bytes, cause: .payload, rules) { return }
        // Without room for a few bytes the server lets the call go: its client's deadline ends it.
    }

    /// The shared server has found when the call is done; nil: it has too much to do.
    mutating func answer(_ arrival: Arrival, doneAt: Instant?, roundEnd: Instant, _ stage: inout Stage) {
        let slot = arrival.slot
        guard !isStopped, let call = arrival.call, lines[slot].generation == arrival.generation, lines[slot].isAttached
        else { return }
        let think = stage.world.server.think
        guard let doneAt else {
            refuse(call, .overloaded, slot, &stage)
            return flushServer(slot, at: arrival.at, &stage)
        }
        let at = doneAt + think
        if at < roundEnd && writeAnswer(to: call, slot, stage) { return flushServer(slot, at: at, &stage) }
        work(on: call, slot, until: max(at, roundEnd), &stage)
    }

    /// At the phone: the server did not do it.
    mutating func receiveRefusal(_ item: UInt32, _ slot: Int, _ stage: inout Stage) {
        guard let refusal = Refusal(item: item) else { return }
        let call = Refusal.call(ofItem: item)
        lines[slot].asked &= ~CallBook.bit(call)
        guard calls.isOpen(call) else { return journal(.answerUnused, value: Int64(call), &stage) }
        tell(
            .rejected(ConnectionSlot(UInt8(slot)), call: call, refusal.told(stage.world.server.troubles)), &stage)
    }

    /// GOAWAY names the last stream that counts: calls on later ones were never looked at, and the client knows it.
    mutating func passOver(_ slot: Int, _ stage: inout Stage) {
        var left = lines[slot].asked & ~lines[slot].seen
        lines[slot].asked &= lines[slot].seen
        guard left != 0 else { return }
        var call = calls.firstIndex
        while left != 0 && call < calls.wanted.index {
            let bit = CallBook.bit(call)
            if left & bit != 0 && calls.isOpen(call) {
                let refusal = CallRefusal(.unavailable, isUnprocessed: true, isGoodbye: true)
                tell(.rejected(ConnectionSlot(UInt8(slot)), call: call, refusal), &stage)
            }
            left &= ~bit
            call += 1
        }
    }
}
