package import DeadzoneBase
package import DeadzoneClient
import DeadzoneTransport

/// Runs only the code of a strategy, without network, while all connection attempts fail, to get its retry times. The
/// phone is on good Wi-Fi, the app is in the foreground, and all attempts fail in one way. There is no phone simulation
/// and there are no packets: only the strategy's own code runs, and the kernel's connect timeout is modelled.
package struct IsolatedSchedule: Sendable {
    package enum SimulatedFailure: Sendable {
        /// Each attempt is refused at once.
        case refused
        /// No answer: the strategy or its kernel gives up the attempt.
        case blackhole
        /// The server's kernel accepts, but its program does not answer: only the strategy can give up.
        case frozen
    }

    /// Outcome of the first attempt. All later attempts fail.
    package enum FirstAttempt: Sendable {
        case fails
        /// It opens, and the connection works for a minute. Then its end is reported to the strategy.
        case opensAndEnds
        /// It opens, and nothing arrives any more. Only the strategy's own rules end the connection.
        case opensAndFallsSilent
    }

    package struct ConnectAttempt: Hashable, Sendable {
        package var at: Instant
        /// Time at which the strategy gave up the attempt, or its kernel did so by a limit that the strategy set;
        /// `nil` if neither did.
        package var abandonedAt: Instant?
        /// Time at which the kernel ended the attempt by its own limit; `nil` if it did not.
        package var kernelEndedAt: Instant?
    }

    package enum ScheduleEnding: Hashable, Sendable {
        /// The horizon or the number of attempts was reached; more attempts would follow.
        case stillTrying
        /// From this time on the strategy makes no further attempt by itself.
        case silent(since: Instant)
        /// The strategy's process ended itself.
        case crashed(at: Instant)
    }

    /// The connection attempts that a strategy made in an isolated run, with their times.
    package struct AttemptLog: Sendable {
        package private(set) var attempts: [ConnectAttempt] = []
        package fileprivate(set) var ending = ScheduleEnding.stillTrying
        /// `true` if the strategy sends datagrams and needs no connection.
        package fileprivate(set) var isConnectionless = false

        /// Time at which the connection of the first attempt ended; `nil` if there was none, or if it did not end.
        package fileprivate(set) var lostAt: Instant?

        fileprivate mutating func begin(at now: Instant) -> Int {
            attempts.append(ConnectAttempt(at: now))
            return attempts.count - 1
        }

        fileprivate mutating func abandon(_ index: Int, at now: Instant) { attempts[index].abandonedAt = now }
        fileprivate mutating func endByKernel(_ index: Int, at now: Instant) { attempts[index].kernelEndedAt = now }
    }

    /// After this many events without an attempt, the strategy is assumed to make no more.
    static let maximumIdleEvents = 10_000

    package let strategy: AnyStrategy
    package let failing: SimulatedFailure
    package let first: FirstAttempt
    /// Fixed random draws: the nominal value, or its lower or upper bound.
    package let dice: Dice.FixedDraw

    package init(
        _ strategy: AnyStrategy, failing: SimulatedFailure, first: FirstAttempt = .fails,
        dice: Dice.FixedDraw = .usual
    ) {
        self.strategy = strategy
        self.failing = failing
        self.first = first
        self.dice = dice
    }

    /// Runs until this many attempts have been made and ended, or until the horizon.
    package func run(attempts most: Int, until horizon: Instant = .never) -> AttemptLog {
        let place = UnsafeMutableRawPointer.allocate(
            byteCount: max(strategy.stateSize, 1), alignment: max(strategy.stateAlignment, 1))
        defer { place.deallocate() }
        strategy.initialize(place)
        var isolated = IsolatedStrategy(schedule: self, state: place)
        isolated.notify(.started)
        var idle = 0
        while idle < Self.maximumIdleEvents {
            let before = isolated.log.attempts.count
            if before > most || (before == most && isolated.pending.allSatisfy { $0 == nil }) { return isolated.log }
            if case .crashed = isolated.log.ending { return isolated.log }
            guard let at = isolated.nextAt else {
                isolated.log.ending = .silent(since: isolated.session.now)
                return isolated.log
            }
            guard at <= horizon else { return isolated.log }
            isolated.step(to: at)
            idle = isolated.log.attempts.count > before ? 0 : idle + 1
        }
        isolated.log.ending = .silent(since: isolated.log.attempts.last?.at ?? .zero)
        return isolated.log
    }
}

/// The state of a strategy that runs alone, and the minimal environment that its code needs.
private struct IsolatedStrategy: ~Copyable {
    let strategy: AnyStrategy
    let failing: IsolatedSchedule.SimulatedFailure
    private let first: IsolatedSchedule.FirstAttempt
    /// The connection of the first attempt, the time at which its end is reported, and that of its next message.
    private var open: (slot: ConnectionSlot, until: Instant, nextMessage: Instant)?
    private var messages: UInt32 = 1
    let state: UnsafeMutableRawPointer
    var session: Session
    var log = IsolatedSchedule.AttemptLog()
    /// By connection slot: the attempt that waits for an answer, and the time of the kernel's limit.
    var pending: [(attempt: Int, until: Instant, isLimited: Bool)?] = Array(repeating: nil, count: ConnectionSlot.count)
    private var pendingEvents: [Event] = []
    private var outbox = Outbox()

