public import DeadzonePrimitives

/// What a new connection carries over from the old one, and what becomes of a message on its way from the socket to the user.
///
///     socket ──▶ seen before? ──▶ shown ──▶ written down          `storing: after`: a crash between shows it twice
///                     │          written down ──▶ shown          `storing: before`: a crash between loses it
///                     └─ yes: dropped
public struct Resume: Hashable, Sendable {
    public enum Kept: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Nothing: it begins with what is new.
        case nothing
        /// The cursor, in memory.
        case cursor
        /// The cursor, where it outlives the process.
        case persisted
    }

    /// Which number the client sends when it resumes, and what it makes of the server's.
    public enum Handshake: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Each side says what it has of the other's.
        case received
        /// The WebSocket article to the letter: the client says which of its own messages were confirmed, and the server sends
        /// what is numbered higher by its own count; the server says how far it has counted, and the client discards what it wanted
        /// to send up to that number. The two counts have nothing to do with each other.
        case sequences
    }

    /// How the client knows a message that it has had before.
    public enum Recognition: Hashable, Sendable, BitwiseCopyable {
        /// By the cursor: whatever lies below it.
        case cursor
        case nothing
        /// By a Bloom filter of so many bits with so many hashes for each number, of all it has had since it was last emptied: after
        /// so many of them. What it takes for known though it is new, nobody sees.
        case bloom(bits: UInt32, hashes: UInt8, keys: UInt32)
    }

    public enum OnGap: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// It does not compare numbers.
        case ignore
        /// It tells the user.
        case mark
        /// It asks for everything anew.
        case resync
    }

    public var kept: Kept
    public var handshake = Handshake.received
    public var recognition = Recognition.cursor
    public var onGap = OnGap.ignore
    /// The cursor is written down before the message is shown.
    public var storesFirst = false
    /// It is written down after so many messages, or so long after the first of them.
    public var storing = Batch()
    /// Tells the server what it has: after so many messages, or so long after the first; nil: never.
    public var telling: Batch?
    /// Away for longer, it does not resume but asks for everything; nil: it always resumes. Where the cursor outlives the process,
    /// so does the moment since when it is away.
    public var window: TimeSpan?
    /// From a message's arrival to its being shown.
    public var showsAfter = TimeSpan.zero
    /// Counts the batches, and the wait before showing.
    public var slot: TimerSlot
    private let lent = Lent()

    /// After so many messages, or so long after the first of them.
    public struct Batch: Hashable, Sendable, BitwiseCopyable {
        public var every: UInt32 = 1
        public var within = TimeSpan.zero

        public init(every: UInt32 = 1, within: TimeSpan = .zero) {
            self.every = every
            self.within = within
        }
    }

    public struct State: Hashable, Sendable, BitwiseCopyable {
        /// The next message of the present connection.
        var expected = Cursor.start
        var stored = Cursor.start
        var told = Cursor.start
        /// Here, and not shown yet: these, and when they will be.
        var showFrom = Cursor.start
        var showUpTo = Cursor.start
        var showDue = Instant.never
        var storeDue = Instant.never
        var tellDue = Instant.never
        /// Since when there is no connection; `.never`: there is one, or there never was.
        var leftAt = Instant.never
        /// The first number in the Bloom filter.
        var filterFrom = Cursor.start
        /// It has found a gap before the connection was open to it.
        var wantsAll = false
        var whole = Whole.none
        var isOpen = false

        /// Everything in one piece, which is still to come over the present connection.
        enum Whole: UInt8 {
            case none
            /// The server has said that it brings it before anything else.
            case promised
            /// The client has asked for it. When it is here, it cannot tell.
            case asked
        }

        public init() {}
    }

    public init(_ kept: Kept, slot: TimerSlot = TimerSlot(9)) {
        self.kept = kept
        self.slot = slot
    }

    public static let nothing = Resume(.nothing)
    public static let cursor = Resume(.cursor)
    public static let persisted = Resume(.persisted)

    /// What a strategy asks for that keeps no state of this facet.
    public func resuming(_ session: Session) -> Resuming {
        kept == .nothing ? .fresh : .from(handshake == .received ? session.cursor : session.acknowledged)
    }

    public func resuming(_ state: State, _ session: Session) -> Resuming {
        if kept != .nothing, let window, state.leftAt != .never, session.now - state.leftAt > window { return .whole }
        // What is here and not shown: whoever counts it as had does not ask for it again.
        if storesFirst, kept != .nothing, handshake == .received { return .from(max(session.cursor, state.showUpTo)) }
        return resuming(session)
    }

    /// A process starts: what it finds written down is all it has.
    public func started(_ state: inout State, _ session: Session) {
        state = State()
        state.stored = session.persisted
        // A kill leaves no time to say since when: it is as if it had left when it last wrote something down.
        if kept == .persisted { state.leftAt = session.persistedAt }
        state.filterFrom = session.cursor
    }

    // MARK: On a connection

    /// The server goes on here, as far as the client knows by now.
    public func opened(
        _ line: ConnectionSlot, at cursor: Cursor, _ state: inout State, _ out: inout Outbox
    ) {
        state.expected = cursor
        state.told = cursor
        state.leftAt = .never
        state.isOpen = true
        if state.wantsAll { out.append(.resync(line)) }
        state.wantsAll = false
    }

    /// The server has said where it stands.
    /// - Returns: How far the client's own messages are done with, if that is not what was acknowledged.
    public func answered(
        _ greeting: Greeting, over line: ConnectionSlot, isOpen: Bool, _ state: inout State, _ session: Session,
        _ out: inout Outbox
    ) -> Cursor? {
        state.expected = greeting.next
        state.whole = greeting.bringsSnapshot ? .promised : .none
        if session.cursor < greeting.next, !greeting.bringsSnapshot {
            switch onGap {
            case .ignore: break
            case .mark: out.append(.markGap(.down))
            case .resync:
                state.whole = .asked
                if isOpen { out.append(.resync(line)) } else { state.wantsAll = true }
            }
        }
        return handshake == .sequences ? min(greeting.sent, session.produced) : nil
    }

    public func lost(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if state.isOpen {
            state.leftAt = session.now
            // The moment has to outlive the process, too.
            if kept == .persisted, window != nil { out.append(.persist(state.stored)) }
        }
        state.isOpen = false
        state.tellDue = .never
        state.wantsAll = false
        state.whole = .none
        arm(state, &session)
    }

    /// Messages up to the cursor are here.
    public func received(
        _ cursor: Cursor, over line: ConnectionSlot, _ state: inout State, _ session: inout Session,
        _ out: inout Outbox
    ) {
        let first = state.expected
        // What an older connection still brings lies below.
        if state.whole == .promised, first <= cursor { state.whole = .none }
        state.expected = max(state.expected, cursor)
        if storesFirst { store(cursor, &state, session, &out) }
        tell(cursor, over: line, &state, session, &out)
        if showsAfter > .zero {
            if state.showDue == .never {
                state.showDue = session.now + showsAfter
                state.showFrom = first
            }
            state.showUpTo = max(state.showUpTo, cursor)
        } else {
            show(from: first, upTo: cursor, &state, session, &out)
            if !storesFirst { store(cursor, &state, session, &out) }
        }
        arm(state, &session)
    }

    /// Everything below it has come over the present connection; nil while everything is still to come in one piece.
    public func here(_ state: State) -> Cursor? { state.whole == .none ? state.expected : nil }

    /// Everything below it has come, and was passed on; nil while something is held back, or everything is still to come.
    public func received(_ state: State) -> Cursor? { state.showDue == .never ? here(state) : nil }

    /// The facet's timer.
    public func fired(
        over line: ConnectionSlot?, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        if state.showDue <= session.now {
            state.showDue = .never
            show(from: state.showFrom, upTo: state.showUpTo, &state, session, &out)
            if !storesFirst { store(state.showUpTo, &state, session, &out) }
        }
        if state.storeDue <= session.now { write(&state, session, &out) }
        if state.tellDue <= session.now, let line {
            state.tellDue = .never
            state.told = state.expected
            out.append(.acknowledge(line, state.expected))
        }
        arm(state, &session)
    }

    private func arm(_ state: State, _ session: inout Session) {
        let due = min(state.storeDue, state.tellDue, state.showDue)
        if due == .never { session.disarm(slot) } else { session.arm(slot, after: due - session.now) }
    }

    private func show(
        from first: Cursor, upTo cursor: Cursor, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        switch recognition {
        case .cursor: out.append(.deliver(cursor))
        case .nothing:
            let known = min(cursor, session.cursor)
            if first < known { out.append(.deliverAgain(from: first, upTo: known)) }
            out.append(.deliver(cursor))
        case .bloom(let bits, let hashes, let keys):
            sift(upTo: cursor, Bloom(bits: bits, hashes: hashes), keys, &state, session, &out)
        }
    }

    // MARK: Written down, and told

    private func store(_ cursor: Cursor, _ state: inout State, _ session: Session, _ out: inout Outbox) {
        guard kept == .persisted, state.stored < cursor else { return }
        if cursor.position - state.stored.position >= storing.every {
            state.storeDue = .never
            state.stored = cursor
            out.append(.persist(cursor))
        } else {
            state.storeDue = min(state.storeDue, session.now + storing.within)
        }
    }

    private func write(_ state: inout State, _ session: Session, _ out: inout Outbox) {
        state.storeDue = .never
        state.stored = storesFirst ? max(session.cursor, state.expected) : session.cursor
        out.append(.persist(state.stored))
    }

    private func tell(
        _ cursor: Cursor, over line: ConnectionSlot, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        guard let telling, state.told < cursor else { return }
        if cursor.position - state.told.position >= telling.every {
            state.tellDue = .never
            state.told = cursor
            out.append(.acknowledge(line, cursor))
        } else {
            state.tellDue = min(state.tellDue, session.now + telling.within)
        }
    }
}
