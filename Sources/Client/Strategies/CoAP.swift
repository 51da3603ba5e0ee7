public import DeadzoneBase

/// A strategy that sends confirmable messages over datagrams, as CoAP does: one exchange at a time (NSTART = 1), repeated
/// with a doubled timeout until the server confirms it (RFC 7252 §4.2). With DTLS it sets up a session first, and again
/// when the server stops to answer.
///
///     idle ── message ──▶ exchange ── confirmed ──▶ idle
///                            │  ▲
///          last repeat fails │  │ session set up
///                            ▼  │
///          idle (message dropped), or handshake (DTLS)
///
/// Where the diagram is inaccurate: a new network continues the exchange there, after a handshake if the session belongs
/// to the old address. Messages of the server are not confirmed.
public struct CoAP: Strategy {
    public static let name = "coap"
    public static let about =
        "sends confirmable messages over datagrams, one at a time, and repeats them (RFC 7252); optional DTLS session"

    private static let connection = ConnectionSlot(0)
    private static let repetition = TimerSlot(0)
    private static let ping = TimerSlot(1)
    /// The first timeout of a handshake flight, and the longest one (RFC 6347 §4.2.4.1).
    private static let flightTimeout = TimeSpan.seconds(1)
    private static let longestFlightTimeout = TimeSpan.seconds(60)
    private static let million: Int64 = 1_000_000

    let timeout: TimeSpan
    /// ACK_RANDOM_FACTOR in parts per million.
    let randomFactor: Int64
    let repeats: UInt8
    let pingInterval: TimeSpan?
    let layer: DatagramLayer
    let resumes: Bool

    enum CoAPPhase: UInt8 { case idle, handshake, exchange }

    public struct State: BitwiseCopyable, Sendable {
        var isOpen = false
        var phase = CoAPPhase.idle
        /// `true` if the client has a DTLS session. Its server may have forgotten it.
        var hasSession = false
        /// `true` if an earlier session can be resumed.
        var hasTicket = false
        var flight: UInt8 = 0
        var repeated: UInt8 = 0
        /// The message of the exchange.
        var message = Cursor.start
        /// The client has given up all messages below this cursor, or they are confirmed.
        var settled = Cursor.start
        /// Time at which the message was sent first.
        var begun = Instant.zero
        var timeout = TimeSpan.zero
    }

    public init(_ settings: inout SettingsReader) {
        timeout = settings.span(
            "ack-timeout", default: .seconds(2), in: .milliseconds(1) ... .hours(1),
            "shortest wait for the confirmation of a message (ACK_TIMEOUT); each repeat doubles the wait")
        randomFactor = settings.ratio(
            "random", default: 1_500_000, in: Self.million...(4 * Self.million),
            "the first wait is drawn from `ack-timeout` to this multiple of it (ACK_RANDOM_FACTOR)")
        repeats = UInt8(
            settings.count(
                "max-retransmit", default: 4, in: 0...10,
                "number of repeats before the client gives up (MAX_RETRANSMIT)"))
        pingInterval = settings.span(
            "ping", in: .milliseconds(1) ... .longest, "time between two empty messages; default: none")
        var layer = DatagramLayer()
        var resumes = true
        _ = settings.section("dtls", "encrypts all messages in a DTLS session; default: no encryption") { part in
            layer.version = part.word(
                "version", of: [("1.2", DatagramLayer.DTLSVersion.dtls12), ("1.3", .dtls13)], default: .dtls12,
                "version of DTLS, with a pre-shared key")
            layer.hasConnectionID = part.word(
                "session", of: [("address", false), ("connection-id", true)], default: false,
                "how the server finds the session: by the source address, or by a connection id (RFC 9146)")
            resumes = part.flag(
                "resumes", default: true, "a lost session is resumed with fewer round trips; otherwise set up anew")
            return true
        }
        (self.layer, self.resumes) = (layer, resumes)
    }

