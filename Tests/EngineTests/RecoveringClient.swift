import DeadzoneBase
import DeadzoneClient

/// Client that recovers from everything. It pings every five seconds. It reconnects ten seconds after a ping without an
/// answer, one second after each end, on every new network, and after an attempt of twenty seconds. It resumes at its
/// cursors and sends open calls again.
struct RecoveringClient: Strategy {
    static let name = "reviver"
    static let about = "never gives up"
    private static let connection = ConnectionSlot(0)
    private static let heartbeat = TimerSlot(0)
    private static let reply = TimerSlot(1)
    private static let retry = TimerSlot(2)
    private static let attempt = TimerSlot(3)

    let carrier: Transport
    let migrates: Bool

    init(_ carrier: Transport, migrates: Bool = false) {
        self.carrier = carrier
        self.migrates = migrates
    }

    init(_ settings: inout SettingsReader) { self.init(.webSocket) }

    struct State: BitwiseCopyable, Sendable {
        var isOpen = false
        /// Bit sets of the last 64 calls: open calls, and calls sent on this connection. Bit n is the call with
        /// index n modulo 64.
        var openCalls: UInt64 = 0
        var sentCalls: UInt64 = 0
        var lastCall: UInt32 = 0
    }

    func initialState() -> State { State() }

    func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired(Self.retry), .fired(Self.attempt), .fired(Self.reply): connect(&state, &session, &out)
        case .network(let change) where change.replacesDefaultPath:
            if migrates && state.isOpen {
                out.append(.migrate(Self.connection))
            } else {
                connect(&state, &session, &out)
            }
        case .opened:
            session.disarm(Self.attempt)
            state.isOpen = true
            session.arm(Self.heartbeat, after: .seconds(5))
            if session.acknowledged < session.produced {
                out.append(.send(Self.connection, from: session.acknowledged, upTo: session.produced))
            }
            sendCalls(&state, &out)
        case .fired(Self.heartbeat):
            out.append(.ping(Self.connection))
            session.arm(Self.heartbeat, after: .seconds(5))
            if !session.isArmed(Self.reply) { session.arm(Self.reply, after: .seconds(10)) }
            sendCalls(&state, &out)
        case .pong: session.disarm(Self.reply)
        case .closed, .failed:
            state.isOpen = false
            session.disarmAll()
            session.arm(Self.retry, after: .seconds(1))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .wantsToSend(let message):
            if state.isOpen { out.append(.send(Self.connection, from: message.cursor, upTo: message.next)) }
        case .wantsToCall(let call):
            state.lastCall = call.index
            state.openCalls |= Self.bit(call.index)
            state.sentCalls &= ~Self.bit(call.index)
            if state.isOpen { sendCalls(&state, &out) }
        case .answered(_, let call):
            state.openCalls &= ~Self.bit(call)
            if state.isOpen { sendCalls(&state, &out) }
        default: break
        }
    }

    private func connect(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state.isOpen = false
        state.sentCalls = 0
        session.disarmAll()
        session.arm(Self.attempt, after: .seconds(20))
        out.append(.connect(Self.connection, carrier, resuming: .from(session.cursor)))
    }

    /// Sends a few open calls at a time, oldest first.
    private func sendCalls(_ state: inout State, _ out: inout Outbox) {
        var room = 8
        for back in (0..<min(state.lastCall + 1, 64)).reversed() where room > 0 {
            let call = state.lastCall - back
            guard state.openCalls & ~state.sentCalls & Self.bit(call) != 0 else { continue }
            state.sentCalls |= Self.bit(call)
            out.append(.call(Self.connection, call))
            room -= 1
        }
    }

    private static func bit(_ call: UInt32) -> UInt64 { 1 << UInt64(call % 64) }
}

/// Keeps one connection and sends every call as soon as it is due; no pings.
struct CallsAtOnce: Strategy {
    static let name = "calls-at-once"
    static let about = "asks and waits"
    let carrier: Transport

    init(_ kind: Transport.TransportKind = .webSocket) { carrier = Transport(kind) }
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
