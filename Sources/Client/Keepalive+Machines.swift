import DeadzonePrimitives

/// grpc-java's machine (`core/src/main/java/io/grpc/internal/KeepAliveManager.java`). The beat is its ping task, the reply timer
/// its shutdown task.
///
///     idle ──active──> pingScheduled ──data──> pingDelayed ──task: set anew──> pingScheduled
///       ▲                 │ └──task: ping──> pingSent ──data──> pingScheduled
///       └──idle, data─────┘                    │  ▲
///       └────data──── idleAndPingSent <──idle──┘  └──active── idleAndPingSent
///
/// Left out of the drawing: the task stays where it is when the last stream ends, and finds itself idle; the shutdown task and
/// the end of the connection lead from everywhere to disconnected.
extension Keepalive {
    func startJava(_ state: inout State, _ session: inout Session) -> Step {
        state.phase = .idle
        if state.hasStreams || withoutCalls { activate(&state, &session) }
        return .nothing
    }

    private func activate(_ state: inout State, _ session: inout Session) {
        switch state.phase {
        case .idle:
            state.phase = .pingScheduled
            // The silence before counts: on a connection that was long idle a ping is due at once.
            if !session.isArmed(beat) { armTask(after: silence(state, &session), &state, &session) }
        case .idleAndPingSent: state.phase = .pingSent
        case .pingScheduled, .pingDelayed, .pingSent, .disconnected: break
        }
    }

    func streamsJava(_ areOpen: Bool, _ state: inout State, _ session: inout Session) -> Step {
        guard !areOpen else {
            activate(&state, &session)
            return .nothing
        }
        guard !withoutCalls else { return .nothing }
        switch state.phase {
        case .pingScheduled, .pingDelayed: state.phase = .idle
        case .pingSent: state.phase = .idleAndPingSent
        case .idle, .idleAndPingSent, .disconnected: break
        }
        return .nothing
    }

    func heardJava(_ state: inout State, _ session: inout Session) {
        quieten(&state, &session)
        // A probe of the strategy is answered as well.
        if state.phase != .disconnected { session.disarm(reply) }
        switch state.phase {
        case .pingScheduled: state.phase = .pingDelayed
        case .pingSent:
            state.phase = .pingScheduled
            armTask(after: .zero, &state, &session)
        case .idleAndPingSent: state.phase = .idle
        case .idle, .pingDelayed, .disconnected: break
        }
    }

    func javaBeat(_ state: inout State, _ session: inout Session) -> Step {
        switch state.phase {
        case .pingScheduled:
            state.phase = .pingSent
            state.awaitsAnswer = true
            if !session.isArmed(reply) { session.arm(reply, after: patience, on: timing.clock, wake: timeoutWake) }
            return ping(&state, &session)
        case .pingDelayed:
            state.phase = .pingScheduled
            armTask(after: silence(state, &session), &state, &session)
            return .nothing
        case .idle, .pingSent, .idleAndPingSent, .disconnected: return .nothing
        }
    }

    private func silence(_ state: State, _ session: inout Session) -> TimeSpan {
        session.now(decidesBy ?? timing.clock) - state.quietSince
    }

    private func armTask(after silence: TimeSpan, _ state: inout State, _ session: inout Session) {
        adapting?.armed(&state.adapted, session)
        session.arm(beat, after: interval(state, &session) - silence, timing)
    }
}

/// grpc-go's loop (`internal/transport/http2_client.go`, `keepalive`): it looks at what was read when its one timer fires, sleeps
/// the interval or what is left of the timeout, whichever is less, and without a stream sleeps until one is opened, which is
/// when it pings at once.
extension Keepalive {
    func startGo(_ state: inout State, _ session: inout Session) -> Step {
        state.loop = Loop(seen: state.quietSince)
        adapting?.armed(&state.adapted, session)
        session.arm(beat, after: interval(state, &session), timing)
        return .nothing
    }

    func goBeat(_ state: inout State, _ session: inout Session) -> Step {
        if state.loop.seen < state.quietSince {
            state.loop.hasPing = false
            state.loop.seen = state.quietSince
            let silence = session.now(decidesBy ?? timing.clock) - state.quietSince
            adapting?.armed(&state.adapted, session)
            session.arm(beat, after: interval(state, &session) - silence, timing)
            return .nothing
        }
        if state.loop.hasPing && state.loop.left <= .zero { return .dead }
        guard state.hasStreams || withoutCalls else {
            state.loop.hasPing = false
            state.loop.isDormant = true
            return .nothing
        }
        return turnGo(&state, &session)
    }

    func wakeGo(_ state: inout State, _ session: inout Session) -> Step {
        guard state.loop.isDormant else { return .nothing }
        state.loop.isDormant = false
        return turnGo(&state, &session)
    }

    private func turnGo(_ state: inout State, _ session: inout Session) -> Step {
        var step = Step.nothing
        if !state.loop.hasPing {
            state.loop.hasPing = true
            state.loop.left = patience
            state.awaitsAnswer = true
            step = ping(&state, &session)
        }
        let sleep = min(interval(state, &session), state.loop.left)
        state.loop.left -= sleep
        session.arm(beat, after: sleep, timing)
        return step
    }
}
