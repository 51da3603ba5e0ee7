public import DeadzoneClient
import DeadzonePrimitives
public import DeadzoneSettings

/// Sends each message as a datagram and repeats nothing; the plainest thing a radio can be made to carry, and the yardstick
/// for what a keepalive costs. With `ping`, an exchange of two empty datagrams at that interval.
public struct Datagrams: Strategy {
    public static let name = "datagram"
    public static let about = "sends each message once as a datagram, repeats nothing, asks for nothing"

    private static let line = ConnectionSlot(0)
    private static let ping = TimerSlot(0)

    let interval: TimeSpan?

    public struct State: BitwiseCopyable, Sendable {
        var isOpen = false
    }

    public init(_ settings: inout SettingsReader) {
        interval = settings.span(
            "ping", in: .milliseconds(1) ... .longest, "from one ping to the next; without it there are none")
    }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started: connect(&session, &out)
        case .network(let change) where change.replacesDefaultPath: connect(&session, &out)
        case .opened:
            state.isOpen = true
            if let interval, !session.isArmed(Self.ping) { session.arm(Self.ping, after: interval) }
        case .fired(Self.ping):
            out.append(.ping(Self.line))
            if let interval { session.arm(Self.ping, after: interval) }
        case .wantsToSend(let message):
            if state.isOpen { out.append(.send(Self.line, from: message.cursor, upTo: message.next)) }
            out.append(.forget(below: message.next))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .closed, .failed: state.isOpen = false
        default: break
        }
    }

    private func connect(_ session: inout Session, _ out: inout Outbox) {
        guard session.hasPath else { return }
        out.append(.connect(Self.line, .datagram, resuming: .fresh))
    }
}
