public import DeadzoneBase

/// Policy for resuming a message stream on a new connection, and for storing and showing received messages without
/// duplicates.
///
///     socket ──▶ seen before? ──▶ shown ──▶ written down          after-showing: a crash between shows it twice
///                     │          written down ──▶ shown          before-showing: a crash between loses it
///                     └─ yes: dropped
public struct Resume: Hashable, Sendable {
    public enum CursorRetention: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Keeps no cursor: each connection starts with new messages only.
        case nothing
        /// Keeps the cursor in memory.
        case cursor
        /// Keeps the cursor in storage that outlives the process.
        case persisted
    }

    /// The positions that client and server exchange when a client resumes, and how they are used.
    public enum Handshake: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Each side states how much it has received from the other.
        case received
        /// Exactly as in the WebSocket article, with its wrong numbers. The client states which of its own messages
        /// were confirmed, and the server sends messages with higher numbers by its own count. The server states its
        /// own count, and the client discards its messages up to that number. The two counts are unrelated.
        case sequences
    }

    /// How the client detects a message that it has already received.
    public enum Deduplication: Hashable, Sendable, BitwiseCopyable {
        /// By the cursor: messages below the cursor are duplicates.
        case cursor
        case nothing
        /// By a Bloom filter of `bits` bits with `hashes` hashes for each number. It holds all message numbers since it
        /// was last emptied, which happens after `keys` messages. A new message that it reports as known is never
        /// shown.
        case bloom(bits: UInt32, hashes: UInt8, keys: UInt32)
    }

    public enum GapAction: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Ignores gaps: does not compare the server's position with the cursor.
        case ignore
        /// Shows the user that messages are missing.
        case mark
        /// Requests a full snapshot from the server.
        case resync
    }

    public var retention: CursorRetention
    public var handshake = Handshake.received
    public var deduplication = Deduplication.cursor
    public var onGap = GapAction.ignore
    /// `true` if the cursor is stored before the message is shown; `false` if afterwards.
    public var storesBeforeShowing = false
    /// Number of messages, or time, after which the cursor is stored.
    public var storeBatch = Batch()
    /// Number of messages, or time, after which the client acknowledges to the server in messages of its own; `nil`
    /// never acknowledges.
    public var acknowledgeBatch: Batch?
    /// Longest absence after which the client resumes. After a longer absence it requests a full snapshot; `nil` always
    /// resumes. If the cursor outlives the process, so does the start of the absence.
    public var window: TimeSpan?
    /// Time from a message's arrival until it is shown.
    public var showDelay = TimeSpan.zero
    /// Timer for the batches and for `showDelay`.
    public var slot: TimerSlot
    private let passByAddress = PassByAddress()

    /// Limits of a batch of messages: it ends after `every` messages, or when the span `within` has passed since its
    /// first message.
    public struct Batch: Hashable, Sendable, BitwiseCopyable {
        public var every: UInt32 = 1
        public var within = TimeSpan.zero

        public init(every: UInt32 = 1, within: TimeSpan = .zero) {
            self.every = every
            self.within = within
        }
    }

    public struct State: Hashable, Sendable, BitwiseCopyable {
        /// Position of the next message on the present connection.
        var expected = Cursor.start
        var stored = Cursor.start
        var lastAcknowledged = Cursor.start
        /// Start of the range of messages that have arrived but have not been shown yet.
        var showFrom = Cursor.start
        /// End of the range of messages that have arrived and are not shown yet.
        var showUpTo = Cursor.start
        /// Time at which the messages that have arrived are shown; `.never` if none wait.
        var showDue = Instant.never
        var storeDue = Instant.never
        var acknowledgeDue = Instant.never
        /// Time when the last connection ended; `.never` if one is open, or none ever was.
        var disconnectedAt = Instant.never
        /// The first message number in the Bloom filter.
        var filterFrom = Cursor.start
        /// `true` if the client found a gap before the connection was open to it, so that it requests a snapshot later.
        var needsResync = false
        var snapshot = SnapshotState.none
        var isOpen = false

        /// State of a snapshot that is still to arrive on the present connection.
        enum SnapshotState: UInt8 {
            case none
            /// The server has announced a snapshot, which it sends before anything else.
            case promised
            /// The client has requested the snapshot. It cannot detect when the snapshot is complete.
            case requested
        }

        public init() {}
    }

    public init(_ retention: CursorRetention, slot: TimerSlot = TimerSlot(9)) {
        self.retention = retention
        self.slot = slot
    }

    public static let nothing = Resume(.nothing)
    public static let cursor = Resume(.cursor)
    public static let persisted = Resume(.persisted)

    /// Returns the resume request of a strategy that does not use `Resume.State`.
    public func resuming(_ session: Session) -> ResumeRequest {
        retention == .nothing ? .fresh : .from(handshake == .received ? session.cursor : session.acknowledged)
    }

    public func resuming(_ state: State, _ session: Session) -> ResumeRequest {
        if retention != .nothing, let window, state.disconnectedAt != .never,
            session.now - state.disconnectedAt > window
        {
            return .snapshot
        }
        // With the cursor stored first, messages that have arrived and are not shown are not requested again.
        if storesBeforeShowing, retention != .nothing, handshake == .received {
            return .from(max(session.cursor, state.showUpTo))
        }
        return resuming(session)
    }

    /// Called when the app's process starts: only the stored values are left.
    public func started(_ state: inout State, _ session: Session) {
        state = State()
        state.stored = session.persisted
        // A killed process cannot store the time, so the time of the last write stands in for it.
        if retention == .persisted { state.disconnectedAt = session.persistedAt }
        state.filterFrom = session.cursor
    }

    // MARK: On a connection

    /// Called when the connection opens. The server continues at `cursor`, as far as the client knows.
    public func opened(
        _ connection: ConnectionSlot, at cursor: Cursor, _ state: inout State, _ out: inout Outbox
    ) {
        state.expected = cursor
        state.lastAcknowledged = cursor
        state.disconnectedAt = .never
        state.isOpen = true
        if state.needsResync { out.append(.resync(connection)) }
        state.needsResync = false
    }

    /// Handles the server's answer to the resume request, and reacts to a gap in the messages.
    /// - Returns: The cursor below which the client's own messages are done; `nil` if only acknowledgements count.
    public func resumeResponded(
        _ greeting: ResumeResponse, over connection: ConnectionSlot, isOpen: Bool, _ state: inout State,
        _ session: Session,
        _ out: inout Outbox
    ) -> Cursor? {
        state.expected = greeting.next
        state.snapshot = greeting.bringsSnapshot ? .promised : .none
        if session.cursor < greeting.next, !greeting.bringsSnapshot {
            switch onGap {
            case .ignore: break
            case .mark: out.append(.markGap(.down))
            case .resync:
                state.snapshot = .requested
                if isOpen { out.append(.resync(connection)) } else { state.needsResync = true }
            }
        }
        return handshake == .sequences ? min(greeting.sent, session.produced) : nil
    }

    public func lost(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        if state.isOpen {
            state.disconnectedAt = session.now
            // The start of the absence must outlive the process as well.
            if retention == .persisted, window != nil { out.append(.persist(state.stored)) }
        }
        state.isOpen = false
        state.acknowledgeDue = .never
        state.needsResync = false
        state.snapshot = .none
        arm(state, &session)
    }

    /// Called when messages up to the cursor have arrived: stores, acknowledges and shows them, now or later.
    public func received(
        _ cursor: Cursor, over connection: ConnectionSlot, _ state: inout State, _ session: inout Session,
        _ out: inout Outbox
    ) {
        let first = state.expected
        // A message that an older connection still delivers has a lower number.
        if state.snapshot == .promised, first <= cursor { state.snapshot = .none }
        state.expected = max(state.expected, cursor)
        if storesBeforeShowing { store(cursor, &state, session, &out) }
        acknowledge(cursor, over: connection, &state, session, &out)
        if showDelay > .zero {
            if state.showDue == .never {
                state.showDue = session.now + showDelay
                state.showFrom = first
            }
            state.showUpTo = max(state.showUpTo, cursor)
        } else {
            show(from: first, upTo: cursor, &state, session, &out)
            if !storesBeforeShowing { store(cursor, &state, session, &out) }
        }
        arm(state, &session)
    }

    /// Returns the cursor below which everything has arrived on the present connection; `nil` while a snapshot is still
    /// to arrive.
    public func receivedUpTo(_ state: State) -> Cursor? { state.snapshot == .none ? state.expected : nil }

    /// Returns the cursor below which everything has arrived and was passed on to the app; `nil` while messages are
    /// held back or a snapshot is still to arrive.
    public func passedOnUpTo(_ state: State) -> Cursor? { state.showDue == .never ? receivedUpTo(state) : nil }

    /// Called when the timer has fired: shows, stores or acknowledges the messages that are due.
    public func fired(
        over connection: ConnectionSlot?, _ state: inout State, _ session: inout Session, _ out: inout Outbox
    ) {
        if state.showDue <= session.now {
            state.showDue = .never
            show(from: state.showFrom, upTo: state.showUpTo, &state, session, &out)
            if !storesBeforeShowing { store(state.showUpTo, &state, session, &out) }
        }
        if state.storeDue <= session.now { storeNow(&state, session, &out) }
        if state.acknowledgeDue <= session.now, let connection {
            state.acknowledgeDue = .never
            state.lastAcknowledged = state.expected
            out.append(.acknowledge(connection, state.expected))
        }
        arm(state, &session)
    }

    private func arm(_ state: State, _ session: inout Session) {
        let due = min(state.storeDue, state.acknowledgeDue, state.showDue)
        if due == .never { session.disarm(slot) } else { session.arm(slot, after: due - session.now) }
    }

    private func show(
        from first: Cursor, upTo cursor: Cursor, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        switch deduplication {
        case .cursor: out.append(.deliver(cursor))
        case .nothing:
            let known = min(cursor, session.cursor)
            if first < known { out.append(.deliverAgain(from: first, upTo: known)) }
            out.append(.deliver(cursor))
        case .bloom(let bits, let hashes, let keys):
            filterAndShow(upTo: cursor, BloomFilter(bits: bits, hashes: hashes), keys, &state, session, &out)
        }
    }

    // MARK: Storing and acknowledging

    private func store(_ cursor: Cursor, _ state: inout State, _ session: Session, _ out: inout Outbox) {
        guard retention == .persisted, state.stored < cursor else { return }
        if cursor.position - state.stored.position >= storeBatch.every {
            state.storeDue = .never
            state.stored = cursor
            out.append(.persist(cursor))
        } else {
            state.storeDue = min(state.storeDue, session.now + storeBatch.within)
        }
    }

    private func storeNow(_ state: inout State, _ session: Session, _ out: inout Outbox) {
        state.storeDue = .never
        state.stored = storesBeforeShowing ? max(session.cursor, state.expected) : session.cursor
        out.append(.persist(state.stored))
    }

    private func acknowledge(
        _ cursor: Cursor, over connection: ConnectionSlot, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        guard let acknowledgeBatch, state.lastAcknowledged < cursor else { return }
        if cursor.position - state.lastAcknowledged.position >= acknowledgeBatch.every {
            state.acknowledgeDue = .never
            state.lastAcknowledged = cursor
            out.append(.acknowledge(connection, cursor))
        } else {
            state.acknowledgeDue = min(state.acknowledgeDue, session.now + acknowledgeBatch.within)
        }
    }
}
