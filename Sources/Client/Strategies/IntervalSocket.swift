public import DeadzoneBase

/// A strategy with the heartbeat that the article "The Mobile WebSocket Paradox" prints, unchanged:
///
///     every `tick`: is the last pong older than `age`?  yes: close and reconnect   no: send a ping
///
/// One interval runs for the lifetime of the process. A pong is checked one tick after its ping was sent, so it is
/// always nearly a tick old. With `tick` above `age`, every tick ends a healthy connection. The rest of the printed
/// code is kept: a queue that is purged by confirmation and drops its older half when it is full. Some parts are only
/// described there: the wait between attempts, the reaction to a new network, and the handling of the socket in the
/// background. They follow the description.
public struct IntervalSocket: Strategy {
    public static let name = "interval-socket"
    public static let about =
        "the heartbeat printed in the WebSocket article: an interval that checks the age of the last pong"

    static let connection = ConnectionSlot(0)
    static let retry = TimerSlot(0)
    static let tickSlot = TimerSlot(1)
    static let debounceSlot = TimerSlot(4)

    let tick: TimeSpan
    let age: TimeSpan
    let debounce: TimeSpan
    let bound: UInt32
    let backoff: Backoff

    enum IntervalSocketPhase: UInt8 { case parked, waiting, opening, open }

    public struct State: BitwiseCopyable, Sendable {
        var phase = IntervalSocketPhase.parked
        var lastPong = Instant.zero
        /// Messages below this cursor were dropped because the queue was full.
        var droppedBelow = Cursor.start
        var attempts = Backoff.Attempts()
    }

    public init(_ settings: inout SettingsReader) {
        tick = settings.span(
            "tick", default: .seconds(30), in: .milliseconds(1) ... .longest, "time between two checks (setInterval)")
        age = settings.span(
            "age", default: .seconds(10), in: .milliseconds(1) ... .longest,
            "age at which the last pong counts as missed")
        debounce = settings.span("debounce", default: .milliseconds(300), "time that a new network must last")
        bound = UInt32(
            settings.count(
                "queue", default: 1_000, in: 2...1_000_000, "capacity in messages; one more drops the older half")
        )
        backoff = settings.backoff(
            "backoff", default: Backoff(base: .milliseconds(500), cap: .seconds(32), jitter: .full),
            "wait of reconnect()")
    }

    public var makesCalls: Bool { false }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started:
            session.arm(Self.tickSlot, after: tick)
            if session.isForeground { connect(&state, &session, &out) }
        case .fired(Self.tickSlot): check(&state, &session, &out)
        case .fired(Self.retry) where state.phase == .waiting: connect(&state, &session, &out)
        case .opened where state.phase == .opening: open(&state, session, &out)
        case .pong: state.lastPong = session.now
        case .received(_, let cursor, _) where state.phase == .open:
            out.append(.deliver(cursor))
            out.append(.persist(cursor))
        case .wantsToSend(let message): queue(message, &state, session, &out)
        case .closed where state.phase == .open, .failed where state.phase == .opening: reconnect(&state, &session)
        case .network(let change) where change.replacesDefaultPath: session.arm(Self.debounceSlot, after: debounce)
        case .fired(Self.debounceSlot) where state.phase != .parked, .app(.foreground):
            state.attempts.reset()
            drop(state, &out)
            connect(&state, &session, &out)
        case .app(.background):
            drop(state, &out, isDone: true)
            session.disarm(Self.retry)
            state.phase = .parked
        default: break
        }
    }

    /// Performs the article's periodic check: `if (Date.now() - lastPong > 10000) { socket.close(); reconnect(); } else
    /// { socket.send(PING); }`
    private func check(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.arm(Self.tickSlot, after: tick)
        guard state.phase != .parked else { return }
        if session.now - state.lastPong > age {
            drop(state, &out)
            reconnect(&state, &session)
        } else if state.phase == .open {
            out.append(.ping(Self.connection))
        }
    }

    private func connect(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarm(Self.retry)
        state.phase = .opening
        out.append(.connect(Self.connection, .webSocket, resuming: .from(session.cursor)))
    }

    /// Schedules a new connection after the wait of the backoff. A second call before the first is due replaces it.
    private func reconnect(_ state: inout State, _ session: inout Session) {
        state.phase = .waiting
        session.arm(Self.retry, after: backoff.next(&state.attempts, using: &session.random))
    }

    private func open(_ state: inout State, _ session: Session, _ out: inout Outbox) {
        state.phase = .open
        state.attempts.reset()
        // On a new socket no pong is due yet.
        state.lastPong = session.now
        let first = max(session.acknowledged, state.droppedBelow)
        if first < session.produced { out.append(.send(Self.connection, from: first, upTo: session.produced)) }
    }

    private func queue(_ message: Message, _ state: inout State, _ session: Session, _ out: inout Outbox) {
        let first = max(session.acknowledged, state.droppedBelow)
        if state.phase == .open { out.append(.send(Self.connection, from: message.cursor, upTo: message.next)) }
        guard message.next.position - first.position > bound else { return }
        state.droppedBelow = Cursor(first.position + (message.next.position - first.position) / 2)
        out.append(.forget(below: state.droppedBelow))
    }

    private func drop(_ state: State, _ out: inout Outbox, isDone: Bool = false) {
        guard state.phase == .opening || state.phase == .open else { return }
        out.append(isDone ? .closeGracefully(Self.connection) : .close(Self.connection))
    }
}
