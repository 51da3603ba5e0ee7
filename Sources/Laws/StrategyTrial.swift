public import DeadzoneClient
public import DeadzonePrimitives

/// A phone, a network and a server that only ever do what the engine may do, and hold a client to the laws of strategies. The
/// test is the world: nothing happens but what `meet` says.
public final class StrategyTrial {
    public enum Belief: Sendable { case closed, opening, open }

    struct Connection {
        var belief = Belief.closed
        /// Nothing passes on it any more.
        var isSilent = false
        /// Everything of the app's below it was handed to this connection.
        var handed = Cursor.start
    }

    let strategy: AnyStrategy
    /// Timers that may be armed only while there is a connection or an attempt.
    let connectionTimers: [TimerSlot]
    var session: Session
    var connections = [Connection(), Connection()]
    var unanswered: [UInt32] = []
    /// A sentence for each law that did not hold, in order.
    public private(set) var broken: [String] = []
    /// Attempts that the client made.
    public private(set) var attempts = 0
    private var shown = Cursor.start
    private var received = Cursor.start
    private var nextCall: UInt32 = 0
    private let state: UnsafeMutableRawPointer
    private let copy: UnsafeMutableRawPointer
    private var hasCrashed = false

    public init(_ strategy: AnyStrategy, connectionTimers: [TimerSlot] = [], seed: UInt64) {
        self.strategy = strategy
        self.connectionTimers = connectionTimers
        session = Session(random: Dice(seed: seed, phone: PhoneID(0), purpose: .strategy))
        session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
        state = .allocate(byteCount: max(strategy.stateSize, 1), alignment: max(strategy.stateAlignment, 1))
        copy = .allocate(byteCount: max(strategy.stateSize, 1), alignment: max(strategy.stateAlignment, 1))
        strategy.initialize(state)
        tell(.started)
        tellOutcomes()
    }

    deinit {
        state.deallocate()
        copy.deallocate()
    }

    /// The first connection in this state.
    func line(_ belief: Belief) -> Int? { connections.firstIndex { $0.belief == belief } }

    /// Tells the client, and a copy of it, and looks at what they do.
    func tell(_ event: Event) {
        guard !hasCrashed else { return }
        var twin = session
        copy.copyMemory(from: state, byteCount: strategy.stateSize)
        var out = Outbox()
        strategy.handle(event, state, &session, &out)
        var other = Outbox()
        strategy.handle(event, copy, &twin, &other)
        if out.overflow > 0 { note("more than \(Outbox.capacity) actions", on: event) }
        if out.count != other.count || (0..<out.count).contains(where: { out[$0] != other[$0] }) {
            note("a copy does otherwise", on: event)
        }
        for index in 0..<out.count { perform(out[index], on: event) }
        guard connections.allSatisfy({ $0.belief == .closed }) else { return }
        for slot in connectionTimers where session.isArmed(slot) {
            note("timer \(slot.index) is armed without a connection", on: event)
        }
    }

    private func note(_ sentence: String, on event: Event) {
        if broken.count < 8 { broken.append("\(sentence), on \(event)") }
    }

    func note(_ sentence: String) { if broken.count < 8 { broken.append(sentence) } }

    private func perform(_ action: Action, on event: Event) {
        func expect(_ isLawful: Bool) {
            if !isLawful { note("\(action) while \(connections.map(\.belief))", on: event) }
        }
        switch action {
        case .connect(let slot, let carrier, _):
            let index = Int(slot.index)
            attempts += 1
            connections[index] = Connection(belief: .opening, handed: session.acknowledged)
            // A datagram asks nobody; without a network the answer comes at once as well.
            if carrier.kind == .datagram || !session.hasPath || session.network.isBlocked { hasty.append(slot) }
            isDatagram[index] = carrier.kind == .datagram
        case .close(let slot), .leave(let slot):
            expect(connections[Int(slot.index)].belief != .closed)
            connections[Int(slot.index)].belief = .closed
        case .send(let slot, let from, let upTo):
            expect(connections[Int(slot.index)].belief == .open && from <= upTo && upTo <= session.produced)
            // What it has struck out it has not got any more.
            expect(session.forgotten <= from)
            connections[Int(slot.index)].handed = max(connections[Int(slot.index)].handed, upTo)
        case .call(let slot, let call):
            expect(connections[Int(slot.index)].belief == .open && unanswered.contains(call))
        case .ping(let slot), .migrate(let slot): expect(connections[Int(slot.index)].belief == .open)
        case .abandon(let call, _):
            expect(unanswered.contains(call))
            unanswered.removeAll { $0 == call }
        case .deliver(let cursor):
            expect(shown <= cursor)
            shown = cursor
            session.cursor = cursor
        case .persist(let cursor):
            expect(session.persisted <= cursor && cursor <= shown)
            session.persisted = cursor
        case .keep(let cursor):
            expect(cursor <= session.produced)
            session.kept = max(session.kept, cursor)
        case .crash:
            note("the app ends itself", on: event)
            hasCrashed = true
        case .acknowledge(let slot, let cursor):
            expect(connections[Int(slot.index)].belief == .open && cursor <= received)
        case .resync(let slot): expect(connections[Int(slot.index)].belief == .open)
        case .deliverAgain(let from, let upTo): expect(from < upTo && upTo <= shown)
        case .discard(let from, let upTo):
            expect(from < upTo && shown <= from)
            shown = upTo
            session.cursor = upTo
        case .refuse(let from, let upTo): expect(from < upTo && upTo <= session.produced)
        case .forget(let cursor), .evict(let cursor):
            expect(cursor <= session.produced)
            session.forgotten = max(session.forgotten, cursor)
        case .markGap, .stayAwake, .ask, .wrote, .calledBack: break
        }
    }

