public import DeadzoneBase

/// A strategy with the reconnection loop that the article "gRPC Bidirectional Streaming for Mobile Apps" puts around a
/// stream, with its arithmetic:
///
///     opening ──opened──> open ──UNAVAILABLE──> waiting ──delay──> opening
///     open ──OK──> opening, without a wait
///     opening, open ──any other error──> ended, for good
///     waiting ──the Swift product overflows──> crash
///
/// A stream that ends with OK reaches no `catch`, so both loops open the next one at once. After another error than
/// UNAVAILABLE, the Kotlin code throws to its collector. The Swift code leaves its `Task` before `continuation.finish()`,
/// so the consumer of its stream waits forever.
///
/// Only a received message resets the number of attempts. The deadline belongs to an interceptor: it is fixed when the
/// call is made, and the loop retries after UNAVAILABLE only. Each iteration of the loop is an attempt to connect; the
/// channel's own backoff is not modelled.
public struct StreamLoop: Strategy {
    public static let name = "stream-loop"
    public static let about =
        "the gRPC article's reconnection loop, with the arithmetic of the language in which it is printed"

    static let transport = Transport(.grpc)
    static let connection = ConnectionSlot(0)
    static let retry = TimerSlot(0)
    static let ping = TimerSlot(1)
    static let pongDue = TimerSlot(2)
    static let openDue = TimerSlot(3)
    static let deadline = TimerSlot(4)

    enum Language: UInt8 { case kotlin, swift }

    let language: Language
    /// Wait that is doubled for each attempt, in whole milliseconds as in the article's code.
    let base: Int64
    /// Longest wait, in whole milliseconds as in the article's code.
    let cap: Int64
    let connectTimeout: TimeSpan
    /// Longest duration of a stream that was started in the foreground; `nil` sets no deadline.
    let foregroundLimit: TimeSpan?
    /// Longest duration of a stream that was started in the background; `nil` sets no deadline.
    let backgroundLimit: TimeSpan?
    /// Longest duration of a stream that was started while battery saver is on, in the foreground or background. The
    /// article's `AppState` has one value at a time, so its LOW_BATTERY must take precedence over the others.
    let batterySaverLimit: TimeSpan?
    /// Longest duration of a stream that was started in the foreground on a slow network; `nil` uses `foregroundLimit`.
    /// The article demands a deadline by network quality, and prints no code for it. An app cannot see that quality, so
    /// the loop measures how long its streams take to open and its pings to be answered.
    let slowNetwork: Deadlines.SlowNetworkLimit?
    let pinging: Pinging?
    public let receivePolicy: ReceivePolicy
    public var transport: Transport? { Self.transport }

    struct Pinging {
        let interval: TimeSpan
        let timeout: TimeSpan
    }

    enum StreamLoopPhase: UInt8 { case waiting, opening, open, ended }

    public struct State: BitwiseCopyable, Sendable {
        var phase = StreamLoopPhase.waiting
        /// Number of attempts, named `recoveryAttempts` or `attempts` in the article: 64 bits in both languages.
        var attempts: Int64 = 0
        /// How often the ping interval was doubled, once for each `too_many_pings` of the server (gRFC A8).
        var doublings: Int64 = 0
        /// Time of the latest call.
        var calledAt = Instant.zero
        /// `true` if the latest measurement was slow, or got no answer.
        var isNetworkSlow = false
    }

    public init(_ settings: inout SettingsReader) {
        language = settings.word(
            "language", of: [("kotlin", Language.kotlin), ("swift", .swift)], default: .kotlin,
            "kotlin counts after the wait, and the product wraps around; swift counts before it, and an overflow ends the process"
        )
        let waits: ClosedRange<TimeSpan> = .milliseconds(1) ... .hours(1)
        base = settings.span("base", default: .milliseconds(500), in: waits, "wait that is doubled").milliseconds
        cap = settings.span("cap", default: .seconds(30), in: waits, "longest wait").milliseconds
        connectTimeout = settings.span(
            "connect-timeout", default: .seconds(20), in: .milliseconds(1) ... .longest,
            "time limit of an attempt, which then is UNAVAILABLE")
        (foregroundLimit, backgroundLimit, batterySaverLimit, slowNetwork) = settings.group(
            "deadline", "longest duration of a stream, by the app's state at its start"
        ) {
            (
                $0.span("foreground", in: .milliseconds(1) ... .longest, "stream started in the foreground"),
                $0.span("background", in: .milliseconds(1) ... .longest, "stream started in the background"),
                $0.span(
                    "low-battery", in: .milliseconds(1) ... .longest,
                    "stream started while battery saver is on, in the foreground or background"),
                $0.section("slow-network", "stream started in the foreground while the network is slow") {
                    Deadlines.SlowNetworkLimit(
                        threshold: $0.span(
                            "above", default: .seconds(2), in: .milliseconds(1) ... .longest,
                            "the network is slow if the last stream took longer to open, or the last ping to be "
                                + "answered, or got no answer"),
                        limit: $0.required(
                            "deadline", .span(in: .milliseconds(1) ... .longest), standIn: .seconds(1),
                            "longest duration on a slow network"))
                }
            )
        }
        receivePolicy = settings.receivePolicy(
            "intake", "buffer before the collector of the stream, and how far the library reads ahead")
        pinging = settings.section("keepalive", "HTTP/2 pings of the channel") {
            Pinging(
                interval: $0.span(
                    "interval", default: .seconds(60), in: .seconds(10) ... .longest, "silence before a ping"),
                timeout: $0.span(
                    "timeout", default: .seconds(20), in: .milliseconds(10) ... .longest, "time limit of an answer"))
        }
    }

