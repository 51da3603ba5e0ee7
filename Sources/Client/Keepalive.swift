public import DeadzoneBase

/// Sends a ping at intervals and decides from silence whether the connection is dead. A *beat* is the moment when the
/// interval timer fires.
///
///     opened ──> quiet ──beat──> ping ──answer──> quiet
///                  └─beat, but too early by `decisionClock`─> quiet
///     ping ──no answer: by the reply timer, or found at the next beat──> dead
///     quiet ──nothing received for `silence`──> dead
///
/// The diagram omits that any byte may count as an answer. It also omits that without a timeout beats continue while
/// an answer is pending. It shows the plain implementation; those of gRPC are in `Keepalive+Machines.swift`.
public struct Keepalive: Sendable {
    public var implementation = KeepaliveImplementation.plain
    public var interval: TimeSpan
    /// Ping interval on Wi-Fi; `nil` uses `interval`.
    public var wifiInterval: TimeSpan?
    /// Ping interval on cellular; `nil` uses `interval`.
    public var cellularInterval: TimeSpan?
    /// Finds the ping interval by trial; replaces `interval`, unless `nil`.
    public var adaptive: AdaptiveInterval?
    /// `true` if the ping interval that the server requests overrides all other ping intervals.
    public var usesServerInterval = false
    /// Lower limit of the ping interval, whatever its source.
    public var shortestInterval = TimeSpan.zero
    /// `true` if the first ping is sent after a random part of the interval, so that clients that connect together do
    /// not ping together.
    public var isFirstRandom = false
    /// `true` if the client sends pings; `false` if it only watches the server's heartbeats.
    public var sendsPings = true
    /// Silence that is allowed in addition to the server's heartbeat interval. From the server's first heartbeat on,
    /// the client stops pinging, and a longer silence ends the connection. If the server states no interval, the
    /// client's own one counts. `nil` continues to ping, regardless of the server's heartbeats.
    public var serverBeatGrace: TimeSpan?
    /// `true` if the client also pings between calls, while no stream is open.
    public var pingsWithoutCalls = true
    /// `true` if the next connection uses twice the ping interval after a server has closed one for too many pings
    /// (gRFC A8).
    public var doublesOnTooManyPings = true
    public var timeout = TimeSpan.seconds(10)
    /// Maximum time that the client's own timer waits for an answer. If set, `timeout` applies only to the kernel;
    /// `nil` uses `timeout`.
    public var timerTimeout: TimeSpan?
    @inline(__always)
    var replyTimeout: TimeSpan { timerTimeout ?? timeout }
    /// `true` if the client sets TCP_USER_TIMEOUT of each connection to `timeout` (gRFC A18). It does not if the
    /// interval is `never`.
    public var setsUserTimeout = false
    /// A ping interval of this length (one year) disables keepalive. Clients use it to keep keepalive off until it is
    /// configured.
    public static let never = TimeSpan.hours(365 * 24)
    /// Maximum time without received data before the connection counts as dead; `nil` uses one and a half intervals.
    /// Used only with failure detection by `silence`.
    public var silence: TimeSpan?
    /// Range of the random time between two checks for silence; `nil` detects silence as soon as it has lasted long
    /// enough.
    public var checkInterval: ClosedRange<TimeSpan>?
    /// Number of consecutive unanswered pings after which the connection is closed, at the time of the next ping. Used
    /// only with failure detection by `nextBeat`.
    public var unanswered: UInt8 = 1
    public var failureDetection = FailureDetection.replyDeadline
    public var postponement = BeatPostponement.received
    /// A ping that is due within this span is sent early, together with current traffic, while the radio is active
    /// anyway. Zero disables this.
    public var coalesceWindow = TimeSpan.zero
    public var budget: PingBudget?
    /// `true` if only a pong counts as the answer to a ping; `false` if any received byte does.
    public var needsPong = false
    public var timing = TimerOptions()
    /// Defines whether the reply timeout may wake a sleeping phone. Its timer uses the same clock as the ping timer.
    public var timeoutWake = WakePolicy.none
    /// Clock that is checked when the timer fires, to decide whether a ping is due yet; `nil` relies on the timer.
    public var decisionClock: PhoneClock?
    /// `true` if pings and timeouts are handled in the writer's queue, so that none is handled while the socket accepts
    /// no data.
    public var waitsForWriter = false
    public var beatSlot: TimerSlot
    public var replySlot: TimerSlot
    private let passByAddress = PassByAddress()

