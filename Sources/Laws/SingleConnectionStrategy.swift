package import DeadzoneBase
package import DeadzoneClient

/// A client strategy for tests with a single connection that is never replaced. It optionally sends pings and
/// optionally migrates to the new default network.
package struct SingleConnectionStrategy: Strategy {
    package static let name = "rider"
    package static let about = "rides one connection to its end"

    let carrier: Transport
    let ping: TimeSpan?
    package let migrates: Bool

    package init(_ carrier: Transport, ping: TimeSpan? = nil, migrates: Bool = false) {
        self.carrier = carrier
        self.ping = ping
        self.migrates = migrates
    }

    package init(_ settings: inout SettingsReader) { self.init(.webSocket) }

    package func initialState() -> UInt8 { 0 }

    package func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        let connection = ConnectionSlot(0)
        switch event {
        case .started:
            out.append(.connect(connection, carrier, resuming: .from(session.cursor)))
            if let ping { session.arm(TimerSlot(0), after: ping) }
        case .fired:
            out.append(.ping(connection))
            if let ping { session.arm(TimerSlot(0), after: ping) }
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .wantsToSend(let message): out.append(.send(connection, from: message.cursor, upTo: message.next))
        case .network(let change) where change.replacesDefaultPath && migrates: out.append(.migrate(connection))
        default: break
        }
    }
}
