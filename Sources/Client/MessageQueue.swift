public import DeadzoneBase

/// Queue of the app's messages that the server has not confirmed. They are sent in order on each new connection, from
/// the first unconfirmed one.
///
///     produced ──▶ [ kept … handed over … ] ──confirmed──▶ removed
///                    └─ more than `bound`: overflow
public struct MessageQueue: Hashable, Sendable {
    public enum QueueRetention: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Keeps no messages: a message without a connection is lost.
        case nothing
        /// Keeps messages until the process ends.
        case memory
        /// Keeps messages in storage that outlives the process.
        case stored
    }

    /// Event that removes a message from the queue.
    public enum RemovalRule: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case confirmed
        /// A message is removed once it was passed to a connection. It is never sent again, whatever happens to that
        /// connection.
        case sent
    }

    public enum QueueOverflow: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Refuses the new message and notifies the app.
        case refuse
        case dropOldest
        /// Drops the new message.
        case dropNewest
        /// Drops the older half of the queue and shows the user a mark, as the WebSocket article does at 1,000
        /// messages.
        case halve
    }

    public var retention: QueueRetention
    public var removal = RemovalRule.confirmed
    /// Capacity of the queue in messages; `nil` sets no limit.
    public var bound: UInt32?
    /// Capacity in bytes while nothing is connected; `nil` sets no limit. Used only by a queue that removes messages
    /// once they are sent.
    public var boundBytes: UInt64?
    public var overflow = QueueOverflow.refuse
    /// Messages are held until a batch is complete; `nil` sends each at once.
    public var batch: SendBatch?
    /// Reaction to a message that the server's program refuses; `nil` drops the message.
    public var onRefusal: RefusalPolicy?
    /// Whether a message that broke off is continued on a new connection; `nil` sends it from its start.
    public var uploads: UploadPolicy?
    /// Size in bytes of the parts in which a message is continued; `nil` if it starts anew.
    var chunk: UInt32? { uploads.flatMap { $0.resumesAtOffset ? $0.size : nil } }
    /// `true` if each message has a key that lets a server detect duplicates.
    public var hasKeys = true
    /// `true` if messages that were sent count as done, without confirmation, when the app goes to the background (the
    /// WebSocket article's flush).
    public var flushForgets = false
    private let passByAddress = PassByAddress()

    /// Rule by which messages wait for each other before they are sent.
    public struct SendBatch: Hashable, Sendable {
        /// Number of messages that are sent together.
        public var every: UInt32
        /// Time after the first message of a batch at which it is sent, complete or not.
        public var within: TimeSpan
        public var timing: TimerOptions
        public var slot: TimerSlot

        public init(every: UInt32, within: TimeSpan, timing: TimerOptions = TimerOptions(), slot: TimerSlot) {
            self.every = every
            self.within = within
            self.timing = timing
            self.slot = slot
        }
    }

    public struct State: Hashable, Sendable, BitwiseCopyable {
        /// Start of the queue: it holds no messages below this cursor.
        var base = Cursor.start
        /// All messages below this cursor were passed to the present connection.
        var handedOver = Cursor.start
        /// Ranges of messages that were refused and lie between accepted ones, oldest first.
        var refusedRanges = InlineArray<4, RefusedRange>(repeating: RefusedRange())
        var refusedCount: UInt32 = 0
        /// Number of times in a row that the server's program has refused the first message.
        var refusals: UInt8 = 0
        /// Reason for which the messages behind the first one are not sent.
        var hold = RefusalPolicy.Hold.none
        /// `true` if an earlier connection may have carried a part of the first message. Used only with `chunk`.
        var hasBegun = false
        /// Total size in bytes of the messages that wait for a connection.
        var waitingBytes: UInt64 = 0

        public init() {}

        public static func == (a: Self, b: Self) -> Bool {
            a.base == b.base && a.handedOver == b.handedOver && a.refusedCount == b.refusedCount
                && a.waitingBytes == b.waitingBytes && a.refusals == b.refusals && a.hold == b.hold
                && a.refusedRanges.indices.allSatisfy { a.refusedRanges[$0] == b.refusedRanges[$0] }
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(base)
            hasher.combine(handedOver)
        }
    }

    struct RefusedRange: Hashable, Sendable, BitwiseCopyable {
        var from = Cursor.start
        var upTo = Cursor.start
        var isEmpty: Bool { upTo <= from }
        var count: UInt32 { upTo.position - from.position }
    }

    public init(_ retention: QueueRetention) { self.retention = retention }

    /// Returns the default queue for a resume policy: it keeps messages as long as the policy keeps its cursor. A
    /// client that keeps no cursor has no queue.
    public static func defaultQueue(with resume: Resume) -> MessageQueue {
        MessageQueue(resume.retention == .nothing ? .nothing : resume.retention == .cursor ? .memory : .stored)
    }

    // MARK: The process

    /// Called when the app's process starts. Messages that were removed from storage stay removed. Not modelled:
    /// refused messages between others. The new process forgets that they were refused and sends them.
    public func started(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state = State()
        state.base = session.forgotten
        state.hasBegun = chunk != nil
        session.messagesHaveKeys = hasKeys
        guard retention != .stored, session.produced > .start else { return }
        state.base = session.produced
        out.append(.forget(below: session.produced))
    }

    /// Called when the app goes to the background. With `flushForgets`, removes the messages that were sent.
    public func wentToBackground(isOpen: Bool, _ state: inout State, _ session: Session, _ out: inout Outbox) {
        guard flushForgets, isOpen else { return }
        state.base = max(state.base, state.handedOver)
        out.append(.forget(below: state.base))
    }

    // MARK: A connection

    /// Called when a connection opens: sends all messages that are still unconfirmed.
    /// - Parameter done: Messages below this cursor are removed first, whether confirmed or not; `nil` removes none.
    public func opened(
        _ connection: ConnectionSlot, done: Cursor? = nil, _ state: inout State, _ session: inout Session,
        _ out: inout Outbox
    ) {
        guard retention != .nothing else { return }
        if let batch { session.disarm(batch.slot) }
        if let done { discard(below: done, &state, &out) }
        let first = max(state.base, session.acknowledged)
        if chunk != nil { state.hasBegun = state.hasBegun || first < state.handedOver }
        state.handedOver = first
        state.waitingBytes = 0
        if state.hold != .waiting || isTriggered(by: .path) { endWait(&state, &session) }
        if askOffset(connection, &state, session, &out) { return }
        handOver(connection, isNew: true, &state, session, &out)
    }

    /// Removes the messages below the cursor.
    public func discard(below done: Cursor, _ state: inout State, _ out: inout Outbox) {
        guard state.base < done else { return }
        state.base = done
        state.handedOver = max(state.handedOver, done)
        out.append(.forget(below: done))
    }

    public func confirmed(
        _ connection: ConnectionSlot, isOpen: Bool = true, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        guard retention != .nothing else { return }
        state.base = max(state.base, session.acknowledged)
        state.refusals = 0
        if state.hold == .retrying { state.hold = .none }
        removePassedRanges(&state, session)
        // Messages behind a refused range were not sent while earlier messages were unconfirmed.
        if isOpen, !isHolding(session), state.handedOver < session.produced {
            handOver(connection, &state, session, &out)
        }
    }

    /// `true` while messages wait for their batch.
    public func isHolding(_ session: Session) -> Bool { batch.map { session.isArmed($0.slot) } ?? false }

    /// Called when the time of an incomplete batch is over: sends it. `connection` is `nil` while nothing is connected;
    /// the batch then goes out with the next connection.
    public func batchFired(
        over connection: ConnectionSlot?, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        guard let connection else { return }
        handOver(connection, &state, session, &out)
    }

    /// Adds a message of the app. `connection` is `nil` while nothing is connected.
    public func enqueue(
        _ message: Message, over connection: ConnectionSlot?, _ state: inout State, _ session: inout Session,
        _ out: inout Outbox
    ) {
        if retention == .nothing {
            if let connection { out.append(.send(connection, from: message.cursor, upTo: message.next)) }
            return out.append(.forget(below: message.next))
        }
        if retention == .stored { out.append(.storeOutgoing(below: message.next)) }
        state.base = max(state.base, session.acknowledged)
        guard makeRoom(for: message, isConnected: connection != nil, &state, session, &out) else { return }
        if state.hold == .waiting { triggered(.nextMessage, over: connection, &state, &session, &out) }
        if let batch, holds(batch, state, &session) { return }
        guard let connection else { return }
        handOver(connection, upTo: message.next, &state, session, &out)
    }

    /// Returns `true` if a new message must wait for its batch, and starts the time of a new batch.
    private func holds(_ batch: SendBatch, _ state: State, _ session: inout Session) -> Bool {
        let first = max(state.handedOver, state.base, session.acknowledged)
        guard session.produced.position - min(first.position, session.produced.position) < batch.every else {
            session.disarm(batch.slot)
            return false
        }
        if !session.isArmed(batch.slot) { session.arm(batch.slot, after: batch.within, batch.timing) }
        return true
    }

    // MARK: Handing over

    func handOver(
        _ connection: ConnectionSlot, upTo end: Cursor? = nil, isNew: Bool = false, _ state: inout State,
        _ session: Session,
        _ out: inout Outbox
    ) {
        guard state.hold == .none else { return }
        let end = end ?? session.produced
        removePassedRanges(&state, session)
        if let hole = firstRefusedRange(state, from: state.handedOver) {
            // A connection takes the messages after a refused range only when none before it is in flight.
            if state.handedOver < hole.from {
                send(connection, upTo: min(hole.from, end), &state, &out)
                return
            }
            guard isNew || session.acknowledged >= hole.from else { return }
            state.handedOver = hole.upTo
        }
        let next = firstRefusedRange(state, from: state.handedOver)
        send(connection, upTo: min(next?.from ?? end, end), &state, &out)
    }

    private func send(_ connection: ConnectionSlot, upTo end: Cursor, _ state: inout State, _ out: inout Outbox) {
        guard state.handedOver < end else { return }
        out.append(.send(connection, from: state.handedOver, upTo: end))
        state.handedOver = end
        guard removal == .sent else { return }
        state.base = max(state.base, end)
        out.append(.forget(below: end))
    }

    // MARK: Room

    func count(_ state: State, _ session: Session) -> UInt32 {
        let all =
            session.produced.position - min(max(state.base, session.acknowledged).position, session.produced.position)
        return all - min(state.refusedCount, all)
    }

    /// Frees space for a new message, which `session.produced` already includes. Returns `false` if the message was
    /// refused.
    private func makeRoom(
        for message: Message, isConnected: Bool, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) -> Bool {
        if let boundBytes, !isConnected {
            guard state.waitingBytes + UInt64(message.bytes) <= boundBytes else {
                refuse(message, &state)
                out.append(.refuse(from: message.cursor, upTo: message.next))
                return false
            }
            state.waitingBytes += UInt64(message.bytes)
        }
        guard let bound, count(state, session) > bound else { return true }
        switch overflow {
        case .refuse, .dropNewest:
            refuse(message, &state)
            out.append(.refuse(from: message.cursor, upTo: message.next))
            return false
        case .dropOldest: evict(1, &state, session, &out)
        case .halve:
            evict(count(state, session) / 2, &state, session, &out)
            out.append(.markGap(.up))
        }
        return true
    }

    private func evict(_ count: UInt32, _ state: inout State, _ session: Session, _ out: inout Outbox) {
        let first = max(state.base, session.acknowledged)
        state.base = Cursor(min(first.position + count, session.produced.position))
        state.handedOver = max(state.handedOver, state.base)
        out.append(.evict(below: state.base))
    }

    /// Records a refused message. If all ranges are in use, the last range is extended and includes the messages in
    /// between.
    private func refuse(_ message: Message, _ state: inout State) {
        state.refusedCount += 1
        for index in 0..<4
        where !state.refusedRanges[index].isEmpty && state.refusedRanges[index].upTo == message.cursor {
            state.refusedRanges[index].upTo = message.next
            return
        }
        for index in 0..<4 where state.refusedRanges[index].isEmpty {
            state.refusedRanges[index] = RefusedRange(from: message.cursor, upTo: message.next)
            return
        }
        state.refusedCount += message.index - state.refusedRanges[3].upTo.position
        state.refusedRanges[3].upTo = message.next
    }

    /// Removes the refused ranges that the start of the queue, or the server's confirmations, have passed.
    func removePassedRanges(_ state: inout State, _ session: Session) {
        for index in 0..<4 where !state.refusedRanges[index].isEmpty {
            let hole = state.refusedRanges[index]
            guard hole.upTo <= state.base || hole.from <= session.acknowledged else { continue }
            state.refusedCount -= min(state.refusedCount, state.refusedRanges[index].count)
            state.base = max(state.base, state.refusedRanges[index].upTo)
            state.handedOver = max(state.handedOver, state.base)
            state.refusedRanges[index] = RefusedRange()
        }
    }

    private func firstRefusedRange(_ state: State, from cursor: Cursor) -> RefusedRange? {
        var first: RefusedRange?
        for index in 0..<4 where !state.refusedRanges[index].isEmpty && cursor < state.refusedRanges[index].upTo {
            if first.map({ state.refusedRanges[index].from < $0.from }) ?? true { first = state.refusedRanges[index] }
        }
        return first
    }
}
