public import DeadzonePrimitives

/// Asks the server for a sign of life at intervals, and judges its silence.
///
///     opened ──> quiet ──beat──> ping ──answer──> quiet
///                  └─beat, but by `decidesBy` it is too early─> quiet
///     ping ──no answer: by the reply timer, or found at the next beat──> dead
///
/// The drawing leaves out that an answer may be any byte, and that without a timeout beats go on while one is awaited.
public struct Keepalive: Sendable {
    /// How silence becomes a verdict.
    public enum Verdict: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Never: pings into the void.
        case never
        /// No answer within the timeout.
        case replyDeadline
        /// Still no answer when the next beat is due.
        case nextBeat
    }

    /// What makes the next beat wait a whole interval again.
    public enum Postponement: UInt8, Hashable, Sendable, BitwiseCopyable {
        case nothing
        /// Whatever the server says.
        case received
        /// Whatever either end says: a client that talks much never pings, and never learns that nobody listens.
        case traffic
    }

    public var interval: TimeSpan
    /// The interval on this interface instead, if there is one.
    public var wifiInterval: TimeSpan?
    public var cellularInterval: TimeSpan?
    public var timeout = TimeSpan.seconds(10)
    public var verdict = Verdict.replyDeadline
    public var postponement = Postponement.received
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

    public struct State: Hashable, Sendable, BitwiseCopyable {
        /// By `decidesBy`, or the timer's own clock.
        fileprivate var quietSince = Instant.zero
        public fileprivate(set) var awaitsAnswer = false
        fileprivate var isStalled = false

        public init() {}
    }

    /// What a timer comes to.
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

    public func opened(_ state: inout State, _ session: inout Session) {
        state = State()
        quieten(&state, session)
        session.arm(beat, after: interval(on: session.path), timing)
    }

    /// Something came from the server.
    public func heard(isPong: Bool = false, _ state: inout State, _ session: inout Session) {
        if isPong || !needsPong {
            state.awaitsAnswer = false
            session.disarm(reply)
        }
        if postponement != .nothing { postpone(&state, &session) }
    }

    /// Something went to the server, other than a ping.
    public func sent(_ state: inout State, _ session: inout Session) {
        if postponement == .traffic { postpone(&state, &session) }
    }

    public func beatFired(_ state: inout State, _ session: inout Session) -> Step {
        if waitsForWriter && state.isStalled { return .nothing }
        let interval = interval(on: session.path)
        if let decidesBy {
            let silence = session.now(decidesBy) - state.quietSince
            guard silence >= interval else {
                session.arm(beat, after: interval - silence, timing)
                return .nothing
            }
        }
        if verdict == .nextBeat && state.awaitsAnswer { return .dead }
        state.awaitsAnswer = true
        quieten(&state, session)
        if !isArmedByAnswer { session.arm(beat, after: interval, timing) }
        if verdict == .replyDeadline && !session.isArmed(reply) {
            session.arm(reply, after: timeout, on: timing.clock, wake: timeoutWake)
        }
        return .ping
    }

    public func replyFired(_ state: inout State, _ session: inout Session) -> Step {
        waitsForWriter && state.isStalled ? .nothing : .dead
    }

    public func stalled(_ state: inout State) { state.isStalled = true }

    public func writable(_ state: inout State, _ session: inout Session) {
        guard state.isStalled else { return }
        state.isStalled = false
        guard waitsForWriter else { return }
        // What came due in the meantime is handled now.
        if !session.isArmed(beat) { session.arm(beat, after: .zero, timing) }
        if verdict == .replyDeadline && state.awaitsAnswer && !session.isArmed(reply) {
            session.arm(reply, after: .zero, on: timing.clock, wake: timeoutWake)
        }
    }

    /// One ping at a time: its answer arms the next beat, or its timeout ends the connection.
    private var isArmedByAnswer: Bool {
        verdict == .replyDeadline && postponement != .nothing && decidesBy == nil
    }

    private func quieten(_ state: inout State, _ session: Session) {
        state.quietSince = session.now(decidesBy ?? timing.clock)
    }

    private func postpone(_ state: inout State, _ session: inout Session) {
        quieten(&state, session)
        // Who decides by a clock leaves the timer alone and looks when it fires.
        guard decidesBy == nil else { return }
        session.arm(beat, after: interval(on: session.path), timing)
    }
}
