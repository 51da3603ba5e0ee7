import DeadzoneClient
import DeadzonePrimitives

/// A server's goodbye. gRPC takes a connection that was sent a GOAWAY out of service at once and leaves it what was begun on it
/// (grpc/grpc `doc/connectivity-semantics-and-api.md`; RFC 9113 §6.8): the new connection is in the other slot.
extension Composed {
    func leave(_ code: GoAway, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if keepsAlive && code == .tooManyPings { keepalive.sentAway(&state.keepalive) }
        switch farewell {
        case .giveUp: giveUp(&state, &session, &out)
        case .reconnect: reconnect(&state, &session, &out)
        // An error ends the old connection at once: there is nothing to wait for on it.
        case .drain where code == .noError: moveOn(&state, &session, &out)
        case .drain: reconnect(&state, &session, &out)
        }
    }

    private func moveOn(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        abandonOld(&state, &out)
        disarm(&state, &session, &out)
        state.isDraining = true
        state.movedAt = state.calledUpTo
        state.line = state.otherLine
        begin(&state, &session, &out)
    }

    /// The connection that drains has something to say.
    func hearOld(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard state.isDraining else { return }
        switch event {
        case .received(_, let cursor, _):
            resume.received(cursor, over: state.otherLine, &state.resume, &session, &out)
        case .answered(_, let call):
            deadlines.answered(call, &state.calls, &session)
            closeOld(&state, &out)
        case .acknowledged:
            queue.confirmed(state.line, isOpen: state.phase == .open, &state.queue, session, &out)
            take(life.confirmed(state.life, session), &state, &session, &out)
        case .closed:
            state.isDraining = false
            deadlines.closed(below: state.movedAt, &state.calls, &session, &out)
            if state.phase == .open { deadlines.opened(state.line, &state.calls, &session, &out) }
        default: break
        }
    }

    /// Once the new connection stands, the old one has done what it can when nothing is asked on it any more.
    func closeOld(_ state: inout State, _ out: inout Outbox) {
        guard state.phase == .open, !state.calls.isAsked(below: state.movedAt) else { return }
        abandonOld(&state, &out)
    }

    func abandonOld(_ state: inout State, _ out: inout Outbox) {
        guard state.isDraining else { return }
        state.isDraining = false
        out.append(.leave(state.otherLine))
    }

    // MARK: What the keepalive has to know

    /// Something is under way on the connection: its long stream, or a call.
    func hasStreams(_ state: inout State) -> Bool { carrying.carrier.holdsStream || !state.calls.isEmpty }

    func noticeStreams(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard keepsAlive, state.phase == .open, !carrying.carrier.holdsStream else { return }
        let step = keepalive.streams(hasStreams(&state), &state.keepalive, &session)
        follow(step, &state, &session, &out)
    }

    func noticeSent(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard keepsAlive, state.phase == .open else { return }
        follow(keepalive.sent(&state.keepalive, &session), &state, &session, &out)
    }
}

extension Composed.State {
    var otherLine: ConnectionSlot { ConnectionSlot(1 - line.index) }
}
