import DeadzoneBase
package import DeadzoneClient

/// A simple test environment for one client strategy that checks it against invariants. It consists of phone, network
/// and server, and does only what the engine may do. Events happen only through `apply`.
package final class StrategyTrial {
    package enum ClientConnectionState: Sendable { case closed, opening, open }

    struct TrialConnection {
        var clientState = ClientConnectionState.closed
        /// `true` if no data passes on the connection any more.
        var isSilent = false
        /// Cursor up to which the app's messages were passed to this connection.
        var submitted = Cursor.start
        /// Reason why the connection is closed, as a subordinate clause.
        var closedBecause = "which was never opened"
        /// Time at which the attempt began that has no outcome yet.
        var attemptedAt: Instant?
        /// Time of the first ping that the server has not answered by any sign of life.
        var pingedAt: Instant?

        mutating func end(_ because: String) {
            clientState = .closed
            closedBecause = because
            (attemptedAt, pingedAt) = (nil, nil)
        }
    }

    let strategy: AnyStrategy
    /// Timers that may be armed only while there is a connection or an attempt.
    let connectionTimers: [TimerSlot]
    var session: Session
    var connections = [TrialConnection(), TrialConnection()]
    var unanswered: [UInt32] = []
    /// The broken invariants, one sentence each, in order of time.
    package private(set) var broken: [String] = []
    /// Number of connection attempts of the client.
    package internal(set) var attempts = 0
    var shown = Cursor.start
    var received = Cursor.start
    private var nextCall: UInt32 = 0
    private let state: UnsafeMutableRawPointer
    private let stateCopy: UnsafeMutableRawPointer
    var hasCrashed = false

    package init(_ strategy: AnyStrategy, connectionTimers: [TimerSlot] = [], seed: UInt64) {
        self.strategy = strategy
        self.connectionTimers = connectionTimers
        session = Session(random: Dice(seed: seed, phone: PhoneID(0), purpose: .strategy))
        session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
        state = .allocate(byteCount: max(strategy.stateSize, 1), alignment: max(strategy.stateAlignment, 1))
        stateCopy = .allocate(byteCount: max(strategy.stateSize, 1), alignment: max(strategy.stateAlignment, 1))
        strategy.initialize(state)
        notify(.started)
        deliverImmediateOutcomes()
    }

    deinit {
        state.deallocate()
        stateCopy.deallocate()
    }

    /// Index of the first connection in this state.
    func connectionIndex(_ clientState: ClientConnectionState) -> Int? {
        connections.firstIndex { $0.clientState == clientState }
    }

    /// Sends the event to the client and to a copy of it, and checks and applies the resulting actions.
    func notify(_ event: Event) {
        guard !hasCrashed else { return }
        var sessionCopy = session
        stateCopy.copyMemory(from: state, byteCount: strategy.stateSize)
        var out = Outbox()
        strategy.handle(event, state, &session, &out)
        var other = Outbox()
        strategy.handle(event, stateCopy, &sessionCopy, &other)
        if out.overflow > 0 { note("the strategy requested more than \(Outbox.capacity) actions", event) }
        if out.count != other.count || (0..<out.count).contains(where: { out[$0] != other[$0] }) {
            note("a copy of the strategy's state behaves differently", event)
        }
        for index in 0..<out.count { perform(out[index], on: event) }
        guard connections.allSatisfy({ $0.clientState == .closed }) else { return }
        for slot in connectionTimers where session.isArmed(slot) {
            note("timer \(slot.index) is armed without a connection", event)
        }
    }

    /// Notes a broken law as a sentence: "at 600 s the strategy pinged connection 0, which it had closed".
    func note(_ sentence: String, _ event: Event? = nil) {
        guard broken.count < 8 else { return }
        broken.append("at \(session.now.secondsText) \(sentence)" + (event.map { ", \($0.words)" } ?? ""))
    }

    /// Attempts with a known outcome that was not yet reported to the client.
    var immediateOutcomes: [ConnectionSlot] = []
    var isDatagram = [false, false]
    /// Maximum number of outcomes at one instant. More of them indicate an endless loop.
    private static let maxImmediateOutcomes = 100

    private func deliverImmediateOutcomes() {
        var delivered = 0
        while !immediateOutcomes.isEmpty, broken.isEmpty {
            let slot = immediateOutcomes.removeFirst()
            guard connections[Int(slot.index)].clientState == .opening else { continue }
            delivered += 1
            if delivered > Self.maxImmediateOutcomes { return note("the strategy connected again and again") }
            if session.hasPath && !session.network.isBlocked && isDatagram[Int(slot.index)] {
                reportOpened(slot)
            } else {
                reportFailed(slot, .noPath)
            }
        }
    }
}

// MARK: What happens

