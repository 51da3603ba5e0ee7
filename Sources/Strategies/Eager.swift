public import DeadzoneClient
import DeadzonePrimitives
public import DeadzoneSettings

/// The client that many apps begin with, wrong on purpose: it pings often and never looks for the pong, retries at a fixed
/// interval without jitter, listens to no network event, begins afresh at each connection, and forgets what it sent.
public struct Eager: Strategy {
    public static let name = "eager"
    public static let about =
        "pings often and ignores the pong, retries without backoff, ignores the network, never resumes"

    private static let line = ConnectionSlot(0)
    private static let retry = TimerSlot(0)
    private static let ping = TimerSlot(1)

    let interval: TimeSpan
    let wait: TimeSpan

    public struct State: BitwiseCopyable, Sendable {
        var isOpen = false
    }

    public init(_ settings: inout SettingsReader) {
        interval = settings.span(
            "ping", default: .seconds(20), in: .milliseconds(1) ... .longest, "from one ping to the next")
        wait = settings.span(
            "retry", default: .seconds(1), in: .milliseconds(1) ... .longest,
            "the wait between attempts, always the same")
    }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired(Self.retry):
            out.append(.connect(Self.line, .webSocket, resuming: .fresh))
        case .opened:
            state.isOpen = true
            session.arm(Self.ping, after: interval)
        case .fired(Self.ping):
            out.append(.ping(Self.line))
            session.arm(Self.ping, after: interval)
        case .wantsToSend(let message):
            if state.isOpen { out.append(.send(Self.line, from: message.cursor, upTo: message.next)) }
            out.append(.forget(below: message.next))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .closed, .failed:
            state.isOpen = false
            session.disarm(Self.ping)
            session.arm(Self.retry, after: wait)
        default: break
        }
    }
}
