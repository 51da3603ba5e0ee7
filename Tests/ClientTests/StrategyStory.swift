import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing

/// A strategy that is driven by events in words. Each event gives one line: all actions, and all armed timers.
struct StrategyStory {
    private let strategy: AnyStrategy
    private let state: UnsafeMutableRawPointer
    private var session = Session(random: Dice(fixed: .usual))
    private var (messages, calls): (UInt32, UInt32) = (0, 0)

    /// Creates the strategy of this name with settings on one line, on Wi-Fi and in the foreground.
    init(_ name: String, _ settings: String) {
        var reader = SettingsReader(SettingLine(settings).setting.node, of: name)
        guard let kind = StrategyCatalog.strategies.first(where: { $0.name == name }) else { fatalError("no \(name)") }
        strategy = kind.make(&reader)
        reader.finish()
        #expect(reader.faults.sorted.map(\.message) == [], "\(settings)")
        state = .allocate(byteCount: strategy.stateSize, alignment: strategy.stateAlignment)
        strategy.initialize(state)
        session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
    }

    func end() { state.deallocate() }

    private mutating func handle(_ event: Event) -> [Action] {
        var outbox = Outbox()
        strategy.handle(event, state, &session, &outbox)
        let actions = (0..<outbox.count).map { outbox[$0] }
        for action in actions {
            switch action {
            case .deliver(let cursor): session.cursor = max(session.cursor, cursor)
            case .persist(let cursor): (session.persisted, session.persistedAt) = (cursor, session.now)
            case .forget(let cursor): session.forgotten = max(session.forgotten, cursor)
            case .storeOutgoing(let cursor): session.storedOutgoing = cursor
            default: break
            }
        }
        return actions
    }

    /// Performs an event such as `received 4`, `wait 3`, or `@1 closed reset` for the other connection.
    mutating func perform(_ text: String) -> String {
        var words = text.split(separator: " ").map(String.init)
        var slot = ConnectionSlot(0)
        if words[0].hasPrefix("@") { slot = ConnectionSlot(UInt8(words.removeFirst().dropFirst()) ?? 0) }
        let actions = words[0] == "wait" ? wait(Int64(words[1]) ?? 0) : handle(event(words, slot))
        return (actions.map(\.brief) + timers).joined(separator: ", ")
    }

    private mutating func wait(_ seconds: Int64) -> [Action] {
        let end = session.now + .seconds(seconds)
        var actions: [Action] = []
        while case let (at, slot) = session.timers.earliest, at <= end {
            session.now = at
            session.disarm(slot)
            actions += handle(.fired(slot))
        }
        session.now = end
        return actions
    }

    private var timers: [String] {
        (0..<UInt8(TimerSlot.count)).map(TimerSlot.init).filter { session.isArmed($0) }.map { slot in
            let timer = session.timers[slot]
            let options = [
                timer.clock == .elapsed ? "" : " \(timer.clock)", timer.wake == .none ? "" : " \(timer.wake)",
            ]
            return "t\(slot.index) at \(SettingFields.text(timer.at - Instant.zero))" + options.joined()
        }
    }

    private mutating func event(_ words: [String], _ slot: ConnectionSlot) -> Event {
        func number(_ index: Int) -> UInt32 { words.count > index ? UInt32(words[index]) ?? 0 : 0 }
        func cursor(_ index: Int) -> Cursor { Cursor(number(index)) }
        func seconds(_ index: Int) -> TimeSpan { .seconds(Int64(number(index))) }
        func word<Value: CaseNamed>(_ values: [Value]) -> Value {
            values.first { "\($0)" == words[1] } ?? values[0]
        }
        switch words[0] {
        case "started":
            // Every process but the first begins without state and without alarms.
            strategy.initialize(state)
            session.restart(keepsAlarms: false)
            return .started
        case "opened": return .opened(slot, resumedAt: cursor(1))
        case "responded": return .serverResponded(slot)
        case "failed":
            return .failed(slot, word([.noPath, .timedOut, .refused, .unresolved, .untrusted, .sessionRefused]))
        case "refused":
            let after = words.count > 2 ? seconds(2) : nil
            return .sessionRefused(slot, SessionRefusal(isPermanent: words[1] == "forever", retryAfter: after))
        case "closed": return .closed(slot, word([.pathLost, .timedOut, .reset, .ended, .denied, .completed]))
        case "received": return .received(slot, upTo: cursor(1), bytes: 10)
        case "acked":
            session.acknowledged = cursor(1)
            return .acknowledged(slot, cursor(1))
        case "answered": return .answered(slot, call: number(1))
        case "rejected":
            let status = CallFailure.allCases.first { words.contains("\($0)") } ?? .unavailable
            return .rejected(
                slot, call: number(1),
                CallRefusal(
                    status, pushback: words.contains("stop") ? .stop : .none, isCommitted: words.contains("committed"),
                    isUnprocessed: words.contains("unprocessed"), isConnectionDraining: words.contains("draining")))
        case "pong": return .pong(slot, after: seconds(1))
        case "heartbeat": return .heartbeat(slot, every: seconds(1))
        case "goaway": return .goingAway(slot, words.count > 1 ? .tooManyPings : .noError)
        case "stalled": return .stalled(slot)
        case "writable": return .writable(slot)
        case "greeted":
            return .resumeResponse(
                slot,
                ResumeResponse(
                    sent: cursor(1), received: .start, next: cursor(2), bringsSnapshot: words.contains("snapshot")))
        default: return phoneEvent(words, number(1))
        }
    }

