package import DeadzoneBase
package import DeadzoneClient

/// A client strategy for tests that sends every call at once, and again on each new connection. When the timeout fires,
/// it abandons all unanswered calls, oldest first. It tracks at most 20 calls.
package struct CallingStrategy: Strategy {
    package static let name = "asker"
    package static let about = "asks, asks again, gives up"
    let timeout: TimeSpan
    let carrier: Transport
    package init(timeout: TimeSpan = .seconds(20), over carrier: Transport = .webSocket) {
        self.timeout = timeout
        self.carrier = carrier
    }
    package init(_ settings: inout SettingsReader) { self.init() }

    package struct State: BitwiseCopyable, Sendable {
        var first: UInt32 = 0
        var end: UInt32 = 0
        var isOpen = false
    }
    package func initialState() -> State { State() }

    package func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        let connection = ConnectionSlot(0)
        switch event {
        case .started: out.append(.connect(connection, carrier, resuming: .fresh))
        case .fired(TimerSlot(0)), .network: out.append(.connect(connection, carrier, resuming: .fresh))
        case .opened:
            state.isOpen = true
            for call in state.first..<state.end { out.append(.call(connection, call)) }
        case .closed, .failed:
            state.isOpen = false
            session.arm(TimerSlot(0), after: .seconds(1))
        case .wantsToCall(let call):
            state.end = call.index + 1
            if state.end - state.first > 20 { state.first = state.end - 20 }
            if state.isOpen { out.append(.call(connection, call.index)) }
            if !session.isArmed(TimerSlot(1)) { session.arm(TimerSlot(1), after: timeout) }
        case .fired(TimerSlot(1)):
            for call in state.first..<state.end { out.append(.abandon(call: call, .deadlineExceeded)) }
            state.first = state.end
        case .rejected(_, let call, let refusal): out.append(.abandon(call: call, refusal.status))
        case .writable: for call in state.first..<state.end { out.append(.call(connection, call)) }
        default: break
        }
    }
}
