public import DeadzoneBase

/// A strategy with one connection, a ping with a deadline at a fixed interval, and backoff with full jitter. It follows
/// the default path, resumes from its cursor, and sends again the messages that the server has not confirmed.
public struct Patient: Strategy {
    public static let name = "patient"
    public static let about = "pings with a deadline, backs off with jitter, follows the path, resumes from its cursor"

    private static let connection = ConnectionSlot(0)
    private static let retry = TimerSlot(0)
    private static let ping = TimerSlot(1)
    private static let pongDue = TimerSlot(2)
    private static let openDue = TimerSlot(3)

    let interval: TimeSpan
    let timeout: TimeSpan
    let connectTimeout: TimeSpan
    let backoff: Backoff

    enum PatientPhase: UInt8 { case closed, opening, open }

    public struct State: BitwiseCopyable, Sendable {
        var attempts = Backoff.Attempts()
        var phase = PatientPhase.closed
    }

    public init(_ settings: inout SettingsReader) {
        interval = settings.span(
            "ping", default: .seconds(45), in: .milliseconds(1) ... .longest,
            "time from the last received data to the next ping")
        timeout = settings.span(
            "timeout", default: .seconds(10), in: .milliseconds(1) ... .longest,
            "time limit of an answer; an unanswered ping ends the connection")
        connectTimeout = settings.span(
            "connect-timeout", default: .seconds(20), in: .milliseconds(1) ... .longest,
            "time limit of an attempt")
        backoff = settings.backoff(
            "backoff", default: Backoff(base: .milliseconds(500), cap: .seconds(32), jitter: .full),
            "waits between attempts")
    }

    public var makesCalls: Bool { false }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired(Self.retry): connect(&state, &session, &out)
        case .network(let change) where change.replacesDefaultPath:
            state.attempts.reset()
            drop(&state, &session, &out)
            connect(&state, &session, &out)
        case .opened:
            state.attempts.reset()
            state.phase = .open
            session.disarm(Self.openDue)
            out.append(.send(Self.connection, from: session.acknowledged, upTo: session.produced))
            armPing(&session)
        case .wantsToSend(let message) where state.phase == .open:
            out.append(.send(Self.connection, from: message.cursor, upTo: message.next))
        case .received(_, let cursor, _):
            out.append(.deliver(cursor))
            armPing(&session)
        case .acknowledged, .pong:
            armPing(&session)
        case .fired(Self.ping):
            out.append(.ping(Self.connection))
            session.arm(Self.pongDue, after: timeout)
        case .fired(Self.pongDue), .fired(Self.openDue):
            drop(&state, &session, &out)
            session.arm(Self.retry, after: backoff.next(&state.attempts, using: &session.random))
        case .closed, .failed:
            state.phase = .closed
            session.disarmAll()
            session.arm(Self.retry, after: backoff.next(&state.attempts, using: &session.random))
        default: break
        }
    }

    /// Arms the timer of the next ping, and disarms that of the pong. Called for any data from the server, which counts
    /// as a pong.
    private func armPing(_ session: inout Session) {
        session.disarm(Self.pongDue)
        session.arm(Self.ping, after: interval)
    }

    private func drop(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarmAll()
        if state.phase != .closed { out.append(.close(Self.connection)) }
        state.phase = .closed
    }

    private func connect(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard session.hasPath else { return }  // the next .network event brings us back
        state.phase = .opening
        out.append(.connect(Self.connection, .webSocket, resuming: .from(session.cursor)))
        session.arm(Self.openDue, after: connectTimeout)
    }
}
