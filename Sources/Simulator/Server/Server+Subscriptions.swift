package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// The server program's subscriptions on one connection: it joins, refuses and ends them, and leaves out the messages of
/// those that it does not serve.
extension Server {
    /// The slot of the connection that carries the session; `nil` if none does.
    package var sessionSlot: Int? { Self.slots.first { ends[$0].isAttached && !ends[$0].isSuperseded } }

    /// Offers the messages that were written since the last offer. Between messages that wait for the send buffer, none
    /// can be left out; then the rest is offered later.
    mutating func offerMessages(
        _ slot: Int, _ state: UnsafeMutablePointer<SubscriptionState>, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard ends[slot].config.pointee.transport.keepsStreamOpen else { return }
        while ends[slot].tcp.offeredEnd < written.index {
            let index = ends[slot].tcp.offeredEnd
            if state.pointee.carries(index) {
                ends[slot].offer(upTo: index + 1)
                state.pointee.forgetSkipped()
                continue
            }
            if ends[slot].tcp.hasWaitingMessages { flush(slot, at: now, &out) }
            guard !ends[slot].tcp.hasWaitingMessages else { return }
            ends[slot].tcp.skip(to: index + 1)
            state.pointee.skip(index)
        }
        flush(slot, at: now, &out)
    }

    /// Sends what the send buffer had no room for: answers, and messages behind those that wait.
    package mutating func serve(
        _ state: UnsafeMutablePointer<SubscriptionState>, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard let slot = sessionSlot, !isFrozen, !ends[slot].isClosing else { return }
        if state.pointee.hasPendingAnswers {
            writeAnswers(slot, state)
            flush(slot, at: now, &out)
        }
        if ends[slot].tcp.offeredEnd < written.index { offerMessages(slot, state, at: now, &out) }
    }

    /// Reads requests to join subscriptions, and answers them.
    package mutating func readJoins(
        _ frames: FrameRange, _ slot: Int, _ state: UnsafeMutablePointer<SubscriptionState>, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        ends[slot].lastReadAt = now
        guard ends[slot].isAttached, !ends[slot].isSuperseded else { return }
        if ends[slot].probesClient {
            ends[slot].keepaliveSupervisor.received(frames.kind, keepaliveRules(slot), at: now)
        }
        let rules = profile.pointee.streams ?? SubscriptionRules()
        let dice = traffic.pointee.dice(.serverErrors)
        for item in frames.first..<frames.last {
            guard let frame = SubscriptionFrame(item: item), frame.purpose == .join else { continue }
            let one = SubscriptionSet(frame.number)
            let attempt = state.pointee.countAttempt(frame.number)
            switch rules.outcome(of: frame.number, attempt: attempt, dice) {
            case .joined:
                state.pointee.joined.formUnion(one)
                state.pointee.pendingJoined.formUnion(one)
                state.pointee.pendingEnded.subtract(one)
                state.pointee.pendingRefused.subtract(one)
                out.note(.subscriptionJoined, value: Int64(frame.number))
            case .refused:
                state.pointee.pendingRefused.formUnion(one)
                out.note(.subscriptionRefused, .refused, value: Int64(frame.number))
            case .unanswered: out.note(.subscriptionRefused, .unanswered, value: Int64(frame.number))
            }
        }
        writeAnswers(slot, state)
        out.append(.subscriptionsChanged)
    }

    /// Ends the subscription that the faults have drawn, and schedules the next end.
    mutating func endDrawnSubscription(
        _ state: UnsafeMutablePointer<SubscriptionState>, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let rules = profile.pointee.streams ?? SubscriptionRules()
        let (number, isSilent) = state.pointee.takeEnd(rules, traffic.pointee.dice(.serverErrors))
        _ = endSubscriptions(SubscriptionSet(number), isSilent: isSilent, by: nil, state, at: now, &out)
    }

    /// Ends those of the subscriptions that the program serves. Returns `false` if it serves none of them.
    /// - Parameter change: Index of the timeline change that ends them; `nil` if none does.
    package mutating func endSubscriptions(
        _ subscriptions: SubscriptionSet, isSilent: Bool, by change: UInt16?,
        _ state: UnsafeMutablePointer<SubscriptionState>, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        guard let slot = sessionSlot, !isFrozen, !ends[slot].isClosing else { return false }
        let ended = state.pointee.joined.intersection(subscriptions)
        guard !ended.isEmpty else { return false }
        state.pointee.joined.subtract(ended)
        state.pointee.noteEnd(of: ended, by: change)
        var rest = ended
        while let number = rest.popFirst() {
            out.note(.subscriptionEnded, isSilent ? .silent : .told, value: Int64(number))
        }
        if !isSilent {
            state.pointee.pendingEnded.formUnion(ended)
            state.pointee.pendingJoined.subtract(ended)
            writeAnswers(slot, state)
            flush(slot, at: now, &out)
        }
        out.append(.subscriptionsChanged)
        return true
    }

    private mutating func writeAnswers(_ slot: Int, _ state: UnsafeMutablePointer<SubscriptionState>) {
        if write(.ended, &state.pointee.pendingEnded, slot), write(.refused, &state.pointee.pendingRefused, slot) {
            _ = write(.joined, &state.pointee.pendingJoined, slot)
        }
    }

    /// Writes a frame for each of the subscriptions, and removes those that were written. Returns `false` if the send
    /// queue has no room for the rest.
    private mutating func write(
        _ purpose: SubscriptionFrame.FramePurpose, _ subscriptions: inout SubscriptionSet, _ slot: Int
    ) -> Bool {
        let before = subscriptions
        let isComplete = ends[slot].tcp.write(
            purpose, &subscriptions, payload: SubscriptionFrame.serverBytes,
            cause: ends[slot].config.pointee.joinCause, ends[slot].config.downward)
        if subscriptions != before { ends[slot].pingPolicy.sentData() }
        return isComplete
    }
}
