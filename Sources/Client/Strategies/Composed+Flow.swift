import DeadzoneBase

/// Behaviour of an app under message flow control: it waits for the callbacks of its writes, and requests the messages
/// that it reads.
extension Composed {
    /// Applies message flow control to the actions with which the strategy responds to an event.
    func applyMessageFlow(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard flow.isEnabled else { return }
        if case .started = event { flow.started(&state.flow, session) }
        let asked = flow.dueRequests(&state.flow, session)
        if asked > 0 { out.append(.requestMessages(asked)) }
        write(event, &state, session, &out)
        flow.arm(state.flow, &session)
    }

    private func write(_ event: Event, _ state: inout State, _ session: Session, _ out: inout Outbox) {
        let calledBack = flow.fired(&state.flow, session)
        if calledBack > 0 { out.append(.calledBack(calledBack)) }
        guard state.phase == .open else {
            flow.closed(&state.flow)
            return state.unwritten = (.start, .start)
        }
        if case .opened = event { state.unwritten = (.start, .start) }
        holdBackWrites(&state, &out)
        let count = min(state.unwritten.upTo.position - state.unwritten.from.position, flow.writeAllowance(state.flow))
        guard count > 0 else { return }
        let upTo = Cursor(state.unwritten.from.position + count)
        out.append(.send(state.connection, from: state.unwritten.from, upTo: upTo))
        state.unwritten.from = upTo
        // The sizes of messages that waited are not stored: they count as large.
        var bytes = UInt32.max
        if case .wantsToSend(let message) = event, upTo == state.unwritten.upTo { bytes = message.bytes }
        let atOnce = flow.wrote(count, last: bytes, &state.flow, session)
        out.append(.wrote(pending: state.flow.unanswered))
        if atOnce > 0 { out.append(.calledBack(atOnce)) }
    }

    /// Moves the messages that the outbox would send into `unwritten`, where they wait for callbacks.
    private func holdBackWrites(_ state: inout State, _ out: inout Outbox) {
        var unwritten = state.unwritten
        for index in 0..<out.count {
            guard case .send(_, let from, let upTo) = out[index] else { continue }
            if unwritten.from == unwritten.upTo {
                unwritten = (from, upTo)
            } else {
                unwritten.upTo = max(unwritten.upTo, upTo)
            }
        }
        state.unwritten = unwritten
        out.removeAll { if case .send = $0 { true } else { false } }
    }
}
