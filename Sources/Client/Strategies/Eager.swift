public import DeadzoneBase

/// A strategy like a typical first client, with deliberate mistakes. It pings often and never checks for the pong. It
/// retries at a fixed interval without jitter and ignores network events. It starts each connection without resuming,
/// and forgets messages that it sent.
public struct Eager: Strategy {
    public static let name = "eager"
    public static let about =
        "pings often and ignores the pong, retries without backoff, ignores network changes, never resumes"

    private static let connection = ConnectionSlot(0)
    private static let retry = TimerSlot(0)
    private static let ping = TimerSlot(1)

    let interval: TimeSpan
    let retryWait: TimeSpan

    public struct State: BitwiseCopyable, Sendable {
        var isOpen = false
    }

    public init(_ settings: inout SettingsReader) {
        interval = settings.span(
            "ping", default: .seconds(20), in: .milliseconds(1) ... .longest, "time between two pings")
        retryWait = settings.span(
            "retry", default: .seconds(1), in: .milliseconds(1) ... .longest,
            "wait between attempts, always the same")
    }

    public var makesCalls: Bool { false }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired(Self.retry):
            out.append(.connect(Self.connection, .webSocket, resuming: .fresh))
        case .opened:
            state.isOpen = true
            session.arm(Self.ping, after: interval)
        case .fired(Self.ping):
            out.append(.ping(Self.connection))
            session.arm(Self.ping, after: interval)
        case .wantsToSend(let message):
            if state.isOpen { out.append(.send(Self.connection, from: message.cursor, upTo: message.next)) }
            out.append(.forget(below: message.next))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .closed, .failed:
            state.isOpen = false
            session.disarm(Self.ping)
            session.arm(Self.retry, after: retryWait)
        default: break
        }
    }
}
