public import DeadzonePrimitives

/// How long the app waits for answers, and what it makes of waiting in vain. At most `CallTable.capacity` calls wait at a time;
/// one more fails at once.
public struct Deadlines: Sendable {
    /// From asking to giving up, in the foreground; nil: never.
    public var limit: TimeSpan?
    /// The same in the background, if it is another.
    public var backgroundLimit: TimeSpan?
    /// The same while the battery is spared, wherever the app is, if it is another.
    public var savingLimit: TimeSpan?
    public var timing = Timing()
    /// A call whose connection is gone is asked again on the next; otherwise it fails.
    public var asksAgain = true
    public var unready = Unready.wait
    /// When a call is asked more than once; it takes the place of `asksAgain`.
    public var retry: CallRetry?
    public var throttle: RetryThrottle?
    /// Calls fail as soon as the system names no network.
    public var failsOffline = false
    /// So many deadlines missed in a row on one connection, and it is asked for a sign of life; 0: never.
    public var probeAfter: UInt8 = 0
    /// So many, and it is dropped for a new one; 0: never.
    public var reconnectAfter: UInt8 = 0
    public var slot: TimerSlot
    private let lent = Lent()

    /// What a call does without a connection; while an attempt is under way it always waits for that.
    public enum Unready: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// It waits until there is one (gRPC's wait-for-ready).
        case wait
        /// It waits for the next attempt and fails with it (grpc/grpc, note on network transitions of iOS).
        case attempt
        /// It fails at once (gRPC's default).
        case fail
    }

    /// How near a client is to a connection.
    public enum Readiness: Hashable, Sendable { case down, opening, open }

    /// What missed deadlines come to.
    public enum Step: Hashable, Sendable { case nothing, probe, reconnect }

    public init(limit: TimeSpan? = nil, slot: TimerSlot) {
        self.limit = limit
        self.slot = slot
    }

    /// The app asks something.
    public func wants(
        _ call: UInt32, over line: ConnectionSlot, _ readiness: Readiness, _ calls: inout CallTable,
        _ session: inout Session, _ out: inout Outbox
    ) {
        let isHopeless = failsOffline && !session.hasPath
        let place = session.isForeground ? limit : backgroundLimit ?? limit
        let limit = session.isSaving ? savingLimit ?? place : place
        let due = limit.map { session.now(timing.clock) + $0 } ?? .never
        guard !isHopeless, calls.add(call, due: due, isAsked: readiness == .open) else {
            return out.append(.abandon(call: call, .unavailable))
        }
        if readiness == .open {
            out.append(.call(line, call))
            if let place = calls.place(of: call) { scheduleHedge(place, &calls, session) }
        } else if readiness == .down && unready == .fail, let place = calls.place(of: call) {
            attemptFailed(place, .unavailable, &calls, &session, &out)
        }
        rearm(&calls, &session)
    }

    public func answered(_ call: UInt32, _ calls: inout CallTable, _ session: inout Session) {
        calls.misses = 0
        if calls.place(of: call) != nil { throttle?.succeeded(&calls.throttle) }
        calls.remove(call)
        rearm(&calls, &session)
    }

    /// A connection is there: whatever waits is asked over it.
    public func opened(
        _ line: ConnectionSlot, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        calls.misses = 0
        for place in calls.isTaken where calls.waits(place) {
            calls.asked(place)
            out.append(.call(line, calls.index(place)))
            scheduleHedge(place, &calls, session)
        }
        rearm(&calls, &session)
    }

    /// The connection is gone, or an attempt came to nothing.
    public func closed(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        for place in calls.isTaken where calls.isTaken[place] && calls.isAsked[place] {
            if retry != nil {
                loseAttempts(place, &calls, &session, &out)
            } else if asksAgain {
                calls.isAsked[place] = false
            } else {
                fail(place, .unavailable, &calls, &out)
            }
        }
        rearm(&calls, &session)
    }

    /// There will be no connection for a while.
    public func wentDown(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        if failsOffline && !session.hasPath { return failAll(&calls, &session, &out) }
        guard unready != .wait else { return }
        for place in calls.isTaken where calls.waits(place) {
            attemptFailed(place, .unavailable, &calls, &session, &out)
        }
        rearm(&calls, &session)
    }

    /// The system has said something about networks.
    public func heard(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        if failsOffline && !session.hasPath { failAll(&calls, &session, &out) }
    }

    public func fired(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) -> Step {
        let now = session.now(timing.clock)
        for place in calls.isTaken where calls.isTaken[place] && calls.due(place) <= now {
            if calls.isAsked[place] { calls.misses = min(calls.misses, .max - 1) + 1 }
            fail(place, .deadlineExceeded, &calls, &out)
        }
        rearm(&calls, &session)
        if reconnectAfter > 0 && calls.misses >= reconnectAfter { return .reconnect }
        return probeAfter > 0 && calls.misses >= probeAfter ? .probe : .nothing
    }

    private func failAll(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        for place in calls.isTaken { fail(place, .unavailable, &calls, &out) }
        rearm(&calls, &session)
    }

    func fail(_ place: Int, _ failure: CallFailure, _ calls: inout CallTable, _ out: inout Outbox) {
        out.append(.abandon(call: calls.index(place), failure))
        calls.vacate(place)
    }

    func rearm(_ calls: inout CallTable, _ session: inout Session) {
        if let retry {
            let next = calls.schedule.earliest
            if next == .never { session.disarm(retry.slot) } else { session.arm(retry.slot, after: next - session.now) }
        }
        let due = calls.earliest
        guard due != .never else { return session.disarm(slot) }
        session.arm(slot, after: due - session.now(timing.clock), timing)
    }
}
