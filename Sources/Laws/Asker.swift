public import DeadzoneClient
public import DeadzonePrimitives
public import DeadzoneSettings

/// Asks every call at once, again on each new connection, and gives up what was not answered in time, oldest first.
public struct Asker: Strategy {
    public static let name = "asker"
    public static let about = "asks, asks again, gives up"
    let patience: TimeSpan
    let carrier: Carrier
    public init(patience: TimeSpan = .seconds(20), over carrier: Carrier = .webSocket) {
        self.patience = patience
        self.carrier = carrier
    }
    public init(_ settings: inout SettingsReader) { self.init() }

    public struct State: BitwiseCopyable, Sendable {
        var first: UInt32 = 0
        var end: UInt32 = 0
        var isOpen = false
    }
    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        let line = ConnectionSlot(0)
        switch event {
        case .started: out.append(.connect(line, carrier, resuming: .fresh))
        case .fired(TimerSlot(0)), .network: out.append(.connect(line, carrier, resuming: .fresh))
        case .opened:
            state.isOpen = true
            for call in state.first..<state.end { out.append(.call(line, call)) }
        case .closed, .failed:
            state.isOpen = false
            session.arm(TimerSlot(0), after: .seconds(1))
        case .wantsToCall(let call):
            state.end = call.index + 1
            if state.end - state.first > 20 { state.first = state.end - 20 }
            if state.isOpen { out.append(.call(line, call.index)) }
            if !session.isArmed(TimerSlot(1)) { session.arm(TimerSlot(1), after: patience) }
        case .fired(TimerSlot(1)):
            for call in state.first..<state.end { out.append(.abandon(call: call, .deadlineExceeded)) }
            state.first = state.end
        case .rejected(_, let call, let refusal): out.append(.abandon(call: call, refusal.status))
        case .writable: for call in state.first..<state.end { out.append(.call(line, call)) }
        default: break
        }
    }
}
