public import DeadzoneBase

/// A strategy that sends each message as a datagram, without retransmission. It is the simplest load for a radio, and
/// the baseline for the cost of a keepalive. With `ping`, it exchanges two empty datagrams at that interval.
public struct Datagrams: Strategy {
    public static let name = "datagram"
    public static let about = "sends each message once as a datagram; no retransmission, no confirmation"

    private static let connection = ConnectionSlot(0)
    private static let ping = TimerSlot(0)

    let interval: TimeSpan?

    public struct State: BitwiseCopyable, Sendable {
        var isOpen = false
    }

    public init(_ settings: inout SettingsReader) {
        interval = settings.span(
            "ping", in: .milliseconds(1) ... .longest, "time between two pings; default: no pings")
    }

    public var makesCalls: Bool { false }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started: connect(&session, &out)
        case .network(let change) where change.replacesDefaultPath: connect(&session, &out)
        case .opened:
            state.isOpen = true
            if let interval, !session.isArmed(Self.ping) { session.arm(Self.ping, after: interval) }
        case .fired(Self.ping):
            out.append(.ping(Self.connection))
            if let interval { session.arm(Self.ping, after: interval) }
        case .wantsToSend(let message):
            if state.isOpen { out.append(.send(Self.connection, from: message.cursor, upTo: message.next)) }
            out.append(.forget(below: message.next))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .closed, .failed: state.isOpen = false
        default: break
        }
    }

    private func connect(_ session: inout Session, _ out: inout Outbox) {
        guard session.hasPath else { return }
        out.append(.connect(Self.connection, .datagram, resuming: .fresh))
    }
}
