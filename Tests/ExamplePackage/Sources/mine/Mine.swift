import DeadzoneKit

/// Connects, reconnects after a wait that doubles, and pings when the app returns to the foreground.
struct Mine: Strategy {
    static let name = "mine"
    static let about = "waits twice as long each time, and looks after its connection when the app comes back"

    private static let line = ConnectionSlot(0)
    private static let retry = TimerSlot(0), pongDue = TimerSlot(1), attempt = TimerSlot(2)

    let backoff: Backoff
    let patience: TimeSpan
    let attemptTimeout: TimeSpan

    struct State: BitwiseCopyable, Sendable {
        var attempts = Backoff.Attempts()
        var isOpen = false
    }

    init(_ settings: inout SettingsReader) {
        backoff = settings.backoff(
            "backoff", default: Backoff(base: .seconds(1), cap: .seconds(60), jitter: .equal), "between attempts")
        patience = settings.span("patience", default: .seconds(3), "for the answer when the app comes back")
        attemptTimeout = settings.span("attempt-timeout", default: .seconds(60), "for one attempt to connect")
    }

    func initialState() -> State { State() }

    func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired(Self.retry):
            out.append(.connect(Self.line, .webSocket, resuming: .from(session.cursor)))
            session.arm(Self.attempt, after: attemptTimeout)
        case .opened:
            session.disarm(Self.attempt)
            state.isOpen = true
            state.attempts.reset()
        case .received(_, let cursor, _):
            out.append(.deliver(cursor))
            session.disarm(Self.pongDue)
        case .pong: session.disarm(Self.pongDue)
        case .app(.foreground) where state.isOpen:
            out.append(.ping(Self.line))
            session.arm(Self.pongDue, after: patience)
        case .fired(Self.pongDue), .fired(Self.attempt):
            out.append(.close(Self.line))
            wait(&state, &session)
        case .closed, .failed: wait(&state, &session)
        default: break
        }
    }

    private func wait(_ state: inout State, _ session: inout Session) {
        state.isOpen = false
        session.disarmAll()
        session.arm(Self.retry, after: backoff.next(&state.attempts, using: &session.random))
    }
}
