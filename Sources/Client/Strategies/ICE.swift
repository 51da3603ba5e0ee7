public import DeadzoneBase

/// A strategy for calls and games: it exchanges datagrams with a peer over a direct path, or over a relay beside it. It
/// checks both paths, uses the direct one while it answers, and gives a path up when the peer's consent expires.
///
///     opened ──answer──▶ works ──no answer for `receiving-timeout`──▶ silent ──no answer for `consent`──▶ closed
///                          ▲                                            │
///                          └────────────────── answer ──────────────────┘
///
/// A restart opens both paths anew: the relay first, and with its first answer the direct one, because the peer has to
/// learn the phone's new address. The relay of the model also carries the signalling.
///
/// Defaults are those of libwebrtc (`p2p/base/p2p_constants.h`): 2.5 s between checks of a stable path, 25 s for the
/// path that is not used, 0.9 s while nothing is stable, and 2.5 s until a path counts as silent. Consent expires after
/// 30 s (RFC 7675 §5.1).
public struct ICE: Strategy {
    public static let name = "ice"
    public static let about =
        "sends datagrams to a peer over a direct path or a relay: checks, consent and restarts (RFC 8445, RFC 7675)"

    static let relay = 0
    static let direct = 1
    private static let checks = [TimerSlot(0), TimerSlot(1)]
    private static let silences = [TimerSlot(2), TimerSlot(3)]
    private static let restart = TimerSlot(4)
    private static let climb = TimerSlot(5)
    /// Time for which a new path is checked often.
    private static let settling = TimeSpan.seconds(5)

    enum PathChoice: UInt8, CaseIterable { case both, relay, direct }

    let paths: PathChoice
    let checkInterval: TimeSpan
    let backupInterval: TimeSpan
    let pace: TimeSpan
    let receivingTimeout: TimeSpan
    let consent: TimeSpan
    let restartsOnPathChange: Bool
    let restartAfter: TimeSpan?
    let climbAfter: TimeSpan?

    /// The client's knowledge of one path.
    struct PathState: BitwiseCopyable, Sendable {
        var isOpen = false
        var works = false
        /// `true` if a check has no answer yet.
        var isAwaiting = false
        var openedAt = Instant.zero
        /// Time at which the path was opened, or when the peer was last heard on it.
        var heardAt = Instant.zero
    }

    public struct State: BitwiseCopyable, Sendable {
        var relay = PathState()
        var direct = PathState()
        /// Index of the path in use; 2 if none has been selected.
        var selected: UInt8 = 2
        /// `true` if the direct path is opened with the next answer over the relay.
        var awaitsExchange = false

        subscript(path: Int) -> PathState {
            get { path == ICE.relay ? relay : direct }
            set { if path == ICE.relay { relay = newValue } else { direct = newValue } }
        }
    }

    public init(_ settings: inout SettingsReader) {
        paths = settings.word(
            "paths", of: [("both", PathChoice.both), ("relay", .relay), ("direct", .direct)], default: .both,
            "paths that the client uses")
        checkInterval = settings.span(
            "checks", default: .milliseconds(2_500), in: .milliseconds(20) ... .longest,
            "time between two checks of the path in use")
        backupInterval = settings.span(
            "backup-checks", default: .seconds(25), in: .milliseconds(20) ... .longest,
            "time between two checks of the other path while the one in use works")
        pace = settings.span(
            "pace", default: .milliseconds(900), in: .milliseconds(20) ... .hours(1),
            "time between two checks of a new path, and of any path while none works")
        receivingTimeout = settings.span(
            "receiving-timeout", default: .milliseconds(2_500), in: .milliseconds(20) ... .longest,
            "time after a check without an answer until the path counts as silent, and the other one is used")
        consent = settings.span(
            "consent", default: .seconds(30), in: .milliseconds(20) ... .longest,
            "time without an answer after which a path is closed")
        restartsOnPathChange = settings.word(
            "on-path-change", of: [("restart", true), ("nothing", false)], default: true,
            "when the system changes the default network: opens both paths there, or waits")
        restartAfter = settings.span(
            "restart-after", in: .milliseconds(20) ... .longest,
            "time without a working path after which both are opened anew; default: never")
        climbAfter = settings.span(
            "climb", in: .milliseconds(20) ... .longest,
            "wait after which a closed direct path is opened anew while the relay works; default: only by a restart")
    }

    public var transport: Transport? { Self.carrier(paths == .direct ? Self.direct : Self.relay) }

