import DeadzoneClient
import DeadzonePrimitives
import DeadzoneSettings

/// Does what it takes: pings every five seconds, connects again ten seconds after a ping without an answer, a second after each
/// end, on every other network, and after an attempt of twenty; goes on at its cursors, and asks open calls again.
struct Reviver: Strategy {
    static let name = "reviver"
    static let about = "never gives up"
    private static let line = ConnectionSlot(0)
    private static let beat = TimerSlot(0)
    private static let reply = TimerSlot(1)
    private static let retry = TimerSlot(2)
    private static let attempt = TimerSlot(3)

    let carrier: Carrier
    let moves: Bool

    init(_ carrier: Carrier, moves: Bool = false) {
        self.carrier = carrier
        self.moves = moves
    }

    init(_ settings: inout SettingsReader) { self.init(.webSocket) }

    struct State: BitwiseCopyable, Sendable {
        var isOpen = false
        /// The last 64 calls: open, and asked on this connection. Bit n: the call whose index ends in n.
        var open: UInt64 = 0
        var asked: UInt64 = 0
        var lastCall: UInt32 = 0
    }

    func initialState() -> State { State() }

    func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired(Self.retry), .fired(Self.attempt), .fired(Self.reply): connect(&state, &session, &out)
        case .network(let change) where change.replacesDefaultPath:
            if moves && state.isOpen { out.append(.migrate(Self.line)) } else { connect(&state, &session, &out) }
        case .opened:
            session.disarm(Self.attempt)
            state.isOpen = true
            session.arm(Self.beat, after: .seconds(5))
            if session.acknowledged < session.produced {
                out.append(.send(Self.line, from: session.acknowledged, upTo: session.produced))
            }
            ask(&state, &out)
        case .fired(Self.beat):
            out.append(.ping(Self.line))
            session.arm(Self.beat, after: .seconds(5))
            if !session.isArmed(Self.reply) { session.arm(Self.reply, after: .seconds(10)) }
            ask(&state, &out)
        case .pong: session.disarm(Self.reply)
        case .closed, .failed:
            state.isOpen = false
            session.disarmAll()
            session.arm(Self.retry, after: .seconds(1))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .wantsToSend(let message):
            if state.isOpen { out.append(.send(Self.line, from: message.cursor, upTo: message.next)) }
        case .wantsToCall(let call):
            state.lastCall = call.index
            state.open |= Self.bit(call.index)
            state.asked &= ~Self.bit(call.index)
            if state.isOpen { ask(&state, &out) }
        case .answered(_, let call):
            state.open &= ~Self.bit(call)
            if state.isOpen { ask(&state, &out) }
        default: break
        }
    }

    private func connect(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state.isOpen = false
        state.asked = 0
        session.disarmAll()
        session.arm(Self.attempt, after: .seconds(20))
        out.append(.connect(Self.line, carrier, resuming: .from(session.cursor)))
    }

    /// A few at a time, oldest first.
    private func ask(_ state: inout State, _ out: inout Outbox) {
        var room = 8
        for back in (0..<min(state.lastCall + 1, 64)).reversed() where room > 0 {
            let call = state.lastCall - back
            guard state.open & ~state.asked & Self.bit(call) != 0 else { continue }
            state.asked |= Self.bit(call)
            out.append(.call(Self.line, call))
            room -= 1
        }
    }

    private static func bit(_ call: UInt32) -> UInt64 { 1 << UInt64(call % 64) }
}

/// One connection, on which every call is asked as soon as it comes up; no pings.
struct CallsAtOnce: Strategy {
    static let name = "calls-at-once"
    static let about = "asks and waits"
    let carrier: Carrier

    init(_ kind: Carrier.Kind = .webSocket) { carrier = Carrier(kind) }
    init(_ settings: inout SettingsReader) { self.init() }

    func initialState() -> UInt8 { 0 }

    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started: out.append(.connect(ConnectionSlot(0), carrier, resuming: .fresh))
        case .wantsToCall(let call): out.append(.call(ConnectionSlot(0), call.index))
        default: break
        }
    }
}
