import DeadzonePrimitives

/// What the app wants to say and the server has not confirmed: kept in order, handed to each new connection from the first that is
/// unconfirmed.
///
///     wanted ──▶ [ kept … handed over … ] ──confirmed──▶ gone
///                  └─ more than `bound`: overflow
public struct SendQueue: Hashable, Sendable {
    public enum Kept: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Nothing is: what finds no connection is lost.
        case nothing
        /// Until the process ends.
        case memory
        /// Where it outlives the process.
        case stored
    }

    /// What ends a message's stay.
    public enum Until: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case confirmed
        /// It was handed to a connection: whatever becomes of that, it is not handed over again.
        case sent
    }

    public enum Overflow: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// The new message is not taken, and the app is told.
        case refuse
        case dropOldest
        /// The new message is dropped.
        case dropNewest
        /// The older half goes and leaves a mark that the user sees: the WebSocket article, at 1,000 messages.
        case halve
    }

    public var kept: Kept
    public var until = Until.confirmed
    /// As many as it holds; nil: any number.
    public var bound: UInt32?
    /// Bytes that it holds while nothing is connected, where what was sent is gone; nil: any number.
    public var boundBytes: UInt64?
    public var overflow = Overflow.refuse
    /// Each message has a key by which a server can know it again.
    public var hasKeys = true
    /// What is handed over when the app leaves counts as sent: nobody waits for the confirmation (the WebSocket article's flush).
    public var flushForgets = false
    private let lent = Lent()

    public struct State: Hashable, Sendable, BitwiseCopyable {
        /// The queue holds nothing below.
        var base = Cursor.start
        /// Handed to the present connection.
        var handed = Cursor.start
        /// Messages that were not taken and lie between others, the oldest first.
        var holes = InlineArray<4, Hole>(repeating: Hole())
        var refused: UInt32 = 0
        /// Of what waits for a connection.
        var bytes: UInt64 = 0

        public init() {}

        public static func == (a: Self, b: Self) -> Bool {
            a.base == b.base && a.handed == b.handed && a.refused == b.refused && a.bytes == b.bytes
                && a.holes.indices.allSatisfy { a.holes[$0] == b.holes[$0] }
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(base)
            hasher.combine(handed)
        }
    }

    struct Hole: Hashable, Sendable, BitwiseCopyable {
        var from = Cursor.start
        var upTo = Cursor.start
        var isEmpty: Bool { upTo <= from }
        var count: UInt32 { upTo.position - from.position }
    }

    public init(_ kept: Kept) { self.kept = kept }

    /// What goes with a way to resume where nothing else is said: whoever carries nothing over queues nothing.
    public static func usual(with resume: Resume) -> SendQueue {
        SendQueue(resume.kept == .nothing ? .nothing : resume.kept == .cursor ? .memory : .stored)
    }

    // MARK: The process

    /// What was struck out of the store stays out. Not modelled: which messages were refused between others is forgotten with the
    /// process, and they are handed over after all.
    public func started(_ state: inout State, _ session: inout Session, _ out: inout Outbox) {
        state = State()
        state.base = session.forgotten
        session.keysMessages = hasKeys
        guard kept != .stored, session.produced > .start else { return }
        state.base = session.produced
        out.append(.forget(below: session.produced))
    }

    /// The app goes to the background.
    public func left(isOpen: Bool, _ state: inout State, _ session: Session, _ out: inout Outbox) {
        guard flushForgets, isOpen else { return }
        state.base = max(state.base, state.handed)
        out.append(.forget(below: state.base))
    }

    // MARK: A connection

    /// A connection is there: whatever still has to go over it.
    /// - Parameter done: Messages below it are done with, whatever was confirmed.
    public func opened(
        _ line: ConnectionSlot, done: Cursor? = nil, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        guard kept != .nothing else { return }
        if let done { discard(below: done, &state, &out) }
        state.handed = max(state.base, session.acknowledged)
        state.bytes = 0
        hand(line, isNew: true, &state, session, &out)
    }

    /// Messages below it are done with.
    public func discard(below done: Cursor, _ state: inout State, _ out: inout Outbox) {
        guard state.base < done else { return }
        state.base = done
        state.handed = max(state.handed, done)
        out.append(.forget(below: done))
    }

    public func confirmed(
        _ line: ConnectionSlot, isOpen: Bool = true, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        guard kept != .nothing else { return }
        state.base = max(state.base, session.acknowledged)
        fill(&state, session)
        // Behind a hole nothing was handed over while something before it was unconfirmed.
        if isOpen, state.handed < session.produced { hand(line, &state, session, &out) }
    }

    /// The app has a message; `line` is nil while nothing is connected.
    public func wants(
        _ message: Message, over line: ConnectionSlot?, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) {
        if kept == .nothing {
            if let line { out.append(.send(line, from: message.cursor, upTo: message.next)) }
            return out.append(.forget(below: message.next))
        }
        if kept == .stored { out.append(.keep(below: message.next)) }
        state.base = max(state.base, session.acknowledged)
        guard makeRoom(for: message, isConnected: line != nil, &state, session, &out), let line else { return }
        hand(line, upTo: message.next, &state, session, &out)
    }

    // MARK: Handing over

    private func hand(
        _ line: ConnectionSlot, upTo end: Cursor? = nil, isNew: Bool = false, _ state: inout State, _ session: Session,
        _ out: inout Outbox
    ) {
        let end = end ?? session.produced
        fill(&state, session)
        if let hole = firstHole(state, from: state.handed) {
            // A connection takes what follows a hole when nothing before it is on its way.
            if state.handed < hole.from {
                send(line, upTo: min(hole.from, end), &state, &out)
                return
            }
            guard isNew || session.acknowledged >= hole.from else { return }
            state.handed = hole.upTo
        }
        let next = firstHole(state, from: state.handed)
        send(line, upTo: min(next?.from ?? end, end), &state, &out)
    }

    private func send(_ line: ConnectionSlot, upTo end: Cursor, _ state: inout State, _ out: inout Outbox) {
        guard state.handed < end else { return }
        out.append(.send(line, from: state.handed, upTo: end))
        state.handed = end
        guard until == .sent else { return }
        state.base = max(state.base, end)
        out.append(.forget(below: end))
    }

    // MARK: Room

    func count(_ state: State, _ session: Session) -> UInt32 {
        let all =
            session.produced.position - min(max(state.base, session.acknowledged).position, session.produced.position)
        return all - min(state.refused, all)
    }

    /// The message is among those produced already. False: it was not taken.
    private func makeRoom(
        for message: Message, isConnected: Bool, _ state: inout State, _ session: Session, _ out: inout Outbox
    ) -> Bool {
        if let boundBytes, !isConnected {
            guard state.bytes + UInt64(message.bytes) <= boundBytes else {
                refuse(message, &state)
                out.append(.refuse(from: message.cursor, upTo: message.next))
                return false
            }
            state.bytes += UInt64(message.bytes)
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
        state.handed = max(state.handed, state.base)
        out.append(.evict(below: state.base))
    }

    /// Where there is no place for another hole, the last one swallows what lies between.
    private func refuse(_ message: Message, _ state: inout State) {
        state.refused += 1
        for index in 0..<4 where !state.holes[index].isEmpty && state.holes[index].upTo == message.cursor {
            state.holes[index].upTo = message.next
            return
        }
        for index in 0..<4 where state.holes[index].isEmpty {
            state.holes[index] = Hole(from: message.cursor, upTo: message.next)
            return
        }
        state.refused += message.index - state.holes[3].upTo.position
        state.holes[3].upTo = message.next
    }

    /// Holes that are behind us are no more.
    private func fill(_ state: inout State, _ session: Session) {
        for index in 0..<4 where !state.holes[index].isEmpty {
            let hole = state.holes[index]
            guard hole.upTo <= state.base || hole.from <= session.acknowledged else { continue }
            state.refused -= min(state.refused, state.holes[index].count)
            state.base = max(state.base, state.holes[index].upTo)
            state.handed = max(state.handed, state.base)
            state.holes[index] = Hole()
        }
    }

    private func firstHole(_ state: State, from cursor: Cursor) -> Hole? {
        var first: Hole?
        for index in 0..<4 where !state.holes[index].isEmpty && cursor < state.holes[index].upTo {
            if first.map({ state.holes[index].from < $0.from }) ?? true { first = state.holes[index] }
        }
        return first
    }
}