    public var makesCalls: Bool { false }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started: open(&state, &session, &out)
        case .network(let change) where change.replacesDefaultPath:
            if restartsOnPathChange || state.selected == 2 { open(&state, &session, &out) }
        case .opened(let slot, _):
            let path = Int(slot.index)
            state[path] = PathState(isOpen: true, openedAt: session.now, heardAt: session.now)
            check(path, &state, &session, &out)
        case .pong(let slot, _): heard(Int(slot.index), &state, &session, &out)
        case .received(let slot, let cursor, _):
            out.append(.deliver(cursor))
            heard(Int(slot.index), &state, &session, &out)
        case .closed(let slot, _), .failed(let slot, _):
            lose(Int(slot.index), &state, &session)
            select(&state, &session, &out)
        case .wantsToSend(let message):
            if state.selected < 2, state[Int(state.selected)].isOpen {
                out.append(.send(ConnectionSlot(state.selected), from: message.cursor, upTo: message.next))
            }
            out.append(.forget(below: message.next))
        case .fired(let timer): fired(timer, &state, &session, &out)
        default: break
        }
    }

    private func fired(_ timer: TimerSlot, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if timer == Self.restart { return open(&state, &session, &out) }
        if timer == Self.climb {
            if state.relay.works && !state.direct.isOpen { connect(Self.direct, &session, &out) }
            return
        }
        for path in [Self.relay, Self.direct] {
            if timer == Self.checks[path] { check(path, &state, &session, &out) }
            if timer == Self.silences[path] {
                state[path].works = false
                select(&state, &session, &out)
            }
        }
    }

    // MARK: Paths

    /// Opens the paths on the default network. Connections of earlier paths are closed.
    private func open(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard session.hasPath else {
            if let restartAfter { session.arm(Self.restart, after: restartAfter) }
            return
        }
        session.disarm(Self.restart)
        session.disarm(Self.climb)
        for path in [Self.relay, Self.direct] {
            if state[path].isOpen { out.append(.close(ConnectionSlot(UInt8(path)))) }
            lose(path, &state, &session)
        }
        state.awaitsExchange = paths == .both
        connect(paths == .direct ? Self.direct : Self.relay, &session, &out)
        if let restartAfter { session.arm(Self.restart, after: restartAfter) }
    }

    private func connect(_ path: Int, _ session: inout Session, _ out: inout Outbox) {
        guard session.hasPath else { return }
        out.append(.connect(ConnectionSlot(UInt8(path)), Self.carrier(path), resuming: .fresh))
    }

    private static func carrier(_ path: Int) -> Transport {
        var transport = Transport.datagram
        transport.datagrams.route = path == relay ? .relay : .direct
        return transport
    }

    private func lose(_ path: Int, _ state: inout State, _ session: inout Session) {
        state[path] = PathState()
        session.disarm(Self.checks[path])
        session.disarm(Self.silences[path])
    }

    /// Sends a check, or closes the path if the peer's consent has expired.
    private func check(_ path: Int, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard state[path].isOpen else { return }
        guard session.now - state[path].heardAt < consent else {
            out.append(.close(ConnectionSlot(UInt8(path))))
            lose(path, &state, &session)
            if path == Self.direct, let climbAfter { session.arm(Self.climb, after: climbAfter) }
            return select(&state, &session, &out)
        }
        out.append(.ping(ConnectionSlot(UInt8(path))))
        if !state[path].isAwaiting {
            state[path].isAwaiting = true
            session.arm(Self.silences[path], after: receivingTimeout)
        }
        session.arm(Self.checks[path], after: interval(path, state, session.now))
    }

    private func interval(_ path: Int, _ state: State, _ now: Instant) -> TimeSpan {
        let isSelected = Int(state.selected) == path
        if isSelected && state[path].works { return checkInterval }
        let isNew = now - state[path].openedAt < Self.settling && !state[path].works
        let otherWorks = !isSelected && state.selected < 2 && state[Int(state.selected)].works
        return otherWorks && !isNew ? backupInterval : pace
    }

    private func heard(_ path: Int, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard state[path].isOpen else { return }
        state[path].heardAt = session.now
        state[path].isAwaiting = false
        session.disarm(Self.silences[path])
        if path == Self.relay && state.awaitsExchange {
            state.awaitsExchange = false
            connect(Self.direct, &session, &out)
        }
        guard !state[path].works else { return }
        state[path].works = true
        select(&state, &session, &out)
    }

    /// Uses the direct path if it works, otherwise the relay. The next check tells the peer (nomination).
    private func select(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard state.direct.works || state.relay.works else {
            if let restartAfter, !session.isArmed(Self.restart) { session.arm(Self.restart, after: restartAfter) }
            return
        }
        session.disarm(Self.restart)
        let best = state.direct.works ? Self.direct : Self.relay
        guard Int(state.selected) != best else { return }
        state.selected = UInt8(best)
        out.append(.select(ConnectionSlot(UInt8(best))))
        check(best, &state, &session, &out)
    }
}
