public import DeadzoneClient
import DeadzonePrimitives
public import DeadzoneSettings

/// The heartbeat that the article "The Mobile WebSocket Paradox" prints, run as it stands:
///
///     every `tick`: is the last pong older than `age`?  yes: close and reconnect   no: send a ping
///
/// One interval runs for as long as the process does. Since a pong is looked at one tick after it was asked for, it is always
/// nearly a tick old: with `tick` above `age` every tick ends a sound connection. What the article prints beside it is kept: a
/// queue that is purged by confirmation and loses its older half when it is full. What it only describes, the wait between
/// attempts, the reaction to a new network, and what becomes of the socket in the background, is done as it says.
public struct IntervalSocket: Strategy {
    public static let name = "interval-socket"
    public static let about =
        "the WebSocket article's printed heartbeat: an interval that looks at the age of the last pong"

    static let line = ConnectionSlot(0)
    static let retry = TimerSlot(0)
    static let tickSlot = TimerSlot(1)
    static let settle = TimerSlot(4)

    let tick: TimeSpan
    let age: TimeSpan
    let debounce: TimeSpan
    let bound: UInt32
    let backoff: Backoff

    enum Phase: UInt8 { case parked, waiting, opening, open }

    public struct State: BitwiseCopyable, Sendable {
        var phase = Phase.parked
        var lastPong = Instant.zero
        /// Messages below it were thrown away for want of room.
        var dropped = Cursor.start
        var attempts = Backoff.Attempts()
    }

    public init(_ settings: inout SettingsReader) {
        tick = settings.span("tick", default: .seconds(30), in: .milliseconds(1) ... .longest, "setInterval's interval")
        age = settings.span(
            "age", default: .seconds(10), in: .milliseconds(1) ... .longest, "a pong older than this is missed")
        debounce = settings.span("debounce", default: .milliseconds(300), "a new network has to last so long")
        bound = UInt32(
            settings.count("queue", default: 1_000, in: 2...1_000_000, "messages; one more, and the older half is gone")
        )
        backoff = settings.backoff(
            "backoff", default: Backoff(base: .milliseconds(500), cap: .seconds(32), jitter: .full),
            "what reconnect() waits")
    }

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
        case .network(let change) where change.replacesDefaultPath: session.arm(Self.settle, after: debounce)
        case .fired(Self.settle) where state.phase != .parked, .app(.foreground):
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

    /// `if (Date.now() - lastPong > 10000) { socket.close(); reconnect(); } else { socket.send(PING); }`
    private func check(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.arm(Self.tickSlot, after: tick)
        guard state.phase != .parked else { return }
        if session.now - state.lastPong > age {
            drop(state, &out)
            reconnect(&state, &session)
        } else if state.phase == .open {
            out.append(.ping(Self.line))
        }
    }

    private func connect(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarm(Self.retry)
        state.phase = .opening
        out.append(.connect(Self.line, .webSocket, resuming: .from(session.cursor)))
    }

    /// A second call before the first is due takes its place.
    private func reconnect(_ state: inout State, _ session: inout Session) {
        state.phase = .waiting
        session.arm(Self.retry, after: backoff.next(&state.attempts, using: &session.random))
    }

    private func open(_ state: inout State, _ session: Session, _ out: inout Outbox) {
        state.phase = .open
        state.attempts.reset()
        // A new socket owes no pong yet.
        state.lastPong = session.now
        let first = max(session.acknowledged, state.dropped)
        if first < session.produced { out.append(.send(Self.line, from: first, upTo: session.produced)) }
    }

    private func queue(_ message: Message, _ state: inout State, _ session: Session, _ out: inout Outbox) {
        let first = max(session.acknowledged, state.dropped)
        if state.phase == .open { out.append(.send(Self.line, from: message.cursor, upTo: message.next)) }
        guard message.next.position - first.position > bound else { return }
        state.dropped = Cursor(first.position + (message.next.position - first.position) / 2)
        out.append(.forget(below: state.dropped))
    }

    private func drop(_ state: State, _ out: inout Outbox, isDone: Bool = false) {
        guard state.phase == .opening || state.phase == .open else { return }
        out.append(isDone ? .leave(Self.line) : .close(Self.line))
    }
}