    private mutating func phoneEvent(_ words: [String], _ number: UInt32) -> Event {
        switch words[0] {
        case "push": return .pushWoken
        case "send":
            messages += 1
            session.produced = Cursor(messages)
            return .wantsToSend(Message(index: messages - 1, bytes: number))
        case "call":
            calls += 1
            return .wantsToCall(Message(index: calls - 1, bytes: 100))
        case "wifi", "cellular", "offline":
            let path: Interface? = words[0] == "wifi" ? .wifi : words[0] == "cellular" ? .cellular : nil
            let kind = NetworkChange.NetworkEventKind.allCases.first { words.contains("\($0)") } ?? .available
            session.network = NetworkView(
                path: path, handle: UInt16(number), isValidated: !words.contains("unvalidated"))
            session.network.isBlocked = words.contains("blocked")
            return .network(
                NetworkChange(
                    kind, of: path ?? .wifi, handle: UInt16(number), now: path,
                    replacesDefaultPath: kind == .available))
        case "background", "foreground":
            session.isForeground = words[0] == "foreground"
            session.canBePushed = words.contains("pushable")
            return .app(session.isForeground ? .foreground : .background)
        case "saver":
            session.isBatterySaverOn.toggle()
            return .app(.batterySaver)
        case "expiring": return .app(.expiring)
        case "refresh": return .app(.refresh)
        default: fatalError("no event \(words)")
        }
    }
}

/// An enumeration with cases that are found by name.
protocol CaseNamed: Equatable {}
extension ConnectFailure: CaseNamed {}
extension CloseReason: CaseNamed {}

extension Action {
    /// The action in a few words.
    fileprivate var brief: String {
        switch self {
        case .connect(let slot, let transport, let resuming):
            let timeout = transport.userTimeout.map { " user-timeout \(SettingFields.text($0))" } ?? ""
            let request: String =
                switch resuming {
                case .fresh: "fresh"
                case .from(let cursor): "from \(cursor.position)"
                case .snapshot: "snapshot"
                }
            return "connect \(slot.index) \(transport.kind) \(transport.security) \(request)" + timeout
        case .close(let slot): return "close \(slot.index)"
        case .closeGracefully(let slot): return "end \(slot.index)"
        case .send(let slot, let from, let upTo): return "send \(slot.index) \(from.position)..<\(upTo.position)"
        case .sendAgain(let slot, let from, _): return "again \(slot.index) \(from.position)"
        case .giveUp(let cursor): return "give up \(cursor.position)"
        case .abandonUpload(let cursor): return "upload anew \(cursor.position)"
        case .join(let slot, let streams): return "join \(streams.bits) on \(slot.index)"
        case .askOffset(let slot): return "offset? \(slot.index)"
        case .resumeMessage(let slot, let cursor, let chunk):
            return "rest \(slot.index) \(cursor.position) by \(chunk)"
        case .call(let slot, let call): return "call \(slot.index) #\(call)"
        case .abandon(let call, let failure): return "abandon #\(call) \(failure)"
        case .ping(let slot): return "ping \(slot.index)"
        case .migrate(let slot): return "migrate \(slot.index)"
        case .deliver(let cursor): return "deliver <\(cursor.position)"
        case .forget(let cursor): return "forget <\(cursor.position)"
        case .persist(let cursor): return "persist <\(cursor.position)"
        case .storeOutgoing(let cursor): return "store <\(cursor.position)"
        case .stayAwake(let isAwake): return isAwake ? "awake" : "sleep"
        case .registerPushToken: return "register push token"
        case .crash: return "crash"
        case .abandonConsumer: return "abandon consumer"
        case .acknowledge(let slot, let cursor): return "acknowledge \(slot.index) <\(cursor.position)"
        case .resync(let slot): return "resync \(slot.index)"
        case .deliverAgain(let from, let upTo): return "again \(from.position)..<\(upTo.position)"
        case .discard(let from, let upTo): return "discard \(from.position)..<\(upTo.position)"
        case .refuse(let from, let upTo): return "refuse \(from.position)..<\(upTo.position)"
        case .evict(let cursor): return "evict <\(cursor.position)"
        case .requestMessages(let count): return "request \(count)"
        case .wrote(let pending): return "wrote, \(pending) pending"
        case .calledBack(let count): return "called back \(count)"
        case .markGap(let direction): return "gap \(direction.name)"
        case .exchange(let slot, let message, _): return "exchange \(slot.index) \(message.position)"
        case .select(let slot): return "select \(slot.index)"
        case .abandonExchange(let slot, let end): return "abandon exchange \(slot.index) <\(end.position)"
        case .handshake(let slot, let flight, let isResumed):
            return "flight \(flight) \(slot.index)" + (isResumed ? " resumed" : "")
        case .refreshCredentials(let byUser, _): return byUser ? "login" : "refresh"
        }
    }
}