    init(schedule: IsolatedSchedule, state: UnsafeMutableRawPointer) {
        strategy = schedule.strategy
        failing = schedule.failing
        first = schedule.first
        self.state = state
        session = Session(random: Dice(fixed: schedule.dice))
        session.network = NetworkView(path: .wifi, handle: 1, isValidated: true)
    }

    var nextAt: Instant? {
        let at = min(
            session.timers.earliest.at,
            min(open.map { min($0.until, $0.nextMessage) } ?? .never, pending.compactMap { $0?.until }.min() ?? .never))
        return at == .never ? nil : at
    }

    /// Advances to the next event. A kernel timeout comes before a strategy timer of the same time.
    mutating func step(to at: Instant) {
        session.now = max(session.now, at)
        if let index = pending.firstIndex(where: { $0.map { $0.until <= at } ?? false }) {
            if let ended = pending[index], ended.isLimited {
                log.abandon(ended.attempt, at: session.now)
            } else if let ended = pending[index], failing == .blackhole {
                log.endByKernel(ended.attempt, at: session.now)
            }
            pending[index] = nil
            return notify(.failed(ConnectionSlot(UInt8(index)), failing == .refused ? .refused : .timedOut))
        }
        if let open, open.until <= at {
            end(open.slot)
            return notify(.closed(open.slot, .reset))
        }
        if let open, open.nextMessage <= at {
            self.open?.nextMessage = session.now + Self.messageInterval
            messages += 1
            return notify(.received(open.slot, upTo: Cursor(messages), bytes: 100))
        }
        let slot = session.timers.earliest.slot
        session.disarm(slot)
        notify(.fired(slot))
    }

    mutating func notify(_ event: Event) {
        pendingEvents = [event]
        while !pendingEvents.isEmpty {
            let event = pendingEvents.removeFirst()
            outbox.removeAll()
            strategy.handle(event, state, &session, &outbox)
            for index in 0..<outbox.count {
                if outbox[index] == .crash { return log.ending = .crashed(at: session.now) }
                apply(outbox[index])
            }
        }
    }

    private mutating func apply(_ action: Action) {
        switch action {
        case .connect(let slot, let carrier, _): connect(slot, carrier)
        case .close(let slot), .closeGracefully(let slot): abandon(slot)
        case .ping(let slot) where slot == open?.slot && first == .opensAndEnds:
            pendingEvents.append(.pong(slot, after: .milliseconds(1)))
        // Nothing else is ever answered.
        default: break
        }
    }

    private mutating func connect(_ slot: ConnectionSlot, _ carrier: Transport) {
        abandon(slot)
        guard carrier.kind != .datagram else {
            log.isConnectionless = true
            return pendingEvents.append(.opened(slot, resumedAt: .start))
        }
        let attempt = log.begin(at: session.now)
        if first != .fails, attempt == 0 { return openFirst(slot) }
        let kernel: Kernel =
            carrier.kind == .quic ? .quic(carrier.quicLibrary) : .linux.withSYNRetries(carrier.synRetries)
        let own = carrier.addressTimeout ?? kernel.connectTimeout
        switch failing {
        case .refused: pending[Int(slot.index)] = (attempt, session.now, false)
        case .blackhole:
            let until = session.now + min(own, kernel.connectTimeout)
            pending[Int(slot.index)] = (attempt, until, own < kernel.connectTimeout)
        case .frozen:
            let until = if let limit = carrier.setupTimeout { session.now + limit } else { Instant.never }
            pending[Int(slot.index)] = (attempt, until, true)
        }
    }

    private mutating func openFirst(_ slot: ConnectionSlot) {
        let works = first == .opensAndEnds
        open = (
            slot, works ? session.now + Self.openTime : .never, works ? session.now + Self.messageInterval : .never
        )
        pendingEvents += [
            .opened(slot, resumedAt: .start), .serverResponded(slot), .received(slot, upTo: Cursor(1), bytes: 100),
        ]
    }

    /// Long enough for every rule that resets a backoff after some time (`reset: {up: 5s}`).
    private static let openTime = TimeSpan.minutes(1)

    /// Frequent enough for every client that closes a silent connection.
    private static let messageInterval = TimeSpan.milliseconds(500)

    private mutating func end(_ slot: ConnectionSlot) {
        guard open?.slot == slot else { return }
        open = nil
        log.lostAt = session.now
    }

    private mutating func abandon(_ slot: ConnectionSlot) {
        end(slot)
        guard let pending = pending[Int(slot.index)] else { return }
        self.pending[Int(slot.index)] = nil
        log.abandon(pending.attempt, at: session.now)
    }
}