    /// Attempts whose outcome is known as soon as they are made, and whose owner has yet to be told.
    private var hasty: [ConnectionSlot] = []
    private var isDatagram = [false, false]
    /// More outcomes than that without a moment between them are a circle.
    private static let mostOutcomes = 100

    private func tellOutcomes() {
        var told = 0
        while !hasty.isEmpty, broken.isEmpty {
            let slot = hasty.removeFirst()
            guard connections[Int(slot.index)].belief == .opening else { continue }
            told += 1
            if told > Self.mostOutcomes { return note("attempts without end and without time") }
            if session.hasPath && !session.network.isBlocked && isDatagram[Int(slot.index)] {
                connections[Int(slot.index)].belief = .open
                tell(.opened(slot, resumedAt: session.cursor))
            } else {
                connections[Int(slot.index)].belief = .closed
                tell(.failed(slot, .noPath))
            }
        }
    }
}

// MARK: What happens

extension StrategyTrial {
    public func meet(_ upheaval: Upheaval, handle: UInt16 = 2) {
        switch upheaval {
        case .sends:
            let index = session.produced.position
            session.produced = Cursor(index + 1)
            tell(.wantsToSend(Message(index: index, bytes: 100)))
        case .calls:
            unanswered.append(nextCall)
            nextCall += 1
            tell(.wantsToCall(Message(index: nextCall - 1, bytes: 100)))
        case .background, .foreground:
            guard session.isForeground != (upheaval == .foreground) else { return }
            session.isForeground = upheaval == .foreground
            tell(.app(upheaval == .foreground ? .foreground : .background))
        case .expiring: if !session.isForeground { tell(.app(.expiring)) }
        case .refresh: if !session.isForeground { tell(.app(.refresh)) }
        case .push: tell(.pushWoken)
        case .clockSet: session.wallShift += .minutes(7)
        case .kill: restart()
        case .moment: pass(.milliseconds(100))
        case .second: pass(.seconds(1))
        case .minute: pass(.minutes(1))
        case .hour: pass(.hours(1))
        case .sleep:
            session.now += .minutes(10)
            session.slept += .minutes(10)
            pass(.zero)
        case .toWifi, .toCellular, .toNone, .again, .losing, .validated, .unvalidated, .blocked, .unblocked,
            .capabilities:
            meetNetwork(upheaval, handle)
        default: meetServer(upheaval)
        }
        tellOutcomes()
    }

    /// The process ends, and another begins with what was persisted.
    private func restart() {
        for index in connections.indices { connections[index].belief = .closed }
        unanswered = []
        session.restart(keepsAlarms: true)
        shown = session.cursor
        strategy.initialize(state)
        tell(.started)
    }

