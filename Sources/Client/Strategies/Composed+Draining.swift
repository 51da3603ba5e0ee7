import DeadzoneBase

/// Reactions to GOAWAY, with which a server announces that it will close the connection. gRPC takes a connection that
/// received a GOAWAY out of service at once, and lets it finish its streams (grpc/grpc
/// `doc/connectivity-semantics-and-api.md`; RFC 9113 §6.8). The new connection uses the other slot.
extension Composed {
    func handleGoAway(_ code: GoAway, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if keepsAlive && code == .tooManyPings { keepalive.tooManyPingsReceived(&state.keepalive) }
        switch onGoAway {
        case .giveUp: giveUp(EndKind(code), &state, &session, &out)
        case .reconnect: reconnect(&state, &session, &out)
        // An error ends the old connection at once: there is nothing to wait for.
        case .drain where code == .noError: startDraining(&state, &session, &out)
        case .drain: reconnect(&state, &session, &out)
        }
    }

    private func startDraining(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        closeDrainingNow(&state, &out)
        transportSettings.ladder?.ended(&state.ladder)
        disarm(&state, &session, &out)
        state.isDraining = true
        state.firstCallOnNew = state.nextCall
        state.connection = state.otherConnection
        startAttempt(&state, &session, &out)
    }

    /// Handles an event of the old connection, which finishes its calls (drains) after GOAWAY.
    func processDraining(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard state.isDraining else { return }
        switch event {
        case .received(_, let cursor, _):
            resume.received(cursor, over: state.otherConnection, &state.resume, &session, &out)
        case .answered(_, let call):
            deadlines.answered(call, &state.calls, &session)
            closeDrainedConnection(&state, &out)
        case .acknowledged:
            queue.confirmed(state.connection, isOpen: state.phase == .open, &state.queue, session, &out)
            apply(life.confirmed(state.life, session), &state, &session, &out)
        case .closed:
            state.isDraining = false
            deadlines.closed(below: state.firstCallOnNew, &state.calls, &session, &out)
            if state.phase == .open { deadlines.opened(state.connection, &state.calls, &session, &out) }
        default: break
        }
    }

    /// Closes the old connection, once the new one is open and no call is left on the old one.
    func closeDrainedConnection(_ state: inout State, _ out: inout Outbox) {
        guard state.phase == .open, !state.calls.isSent(below: state.firstCallOnNew) else { return }
        closeDrainingNow(&state, &out)
    }

    func closeDrainingNow(_ state: inout State, _ out: inout Outbox) {
        guard state.isDraining else { return }
        state.isDraining = false
        out.append(.closeGracefully(state.otherConnection))
    }

    // MARK: Input for the keepalive

    /// `true` if the connection has an open stream: the long stream of the transport, or a call.
    func hasStreams(_ state: inout State) -> Bool {
        transportSettings.transport.keepsStreamOpen || !state.calls.isEmpty
    }

    func updateKeepaliveStreams(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard keepsAlive, state.phase == .open, !transportSettings.transport.keepsStreamOpen else { return }
        let step = keepalive.streamsChanged(hasStreams(&state), &state.keepalive, &session)
        apply(step, &state, &session, &out)
    }

    func keepaliveSent(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard keepsAlive, state.phase == .open else { return }
        apply(keepalive.sent(&state.keepalive, &session), &state, &session, &out)
    }
}

extension Composed.State {
    var otherConnection: ConnectionSlot { ConnectionSlot(1 - connection.index) }
}
