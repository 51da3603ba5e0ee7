public import DeadzoneClient
import DeadzonePrimitives
public import DeadzoneSettings

/// The loop that the article "gRPC Bidirectional Streaming for Mobile Apps" wraps around a stream, with its arithmetic:
///
///     opening ──opened──> open ──UNAVAILABLE──> waiting ──delay──> opening
///     opening, open ──DEADLINE_EXCEEDED──> ended, for good
///     waiting ──the Swift product overflows──> the process is gone
///
/// Only an event resets the attempts. The deadline is an interceptor's: it is fixed when the call is made, and the loop asks
/// again after UNAVAILABLE alone. Each turn of the loop is an attempt to connect: the channel's own backoff is left out.
public struct StreamLoop: Strategy {
    public static let name = "stream-loop"
    public static let about =
        "the gRPC article's reconnection loop, with the arithmetic of the language it is printed in"

    static let carrier = Carrier(.grpc)
    static let line = ConnectionSlot(0)
    static let retry = TimerSlot(0)
    static let ping = TimerSlot(1)
    static let pongDue = TimerSlot(2)
    static let openDue = TimerSlot(3)
    static let deadline = TimerSlot(4)

    enum Language: UInt8 { case kotlin, swift }

    let language: Language
    /// In whole milliseconds, as the code has it.
    let base: Int64
    let cap: Int64
    let connectTimeout: TimeSpan
    /// Of a call made in the foreground, and in the background; nil: none.
    let foregroundLimit: TimeSpan?
    let backgroundLimit: TimeSpan?
    /// The same while battery saver is on, wherever the app is: the article's `AppState` has one value at a time, and LOW_BATTERY
    /// would not be one of them if it did not go before the others.
    let savingLimit: TimeSpan?
    let pinging: Pinging?
    public let intake: Intake
    public var transport: Carrier? { Self.carrier }

    struct Pinging {
        let interval: TimeSpan
        let timeout: TimeSpan
    }

    enum Phase: UInt8 { case waiting, opening, open, ended }

    public struct State: BitwiseCopyable, Sendable {
        var phase = Phase.waiting
        /// `recoveryAttempts`, `attempts`: 64 bits in both languages.
        var attempts: Int64 = 0
        /// Of the ping interval, one for each `too_many_pings` (gRFC A8).
        var doublings: Int64 = 0
    }

    public init(_ settings: inout SettingsReader) {
        language = settings.word(
            "language", of: [("kotlin", Language.kotlin), ("swift", .swift)], default: .kotlin,
            "kotlin counts after the wait, and its product wraps round; swift counts before it, and an overflow ends the process"
        )
        let waits: ClosedRange<TimeSpan> = .milliseconds(1) ... .hours(1)
        base = settings.span("base", default: .milliseconds(500), in: waits, "the wait that is doubled").milliseconds
        cap = settings.span("cap", default: .seconds(30), in: waits, "no wait is longer").milliseconds
        connectTimeout = settings.span(
            "connect-timeout", default: .seconds(20), in: .milliseconds(1) ... .longest,
            "an attempt that takes longer is UNAVAILABLE")
        (foregroundLimit, backgroundLimit, savingLimit) = settings.group(
            "deadline", "how long a stream lasts, by how the app was when it began"
        ) {
            (
                $0.span("foreground", in: .milliseconds(1) ... .longest, "of a stream begun in the foreground"),
                $0.span("background", in: .milliseconds(1) ... .longest, "of a stream begun in the background"),
                $0.span(
                    "low-battery", in: .milliseconds(1) ... .longest,
                    "of a stream begun while battery saver is on, in the background as well")
            )
        }
        intake = settings.intake(
            "intake", "what waits for whoever collects the stream, and how far the library reads ahead")
        pinging = settings.section("keepalive", "HTTP/2 pings of the channel") {
            Pinging(
                interval: $0.span("interval", default: .seconds(60), in: .seconds(10) ... .longest, "of silence"),
                timeout: $0.span("timeout", default: .seconds(20), in: .milliseconds(10) ... .longest, "for an answer"))
        }
    }

    public func initialState() -> State { State() }

    public func handle(_ event: Event, _ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .fired(Self.retry): call(&state, &session, &out)
        case .opened where state.phase == .opening:
            state.phase = .open
            session.disarm(Self.openDue)
            armPing(state, &session)
        case .received(_, let cursor, _) where state.phase == .open:
            state.attempts = 0
            out.append(.deliver(cursor))
            out.append(.persist(cursor))
            armPing(state, &session)
        case .acknowledged where state.phase == .open, .pong where state.phase == .open,
            .heartbeat where state.phase == .open:
            armPing(state, &session)
        case .wantsToSend(let message):
            if state.phase == .open { out.append(.send(Self.line, from: message.cursor, upTo: message.next)) }
            out.append(.forget(below: message.next))
        case .fired(Self.ping):
            out.append(.ping(Self.line))
            if let pinging { session.arm(Self.pongDue, after: pinging.timeout) }
        case .fired(Self.pongDue), .fired(Self.openDue):
            out.append(.close(Self.line))
            recover(&state, &session, &out)
        case .closed where state.phase == .open, .failed where state.phase == .opening:
            recover(&state, &session, &out)
        case .fired(Self.deadline):
            // Thrown to whoever collects: nobody in the loop asks again.
            out.append(.close(Self.line))
            session.disarmAll()
            state.phase = .ended
        case .goingAway(_, .tooManyPings): state.doublings = min(state.doublings + 1, 40)
        default: break
        }
    }

    /// `streamFactory(cursor)`: a call, and the channel connects for it.
    private func call(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state.phase = .opening
        out.append(.connect(Self.line, Self.carrier, resuming: .from(session.cursor)))
        session.arm(Self.openDue, after: connectTimeout)
        let place = session.isForeground ? foregroundLimit : backgroundLimit
        if let limit = session.isSaving ? savingLimit ?? place : place {
            session.arm(Self.deadline, after: limit)
        }
    }

    /// UNAVAILABLE.
    private func recover(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        session.disarmAll()
        state.phase = .waiting
        guard let delay = delay(&state.attempts) else { return out.append(.crash) }
        // `delay` of Kotlin returns at once when there is nothing left to wait.
        session.arm(Self.retry, after: .milliseconds(max(delay, 0)))
    }

    /// In milliseconds, possibly below zero; nil: the process traps.
    func delay(_ attempts: inout Int64) -> Int64? {
        switch language {
        case .kotlin:
            // `min(500L * (1L shl recoveryAttempts), 30_000L)`: a shift by n modulo 64, a product modulo 2^64.
            let product = base &* (1 << (attempts & 63))
            attempts &+= 1
            return min(product, cap)
        case .swift:
            // `min(UInt64(500 * (1 << attempts)), 30_000)`: a shift beyond 63 is zero, a product beyond 2^63 a trap, and so is
            // what is below zero as a UInt64.
            attempts += 1
            let (product, overflow) = base.multipliedReportingOverflow(by: 1 << attempts)
            return overflow || product < 0 ? nil : min(product, cap)
        }
    }

    /// Any byte is as good as an answer.
    private func armPing(_ state: State, _ session: inout Session) {
        guard let pinging else { return }
        session.disarm(Self.pongDue)
        session.arm(Self.ping, after: pinging.interval * (1 << state.doublings))
    }
}

extension TimeSpan {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
