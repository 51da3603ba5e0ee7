public import DeadzoneBase

/// A strategy with one connection and the policy parts (facets) that its settings select. Without settings it only
/// connects when there is a network, waits between attempts, and resumes from its cursor.
///
///     parked ──start, foreground, visit──> opening ──opened──> open
///     opening ──failed, timeout──> waiting ──retry timer, hurry──> opening
///     opening, open ──the last attempt failed──> exhausted ──hurry, visit──> opening
///     open ──closed──> waiting;  open ──found dead, reconnect──> opening
///     any but parked ──no usable network when connecting──> awaitingNetwork ──network usable, or alarm──> opening
///     any ──background: close──> parked
///     open ──idle timeout, or loss without a pending call──> idle ──call, message──> opening
public struct Composed: Strategy {
    public static let name = "composed"
    public static let about =
        "one connection composed of facets: keepalive, path reaction, deadlines, backoff, life cycle"

    // Timer slots by owner; the README of this module has the table.
    static let retrySlot = TimerSlot(0)
    static let beatSlot = TimerSlot(1)
    static let replySlot = TimerSlot(2)
    static let openSlot = TimerSlot(3)
    static let debounceSlot = TimerSlot(4)
    static let callSlot = TimerSlot(5)
    static let writeSlot = TimerSlot(6)
    static let pollSlot = TimerSlot(7)
    static let visitEndSlot = TimerSlot(8)
    static let resumeSlot = TimerSlot(9)
    static let channelSlot = TimerSlot(10)
    static let flowSlot = TimerSlot(11)

    let transportSettings: TransportSettings
    let connect: ConnectLimits
    let retry: Retry
    /// `true` if the setting `keepalive` is present; otherwise the property `keepalive` is unused.
    let keepsAlive: Bool
    let keepalive: Keepalive
    let probeTimeout: TimeSpan
    let path: PathReaction
    let deadlines: Deadlines
    let channel: Channel?
    /// `true` if the channel has an idle timer.
    private let hasIdleTimer: Bool
    let flow: MessageFlow
    public let receivePolicy: ReceivePolicy
    let writeLimit: WriteLimit
    let life: LifeCyclePolicy
    let resume: Resume
    let queue: MessageQueue
    public let guarantees: DeliveryGuarantees
    let onGoAway: GoAwayPolicy
    let credentials: Credentials?
    public let names: NamePolicy?
    public var uploads: UploadPolicy? { queue.uploads }
    public var unlockedVisit: UnlockedVisit? { life.unlockedVisit }
    public let subscriptions: SubscriptionPolicy?
    public var subscribing: AnyStrategy? { subscriptions.map { AnyStrategy(SubscribingClient(self, $0), like: self) } }
    private let passByAddress = PassByAddress()

    /// Reaction to GOAWAY, with which a server announces that it will close the connection.
    enum GoAwayPolicy: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Closes the connection and retries after a wait.
        case giveUp
        /// Closes the connection and opens a new one at once.
        case reconnect
        /// Opens a new connection for new messages and calls. The old one stays until the calls on it are answered.
        case drain

