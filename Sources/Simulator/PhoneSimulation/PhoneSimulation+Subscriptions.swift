import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Subscriptions that share a connection: their requests, their ends, and the time in which the client takes a dead one
/// for joined.
extension PhoneSimulation {
    // MARK: The client's side

    /// Sends requests to join subscriptions.
    mutating func join(_ subscriptions: SubscriptionSet, _ slot: Int, _ context: inout WorkerContext) {
        guard let state = context.subscriptions, phoneEnd[slot].belief == .open else { return }
        var rest = subscriptions
        while let number = rest.popFirst() {
            let isAgain = state.pointee.asked.contains(number)
            journal(isAgain ? .subscriptionRejoining : .subscriptionJoining, value: Int64(number), &context)
        }
        state.pointee.asked.formUnion(subscriptions)
        state.pointee.believed.subtract(subscriptions)
        state.pointee.pendingJoins.formUnion(subscriptions)
        state.pointee.joinSlot = UInt8(slot)
        measureSubscriptions(&context)
        sendJoins(state, &context)
    }

    /// Sends the requests for which the send queue now has room.
    mutating func sendJoins(_ state: UnsafeMutablePointer<SubscriptionState>, _ context: inout WorkerContext) {
        guard !state.pointee.pendingJoins.isEmpty, let policy = context.strategy.subscriptions else { return }
        let slot = Int(state.pointee.joinSlot)
        callPhoneEnd(&context) {
            $0.sendJoins(&state.pointee.pendingJoins, bytes: policy.joinBytes, slot, at: $1, &$2)
        }
    }

    /// Reads the server's answers to requests, and the ends that it tells.
    mutating func readSubscriptions(_ frames: FrameRange, _ slot: Int, _ context: inout WorkerContext) {
        guard let state = context.subscriptions, let frame = SubscriptionFrame(item: frames.first),
            phoneEnd[slot].belief == .open
        else { return }
        var subscriptions = SubscriptionSet.empty
        for item in frames.first..<frames.last {
            subscriptions.formUnion(SubscriptionSet(UInt8(truncatingIfNeeded: item)))
        }
        let change: SubscriptionChange
        switch frame.purpose {
        case .join: return
        case .joined:
            change = .joined
            state.pointee.believed.formUnion(subscriptions)
        case .refused: change = .refused
        case .ended:
            change = .ended
            if context.strategy.subscriptions?.onEnd != .ignore { state.pointee.believed.subtract(subscriptions) }
        }
        measureSubscriptions(&context)
        notifyStrategy(.subscriptions(ConnectionSlot(UInt8(slot)), change, subscriptions), &context)
    }

    // MARK: The server's side

    /// Called when the session starts on a connection.
    mutating func attach(_ state: UnsafeMutablePointer<SubscriptionState>, _ context: inout WorkerContext) {
        state.pointee.attached()
        measureSubscriptions(&context)
    }

    mutating func readJoins(_ frames: FrameRange, _ slot: Int, _ context: inout WorkerContext) {
        guard let state = context.subscriptions else { return }
        callServer(&context) { $0.readJoins(frames, slot, state, at: $1, &$2) }
        measureSubscriptions(&context)
    }

    mutating func serveSubscriptions(
        _ state: UnsafeMutablePointer<SubscriptionState>, _ context: inout WorkerContext
    ) {
        callServer(&context) { $0.serve(state, at: $1, &$2) }
    }

    /// Ends the subscription that the server's faults have drawn.
    mutating func endSubscription(_ context: inout WorkerContext) {
        guard let state = context.subscriptions, let rules = context.server[0].pointee.streams else { return }
        let (number, isSilent) = state.pointee.takeEnd(rules, context.dice(.serverErrors, phone))
        _ = end(SubscriptionSet(number), isSilent: isSilent, &context)
    }

    /// Ends subscriptions because of an entry of the timeline. Returns `false` if the phone has none that is joined.
    mutating func endSubscriptions(_ end: SubscriptionEnd, _ context: inout WorkerContext) -> Bool {
        self.end(SubscriptionSet(upTo: Int(end.count)), isSilent: end.isSilent, &context)
    }

    private mutating func end(
        _ subscriptions: SubscriptionSet, isSilent: Bool, _ context: inout WorkerContext
    ) -> Bool {
        guard let state = context.subscriptions else { return false }
        let ended = state.pointee.joined.intersection(subscriptions)
        let hasEnded = callServer(&context) {
            $0.endSubscriptions(subscriptions, isSilent: isSilent, state, at: $1, &$2)
        }
        if hasEnded { state.pointee.noteEnd(of: ended, by: connections.recentChanges.active) }
        measureSubscriptions(&context)
        return hasEnded
    }

    // MARK: Accounting

    /// Updates the measured times after a change of connections or subscriptions.
    mutating func measureSubscriptions(_ context: inout WorkerContext) {
        guard let state = context.subscriptions else { return }
        let isOpen = Self.slots.contains { phoneEnd[$0].belief == .open }
        if !isOpen { state.pointee.pendingJoins = .empty }
        if let deaf = state.pointee.measure(isOpen: isOpen, at: now) {
            journal(.subscriptionDeaf, value: deaf.nanoseconds, &context)
        }
    }

    /// Records messages that the server has left out, and that a session beginning at message `next` will not contain.
    mutating func passLeftOut(before next: UInt32, _ context: inout WorkerContext) {
        guard let state = context.subscriptions else { return }
        let (first, end) = (state.pointee.skippedFrom, state.pointee.skippedEnd)
        guard first < end, first < next, first == max(delivery.received, delivery.seen.index) else { return }
        callDelivery(&context) { $0.passLeftOut(before: min(end, next), &$1, &$2) }
        state.pointee.forgetSkipped()
    }

    /// Records lost messages. Those of a dead subscription are charged to the timeline change that ended it.
    mutating func writeLoss(
        _ note: JournalEntry, _ state: UnsafeMutablePointer<SubscriptionState>, _ context: inout WorkerContext
    ) {
        guard let loss = MessageLoss(tag: note.tag, value: note.value), loss.cause == .streamDead else {
            return write(note, &context)
        }
        let end = loss.first + loss.count
        var first = loss.first
        while first < end {
            var part = loss
            part.first = first
            part.change = state.pointee.change(behind: first)
            repeat { first += 1 } while first < end && state.pointee.change(behind: first) == part.change
            part.count = first - part.first
            write(JournalEntry(part, .down), &context)
        }
    }

    /// Closes the measured periods at the horizon, and accounts for messages that the server has left out since the
    /// last one that arrived.
    mutating func finishSubscriptions(
        _ state: UnsafeMutablePointer<SubscriptionState>, _ context: inout WorkerContext
    ) {
        if let deaf = state.pointee.measure(isOpen: false, at: now) {
            journal(.subscriptionDeaf, value: deaf.nanoseconds, &context)
        }
        if state.pointee.outTime > .zero {
            journal(.subscriptionOut, value: state.pointee.outTime.nanoseconds, &context)
        }
        guard let slot = server.sessionSlot else { return }
        var resuming = phoneEnd[slot].resuming
        if case .from = resuming { resuming = .from(session.cursor) }
        guard let next = server.resumePosition(for: resuming, introduction, at: now) else { return }
        passLeftOut(before: next, &context)
    }
}