    public var makesCalls: Bool { false }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired(Self.retry): call(&state, &session, &out)
        case .opened where state.phase == .opening:
            state.phase = .open
            session.disarm(Self.openDue)
            measure(session.now - state.calledAt, &state)
            armPing(state, &session)
        case .received(_, let cursor, _) where state.phase == .open:
            state.attempts = 0
            out.append(.deliver(cursor))
            out.append(.persist(cursor))
            armPing(state, &session)
        case .pong(_, let span) where state.phase == .open:
            measure(span, &state)
            armPing(state, &session)
        case .acknowledged where state.phase == .open, .heartbeat where state.phase == .open: armPing(state, &session)
        case .wantsToSend(let message):
            if state.phase == .open { out.append(.send(Self.connection, from: message.cursor, upTo: message.next)) }
            out.append(.forget(below: message.next))
        case .fired(Self.ping):
            out.append(.ping(Self.connection))
            if let pinging { session.arm(Self.pongDue, after: pinging.timeout) }
        case .fired(Self.pongDue), .fired(Self.openDue):
            state.isNetworkSlow = true
            out.append(.close(Self.connection))
            recover(&state, &session, &out)
        case .closed(_, .completed) where state.phase == .open:
            session.disarmAll()
            call(&state, &session, &out)
        case .closed(_, .denied) where state.phase == .open: end(&state, &session, &out)
        case .sessionRefused(_, let refusal) where refusal.isPermanent && state.phase != .waiting:
            end(&state, &session, &out)
        case .closed where state.phase == .open, .failed where state.phase == .opening:
            recover(&state, &session, &out)
        case .fired(Self.deadline):
            out.append(.close(Self.connection))
            end(&state, &session, &out)
        case .goingAway(_, .tooManyPings): state.doublings = min(state.doublings + 1, 40)
        default: break
        }
    }

    /// Makes a call, for which the channel connects: `streamFactory(cursor)` in the article.
    private func call(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state.phase = .opening
        state.calledAt = session.now
        out.append(.connect(Self.connection, Self.transport, resuming: .from(session.cursor)))
        session.arm(Self.openDue, after: connectTimeout)
        let inFront = state.isNetworkSlow ? slowNetwork?.limit ?? foregroundLimit : foregroundLimit
        let place = session.isForeground ? inFront : backgroundLimit
        if let limit = session.isBatterySaverOn ? batterySaverLimit ?? place : place {
            session.arm(Self.deadline, after: limit)
        }
    }

    private func measure(_ span: TimeSpan, _ state: inout State) {
        if let slowNetwork { state.isNetworkSlow = span > slowNetwork.threshold }
    }

    /// Handles a status other than OK and UNAVAILABLE: the loop does not retry.
    private func end(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarmAll()
        state.phase = .ended
        if language == .swift { out.append(.abandonConsumer) }
    }

    /// Handles the status UNAVAILABLE: schedules the next attempt, or crashes if the computation of the wait traps.
    private func recover(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarmAll()
        state.phase = .waiting
        guard let delay = delay(&state.attempts) else { return out.append(.crash) }
        // Kotlin's `delay` returns at once if the time is zero or negative.
        session.arm(Self.retry, after: .milliseconds(max(delay, 0)))
    }

    /// Returns the wait in milliseconds, possibly negative; `nil` if the process traps.
    func delay(_ attempts: inout Int64) -> Int64? {
        switch language {
        case .kotlin:
            // `min(500L * (1L shl recoveryAttempts), 30_000L)`: a shift by n modulo 64, a product modulo 2^64.
            let product = base &* (1 << (attempts & 63))
            attempts &+= 1
            return min(product, cap)
        case .swift:
            // `min(UInt64(500 * (1 << attempts)), 30_000)`: a shift beyond 63 gives zero, a product beyond 2^63
            // traps, and so does the conversion of a negative value to UInt64.
            attempts += 1
            let (product, overflow) = base.multipliedReportingOverflow(by: 1 << attempts)
            return overflow || product < 0 ? nil : min(product, cap)
        }
    }

    /// Arms the timer of the next ping, and disarms that of the answer. Called for any received data, which counts as
    /// an answer.
    private func armPing(_ state: State, _ session: inout Session) {
        guard let pinging else { return }
        session.disarm(Self.pongDue)
        session.arm(Self.ping, after: pinging.interval * (1 << state.doublings))
    }
}

extension TimeSpan {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
