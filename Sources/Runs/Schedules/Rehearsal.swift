public import DeadzoneClient
public import DeadzonePrimitives
import DeadzoneTransport

/// A strategy in an empty room, on good Wi-Fi, in the foreground, whose attempts to connect all fail in one way: when it makes
/// them. No lane, no packets: what is asked is the strategy's own code, and what waits, when it waits, is the kernel.
public struct Rehearsal: Sendable {
    public enum Failing: Sendable {
        /// Each attempt is refused at once.
        case refused
        /// Nobody answers: the strategy gives an attempt up, or its kernel does.
        case blackhole
        /// The server's kernel accepts, and its program says nothing: only the strategy gives it up.
        case frozen
    }

    public struct Attempt: Hashable, Sendable {
        public var at: Instant
        /// When the strategy gave it up, or its kernel as the strategy had told it to; nil: neither did.
        public var abandonedAt: Instant?
    }

    public enum Ending: Hashable, Sendable {
        /// It would go on.
        case stillTrying
        /// No attempt will follow, of itself, from this moment on.
        case silent(since: Instant)
        /// Its process ended itself.
        case crashed(at: Instant)
    }

    /// What a rehearsal came to.
    public struct Course: Sendable {
        public private(set) var attempts: [Attempt] = []
        public fileprivate(set) var ending = Ending.stillTrying
        /// It holds that no connection is needed: what it sends are datagrams.
        public fileprivate(set) var isConnectionless = false

        fileprivate mutating func began(at now: Instant) -> Int {
            attempts.append(Attempt(at: now))
            return attempts.count - 1
        }

        fileprivate mutating func abandon(_ index: Int, at now: Instant) { attempts[index].abandonedAt = now }
    }

    /// More events than this without one attempt, and it is taken to make no more.
    static let mostIdleEvents = 10_000

    public let strategy: AnyStrategy
    public let failing: Failing
    /// Dice that are not thrown: the law itself, or one of its bounds.
    public let dice: Dice.Rehearsal

    public init(_ strategy: AnyStrategy, failing: Failing, dice: Dice.Rehearsal = .usual) {
        self.strategy = strategy
        self.failing = failing
        self.dice = dice
    }

    /// Goes on until so many attempts have been made and ended, or until the horizon.
    public func run(attempts most: Int, until horizon: Instant = .never) -> Course {
        let place = UnsafeMutableRawPointer.allocate(
            byteCount: max(strategy.stateSize, 1), alignment: max(strategy.stateAlignment, 1))
        defer { place.deallocate() }
        strategy.initialize(place)
        var room = Room(rehearsal: self, state: place)
        room.tell(.started)
        var idle = 0
        while idle < Self.mostIdleEvents {
            let before = room.course.attempts.count
            if before > most || (before == most && room.pending.allSatisfy { $0 == nil }) { return room.course }
            if case .crashed = room.course.ending { return room.course }
            guard let at = room.nextAt else {
                room.course.ending = .silent(since: room.session.now)
                return room.course
            }
            guard at <= horizon else { return room.course }
            room.step(to: at)
            idle = room.course.attempts.count > before ? 0 : idle + 1
        }
        room.course.ending = .silent(since: room.course.attempts.last?.at ?? .zero)
        return room.course
    }
}

/// The strategy with the little that is around it.
private struct Room: ~Copyable {
    let strategy: AnyStrategy
    let failing: Rehearsal.Failing
    let state: UnsafeMutableRawPointer
    var session: Session
    var course = Rehearsal.Course()
    /// By connection: the attempt that waits for an answer, and until when the kernel lets it.
    var pending: [(attempt: Int, until: Instant, isLimited: Bool)?] = Array(repeating: nil, count: ConnectionSlot.count)
    private var notices: [Event] = []
    private var outbox = Outbox()

    init(rehearsal: Rehearsal, state: UnsafeMutableRawPointer) {
        strategy = rehearsal.strategy
        failing = rehearsal.failing
        self.state = state
        session = Session(random: Dice(rehearsing: rehearsal.dice))
        session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
    }

    var nextAt: Instant? {
        let at = min(session.timers.earliest.at, pending.compactMap { $0?.until }.min() ?? .never)
        return at == .never ? nil : at
    }

    /// One thing happens: the kernel's end of an attempt before the strategy's timer of that moment.
    mutating func step(to at: Instant) {
        session.now = max(session.now, at)
        if let index = pending.firstIndex(where: { $0.map { $0.until <= at } ?? false }) {
            if let ended = pending[index], ended.isLimited { course.abandon(ended.attempt, at: session.now) }
            pending[index] = nil
            return tell(.failed(ConnectionSlot(UInt8(index)), failing == .refused ? .refused : .timedOut))
        }
        let slot = session.timers.earliest.slot
        session.disarm(slot)
        tell(.fired(slot))
    }

    mutating func tell(_ event: Event) {
        notices = [event]
        while !notices.isEmpty {
            let event = notices.removeFirst()
            outbox.removeAll()
            strategy.handle(event, state, &session, &outbox)
            for index in 0..<outbox.count {
                if outbox[index] == .crash { return course.ending = .crashed(at: session.now) }
                perform(outbox[index])
            }
        }
    }

    private mutating func perform(_ action: Action) {
        switch action {
        case .connect(let slot, let carrier, _): connect(slot, carrier)
        case .close(let slot), .leave(let slot): abandon(slot)
        // Nothing was ever opened: the rest is about connections.
        default: break
        }
    }

    private mutating func connect(_ slot: ConnectionSlot, _ carrier: Carrier) {
        abandon(slot)
        guard carrier.kind != .datagram else {
            course.isConnectionless = true
            return notices.append(.opened(slot, resumedAt: .start))
        }
        let attempt = course.began(at: session.now)
        let kernel: Kernel = carrier.kind == .quic ? .quic(carrier.library) : .linux
        let own = carrier.patience ?? kernel.connectPatience
        switch failing {
        case .refused: pending[Int(slot.index)] = (attempt, session.now, false)
        case .blackhole:
            let until = session.now + min(own, kernel.connectPatience)
            pending[Int(slot.index)] = (attempt, until, own < kernel.connectPatience)
        case .frozen: pending[Int(slot.index)] = (attempt, .never, false)
        }
    }

    private mutating func abandon(_ slot: ConnectionSlot) {
        guard let pending = pending[Int(slot.index)] else { return }
        self.pending[Int(slot.index)] = nil
        course.abandon(pending.attempt, at: session.now)
    }
}
