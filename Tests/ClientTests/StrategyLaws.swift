import DeadzoneClient
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneTestKit

/// A phone, a network and a server that only ever do what the engine may do, and hold the client to the laws of strategies.
struct Trial {
    private(set) var lane: ManualLane<Composed>
    private(set) var belief = Belief.closed
    private(set) var broken: [String] = []
    /// What the client did, counted.
    private(set) var attempts = 0
    private(set) var actions = 0
    private var unanswered: [UInt32] = []
    private var shown = Cursor.start
    private var written = Cursor.start
    private var nextCall: UInt32 = 0

    enum Belief { case closed, opening, open }

    static let line = ConnectionSlot(0)
    /// Timers that belong to a connection or an attempt.
    static let connectionSlots = [TimerSlot(1), TimerSlot(2), TimerSlot(3), TimerSlot(6)]

    init(_ settings: Setting, seed: UInt64) {
        lane = ManualLane(settings, seed: seed)
        lane.session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
        tell(.started)
    }

    /// Tells the client, and a copy of it, and looks at what they do.
    private mutating func tell(_ event: Event) {
        var copy = lane
        let answer = lane.tell(event)
        if copy.tell(event) != answer { broken.append("a copy does otherwise on \(event)") }
        actions += answer.count
        for action in answer { perform(action) }
        let owned = Self.connectionSlots.filter { lane.session.isArmed($0) }
        if belief == .closed && !owned.isEmpty { broken.append("\(owned) armed without a connection, on \(event)") }
        if belief == .open && owned.contains(TimerSlot(3)) { broken.append("the attempt's timer is left, on \(event)") }
        if belief == .opening && owned != [TimerSlot(3)] { broken.append("an attempt has \(owned), on \(event)") }
    }

    private mutating func perform(_ action: Action) {
        func expect(_ isLawful: Bool) { if !isLawful { broken.append("\(action) while \(belief)") } }
        switch action {
        case .connect:
            expect(belief == .closed)
            belief = .opening
            attempts += 1
        case .close:
            expect(belief != .closed)
            belief = .closed
        case .send(_, let from, let upTo):
            expect(belief == .open && from < upTo)
        case .call(_, let call):
            expect(belief == .open && unanswered.contains(call))
        case .ping, .migrate: expect(belief == .open)
        case .abandon(let call, _):
            expect(unanswered.contains(call))
            unanswered.removeAll { $0 == call }
        case .deliver(let cursor):
            expect(shown <= cursor)
            shown = cursor
            lane.session.cursor = cursor
        case .persist(let cursor):
            expect(written <= cursor && cursor <= shown)
            written = cursor
        case .forget, .stayAwake, .crash: break
        }
    }

    /// What can happen to a client; what cannot happen now does nothing.
    enum Upheaval: CaseIterable {
        case opens, fails, closes, receives, confirms, answers, pongs, goesAway, stalls, writes
        case sends, calls, toWifi, toCellular, toNone, again, losing, validated, unvalidated, blocked, unblocked
        case capabilities, background, foreground, expiring, refresh, push, clockSet
        case moment, second, minute, hour, sleep
    }

    mutating func meet(_ upheaval: Upheaval, handle: UInt16 = 2) {
        switch upheaval {
        case .opens, .fails, .closes, .receives, .confirms, .answers, .pongs, .goesAway, .stalls, .writes:
            meetServer(upheaval)
        case .sends:
            let index = lane.session.produced.position
            lane.session.produced = Cursor(index + 1)
            tell(.wantsToSend(Message(index: index, bytes: 100)))
        case .calls:
            unanswered.append(nextCall)
            nextCall += 1
            tell(.wantsToCall(Message(index: nextCall - 1, bytes: 100)))
        case .background, .foreground:
            guard lane.session.isForeground != (upheaval == .foreground) else { return }
            lane.session.isForeground = upheaval == .foreground
            tell(.app(upheaval == .foreground ? .foreground : .background))
        case .expiring: if !lane.session.isForeground { tell(.app(.expiring)) }
        case .refresh: if !lane.session.isForeground { tell(.app(.refresh)) }
        case .push: tell(.pushWoken)
        case .clockSet: lane.session.wallShift += .minutes(7)
        case .moment: pass(.milliseconds(100))
        case .second: pass(.seconds(1))
        case .minute: pass(.minutes(1))
        case .hour: pass(.hours(1))
        case .sleep:
            lane.session.now += .minutes(10)
            lane.session.slept += .minutes(10)
            pass(.zero)
        default: meetNetwork(upheaval, handle)
        }
    }