    /// Decision after a timer has fired or data has arrived: do nothing, send a ping, or treat the connection as dead.
    public enum KeepaliveDecision: Hashable, Sendable { case nothing, ping, dead }

    public init(interval: TimeSpan, beatSlot: TimerSlot, replySlot: TimerSlot) {
        self.interval = interval
        self.beatSlot = beatSlot
        self.replySlot = replySlot
    }

    public func interval(on path: Interface?) -> TimeSpan {
        switch path {
        case .wifi: wifiInterval ?? interval
        case .cellular, .sim2: cellularInterval ?? interval
        case .bluetooth, .ethernet, nil: interval
        }
    }

    /// Returns the ping interval that applies now, from the adaptive, the server's or the client's own setting.
    public func interval(_ state: State, _ session: inout Session) -> TimeSpan {
        var span = adaptive?.interval(state.adaptive, session) ?? interval(on: session.path)
        if usesServerInterval && state.serverInterval > .zero { span = state.serverInterval }
        return max(span, shortestInterval) * (1 << Int64(min(state.doublings, 40)))
    }

    // MARK: A connection

    /// Called when a connection has opened: starts its keepalive. `hasStreams` is `true` if a call was already sent on
    /// it.
    public func opened(_ state: inout State, hasStreams: Bool = true, _ session: inout Session) -> KeepaliveDecision {
        state.begin(hasStreams: hasStreams)
        restartSilence(&state, &session)
        adaptive?.opened(&state.adaptive)
        budget?.opened(&state.budget, hasStreams: hasStreams)
        switch implementation {
        case .plain: break
        case .java: return startJava(&state, &session)
        case .go: return startGo(&state, &session)
        }
        var first = interval(state, &session)
        if isFirstRandom { first = session.random.share(of: first) }
        if sendsPings { armBeat(after: first, &state, &session) }
        state.sentAt = state.quietSince
        restartSilenceTimer(&state, &session)
        return .nothing
    }

    /// Called when the connection has ended. The caller disarms the timers.
    public func closed(_ state: inout State, _ session: inout Session) {
        if state.awaitsAnswer { adaptive?.failed(&state.adaptive, session) }
        adaptive?.closed(&state.adaptive, session)
        state.phase = .disconnected
        state.awaitsAnswer = false
    }

    /// Called when data has arrived from the server.
    public func received(isPong: Bool = false, _ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        if isPong || !needsPong {
            if state.awaitsAnswer { adaptive?.succeeded(&state.adaptive, session) }
            state.awaitsAnswer = false
            state.unanswered = 0
            if implementation != .java && checkInterval == nil { session.disarm(replySlot) }
        }
        switch implementation {
        case .plain: break
        case .java:
            receivedJava(&state, &session)
            return .nothing
        case .go:
            restartSilence(&state, &session)
            return .nothing
        }
        if state.serverSendsBeats {
            if isPong || !needsPong { restartSilenceTimer(&state, &session) }
            return .nothing
        }
        restartSilenceTimer(&state, &session)
        if postponement.isByReceived {
            postpone(&state, &session)
            return .nothing
        }
        return coalesce(&state, &session)
    }

    /// Called when data other than a ping was sent to the server. Returns `.ping` if a ping is to be sent with the
    /// data.
    public func sent(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        if budget?.sentData(&state.budget, hasStreams: state.hasStreams) ?? false {
            state.awaitsAnswer = true
            if isArmedByAnswer { session.disarm(beatSlot) }
            armReply(&session)
            return ping(&state, &session)
        }
        state.sentAt = session.now(clock)
        if postponement.isBySent { postpone(&state, &session) }
        return coalesce(&state, &session)
    }