    public var makesCalls: Bool { false }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started: connect(&session, &out)
        case .network(let change) where change.replacesDefaultPath:
            if !layer.hasConnectionID { state.hasSession = false }
            connect(&session, &out)
        case .opened: opened(&state, &session, &out)
        case .wantsToSend where state.isOpen && state.phase == .idle: proceed(&state, &session, &out)
        case .acknowledged(_, let cursor) where state.phase == .exchange && state.message < cursor:
            finish(&state, &session)
            state.settled = max(state.settled, cursor)
            proceed(&state, &session, &out)
        case .serverResponded where state.phase == .handshake: flightAnswered(&state, &session, &out)
        case .fired(Self.repetition): expire(&state, &session, &out)
        case .fired(Self.ping):
            if state.isOpen { out.append(.ping(Self.connection)) }
            if let pingInterval { session.arm(Self.ping, after: pingInterval) }
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        case .closed, .failed:
            state.isOpen = false
            session.disarm(Self.repetition)
        default: break
        }
    }

    private func connect(_ session: inout Session, _ out: inout Outbox) {
        guard session.hasPath else { return }
        var transport = Transport.datagram
        transport.datagrams = layer
        out.append(.connect(Self.connection, transport, resuming: .fresh))
    }

    private func opened(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state.isOpen = true
        if let pingInterval, !session.isArmed(Self.ping) { session.arm(Self.ping, after: pingInterval) }
        let wasExchanging = state.phase == .exchange
        state.phase = .idle
        if needsSession(state) { return beginHandshake(&state, &session, &out) }
        // The exchange continues on the new network with its next repeat.
        guard wasExchanging else { return proceed(&state, &session, &out) }
        state.phase = .exchange
        send(&state, &session, &out)
    }

    private func needsSession(_ state: State) -> Bool { layer.version != .none && !state.hasSession }

    /// Begins the exchange of the next message, if there is one.
    private func proceed(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        let next = max(session.acknowledged, max(session.forgotten, state.settled))
        guard state.isOpen, next < session.produced else { return }
        if needsSession(state) { return beginHandshake(&state, &session, &out) }
        state.phase = .exchange
        (state.message, state.begun, state.repeated) = (next, session.now, 0)
        let width = timeout.nanoseconds / Self.million * (randomFactor - Self.million)
        state.timeout = timeout + .nanoseconds(Int64(session.random.next().scaled(below: UInt64(width) + 1)))
        send(&state, &session, &out)
    }

    private func send(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        out.append(.exchange(Self.connection, state.message, begun: state.begun))
        session.arm(Self.repetition, after: state.timeout)
    }

    private func finish(_ state: inout State, _ session: inout Session) {
        state.phase = .idle
        session.disarm(Self.repetition)
    }

    private func expire(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        guard state.isOpen else { return }
        switch state.phase {
        case .idle: break
        case .handshake:
            state.timeout = min(state.timeout * 2, Self.longestFlightTimeout)
            sendFlight(&state, &session, &out)
        case .exchange where state.repeated < repeats:
            state.repeated += 1
            state.timeout = state.timeout * 2
            send(&state, &session, &out)
        case .exchange: giveUp(&state, &session, &out)
        }
    }

    /// Gives up the exchange. With DTLS the session may be dead, so the client sets it up again and keeps the message.
    private func giveUp(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state.phase = .idle
        if layer.version == .none { state.settled = Cursor(state.message.position + 1) }
        out.append(.abandonExchange(Self.connection, upTo: state.settled))
        if layer.version == .none { out.append(.forget(below: state.settled)) }
        state.hasSession = false
        proceed(&state, &session, &out)
    }

    // MARK: DTLS

    private func beginHandshake(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state.phase = .handshake
        (state.flight, state.timeout) = (0, Self.flightTimeout)
        sendFlight(&state, &session, &out)
    }

    private func sendFlight(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        out.append(.handshake(Self.connection, flight: state.flight, isResumed: resumes && state.hasTicket))
        session.arm(Self.repetition, after: state.timeout)
    }

    private func flightAnswered(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state.flight += 1
        guard state.flight >= layer.roundTrips(isResumed: resumes && state.hasTicket) else {
            state.timeout = Self.flightTimeout
            return sendFlight(&state, &session, &out)
        }
        finish(&state, &session)
        (state.hasSession, state.hasTicket) = (true, true)
        proceed(&state, &session, &out)
    }
}
