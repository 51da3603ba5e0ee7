public import DeadzoneClient
public import DeadzonePrimitives
public import DeadzoneSettings

/// One connection, and whatever facets its settings ask for: what is not written is not done, but that it connects when there
/// is a network, waits between attempts, and resumes from its cursor.
///
///     parked ──start, foreground, visit──> opening ──opened──> open
///     opening ──failed, timeout──> waiting ──retry timer, hurry──> opening
///     opening, open ──the last attempt failed──> exhausted ──hurry, visit──> opening
///     open ──closed──> waiting;  open ──found dead, reconnect──> opening
///     any but parked ──the gate is shut when it would connect──> resting ──the gate opens, or an alarm──> opening
///     any ──background: close──> parked
///     open ──idle timeout, or loss with nobody calling──> idle ──call, message──> opening
public struct Composed: Strategy {
    public static let name = "composed"
    public static let about = "one connection made of facets: keepalive, path reaction, deadlines, backoff, life cycle"

    // Who owns which timer; the README of this room has the table.
    static let retrySlot = TimerSlot(0)
    static let beatSlot = TimerSlot(1)
    static let replySlot = TimerSlot(2)
    static let openSlot = TimerSlot(3)
    static let settleSlot = TimerSlot(4)
    static let callSlot = TimerSlot(5)
    static let writeSlot = TimerSlot(6)
    static let lifeSlot = TimerSlot(7)
    static let staySlot = TimerSlot(8)
    static let resumeSlot = TimerSlot(9)
    static let channelSlot = TimerSlot(10)
    static let flowSlot = TimerSlot(11)

    let carrying: Carrying
    let connect: ConnectLimits
    let retry: Retry
    /// Without it `keepalive` is not asked.
    let keepsAlive: Bool
    let keepalive: Keepalive
    let probeTimeout: TimeSpan
    let path: PathReaction
    let deadlines: Deadlines
    let channel: Channel?
    /// The channel has an idle timer.
    private let idles: Bool
    let flow: MessageFlow
    public let intake: Intake
    let writeLimit: WriteLimit
    let life: LifeCycle
    let resume: Resume
    let queue: SendQueue
    public let claims: Claims
    let farewell: Farewell
    private let lent = Lent()

