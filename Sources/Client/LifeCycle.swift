public import DeadzonePrimitives

/// What a client does when its app comes and goes.
public struct LifeCycle: Sendable {
    public enum Leaving: UInt8, Hashable, Sendable, BitwiseCopyable {
        case keep, close
        /// Closes once the server has confirmed what was handed over, or the time for it is over.
        case flush
        /// The same where the server can have the app woken by a push; elsewhere it stays connected.
        case relyOnPush
    }

    public enum Returning: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Believes what it believed.
        case keep
        /// Asks for a sign of life; ends a wait between attempts.
        case probe
        case reconnect
    }

    public enum Holding: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// The processor sleeps when it likes.
        case never
        /// Awake while connected.
        case connected
        /// Awake from a ping to its answer.
        case beat
        /// Awake while it visits, or has yet to say something before it closes.
        case errand
    }

    public var leaving = Leaving.keep
    public var flushLimit = TimeSpan.seconds(5)
    public var returning = Returning.keep
    /// Coming back, a connection that was heard from within so long is believed in: no box on the way forgets as soon, and of
    /// another network the system speaks. Zero: it is probed whenever.
    public var freshFor = TimeSpan.zero
    public var holding = Holding.never
    /// Woken by a push: makes sure of a connection, for so long if the app was closed; nil: takes no notice.
    public var pushStay: TimeSpan?
    /// The same when the system grants some time in the background.
    public var refreshStay: TimeSpan?
    /// A visit ends before its time once nothing has come for so long, as far as anybody knows of more; nil: it stays.
    public var quiet: TimeSpan?
    /// A visit ends as soon as the server has nothing more by its own count and has confirmed all that was said: what is awake for
    /// the message still is for the goodbye, so that one tail pays for both. A server that does not count is waited for.
    public var leavesWhenDone = false
    /// Closed in the background, and the app has something to say or to ask: connects, for so long; nil: it waits for another reason.
    public var sendStay: TimeSpan?
    /// Closed in the background: looks in at this interval, for so long.
    public var pollEvery: TimeSpan?
    public var pollStay = TimeSpan.seconds(10)
    public var pollTiming = Timing()
    public var standing = AppStanding()
    /// The next visit; and the end of a visit or of a flush, which has a timer of its own: it wakes nobody, and while it waits for
    /// a sleeping phone the visits have to go on.
    public var slot: TimerSlot
    public var staySlot: TimerSlot
    private let lent = Lent()

    public struct State: Hashable, Sendable, BitwiseCopyable {
        enum Errand: UInt8 { case none, flushing, visiting }

        var errand = Errand.none
        var pollDue = Instant.zero
        /// When the visit is over, whatever comes.
        var visitEnds = Instant.zero
        /// The server has said on this visit how far it has come.
        var server: Cursor?
        var isAwake = false

        public init() {}

        /// The connection is only waited for to be confirmed.
        public var isFlushing: Bool { errand == .flushing }
        public var hasErrand: Bool { errand != .none }
    }

    public init(slot: TimerSlot, stay: TimerSlot) {
        self.slot = slot
        staySlot = stay
    }

    /// In the background, too.
    private func staysConnected(_ session: Session) -> Bool {
        leaving == .keep || (leaving == .relyOnPush && !session.isPushed)
    }

    /// What the client has to do with its connection now.
    public enum Step: Hashable, Sendable {
        case nothing
        /// Closes, and rests until it is called for.
        case park
        /// Leaves its rest, if it is in it, and connects.
        case visit
        case probe, reconnect
    }

    /// A process starts: in the background only if it would stay connected there.
    public func started(_ session: Session) -> Step {
        staysConnected(session) || session.isForeground ? .visit : .park
    }

    public func heard(_ change: AppChange, isOpen: Bool, _ state: inout State, _ session: inout Session) -> Step {
        switch change {
        case .background: return left(isOpen: isOpen, &state, &session)
        case .foreground:
            let wasParked = !staysConnected(session)
            end(&state, &session)
            if wasParked && !isOpen { return .visit }
            switch returning {
            case .keep: return .nothing
            case .probe: return .probe
            case .reconnect: return .reconnect
            }
        case .expiring: return staysConnected(session) || session.isForeground ? .nothing : .park
        case .refresh: return call(for: refreshStay, &state, &session)
        case .batterySaver: return .nothing
        }
    }

    public func pushed(_ state: inout State, _ session: inout Session) -> Step {
        call(for: pushStay, &state, &session)
    }

    /// The app has something to say or to ask, and the client rests.
    public func wanted(_ state: inout State, _ session: inout Session) -> Step {
        call(for: sendStay, &state, &session)
    }

    /// The server has said where it stands. One that goes on behind the client's cursor counts anew: its count says nothing.
    public func greeted(_ greeting: Greeting, _ state: inout State, _ session: Session) {
        guard state.errand == .visiting, greeting.next >= session.cursor else { return }
        state.server = greeting.sent
    }

    /// Everything up to `received` has come, and no call is open: is that all there was to the visit?
    public func isDone(received: Cursor, _ state: State, _ session: Session) -> Bool {
        guard leavesWhenDone, state.errand == .visiting, let server = state.server else { return false }
        return received >= server && session.acknowledged >= session.produced
    }

    /// Nothing has come for so long: has the connection to be asked whether it still stands?
    public func doubts(silence: TimeSpan) -> Bool { silence >= freshFor }

    /// The server has confirmed more.
    public func confirmed(_ state: State, _ session: Session) -> Step {
        state.isFlushing && session.acknowledged >= session.produced ? .park : .nothing
    }

    /// The connection is open, or something came over it: a visit waits for more. What the server has yet to bring by its own count,
    /// or to say at all, is waited for as long as the visit may last: of a long train that is on its way an app sees nothing.
    /// - Parameter here: Everything below it has come; nil: everything is still to come in one piece.
    public func busy(here: Cursor?, isAnswered: Bool, _ state: State, _ session: inout Session) {
        guard let quiet, state.errand == .visiting else { return }
        let rest = state.visitEnds - session.now
        let hasAll = isAnswered && here.map { (state.server ?? .start) <= $0 } ?? false
        session.arm(staySlot, after: hasAll ? min(quiet, rest) : rest)
    }

    /// The client rests from now on; a poll is due in time.
    public func parked(_ state: inout State, _ session: inout Session) {
        end(&state, &session)
        plan(&state, &session)
    }

    /// The next visit is due.
    public func fired(_ state: inout State, _ session: inout Session) -> Step {
        // By the plan, not by the moment: visits do not drift.
        if let pollEvery, state.pollDue <= session.now(pollTiming.clock) { state.pollDue += pollEvery }
        plan(&state, &session)
        // A flush that has not come to its end by now is over.
        if state.isFlushing { state.errand = .none }
        return call(for: pollStay, &state, &session)
    }

    /// A visit, or the time for a flush, is over.
    public func stayed(_ state: State) -> Step { state.errand == .none ? .nothing : .park }

    private func plan(_ state: inout State, _ session: inout Session) {
        guard let pollEvery else { return }
        let now = session.now(pollTiming.clock)
        if state.pollDue <= now { state.pollDue = now + pollEvery }
        session.arm(slot, after: state.pollDue - now, pollTiming)
    }

    /// Keeps the processor awake, or lets it sleep; says so once.
    public func hold(_ moment: Holding, _ isHeld: Bool, _ state: inout State, _ out: inout Outbox) {
        guard holding == moment, state.isAwake != isHeld else { return }
        state.isAwake = isHeld
        out.append(.stayAwake(isHeld))
    }

    private func left(isOpen: Bool, _ state: inout State, _ session: inout Session) -> Step {
        switch leaving {
        case _ where staysConnected(session): return .nothing
        case .keep, .close: return .park
        case .flush, .relyOnPush:
            guard isOpen, session.acknowledged < session.produced else { return .park }
            state.errand = .flushing
            session.arm(staySlot, after: flushLimit)
            plan(&state, &session)
            return .nothing
        }
    }

    /// Something calls for a connection. An app that would be closed stays for a while.
    private func call(for stay: TimeSpan?, _ state: inout State, _ session: inout Session) -> Step {
        guard let stay else { return .nothing }
        if !staysConnected(session) && !session.isForeground && !state.isFlushing {
            state.errand = .visiting
            // Whoever calls knows of something newer than the server's last word.
            state.server = nil
            state.visitEnds = session.now + stay
            session.arm(staySlot, after: stay)
        }
        return .visit
    }

    private func end(_ state: inout State, _ session: inout Session) {
        state.errand = .none
        state.server = nil
        session.disarm(slot)
        session.disarm(staySlot)
    }
}
