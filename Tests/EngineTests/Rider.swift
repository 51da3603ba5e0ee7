import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneSettings

/// One connection on a carrier, perhaps pings, perhaps moves to the network that takes over; never connects twice.
struct Rider: Strategy {
    static let name = "rider"
    static let about = "rides one connection to its end"

    var carrier: Carrier
    var ping: TimeSpan?
    var moves = false

    init(_ carrier: Carrier, ping: TimeSpan? = nil, moves: Bool = false) {
        self.carrier = carrier
        self.ping = ping
        self.moves = moves
    }

    init(_ settings: inout SettingsReader) { carrier = .webSocket }

    func initialState() -> UInt8 { 0 }

    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
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

    func run(_ world: World) -> Everything {
        Simulation(world: world, strategy: AnyStrategy(self), seed: 1).everything()
    }
}

extension Everything {
    /// When records of this kind were written, in milliseconds.
    func times(_ kind: Kind) -> [Int64] {
        records.filter { $0.kind == kind }.map { $0.at.nanoseconds / 1_000_000 }
    }

    func tags(_ kind: Kind) -> [UInt16] { records.filter { $0.kind == kind }.map(\.tag) }

    /// Packets on the air in one direction for one cause.
    func packets(_ direction: Direction, _ cause: Cause) -> Int {
        records.count {
            guard $0.kind == .bytes else { return false }
            let tag = BytesTag(rawValue: $0.tag)
            return tag.direction == direction && tag.cause == cause
        }
    }
}

extension Fixture {
    /// Wi-Fi from the start.
    static func wifiWorld(_ traffic: Traffic = Traffic(), horizon: TimeSpan) -> World {
        World(
            horizon: .zero + horizon, wifi: wifi, wifiLink: link(delay: .milliseconds(20)),
            timeline: [TimelineEntry(at: .zero, .pathUp(.wifi, .plain))], traffic: traffic)
    }
}