    /// What a server's GOAWAY does to a connection.
    enum Farewell: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Closed, and tried again after a wait.
        case giveUp
        /// Closed, and a new one at once.
        case reconnect
        /// What is new goes over a new connection; the old one stays until what was asked on it is answered.
        case drain
    }

    public var standing: AppStanding { life.standing }
    public var transport: Carrier? { carrying.carrier }

    enum Phase: UInt8 {
        case parked, resting, waiting, exhausted, opening, open
        /// Of a channel that nobody calls.
        case idle
    }

    public struct State: BitwiseCopyable, Sendable {
        var phase = Phase.parked
        var hasBeenOpen = false
        /// The connection, or the attempt; while it drains, the one before it is in the other slot.
        var line = ConnectionSlot(0)
        var isDraining = false
        /// Calls from here on were not asked on the one that drains.
        var movedAt: UInt32 = 0
        var calledUpTo: UInt32 = 0
        /// The reply timer is a probe's: its verdict brings a new connection at once.
        var isProbing = false
        var retry = Retry.State()
        var keepalive = Keepalive.State()
        var path = PathReaction.State()
        var life = LifeCycle.State()
        var connect = ConnectLimits.State()
        var resume = Resume.State()
        /// What the server has said, before the connection was open to us, of how far our messages are done with.
        var done: Cursor?
        var write = WriteLimit.State()
        /// Messages that wait for a callback before they are written.
        var unwritten = (from: Cursor.start, upTo: Cursor.start)
        /// The server has said its part of the set-up.
        var isGreeted = false
        /// The server has yet to say where it goes on.
        var awaitsPlace = false
        /// When something came over the connection, or it opened.
        var heardAt = Instant.zero
        /// The channel's idle timer runs.
        var isIdling = false

        // Last what is large and seldom used: of a phone that rests, nothing is kept behind what differs from a new one.
        var queue = SendQueue.State()
        var flow = MessageFlow.State()
        var calls = CallTable()
    }

    public init(_ settings: inout SettingsReader) {
        carrying = settings.carrying("transport", "what connections ride on, and how their sockets are set")
        connect = settings.connectLimits(
            "connect", slot: Self.openSlot, "when an attempt is made, and how long it may take")
        retry = settings.retry(
            "backoff", slot: Self.retrySlot,
            default: Backoff(base: .milliseconds(500), cap: .seconds(32), jitter: .full), "the wait between attempts")
        let keepalive = settings.keepalive(
            "keepalive", beat: Self.beatSlot, reply: Self.replySlot,
            "asks for signs of life: an interval, or a map; without it there are no pings")
        keepsAlive = keepalive != nil
        self.keepalive = keepalive ?? Keepalive(interval: .longest, beat: Self.beatSlot, reply: Self.replySlot)
        path = settings.pathReaction(
            "on-path-change", slot: Self.settleSlot,
            "what it does when the system speaks of networks: a word for `available` and `lost`, or a map by event")
        probeTimeout = settings.span(
            "probe-timeout", default: .seconds(2), in: .milliseconds(1) ... .longest,
            "wherever a facet probes: a ping without an answer for so long means a new connection at once")
        let hasAnswers = carrying.carrier.kind != .datagram || settings.isDescribing
        if hasAnswers {
            deadlines = settings.deadlines(
                "calls", slot: Self.callSlot, retrySlot: Self.channelSlot, "how long the app waits for answers")
        } else {
            deadlines = Deadlines(slot: Self.callSlot)
            settings.refuse(["calls", "resume"], "on datagrams", label: "nothing answers or confirms one")
        }
        var intake = settings.intake(
            "intake", "what waits for the app's consumer, and how far the library reads ahead of it")
        flow = settings.messageFlow(
            "flow", slot: Self.flowSlot,
            "message flow control of gRPC for Objective-C: enabled, for writes and reads, or a map; without it disabled"
        )
        if flow.isEnabled { intake.asks = intake.asks ?? flow.asks }
        self.intake = intake
        channel = settings.channel(
            "channel", slot: Self.channelSlot, "when it has a connection at all, as gRPC's channels; without it always")
        idles = channel?.idleTimeout != nil
        writeLimit = settings.writeLimit(
            "write-limit", slot: Self.writeSlot, "a socket that takes nothing for so long is taken for dead")
        life = settings.lifeCycle(
            "life-cycle", slot: Self.lifeSlot, stay: Self.staySlot, "what it does when the app comes and goes")
        claims = settings.claims(
            "claims", "what it promises of messages; `deadzone laws` looks whether such clients keep it")
        (resume, queue) = settings.messages(carrying.carrier, slot: Self.resumeSlot)
        farewell = settings.word(
            "on-goaway", of: [("give-up", Farewell.giveUp), ("reconnect", .reconnect), ("drain", .drain)],
            default: .giveUp,
            "a server's GOAWAY: a new connection after a wait, at once, or at once while calls finish on the old one")
        check(&settings)
    }

    /// What no facet can see by itself.
    private func check(_ settings: inout SettingsReader) {
        func contradict(_ key: String, _ message: String, _ label: String) {
            settings.note(
                Fault(
                    .contradiction, at: settings.mark(of: key), width: key.utf8.count, message, label: label))
        }
        let onChange = settings.peek("on-path-change")
        if onChange != nil, path.migrates, carrying.carrier.kind != .quic {
            contradict("on-path-change", "`migrate` without QUIC", "only `transport: quic` outlives its address")
        }
        if retry.reset == .path, onChange != nil, !path.resetsBackoff {
            contradict("backoff", "`reset: path` beside `resets-backoff: false`", "nothing is left to begin anew with")
        }
    }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if let slot = event.connection, slot != state.line {
            return hearOld(event, &state, &session, &out)
        }
        answer(event, &state, &session, &out)
        leaveWhenDone(&state, &session, &out)
        pace(event, &state, &session, &out)
        noticeStreams(&state, &session, &out)
        guard idles else { return }
        channel?.settle(isOpen: state.phase == .open, state.calls, isCounting: &state.isIdling, &session)
    }

    private func answer(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started:
            // Alarms outlive a process; its connections do not.
            disarmConnection(&session)
            resume.started(&state.resume, session)
            queue.started(&state.queue, &session, &out)
            take(life.started(session), &state, &session, &out)
        case .opened(_, let cursor) where state.phase == .opening: opened(at: cursor, &state, &session, &out)
        case .closed(_, .denied) where state.phase == .open && retry.denied == .stop: exhaust(&state, &session, &out)
        case .failed(_, let failure) where state.phase == .opening:
            connect.failed(failure, &state.connect, session)
            lost(&state, &session, &out)
        case .closed where state.phase == .open: lost(&state, &session, &out)
        case .received, .acknowledged, .answered, .rejected, .pong, .goingAway, .stalled, .writable, .greeted,
            .heartbeat:
            guard state.phase == .open else { return }
            hear(event, &state, &session, &out)
        case .turnedAway(_, let refusal): connect.turnedAway(refusal, &state.connect, session)
        case .fired(let slot): fired(slot, &state, &session, &out)
        case .network(let change): hear(change, &state, &session, &out)
        case .resumed(_, let greeting): resumed(greeting, &state, &session, &out)
        case .app(let change):
            if change == .background {
                queue.left(isOpen: state.phase == .open, &state.queue, session, &out)
            }
            take(life.heard(change, isOpen: state.phase == .open, &state.life, &session), &state, &session, &out)
            if change == .foreground { returned(&state, &session, &out) }
        case .pushWoken: take(life.pushed(&state.life, &session), &state, &session, &out)
        case .wantsToSend(let message):
            if state.phase == .idle { begin(&state, &session, &out) }
            let isOpen = state.phase == .open
            queue.wants(message, over: isOpen ? state.line : nil, &state.queue, session, &out)
            if isOpen, writeLimit.wants(message.bytes, &state.write) { return giveUp(&state, &session, &out) }
            noticeSent(&state, &session, &out)
            speakUp(&state, &session, &out)
        case .wantsToCall(let message):
            if state.phase == .idle { begin(&state, &session, &out) }
            state.calledUpTo = message.index + 1
            deadlines.wants(message.index, over: state.line, state.readiness, &state.calls, &session, &out)
            noticeSent(&state, &session, &out)
            speakUp(&state, &session, &out)
        case .opened, .failed, .closed: break
        }
    }
}

extension Composed.State {
    var readiness: Deadlines.Readiness {
        switch phase {
        case .parked, .resting, .waiting, .exhausted, .idle: .down
        case .opening: .opening
        case .open: .open
        }
    }

    /// As gRPC names it. What rests for want of a network would fail to connect.
    var channel: Channel.State {
        switch phase {
        case .parked: .shutdown
        case .resting, .waiting, .exhausted: .transientFailure
        case .idle: .idle
        case .opening: .connecting
        case .open: .ready
        }
    }
}
