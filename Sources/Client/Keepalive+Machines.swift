import DeadzoneBase

/// Keepalive as in grpc-java (`core/src/main/java/io/grpc/internal/KeepAliveManager.java`): a state machine with two
/// timers. The beat timer is the ping task of grpc-java, the reply timer its shutdown task.
///
///     idle ──active──> pingScheduled ──data──> pingDelayed ──task: set anew──> pingScheduled
///       ▲                 │ └──task: ping──> pingSent ──data──> pingScheduled
///       └──idle, data─────┘                    │  ▲
///       └────data──── idleAndPingSent <──idle──┘  └──active── idleAndPingSent
///
/// The diagram omits two points. The task stays scheduled when the last stream ends, and finds the idle state when it
/// runs. The shutdown task and the end of the connection lead from every state to disconnected.
extension Keepalive {
    func startJava(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        state.phase = .idle
        if state.hasStreams || pingsWithoutCalls { activate(&state, &session) }
        return .nothing
    }

    private func activate(_ state: inout State, _ session: inout Session) {
        switch state.phase {
        case .idle:
            state.phase = .pingScheduled
            // Earlier silence counts: on a connection that was idle for a long time, a ping is due at once.
            if !session.isArmed(beatSlot) { armTask(after: silence(state, &session), &state, &session) }
        case .idleAndPingSent: state.phase = .pingSent
        case .pingScheduled, .pingDelayed, .pingSent, .disconnected: break
        }
    }

    func streamsJava(_ areOpen: Bool, _ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        guard !areOpen else {
            activate(&state, &session)
            return .nothing
        }
        guard !pingsWithoutCalls else { return .nothing }
        switch state.phase {
        case .pingScheduled, .pingDelayed: state.phase = .idle
        case .pingSent: state.phase = .idleAndPingSent
        case .idle, .idleAndPingSent, .disconnected: break
        }
        return .nothing
    }

    func receivedJava(_ state: inout State, _ session: inout Session) {
        restartSilence(&state, &session)
        // A probe by the strategy is answered as well.
        if state.phase != .disconnected { session.disarm(replySlot) }
        switch state.phase {
        case .pingScheduled: state.phase = .pingDelayed
        case .pingSent:
            state.phase = .pingScheduled
            armTask(after: .zero, &state, &session)
        case .idleAndPingSent: state.phase = .idle
        case .idle, .pingDelayed, .disconnected: break
        }
    }

    func javaBeat(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        switch state.phase {
        case .pingScheduled:
            state.phase = .pingSent
            state.awaitsAnswer = true
            if !session.isArmed(replySlot) {
                session.arm(replySlot, after: replyTimeout, on: timing.clock, wake: timeoutWake)
            }
            return ping(&state, &session)
        case .pingDelayed:
            state.phase = .pingScheduled
            armTask(after: silence(state, &session), &state, &session)
            return .nothing
        case .idle, .pingSent, .idleAndPingSent, .disconnected: return .nothing
        }
    }

    private func silence(_ state: State, _ session: inout Session) -> TimeSpan {
        session.now(decisionClock ?? timing.clock) - state.quietSince
    }

    private func armTask(after silence: TimeSpan, _ state: inout State, _ session: inout Session) {
        adaptive?.armed(&state.adaptive, session)
        session.arm(beatSlot, after: interval(state, &session) - silence, timing)
    }
}

/// Keepalive as in grpc-go (`internal/transport/http2_client.go`, `keepalive`): a loop with one timer. When the timer
/// fires, the loop checks whether anything was read. It then sleeps for the interval or for the rest of the timeout,
/// whichever is less. Without a stream it sleeps until one is opened, and then pings at once.
extension Keepalive {
    func startGo(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        state.loop = GRPCGoLoop(lastReadAt: state.quietSince)
        adaptive?.armed(&state.adaptive, session)
        session.arm(beatSlot, after: interval(state, &session), timing)
        return .nothing
    }

    func goBeat(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        if state.loop.lastReadAt < state.quietSince {
            state.loop.hasPing = false
            state.loop.lastReadAt = state.quietSince
            let silence = session.now(decisionClock ?? timing.clock) - state.quietSince
            adaptive?.armed(&state.adaptive, session)
            session.arm(beatSlot, after: interval(state, &session) - silence, timing)
            return .nothing
        }
        if state.loop.hasPing && state.loop.timeoutLeft <= .zero { return .dead }
        guard state.hasStreams || pingsWithoutCalls else {
            state.loop.hasPing = false
            state.loop.isDormant = true
            return .nothing
        }
        return pingOrSleepGo(&state, &session)
    }

    func wakeGo(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        guard state.loop.isDormant else { return .nothing }
        state.loop.isDormant = false
        return pingOrSleepGo(&state, &session)
    }

    private func pingOrSleepGo(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        var step = KeepaliveDecision.nothing
        if !state.loop.hasPing {
            state.loop.hasPing = true
            state.loop.timeoutLeft = replyTimeout
            state.awaitsAnswer = true
            step = ping(&state, &session)
        }
        let sleep = min(interval(state, &session), state.loop.timeoutLeft)
        state.loop.timeoutLeft -= sleep
        session.arm(beatSlot, after: sleep, timing)
        return step
    }
}