extension StrategyTrial {
    package func apply(_ trialEvent: TrialEvent, handle: UInt16 = 2) {
        switch trialEvent {
        case .sends:
            let index = session.produced.position
            session.produced = Cursor(index + 1)
            notify(.wantsToSend(Message(index: index, bytes: 100)))
        case .calls:
            unanswered.append(nextCall)
            nextCall += 1
            notify(.wantsToCall(Message(index: nextCall - 1, bytes: 100)))
        case .background, .foreground:
            guard session.isForeground != (trialEvent == .foreground) else { return }
            session.isForeground = trialEvent == .foreground
            notify(.app(trialEvent == .foreground ? .foreground : .background))
        case .expiring: if !session.isForeground { notify(.app(.expiring)) }
        case .refresh: if !session.isForeground { notify(.app(.refresh)) }
        case .push: notify(.pushWoken)
        case .clockSet: session.wallShift += .minutes(7)
        case .kill: restart()
        case .moment: advance(.milliseconds(100))
        case .second: advance(.seconds(1))
        case .minute: advance(.minutes(1))
        case .hour: advance(.hours(1))
        case .sleep:
            session.now += .minutes(10)
            session.slept += .minutes(10)
            advance(.zero)
        case .toWifi, .toCellular, .toNone, .again, .losing, .validated, .unvalidated, .blocked, .unblocked,
            .capabilities:
            applyNetworkEvent(trialEvent, handle)
        default: applyServerEvent(trialEvent)
        }
        deliverImmediateOutcomes()
    }

    /// Ends the process and starts a new one with the persisted state.
    private func restart() {
        for index in connections.indices { connections[index].end("which ended with the app's process") }
        unanswered = []
        session.restart(keepsAlarms: true)
        shown = session.cursor
        strategy.initialize(state)
        notify(.started)
    }

    private func applyServerEvent(_ trialEvent: TrialEvent) {
        let (opening, open) = (connectionIndex(.opening), connectionIndex(.open))
        let slot = ConnectionSlot(UInt8(trialEvent == .opens || trialEvent == .fails ? opening ?? 0 : open ?? 0))
        let isServing = open.map { !connections[$0].isSilent } ?? false
        if let open, isServing, TrialEvent.signsOfLife.contains(trialEvent) { connections[open].pingedAt = nil }
        switch trialEvent {
        case .opens where opening != nil && session.hasPath:
            reportOpened(slot)
            if connections[Int(slot.index)].clientState == .open { notify(.serverResponded(slot)) }
        case .fails where opening != nil: reportFailed(slot, session.hasPath ? .timedOut : .noPath)
        case .closes where open != nil: end(slot, .reset)
        case .serverRestarts:
            for index in connections.indices where connections[index].clientState == .open {
                end(ConnectionSlot(UInt8(index)), .reset)
            }
        case .silence:
            for index in connections.indices where connections[index].clientState == .open {
                connections[index].isSilent = true
            }
        case .receives where isServing:
            received = max(received, Cursor(session.cursor.position + 1))
            notify(.received(slot, upTo: Cursor(session.cursor.position + 1), bytes: 100))
        case .confirms where isServing:
            guard session.acknowledged < connections[Int(slot.index)].submitted else { return }
            session.acknowledged = connections[Int(slot.index)].submitted
            notify(.acknowledged(slot, session.acknowledged))
        case .answers where isServing: if let call = unanswered.popLast() { notify(.answered(slot, call: call)) }
        case .pongs where isServing: notify(.pong(slot, after: .milliseconds(60)))
        case .goesAway where isServing: notify(.goingAway(slot, .tooManyPings))
        case .stalls where open != nil: notify(.stalled(slot))
        case .writes where open != nil: notify(.writable(slot))
        default: break
        }
    }

    private func reportOpened(_ slot: ConnectionSlot) {
        connections[Int(slot.index)].clientState = .open
        connections[Int(slot.index)].attemptedAt = nil
        notify(.opened(slot, resumedAt: session.cursor))
    }

    private func reportFailed(_ slot: ConnectionSlot, _ failure: ConnectFailure) {
        connections[Int(slot.index)].end("whose attempt had failed")
        notify(.failed(slot, failure))
    }

    func end(_ slot: ConnectionSlot, _ reason: CloseReason) {
        connections[Int(slot.index)].end("which had ended: \(reason.words)")
        notify(.closed(slot, reason))
    }

    private func applyNetworkEvent(_ trialEvent: TrialEvent, _ handle: UInt16) {
        var kind = NetworkChange.NetworkEventKind.available
        let before = session.path
        switch trialEvent {
        case .toWifi: session.network = NetworkView(path: .wifi, handle: handle)
        case .toCellular: session.network = NetworkView(path: .cellular, handle: handle)
        case .toNone: (kind, session.network) = (.lost, NetworkView())
        case .validated, .unvalidated:
            kind = trialEvent == .validated ? .validated : .unvalidated
            session.network.isValidated = trialEvent == .validated
        case .blocked, .unblocked:
            kind = trialEvent == .blocked ? .blocked : .unblocked
            session.network.isBlocked = trialEvent == .blocked
        case .losing: kind = .losing
        case .capabilities: kind = .capabilities
        default: break
        }
        let network = session.network
        notify(
            .network(
                NetworkChange(
                    kind, of: network.path ?? before ?? .wifi, handle: network.handle, now: network.path,
                    replacesDefaultPath: kind == .available && network.path != nil)))
    }

    /// Advances time with the processor awake. Timers fire by their own clocks.
    func advance(_ span: TimeSpan) {
        let end = session.now + span
        var fired = 0
        while let (at, slot) = earliest, at <= end, broken.isEmpty {
            session.now = max(session.now, at)
            session.disarm(slot)
            notify(.fired(slot))
            deliverImmediateOutcomes()
            fired += 1
            if fired > Self.maxTimersPerStep {
                return note("the strategy had more than \(Self.maxTimersPerStep) timers in \(span.secondsText)")
            }
        }
        session.now = end
    }

    /// Maximum number of timers in one step: an hour of pings every 100 ms.
    private static let maxTimersPerStep = 36_000

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
}
