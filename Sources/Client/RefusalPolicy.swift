import DeadzoneBase

/// The answer of a server's program that refuses one message of the app while the connection continues.
///
/// The server takes the messages of a phone in order. It ignores the messages behind a refused one until they come
/// again.
public enum MessageRefusal: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The same message may succeed later: HTTP 5xx, 429.
    case transient
    /// The server never takes the message: HTTP 4xx.
    case permanent
    /// An earlier upload of the message still holds it: HTTP 423, 409.
    case locked
}

/// A client's reaction to a message that the server's program refuses: a retry of the send queue's own.
///
///     none ──refused──▶ waiting ──wait over, trigger──▶ retrying ──confirmed──▶ none, sends what waits behind
///       ▲                  ▲                                │
///       │                  └────────────refused────────────┘
///       └── too often, permanent: the message is dropped
///
/// The default of a queue has no such policy: it drops a refused message. Many clients do so: OwnTracks discards a POST
/// that is answered with 4xx or 5xx (owntracks/android#655), others remove a message before they post it
/// (deskhq/the-desk#1007) or drop it after the last quick retry (SandeepVashishtha/Eventra#15073).
public struct RefusalPolicy: Hashable, Sendable {
    /// Reason for which a queue sends no message, or only its first one.
    enum Hold: UInt8, Hashable, Sendable, BitwiseCopyable {
        case none
        /// The first message was refused and waits for its retry.
        case waiting
        /// The first message was sent again, alone.
        case retrying
        /// The server was asked how much it has of the first message.
        case offset
    }

    /// Events that end the wait early.
    public struct Triggers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The app has a new message.
        public static let nextMessage = Triggers(rawValue: 1)
        /// A network came back, or a new connection has opened.
        public static let path = Triggers(rawValue: 2)
        /// The app is in the foreground again.
        public static let foreground = Triggers(rawValue: 4)
    }

    /// Waits between the attempts; `nil` waits for a trigger.
    public var backoff: Backoff?
    public var timing: TimerOptions
    public var triggers: Triggers
    /// Number of retries after which the message is dropped; `nil` sets no limit.
    public var limit: UInt8?
    /// `true` if a permanent refusal is retried as well: the message then blocks all later ones.
    public var retriesPermanent: Bool
    /// `true` if a locked message starts a new upload at once, as some clients do (tus/tusd#234). All its bytes are
    /// sent again, and those that the server has are never used.
    public var uploadsAnew = false
    public var slot: TimerSlot

    public init(
        backoff: Backoff?, timing: TimerOptions = TimerOptions(), triggers: Triggers = [], limit: UInt8? = nil,
        retriesPermanent: Bool = false, slot: TimerSlot
    ) {
        self.backoff = backoff
        self.timing = timing
        self.triggers = triggers
        self.limit = limit
        self.retriesPermanent = retriesPermanent
        self.slot = slot
    }

    /// `true` if the message is dropped after this refusal, the one after `failed` earlier ones in a row.
    func drops(_ refusal: MessageRefusal, after failed: UInt8) -> Bool {
        if refusal == .permanent && !retriesPermanent { return true }
        return limit.map { $0 <= failed } ?? false
    }

    /// Starts the wait before the next attempt.
    func startWait(after failed: UInt8, _ session: inout Session) {
        guard let backoff else { return }
        session.arm(slot, after: backoff.wait(afterFailures: failed, using: &session.random), timing)
    }
}

/// Way in which a client sends a large message again that broke off with its connection.
public struct UploadPolicy: Hashable, Sendable {
    /// Size in bytes of the parts that a server keeps. An incomplete part is lost.
    public var size: UInt32
    /// `true` if the client asks the server how much it has and sends the rest; `false` if it starts anew.
    public var resumesAtOffset: Bool

    public init(size: UInt32, resumesAtOffset: Bool = true) {
        self.size = size
        self.resumesAtOffset = resumesAtOffset
    }
}

extension MessageQueue {
    /// `true` while a refused message waits for its retry. Nothing behind it is sent.
    public func isAwaitingRetry(_ state: State) -> Bool { state.hold == .waiting }