    private mutating func meetServer(_ upheaval: Upheaval) {
        switch (upheaval, belief) {
        case (.opens, .opening):
            belief = .open
            tell(.opened(Self.line, resumedAt: lane.session.cursor))
            if belief == .open { tell(.greeted(Self.line)) }
        case (.fails, .opening):
            belief = .closed
            tell(.failed(Self.line, .timedOut))
        case (.closes, .open):
            belief = .closed
            tell(.closed(Self.line, .reset))
        case (.receives, .open):
            tell(.received(Self.line, upTo: Cursor(lane.session.cursor.position + 1), bytes: 100))
        case (.confirms, .open):
            lane.session.acknowledged = lane.session.produced
            tell(.acknowledged(Self.line, lane.session.produced))
        case (.answers, .open):
            guard let call = unanswered.popLast() else { return }
            tell(.answered(Self.line, call: call))
        case (.pongs, .open): tell(.pong(Self.line, after: .milliseconds(60)))
        case (.goesAway, .open): tell(.goingAway(Self.line, .tooManyPings))
        case (.stalls, .open): tell(.stalled(Self.line))
        case (.writes, .open): tell(.writable(Self.line))
        default: break
        }
    }

    private mutating func meetNetwork(_ upheaval: Upheaval, _ handle: UInt16) {
        var kind = NetworkChange.Kind.available
        let before = lane.session.path
        switch upheaval {
        case .toWifi: lane.session.network = NetworkView(path: .wifi, handle: handle)
        case .toCellular: lane.session.network = NetworkView(path: .cellular, handle: handle)
        case .toNone: (kind, lane.session.network) = (.lost, NetworkView())
        case .validated, .unvalidated:
            kind = upheaval == .validated ? .validated : .unvalidated
            lane.session.network.isValidated = upheaval == .validated
        case .blocked, .unblocked:
            kind = upheaval == .blocked ? .blocked : .unblocked
            lane.session.network.isBlocked = upheaval == .blocked
        case .losing: kind = .losing
        case .capabilities: kind = .capabilities
        default: break
        }
        let network = lane.session.network
        tell(
            .network(
                NetworkChange(
                    kind, of: network.path ?? before ?? .wifi, handle: network.handle, now: network.path,
                    replacesDefaultPath: kind == .available && network.path != nil)))
    }

    /// Lets time go on with the processor awake; timers fire by their own clocks.
    private mutating func pass(_ span: TimeSpan) {
        let end = lane.session.now + span
        while let (at, slot) = earliest, at <= end, broken.isEmpty {
            lane.session.now = max(lane.session.now, at)
            lane.session.disarm(slot)
            tell(.fired(slot))
        }
        lane.session.now = end
    }

    private var earliest: (Instant, TimerSlot)? {
        (0..<UInt8(TimerSlot.count)).map(TimerSlot.init).filter { lane.session.isArmed($0) }
            .map { slot in
                let wish = lane.session.timers[slot]
                return (lane.session.now + (wish.at - lane.session.now(wish.clock)), slot)
            }
            .min { ($0.0, $0.1.index) < ($1.0, $1.1.index) }
    }

    /// A good network, the app in front, a server that answers everything: the client is connected before long and stays so.
    mutating func heal() {
        meet(.foreground)
        for upheaval in [Upheaval.unblocked, .toWifi, .validated] { meet(upheaval, handle: 900) }
        for _ in 0..<60 where broken.isEmpty {
            meet(.opens)
            meet(.writes)
            meet(.pongs)
            meet(.confirms)
            while belief == .open && !unanswered.isEmpty { meet(.answers) }
            meet(.second)
        }
        if belief != .open { broken.append("still \(belief) a minute after all is well") }
        let before = attempts
        for _ in 0..<60 where broken.isEmpty {
            meet(.pongs)
            meet(.second)
        }
        if attempts != before { broken.append("a good connection is given up") }
    }
}
