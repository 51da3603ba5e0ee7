import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The client library's subscriptions on one connection: it asks to join them, and reads the server's answers.
extension PhoneEnd {
    /// Asks to join subscriptions.
    mutating func join(
        _ subscriptions: SubscriptionSet, _ slot: Int, _ state: inout ClientSubscriptions, at now: Instant,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief == .open else { return }
        var rest = subscriptions
        while let number = rest.popFirst() {
            let isAgain = state.asked.contains(number)
            out.note(isAgain ? .subscriptionRejoining : .subscriptionJoining, value: Int64(number))
        }
        state.ask(for: subscriptions, slot)
        out.append(.subscriptionsChanged)
        sendJoins(&state, at: now, &out)
    }

    /// Sends the requests for which the send queue has room.
    mutating func sendJoins(
        _ state: inout ClientSubscriptions, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        let slot = Int(state.joinSlot)
        guard !state.pendingJoins.isEmpty, let policy = settings.pointee.subscriptions,
            connections[slot].belief == .open, !connections[slot].isDatagram
        else { return }
        sendPendingFrames(slot)
        _ = connections[slot].tcp.write(
            .join, &state.pendingJoins, payload: policy.joinBytes, cause: connections[slot].config.pointee.joinCause,
            connections[slot].upward)
        flush(slot, at: now, &out)
    }

    /// Reads the server's answers to requests, and the ends that it tells. All frames have the same purpose.
    func readSubscriptions(
        _ frames: FrameRange, _ slot: Int, _ state: inout ClientSubscriptions,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief == .open, let frame = SubscriptionFrame(item: frames.first),
            let change = SubscriptionChange(frame.purpose)
        else { return }
        var subscriptions = SubscriptionSet.empty
        for item in frames.first..<frames.last {
            subscriptions.formUnion(SubscriptionSet(UInt8(truncatingIfNeeded: item)))
        }
        state.apply(change, subscriptions, keepsEnded: settings.pointee.subscriptions?.onEnd == .ignore)
        out.append(.subscriptionsChanged)
        out.append(.notify(.subscriptions(name(slot), change, subscriptions)))
    }
}

extension SubscriptionChange {
    /// The news in the server's frames; `nil` for requests of the client.
    fileprivate init?(_ purpose: SubscriptionFrame.FramePurpose) {
        switch purpose {
        case .join: return nil
        case .joined: self = .joined
        case .refused: self = .refused
        case .ended: self = .ended
        }
    }
}