    private func meetServer(_ upheaval: Upheaval) {
        let (opening, open) = (line(.opening), line(.open))
        let slot = ConnectionSlot(UInt8(upheaval == .opens || upheaval == .fails ? opening ?? 0 : open ?? 0))
        let talks = open.map { !connections[$0].isSilent } ?? false
        switch upheaval {
        case .opens where opening != nil && session.hasPath:
            connections[Int(slot.index)].belief = .open
            tell(.opened(slot, resumedAt: session.cursor))
            if connections[Int(slot.index)].belief == .open { tell(.greeted(slot)) }
        case .fails where opening != nil:
            connections[Int(slot.index)].belief = .closed
            tell(.failed(slot, session.hasPath ? .timedOut : .noPath))
        case .closes where open != nil: end(slot, .reset)
        case .serverRestarts:
            for index in connections.indices where connections[index].belief == .open {
                end(ConnectionSlot(UInt8(index)), .reset)
            }
        case .silence:
            for index in connections.indices where connections[index].belief == .open {
                connections[index].isSilent = true
            }
        case .receives where talks:
            received = max(received, Cursor(session.cursor.position + 1))
            tell(.received(slot, upTo: Cursor(session.cursor.position + 1), bytes: 100))
        case .confirms where talks:
            guard session.acknowledged < connections[Int(slot.index)].handed else { return }
            session.acknowledged = connections[Int(slot.index)].handed
            tell(.acknowledged(slot, session.acknowledged))
        case .answers where talks: if let call = unanswered.popLast() { tell(.answered(slot, call: call)) }
        case .pongs where talks: tell(.pong(slot, after: .milliseconds(60)))
        case .goesAway where talks: tell(.goingAway(slot, .tooManyPings))
        case .stalls where open != nil: tell(.stalled(slot))
        case .writes where open != nil: tell(.writable(slot))
        default: break
        }
    }

    private func end(_ slot: ConnectionSlot, _ reason: CloseReason) {
        connections[Int(slot.index)].belief = .closed
        tell(.closed(slot, reason))
    }

    private func meetNetwork(_ upheaval: Upheaval, _ handle: UInt16) {
        var kind = NetworkChange.Kind.available
        let before = session.path
        switch upheaval {
        case .toWifi: session.network = NetworkView(path: .wifi, handle: handle)
        case .toCellular: session.network = NetworkView(path: .cellular, handle: handle)
        case .toNone: (kind, session.network) = (.lost, NetworkView())
        case .validated, .unvalidated:
            kind = upheaval == .validated ? .validated : .unvalidated
            session.network.isValidated = upheaval == .validated
        case .blocked, .unblocked:
            kind = upheaval == .blocked ? .blocked : .unblocked
            session.network.isBlocked = upheaval == .blocked
        case .losing: kind = .losing
        case .capabilities: kind = .capabilities
        default: break
        }
        let network = session.network
        tell(
            .network(
                NetworkChange(
                    kind, of: network.path ?? before ?? .wifi, handle: network.handle, now: network.path,
                    replacesDefaultPath: kind == .available && network.path != nil)))
    }

    /// Lets time go on with the processor awake; timers fire by their own clocks.
    private func pass(_ span: TimeSpan) {
        let end = session.now + span
        var fired = 0
        while let (at, slot) = earliest, at <= end, broken.isEmpty {
            session.now = max(session.now, at)
            session.disarm(slot)
            tell(.fired(slot))
            tellOutcomes()
            fired += 1
            if fired > Self.mostTimers { return note("more than \(Self.mostTimers) timers in \(span)") }
        }
        session.now = end
    }

    /// An hour of pings at 100 ms.
    private static let mostTimers = 36_000

    private var earliest: (Instant, TimerSlot)? {
        var best: (Instant, TimerSlot)?
        for index in 0..<UInt8(TimerSlot.count) {
            let slot = TimerSlot(index)
            let wish = session.timers[slot]
            guard wish.at != .never else { continue }
            let at = session.now + (wish.at - session.now(wish.clock))
            if best.map({ at < $0.0 }) ?? true { best = (at, slot) }
        }
        return best
    }

    /// A good network, the app in front, a server that answers everything: within the patience the client is connected, and
    /// then it stays so.
    public func heal(within patience: TimeSpan) {
        meet(.foreground)
        for upheaval in [Upheaval.unblocked, .toWifi, .validated] { meet(upheaval, handle: 900) }
        // A kernel finds a dead peer in the end, whatever the client does.
        for index in connections.indices where connections[index].isSilent && connections[index].belief == .open {
            end(ConnectionSlot(UInt8(index)), .timedOut)
        }
        var waited = TimeSpan.zero
        var calm = TimeSpan.zero
        while waited < patience && calm < .minutes(1) && broken.isEmpty {
            let before = attempts
            for upheaval in [Upheaval.opens, .writes, .pongs, .confirms] { meet(upheaval) }
            while line(.open).map({ !connections[$0].isSilent }) == true && !unanswered.isEmpty { meet(.answers) }
            meet(.second)
            waited += .seconds(1)
            let isWell = attempts == before && line(.open).map { !connections[$0].isSilent } == true
            calm = isWell ? calm + .seconds(1) : .zero
        }
        if calm < .minutes(1) && broken.isEmpty {
            note("not connected for a minute, \(patience) after all is well: \(connections.map(\.belief))")
        }
    }
}