        fileprivate static let words = [("give-up", Self.giveUp), ("reconnect", .reconnect), ("drain", .drain)]
    }

    public var privileges: AppPrivileges { life.privileges }
    public var transport: Transport? { transportSettings.transport }
    public var requestedNetwork: Interface? { connect.network }
    public var migrates: Bool { path.migrates }
    public var avoidsMeteredNetworks: Bool { connect.requirement == .unmetered }

    enum ClientPhase: UInt8 {
        case parked, awaitingNetwork, waiting, exhausted, opening, open
        /// No call needs a connection. Used only with a channel.
        case idle
    }

    public struct State: BitwiseCopyable, Sendable {
        var phase = ClientPhase.parked
        var hasBeenOpen = false
        /// The slot of the connection or attempt. While an earlier connection drains (finishes its calls), that one is
        /// in the other slot.
        var connection = ConnectionSlot(0)
        var isDraining = false
        /// Index of the first call that was not sent on the connection that drains (finishes its calls).
        var firstCallOnNew: UInt32 = 0
        var nextCall: UInt32 = 0
        /// `true` if the reply timer belongs to a probe: if it fires, a new connection is opened at once.
        var isProbing = false
        /// `true` if the server has sent its part of the connection set-up.
        var hasServerResponded = false
        /// `true` if the server has not answered the resume request yet.
        var awaitsResumeResponse = false
        var retry = Retry.State()
        var keepalive = Keepalive.State()
        var path = PathReaction.State()
        var life = LifeCyclePolicy.State()
        var connect = ConnectLimits.State()
        var resume = Resume.State()
        /// Position up to which the client's messages are done, if the server stated it before the connection was open
        /// to the app; otherwise `nil`.
        var confirmedBeforeOpen: Cursor?
        var write = WriteLimit.State()
        /// Range of messages that wait for a callback before they are written.
        var unwritten = (from: Cursor.start, upTo: Cursor.start)
        /// It takes one word.
        var ladder = TransportLadder.State()
        /// Time at which data was last received on the connection, or at which it opened.
        var lastReceivedAt = Instant.zero
        /// With the flag that follows it takes one word.
        var credentials = Credentials.State()
        /// `true` if the channel's idle timer is running.
        var isIdleTimerRunning = false

        // Large and rarely used fields come last. For an idle phone, only the bytes up to the last difference from a
        // new phone are stored.
        var queue = MessageQueue.State()
        var flow = MessageFlow.State()
        var calls = CallTable()
    }

    public init(_ settings: inout SettingsReader) {
        transportSettings = settings.transportSettings(
            "transport", "transport of the connections, and options of their sockets")
        connect = settings.connectLimits(
            "connect", slot: Self.openSlot, "when an attempt is made, and its time limit")
        var retry = settings.retry(
            "backoff", slot: Self.retrySlot,
            default: Backoff(base: .milliseconds(500), cap: .seconds(32), jitter: .full), "waits between attempts")
        let forbidsBoth = connect.stopsWhenDenied && retry.onEnd[.forbidden] != nil
        if connect.stopsWhenDenied { retry.onEnd[.forbidden] = .hold(.process) }
        self.retry = retry
        let keepalive = settings.keepalive(
            "keepalive", beat: Self.beatSlot, reply: Self.replySlot,
            "pings that test the connection: an interval, or a map; without it there are no pings")
        keepsAlive = keepalive != nil
        self.keepalive = keepalive ?? Keepalive(interval: .longest, beatSlot: Self.beatSlot, replySlot: Self.replySlot)
        path = settings.pathReaction(
            "on-path-change", slot: Self.debounceSlot,
            "reaction to network changes that the system reports: a word for `available` and `lost`, or a map by event")
        probeTimeout = settings.span(
            "probe-timeout", default: .seconds(2), in: .milliseconds(1) ... .longest,
            "time limit of a probe by any facet; without an answer a new connection is opened at once")
        if transportSettings.transport.kind != .datagram || settings.isDescribing {
            deadlines = settings.deadlines(
                "calls", slot: Self.callSlot, retrySlot: Self.channelSlot, "deadlines and retries of calls")
        } else {
            deadlines = Deadlines(slot: Self.callSlot)
            settings.refuse(["calls", "resume"], "on datagrams", label: "datagrams are neither answered nor confirmed")
        }
        var receivePolicy = settings.receivePolicy(
            "intake", "buffer before the app's consumer, and how far the library reads ahead")
        flow = settings.messageFlow(
            "flow", slot: Self.flowSlot,
            "message flow control of gRPC for Objective-C: enabled for writes and reads, or a map; default: disabled"
        )
        if flow.isEnabled { receivePolicy.demand = receivePolicy.demand ?? flow.demand }
        self.receivePolicy = receivePolicy
        channel = settings.channel(
            "channel", slot: Self.channelSlot,
            "when the client needs a connection, as in gRPC's channels; default: always")
        hasIdleTimer = channel?.idleTimeout != nil
        writeLimit = settings.writeLimit(
            "write-limit", slot: Self.writeSlot, "a socket that accepts no data for this duration counts as dead")
        life = settings.lifeCycle(
            "life-cycle", slot: Self.pollSlot, stay: Self.visitEndSlot,
            "reaction when the app moves to the background or foreground")
        guarantees = settings.deliveryGuarantees(
            "claims", "guarantees for messages; `deadzone laws` checks whether such clients keep them")
        (resume, queue) = settings.messages(
            transportSettings.transport, slot: Self.resumeSlot, batch: Self.channelSlot, retry: Self.flowSlot)
        onGoAway = settings.word(
            "on-goaway", of: GoAwayPolicy.words, default: .giveUp,
            "after a server's GOAWAY: a new connection after a wait, at once, or at once while calls finish on the old one"
        )
        credentials = settings.credentials(
            "credentials", slot: Self.flowSlot,
            "when the client gets new credentials, for a server that has `credentials`; default: never")
        (names, subscriptions) = (settings.names("names"), settings.subscriptions("streams", slot: Self.writeSlot))
        check(&settings, forbidsBoth: forbidsBoth)
    }

    /// Reports contradictions between the settings of different policy parts (facets).
    private func check(_ settings: inout SettingsReader, forbidsBoth: Bool) {
        func contradict(_ key: String, _ message: String, _ label: String) {
            settings.note(
                Fault(
                    .contradiction, at: settings.mark(of: key), width: key.utf8.count, message, label: label))
        }
        let onChange = settings.peek("on-path-change")
        if onChange != nil, path.migrates, !transportSettings.usesQUIC {
            contradict(
                "on-path-change", "`migrate` without QUIC", "only `transport: quic` survives a change of address")
        }
        if forbidsBoth {
            contradict("connect", "`when-denied: stop` beside `on-end: {forbidden}`", "one of them is enough")
        }
        if credentials == nil, retry.onEnd.uses(.hold(.credentials)), !settings.isDescribing {
            contradict("backoff", "`refresh` without `credentials`", "add `credentials: {}` to the strategy")
        }
        if credentials?.refreshesOnRefusal == true, let denied = retry.onEnd[.denied], denied != .usual,
            denied != .hold(.credentials), !settings.isDescribing
        {
            contradict(
                "backoff", "`on-end: {denied}` beside `credentials: {on-refusal: true}`",
                "a refusal would bring no new token: write `denied: refresh`, or `on-refusal: false`")
        }
        if credentials != nil, flow.isEnabled, !settings.isDescribing {
            contradict("credentials", "`credentials` beside `flow`", "they share a timer")
        }
        if queue.onRefusal?.backoff != nil, credentials != nil || flow.isEnabled, !settings.isDescribing {
            contradict("queue", "a `retry` of refused messages beside `credentials` or `flow`", "they share a timer")
        }
        if subscriptions != nil, !settings.isDescribing {
            if settings.peek("write-limit") != nil {
                contradict("streams", "`streams` beside `write-limit`", "they share a timer")
            }
            let kinds = (transportSettings.ladder?.transports ?? [transportSettings.transport]).map(\.kind)
            if kinds.contains(where: { $0 == .datagram || $0.answersOnly }) {
                contradict("streams", "`streams` on polls or datagrams", "the server cannot end a stream on these")
            }
        }
        if queue.batch != nil, channel != nil || deadlines.retry != nil, !settings.isDescribing {
            contradict("queue", "`batch` beside `channel` or a retry policy of calls", "they share a timer")
        }
        if retry.onEnd[.goAway] != nil, onGoAway != .giveUp {
            contradict("on-goaway", "`on-goaway` beside `on-end: {goaway}`", "one reaction to GOAWAY is enough")
        }
        if retry.reset == .path, onChange != nil, !path.resetsBackoff {
            contradict("backoff", "`reset: path` beside `resets-backoff: false`", "no event would reset the backoff")
        }
    }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if let slot = event.connection, slot != state.connection {
            return processDraining(event, &state, &session, &out)
        }
        dispatch(event, &state, &session, &out)
        parkWhenVisitDone(&state, &session, &out)
        applyMessageFlow(event, &state, &session, &out)
        updateKeepaliveStreams(&state, &session, &out)
        guard hasIdleTimer else { return }
        channel?.updateIdleTimer(
            isOpen: state.phase == .open, state.calls, isCounting: &state.isIdleTimerRunning, &session)
    }

    private func dispatch(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started:
            // Alarms outlive a process; its connections do not.
            disarmConnection(&session)
            resume.started(&state.resume, session)
            queue.started(&state.queue, &session, &out)
            if life.pushToken != .onChange { out.append(.registerPushToken) }
            apply(life.started(session), &state, &session, &out)
            if session.isForeground { logInIfNeeded(&state, &session, &out) }
        case .opened(_, let cursor) where state.phase == .opening: opened(at: cursor, &state, &session, &out)
        case .failed(_, let failure) where state.phase == .opening:
            connect.failed(failure, &state.connect, session)
            lost(EndKind(failure), &state, &session, &out)
        case .closed(_, let reason) where state.phase == .open: lost(EndKind(reason), &state, &session, &out)
        case .codeStated(_, let code): connect.codeStated(code, &state.connect)
        case .received, .acknowledged, .messageRefused, .offsetStated, .subscriptions, .answered, .rejected, .pong,
            .goingAway,
            .stalled, .writable, .serverResponded,
            .heartbeat:
            guard state.phase == .open else { return }
            process(event, &state, &session, &out)
        case .sessionRefused(_, let refusal): connect.sessionRefused(refusal, &state.connect, session)
        case .fired(let slot): fired(slot, &state, &session, &out)
        case .network(let change): process(change, &state, &session, &out)
        case .resumeResponse(_, let greeting): resumeResponded(greeting, &state, &session, &out)
        case .app(let change):
            if change == .foreground, life.pushToken == .onForeground { out.append(.registerPushToken) }
            if change == .background {
                queue.wentToBackground(isOpen: state.phase == .open, &state.queue, session, &out)
            }
            let wasHeld = change == .foreground && connect.reached(.foreground, &state.connect)
            apply(life.appChanged(change, isOpen: state.phase == .open, &state.life, &session), &state, &session, &out)
            if change == .foreground { logInIfNeeded(&state, &session, &out) }
            if change == .foreground, state.queue.hold == .waiting {
                queue.triggered(.foreground, over: openConnection(state), &state.queue, &session, &out)
            }
            if change == .foreground { returnedToForeground(wasHeld: wasHeld, &state, &session, &out) }
        case .credentials(let change): credentialsChanged(change, &state, &session, &out)
        case .pushWoken, .pushesDiscarded, .pushTokenChanged: pushServiceCalled(event, &state, &session, &out)
        case .wantsToSend(let message):
            if state.phase == .idle { startAttempt(&state, &session, &out) }
            let isOpen = state.phase == .open
            queue.enqueue(message, over: isOpen ? state.connection : nil, &state.queue, &session, &out)
            if isOpen, writeLimit.addWaiting(message.bytes, &state.write) {
                return giveUp(.silent, &state, &session, &out)
            }
            if queue.isHolding(session) { break }
            keepaliveSent(&state, &session, &out)
            connectForApp(&state, &session, &out)
        case .wantsToCall(let message):
            if state.phase == .idle { startAttempt(&state, &session, &out) }
            state.nextCall = message.index + 1
            deadlines.callRequested(
                message.index, over: state.connection, state.readiness, &state.calls, &session, &out)
            keepaliveSent(&state, &session, &out)
            connectForApp(&state, &session, &out)
        case .opened, .failed, .closed: break
        }
    }
}

extension Composed.State {
    /// `true` if the server has answered on the open connection.
    var isReady: Bool { phase == .open && hasServerResponded }

    var readiness: Deadlines.Readiness {
        switch phase {
        case .parked, .awaitingNetwork, .waiting, .exhausted, .idle: .down
        case .opening: .opening
        case .open: .open
        }
    }

    /// The corresponding state of a gRPC channel. A client that waits for a usable network counts as failing, because
    /// an attempt to connect would fail.
    var channel: Channel.State {
        switch phase {
        case .parked: .shutdown
        case .awaitingNetwork, .waiting, .exhausted: .transientFailure
        case .idle: .idle
        case .opening: .connecting
        case .open: .ready
        }
    }
}