    /// Called when the first stream was opened (`areOpen` is `true`), or when the last one has ended.
    public func streamsChanged(_ areOpen: Bool, _ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        guard state.hasStreams != areOpen else { return .nothing }
        state.hasStreams = areOpen
        budget?.streamsChanged(areOpen, &state.budget)
        switch implementation {
        case .plain: return .nothing
        case .java: return streamsJava(areOpen, &state, &session)
        case .go: return areOpen ? wakeGo(&state, &session) : .nothing
        }
    }

    /// Called when the server has announced the interval at which it expects or sends heartbeats.
    public func serverRequested(for interval: TimeSpan, _ state: inout State, _ session: inout Session) {
        guard usesServerInterval, interval > .zero, state.serverInterval != interval else { return }
        state.serverInterval = interval
        guard implementation == .plain else { return }
        if sendsPings && session.isArmed(beatSlot) {
            var first = self.interval(state, &session)
            if isFirstRandom { first = session.random.share(of: first) }
            armBeat(after: first, &state, &session)
        }
        restartSilenceTimer(&state, &session)
    }

    /// Called when the server has sent or announced heartbeats of its own. `interval` is zero if the server does not
    /// state one.
    public func serverBeat(every interval: TimeSpan, _ state: inout State, _ session: inout Session) {
        guard serverBeatGrace != nil else { return }
        if interval > .zero { state.serverInterval = interval }
        state.serverSendsBeats = true
        state.awaitsAnswer = false
        state.unanswered = 0
        session.disarm(beatSlot)
        restartSilenceTimer(&state, &session)
    }

    /// Called when the server has closed the connection for too many pings.
    public func tooManyPingsReceived(_ state: inout State) {
        if doublesOnTooManyPings { state.doublings = min(state.doublings, 39) + 1 }
    }

    // MARK: Timers

    public func beatFired(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        if waitsForWriter && state.isStalled { return .nothing }
        switch implementation {
        case .plain: return plainBeat(&state, &session)
        case .java: return javaBeat(&state, &session)
        case .go: return goBeat(&state, &session)
        }
    }

    public func replyFired(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        if waitsForWriter && state.isStalled { return .nothing }
        if implementation == .java { state.phase = .disconnected }
        if let checkInterval, let limit = silence(state, &session), session.now(clock) - state.receivedAt <= limit {
            armSilenceCheck(checkInterval, &session)
            return .nothing
        }
        return .dead
    }

    @inline(__always)
    private func plainBeat(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        let interval = interval(state, &session)
        if let decisionClock {
            let silence = session.now(decisionClock) - state.quietSince
            guard silence >= interval else {
                session.arm(beatSlot, after: interval - silence, timing)
                return .nothing
            }
        }
        if failureDetection == .nextBeat && state.unanswered >= unanswered { return .dead }
        guard state.hasStreams || pingsWithoutCalls else {
            // C-core checks again after an interval, even if a stream is opened in the meantime: grpc/grpc
            // `src/core/ext/transport/chttp2/transport/chttp2_transport.cc`, `init_keepalive_ping_locked`.
            armBeat(after: interval, &state, &session)
            return .nothing
        }
        if let budget, let wait = budget.delayBeforePing(&state.budget, state.hasStreams, session.now(timing.clock)) {
            session.arm(beatSlot, after: min(wait, interval), timing)
            return .nothing
        }
        state.awaitsAnswer = true
        restartSilence(&state, &session)
        state.sentAt = state.quietSince
        let step = ping(&state, &session)
        if !isArmedByAnswer { armBeat(after: interval, &state, &session) }
        armReply(&session)
        return step
    }

    @inline(__always)
    private func armBeat(after span: TimeSpan, _ state: inout State, _ session: inout Session) {
        adaptive?.armed(&state.adaptive, session)
        session.arm(beatSlot, after: span, timing)
    }

    /// Counts a ping in the ping budget and in the adaptive interval, and returns the decision to send it.
    @inline(__always)
    func ping(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        budget?.sentPing(&state.budget, hasStreams: state.hasStreams, session.now(timing.clock))
        adaptive?.pinged(&state.adaptive)
        state.unanswered = min(state.unanswered, .max - 1) + 1
        return .ping
    }

