import DeadzoneClient
import DeadzonePrimitives

/// Writes of an app that waits for the callback of the one before.
extension Composed {
    /// What an event led to, at the pace of the callbacks.
    func pace(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard let flow, flow.isEnabled else { return }
        if case .fired(Self.flowSlot) = event { _ = flow.fired(&state.flow, &session) }
        if state.phase != .open {
            flow.closed(&state.flow, &session)
            state.unwritten = (.start, .start)
            return
        }
        if case .opened = event { state.unwritten = (.start, .start) }
        hold(&state, &out)
        var bytes = UInt32.max
        if case .wantsToSend(let message) = event { bytes = message.bytes }
        while state.unwritten.from < state.unwritten.upTo && flow.mayWrite(state.flow) && out.count < Outbox.capacity {
            let from = state.unwritten.from
            let next = Cursor(from.position + 1)
            // Of what waited for its turn the size is forgotten: it is taken for large.
            let isNew = next == state.unwritten.upTo
            out.append(.send(state.line, from: from, upTo: next))
            state.unwritten.from = next
            _ = flow.wrote(bytes: isNew ? bytes : .max, &state.flow, &session)
        }
    }

    /// Takes what was to be written out of the outbox.
    private func hold(_ state: inout State, _ out: inout Outbox) {
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
