public import DeadzoneClient
public import DeadzonePrimitives
public import DeadzoneSettings

/// One connection on a carrier, perhaps pings, perhaps moves to the network that takes over; never connects twice.
public struct Rider: Strategy {
    public static let name = "rider"
    public static let about = "rides one connection to its end"

    let carrier: Carrier
    let ping: TimeSpan?
    let moves: Bool

    public init(_ carrier: Carrier, ping: TimeSpan? = nil, moves: Bool = false) {
        self.carrier = carrier
        self.ping = ping
        self.moves = moves
    }

    public init(_ settings: inout SettingsReader) { self.init(.webSocket) }

    public func initialState() -> UInt8 { 0 }

    public func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        let line = ConnectionSlot(0)
        switch event {
        case .started:
            out.append(.connect(line, carrier, resuming: .from(session.cursor)))
            if let ping { session.arm(TimerSlot(0), after: ping) }
        case .fired:
            out.append(.ping(line))
            if let ping { session.arm(TimerSlot(0), after: ping) }
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .wantsToSend(let message): out.append(.send(line, from: message.cursor, upTo: message.next))
        case .network(let change) where change.replacesDefaultPath && moves: out.append(.migrate(line))
        default: break
        }
    }
}