    /// Called when the server's program has refused the message at `cursor`. All earlier messages are confirmed.
    public func refused(
        _ cursor: Cursor, _ refusal: MessageRefusal, over connection: ConnectionSlot, isOpen: Bool,
        _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        let policy = retention == .nothing || removal == .sent ? nil : onRefusal
        if let policy, policy.uploadsAnew, refusal == .locked, isOpen {
            out.append(.abandonUpload(cursor))
            state.hasBegun = false
            state.hold = .waiting
            return release(over: connection, &state, &session, &out)
        }
        guard let policy, !policy.drops(refusal, after: state.refusals) else {
            return drop(cursor, over: isOpen ? connection : nil, &state, session, &out)
        }
        policy.startWait(after: state.refusals, &session)
        state.refusals += state.refusals < .max ? 1 : 0
        state.hold = .waiting
    }

    /// Drops a refused message, and continues behind it.
    private func drop(
        _ cursor: Cursor, over connection: ConnectionSlot?, _ state: inout State, _ session: Session,
        _ out: inout Outbox
    ) {
        let next = Cursor(cursor.position + 1)
        out.append(.giveUp(cursor))
        state.refusals = 0
        state.hold = .none
        state.hasBegun = false
        state.base = max(state.base, next)
        state.handedOver = max(state.handedOver, next)
        guard let connection else { return }
        out.append(.sendAgain(connection, from: next, upTo: Cursor(.max)))
        guard retention != .nothing, !isHolding(session) else { return }
        handOver(connection, &state, session, &out)
    }

    /// Called when the wait for a retry is over. `connection` is `nil` while nothing is connected.
    public func retryFired(
        over connection: ConnectionSlot?, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        guard isAwaitingRetry(state) else { return }
        release(over: connection, &state, &session, &out)
    }

    /// Called when an event has happened that may end the wait for a retry.
    public func triggered(
        _ trigger: RefusalPolicy.Triggers, over connection: ConnectionSlot?, _ state: inout State,
        _ session: inout Session, _ out: inout Outbox
    ) {
        guard isAwaitingRetry(state), isTriggered(by: trigger) else { return }
        release(over: connection, &state, &session, &out)
    }

    func isTriggered(by trigger: RefusalPolicy.Triggers) -> Bool { onRefusal?.triggers.contains(trigger) ?? false }

    func endWait(_ state: inout State, _ session: inout Session) {
        state.hold = .none
        if let onRefusal, onRefusal.backoff != nil { session.disarm(onRefusal.slot) }
    }

    /// Ends the wait: sends the refused message again. Those behind it follow once it is confirmed.
    private func release(
        over connection: ConnectionSlot?, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        endWait(&state, &session)
        guard let connection else { return }
        if askOffset(connection, &state, session, &out) { return }
        removePassedRanges(&state, session)
        let first = max(state.base, session.acknowledged)
        let next = min(Cursor(first.position + 1), session.produced)
        out.append(.sendAgain(connection, from: first, upTo: next))
        guard first < next else { return }
        // A connection that carried no message yet does not send it again.
        out.append(.send(connection, from: first, upTo: next))
        state.handedOver = next
        state.hold = .retrying
    }

    // MARK: A message that broke off

    /// Asks the server how much of the first message it has, if an earlier connection may have carried a part. Returns
    /// `true` if it asked: nothing is sent before the answer.
    func askOffset(
        _ connection: ConnectionSlot, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) -> Bool {
        guard chunk != nil, state.hasBegun, state.hold == .none,
            max(state.base, session.acknowledged) < session.produced
        else { return false }
        state.hold = .offset
        out.append(.askOffset(connection))
        return true
    }

    /// Called when the server has answered how much of the first message it has: sends the rest.
    public func offsetStated(
        _ connection: ConnectionSlot, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        guard let chunk, state.hold == .offset else { return }
        state.hold = .none
        state.hasBegun = false
        let first = max(state.base, session.acknowledged)
        out.append(.sendAgain(connection, from: first, upTo: Cursor(.max)))
        out.append(.resumeMessage(connection, first, chunk: chunk))
        if !isHolding(session) { handOver(connection, &state, session, &out) }
    }
}