    @inline(__always)
    private func armReply(_ session: inout Session) {
        guard failureDetection == .replyDeadline, !session.isArmed(replySlot) else { return }
        session.arm(replySlot, after: replyTimeout, on: timing.clock, wake: timeoutWake)
    }

    // MARK: The writer

    public func stalled(_ state: inout State) { state.isStalled = true }

    public func writable(_ state: inout State, _ session: inout Session) {
        guard state.isStalled else { return }
        state.isStalled = false
        guard waitsForWriter else { return }
        // Timers that fired in the meantime are handled now.
        if sendsPings && !state.serverSendsBeats && !session.isArmed(beatSlot) {
            session.arm(beatSlot, after: .zero, timing)
        }
        if failureDetection == .replyDeadline && state.awaitsAnswer && !session.isArmed(replySlot) {
            session.arm(replySlot, after: .zero, on: timing.clock, wake: timeoutWake)
        }
    }

    // MARK: Postponed and early beats

    /// `true` if only one ping is pending at a time: its answer arms the timer of the next ping, or its timeout ends
    /// the connection.
    @inline(__always)
    private var isArmedByAnswer: Bool {
        failureDetection == .replyDeadline && postponement.isByReceived && decisionClock == nil
    }

    /// The clock by which the time without received data is measured.
    @inline(__always)
    private var clock: PhoneClock { decisionClock ?? timing.clock }

    func restartSilence(_ state: inout State, _ session: inout Session) { state.quietSince = session.now(clock) }

    private func postpone(_ state: inout State, _ session: inout Session) {
        restartSilence(&state, &session)
        let now = state.quietSince
        if postponement == .both {
            // The pending answer arms the next beat.
            if state.awaitsAnswer && isArmedByAnswer { return }
            state.quietSince = min(state.receivedAt, state.sentAt)
        }
        // With a decision clock the timer stays armed, and silence is checked when it fires.
        guard decisionClock == nil, sendsPings, !state.serverSendsBeats else { return }
        armBeat(after: interval(state, &session) - (now - state.quietSince), &state, &session)
    }

    /// Sends the next ping early, together with current traffic, if it is nearly due.
    private func coalesce(_ state: inout State, _ session: inout Session) -> KeepaliveDecision {
        guard coalesceWindow > .zero, implementation == .plain, !state.awaitsAnswer, session.isArmed(beatSlot),
            !(waitsForWriter && state.isStalled)
        else { return .nothing }
        let timer = session.timers[beatSlot]
        // More than half an interval early, it would be an additional beat.
        let most = min(coalesceWindow, interval(state, &session) / 2)
        guard timer.at - session.now(timer.clock) <= most else { return .nothing }
        session.disarm(beatSlot)
        return plainBeat(&state, &session)
    }

    /// Called when data has arrived: restarts the timer that detects silence of the server.
    private func restartSilenceTimer(_ state: inout State, _ session: inout Session) {
        state.receivedAt = session.now(clock)
        guard let limit = silence(state, &session) else { return }
        if let checkInterval {
            if !session.isArmed(replySlot) { armSilenceCheck(checkInterval, &session) }
        } else {
            session.arm(replySlot, after: limit, on: timing.clock, wake: timeoutWake)
        }
    }

    /// Maximum time without received data before the connection is closed; `nil` if silence alone does not close it.
    private func silence(_ state: State, _ session: inout Session) -> TimeSpan? {
        if state.serverSendsBeats, let serverBeatGrace {
            return (state.serverInterval > .zero ? state.serverInterval : interval(on: session.path)) + serverBeatGrace
        }
        return failureDetection == .silence ? silence ?? interval(state, &session) * 3 / 2 : nil
    }

    private func armSilenceCheck(_ checkInterval: ClosedRange<TimeSpan>, _ session: inout Session) {
        let wait = session.random.span(
            from: checkInterval.lowerBound, to: checkInterval.upperBound, usually: checkInterval.lowerBound)
        session.arm(replySlot, after: wait, on: timing.clock, wake: timeoutWake)
    }
}

extension Dice {
    /// Draws a random part of the span: uniform between zero and the whole span.
    fileprivate mutating func share(of span: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(next().scaled(below: UInt64(max(span.nanoseconds, 0)) &+ 1)))
    }
}
