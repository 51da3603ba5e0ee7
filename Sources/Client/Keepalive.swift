public import DeadzonePrimitives

/// Asks the server for a sign of life at intervals, and judges its silence.
///
///     opened ──> quiet ──beat──> ping ──answer──> quiet
///                  └─beat, but by `decidesBy` it is too early─> quiet
///     ping ──no answer: by the reply timer, or found at the next beat──> dead
///     quiet ──nothing heard for `silence`──> dead
///
/// The drawing leaves out that an answer may be any byte, and that without a timeout beats go on while one is awaited. It is the
/// plain machine's; gRPC's two are drawn in `Keepalive+Machines.swift`.
public struct Keepalive: Sendable {
    /// How silence becomes a verdict.
    public enum Verdict: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Never: pings into the void.
        case never
        /// No answer within the timeout.
        case replyDeadline
        /// Still no answer when the next beat is due.
        case nextBeat
        /// Nothing was heard for so long, whoever should have spoken.
        case silence
    }

    /// What makes the next beat wait a whole interval again.
    public enum Postponement: UInt8, Hashable, Sendable, BitwiseCopyable {
        case nothing
        /// Whatever the server says.
        case received
        /// Whatever the client says.
        case sent
        /// Whatever either end says: a client that talks much never pings, and never learns that nobody listens.
        case traffic
        /// What both ends say: the interval begins with the older of what was last heard and last said.
        case both

        var isByHeard: Bool { self == .received || self == .traffic || self == .both }
        var isBySent: Bool { self == .sent || self == .traffic || self == .both }
    }

    /// Whose code says when a beat is due and what follows.
    public enum Machine: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case plain
        /// grpc-java's six states; grpc-go's loop. Both ask of silence only, take any byte for an answer, and have a deadline.
        case java, go
    }

    public var machine = Machine.plain
    public var interval: TimeSpan
    /// The interval on this interface instead, if there is one.
    public var wifiInterval: TimeSpan?
    public var cellularInterval: TimeSpan?
    /// Finds the interval by trying instead.
    public var adapting: AdaptiveInterval?
    /// The interval that the server asks for goes before all others.
    public var takesServersInterval = false
    /// No interval is shorter, whoever asks for it.
    public var floor = TimeSpan.zero
    /// The first beat comes after a random part of the interval, so that clients that connect together do not beat together.
    public var isFirstRandom = false
    /// Pings; otherwise it listens to the server's beats alone.
    public var pings = true
    /// Its pings stand in for the server's beats: from the first of those on it only listens, and silence of their interval and this
    /// ends the connection. Nil: they are its own affair.
    public var standIn: TimeSpan?
    /// Pings between calls as well, where no stream is open.
    public var withoutCalls = true
    /// Twice the interval for new connections after each that ended for too many pings (gRFC A8).
    public var doubles = true
    public var timeout = TimeSpan.seconds(10)
    /// How long its own timer waits for an answer, where that is not `timeout`, which then only the kernel is told.
    public var ownTimeout: TimeSpan?
    @inline(__always)
    var patience: TimeSpan { ownTimeout ?? timeout }
    /// TCP_USER_TIMEOUT of each connection is `timeout` (gRFC A18), unless it never pings.
    public var limitsKernel = false
    /// An interval as long is none: how a client says that its keepalive is off until somebody asks for it.
    public static let never = TimeSpan.hours(365 * 24)
    /// Of the verdict `silence`; nil: one and a half intervals.
    public var silence: TimeSpan?
    /// Silence is found when it looks, which it does so often, anything between; nil: when it has lasted long enough.
    public var looks: ClosedRange<TimeSpan>?
    /// Of the verdict `nextBeat`: so many pings in a row without an answer, and the beat that is due then ends the connection.
    public var unanswered: UInt8 = 1
    public var verdict = Verdict.replyDeadline
    public var postponement = Postponement.received
    /// A beat that would be due this soon is sent with what is sent or arrives now, while the radio is awake for it.
    public var slack = TimeSpan.zero
    public var budget: PingBudget?
    /// Only a pong answers a ping; otherwise any byte does.
    public var needsPong = false
    public var timing = Timing()
    /// What the timeout may do to a sleeping phone; it runs by the same clock.
    public var timeoutWake = Wake.none
    /// The clock by which the code, once its timer has fired, finds whether a ping is due yet. nil: it trusts the timer.
    public var decidesBy: Clock?
    /// Beats and timeouts are handled in the writer's queue: while the socket takes nothing, none of them is.
    public var waitsForWriter = false
    public var beat: TimerSlot
    public var reply: TimerSlot
    private let lent = Lent()

    /// What a timer or a byte comes to.
    public enum Step: Hashable, Sendable { case nothing, ping, dead }

    public init(interval: TimeSpan, beat: TimerSlot, reply: TimerSlot) {
        self.interval = interval
        self.beat = beat
        self.reply = reply
    }

    public func interval(on path: Interface?) -> TimeSpan {
        switch path {
        case .wifi: wifiInterval ?? interval
        case .cellular: cellularInterval ?? interval
        case nil: interval
        }
    }

    /// From one beat to the next as things stand.
    public func interval(_ state: State, _ session: inout Session) -> TimeSpan {
        var span = adapting?.interval(state.adapted, session) ?? interval(on: session.path)
        if takesServersInterval && state.asked > .zero { span = state.asked }
        return max(span, floor) * (1 << Int64(min(state.doublings, 40)))
    }

    // MARK: A connection

    /// A connection stands. `hasStreams`: something is asked on it already.
    public func opened(_ state: inout State, hasStreams: Bool = true, _ session: inout Session) -> Step {
        state.begin(hasStreams: hasStreams)
        quieten(&state, &session)
        adapting?.opened(&state.adapted)
        budget?.opened(&state.spent, hasStreams: hasStreams)
        switch machine {
        case .plain: break
        case .java: return startJava(&state, &session)
        case .go: return startGo(&state, &session)
        }
        var first = interval(state, &session)
        if isFirstRandom { first = session.random.share(of: first) }
        if pings { armBeat(after: first, &state, &session) }
        state.saidAt = state.quietSince
        listen(&state, &session)
        return .nothing
    }

    /// The connection is gone: what becomes of its timers its owner decides.
    public func closed(_ state: inout State, _ session: inout Session) {
        if state.awaitsAnswer { adapting?.failed(&state.adapted, session) }
        adapting?.closed(&state.adapted, session)
        state.phase = .disconnected
        state.awaitsAnswer = false
    }

    /// Something came from the server.
    public func heard(isPong: Bool = false, _ state: inout State, _ session: inout Session) -> Step {
        if isPong || !needsPong {
            if state.awaitsAnswer { adapting?.succeeded(&state.adapted, session) }
            state.awaitsAnswer = false
            state.unanswered = 0
            if machine != .java && looks == nil { session.disarm(reply) }
        }
        switch machine {
        case .plain: break
        case .java:
            heardJava(&state, &session)
            return .nothing
        case .go:
            quieten(&state, &session)
            return .nothing
        }
        if state.hearsBeats {
            if isPong || !needsPong { listen(&state, &session) }
            return .nothing
        }
        listen(&state, &session)
        if postponement.isByHeard {
            postpone(&state, &session)
            return .nothing
        }
        return hurry(&state, &session)
    }

    /// Something went to the server, other than a ping.
    public func sent(_ state: inout State, _ session: inout Session) -> Step {
        if budget?.sentData(&state.spent, hasStreams: state.hasStreams) ?? false {
            state.awaitsAnswer = true
            if isArmedByAnswer { session.disarm(beat) }
            armReply(&session)
            return ping(&state, &session)
        }
        state.saidAt = session.now(clock)
        if postponement.isBySent { postpone(&state, &session) }
        return hurry(&state, &session)
    }

    /// The first stream was opened, or the last one ended.
    public func streams(_ areOpen: Bool, _ state: inout State, _ session: inout Session) -> Step {
        guard state.hasStreams != areOpen else { return .nothing }
        state.hasStreams = areOpen
        budget?.streams(areOpen, &state.spent)
        switch machine {
        case .plain: return .nothing
        case .java: return streamsJava(areOpen, &state, &session)
        case .go: return areOpen ? wakeGo(&state, &session) : .nothing
        }
    }

    /// The server has said how often it wants to hear something, or will say something.
    public func asked(for interval: TimeSpan, _ state: inout State, _ session: inout Session) {
        guard takesServersInterval, interval > .zero, state.asked != interval else { return }
        state.asked = interval
        guard machine == .plain else { return }
        if pings && session.isArmed(beat) {
            var first = self.interval(state, &session)
            if isFirstRandom { first = session.random.share(of: first) }
            armBeat(after: first, &state, &session)
        }
        listen(&state, &session)
    }

    /// The server has beaten by itself, or promised to; `interval` is zero where it does not say how often.
    public func beaten(every interval: TimeSpan, _ state: inout State, _ session: inout Session) {
        guard standIn != nil else { return }
        if interval > .zero { state.asked = interval }
        state.hearsBeats = true
        state.awaitsAnswer = false
        state.unanswered = 0
        session.disarm(beat)
        listen(&state, &session)
    }

    /// The server has sent us away for too many pings.
    public func sentAway(_ state: inout State) {
        if doubles { state.doublings = min(state.doublings, 39) + 1 }
    }

    // MARK: Timers

    public func beatFired(_ state: inout State, _ session: inout Session) -> Step {
        if waitsForWriter && state.isStalled { return .nothing }
        switch machine {
        case .plain: return plainBeat(&state, &session)
        case .java: return javaBeat(&state, &session)
        case .go: return goBeat(&state, &session)
        }
    }

    public func replyFired(_ state: inout State, _ session: inout Session) -> Step {
        if waitsForWriter && state.isStalled { return .nothing }
        if machine == .java { state.phase = .disconnected }
        if let looks, let limit = silence(state, &session), session.now(clock) - state.heardAt <= limit {
            armLook(looks, &session)
            return .nothing
        }
        return .dead
    }

    @inline(__always)
    private func plainBeat(_ state: inout State, _ session: inout Session) -> Step {
        let interval = interval(state, &session)
        if let decidesBy {
            let silence = session.now(decidesBy) - state.quietSince
            guard silence >= interval else {
                session.arm(beat, after: interval - silence, timing)
                return .nothing
            }
        }
        if verdict == .nextBeat && state.unanswered >= unanswered { return .dead }
        guard state.hasStreams || withoutCalls else {
            // C-core looks again an interval later, whether a stream is opened meanwhile or not: grpc/grpc
            // `src/core/ext/transport/chttp2/transport/chttp2_transport.cc`, `init_keepalive_ping_locked`.
            armBeat(after: interval, &state, &session)
            return .nothing
        }
        if let budget, let wait = budget.refuses(&state.spent, state.hasStreams, session.now(timing.clock)) {
            session.arm(beat, after: min(wait, interval), timing)
            return .nothing
        }
        state.awaitsAnswer = true
        quieten(&state, &session)
        state.saidAt = state.quietSince
        let step = ping(&state, &session)
        if !isArmedByAnswer { armBeat(after: interval, &state, &session) }
        armReply(&session)
        return step
    }

    @inline(__always)
    private func armBeat(after span: TimeSpan, _ state: inout State, _ session: inout Session) {
        adapting?.armed(&state.adapted, session)
        session.arm(beat, after: span, timing)
    }

    /// A ping is sent; what it costs of the budget.
    @inline(__always)
    func ping(_ state: inout State, _ session: inout Session) -> Step {
        budget?.sentPing(&state.spent, hasStreams: state.hasStreams, session.now(timing.clock))
        adapting?.pinged(&state.adapted)
        state.unanswered = min(state.unanswered, .max - 1) + 1
        return .ping
    }

    @inline(__always)
    private func armReply(_ session: inout Session) {
        guard verdict == .replyDeadline, !session.isArmed(reply) else { return }
        session.arm(reply, after: patience, on: timing.clock, wake: timeoutWake)
    }

    // MARK: The writer

    public func stalled(_ state: inout State) { state.isStalled = true }

    public func writable(_ state: inout State, _ session: inout Session) {
        guard state.isStalled else { return }
        state.isStalled = false
        guard waitsForWriter else { return }
        // What came due in the meantime is handled now.
        if pings && !state.hearsBeats && !session.isArmed(beat) { session.arm(beat, after: .zero, timing) }
        if verdict == .replyDeadline && state.awaitsAnswer && !session.isArmed(reply) {
            session.arm(reply, after: .zero, on: timing.clock, wake: timeoutWake)
        }
    }

    // MARK: What is put off, and what is brought forward

    /// One ping at a time: its answer arms the next beat, or its timeout ends the connection.
    @inline(__always)
    private var isArmedByAnswer: Bool {
        verdict == .replyDeadline && postponement.isByHeard && decidesBy == nil
    }

    /// By which silence is measured.
    @inline(__always)
    private var clock: Clock { decidesBy ?? timing.clock }

    func quieten(_ state: inout State, _ session: inout Session) { state.quietSince = session.now(clock) }

    private func postpone(_ state: inout State, _ session: inout Session) {
        quieten(&state, &session)
        let now = state.quietSince
        if postponement == .both {
            // The answer that is awaited sets the next beat.
            if state.awaitsAnswer && isArmedByAnswer { return }
            state.quietSince = min(state.heardAt, state.saidAt)
        }
        // Who decides by a clock leaves the timer alone and looks when it fires.
        guard decidesBy == nil, pings, !state.hearsBeats else { return }
        armBeat(after: interval(state, &session) - (now - state.quietSince), &state, &session)
    }

    /// A beat that is nearly due goes along with what flows now.
    private func hurry(_ state: inout State, _ session: inout Session) -> Step {
        guard slack > .zero, machine == .plain, !state.awaitsAnswer, session.isArmed(beat) else { return .nothing }
        let wish = session.timers[beat]
        // Sooner than by half it would be another beat, not the same one early.
        let most = min(slack, interval(state, &session) / 2)
        guard wish.at - session.now(wish.clock) <= most else { return .nothing }
        session.disarm(beat)
        return plainBeat(&state, &session)
    }

    /// Something was heard: the watch over the server's silence begins anew.
    private func listen(_ state: inout State, _ session: inout Session) {
        state.heardAt = session.now(clock)
        guard let limit = silence(state, &session) else { return }
        if let looks {
            if !session.isArmed(reply) { armLook(looks, &session) }
        } else {
            session.arm(reply, after: limit, on: timing.clock, wake: timeoutWake)
        }
    }

    /// How long the server may be silent; nil: silence alone ends nothing.
    private func silence(_ state: State, _ session: inout Session) -> TimeSpan? {
        if state.hearsBeats, let standIn {
            return (state.asked > .zero ? state.asked : interval(on: session.path)) + standIn
        }
        return verdict == .silence ? silence ?? interval(state, &session) * 3 / 2 : nil
    }

    private func armLook(_ looks: ClosedRange<TimeSpan>, _ session: inout Session) {
        let wait = session.random.span(from: looks.lowerBound, to: looks.upperBound, usually: looks.lowerBound)
        session.arm(reply, after: wait, on: timing.clock, wake: timeoutWake)
    }
}

extension Dice {
    /// Anything up to the span.
    fileprivate mutating func share(of span: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(next().scaled(below: UInt64(max(span.nanoseconds, 0)) &+ 1)))
    }
}
