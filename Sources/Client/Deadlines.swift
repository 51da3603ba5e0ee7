public import DeadzonePrimitives

/// How long the app waits for answers, and what it makes of waiting in vain. At most `CallTable.capacity` calls wait at a time;
/// one more fails at once.
public struct Deadlines: Sendable {
    /// From asking to giving up, in the foreground; nil: never.
    public var limit: TimeSpan?
    /// The same in the background, if it is another.
    public var backgroundLimit: TimeSpan?
    public var timing = Timing()
    /// A call whose connection is gone is asked again on the next; otherwise it fails.
    public var asksAgain = true
    /// A call without a connection waits for one; otherwise it fails, unless an attempt is under way.
    public var waitsForReady = true
    /// Calls fail as soon as the system names no network.
    public var failsOffline = false
    /// So many deadlines missed in a row on one connection, and it is asked for a sign of life; 0: never.
    public var probeAfter: UInt8 = 0
    /// So many, and it is dropped for a new one; 0: never.
    public var reconnectAfter: UInt8 = 0
    public var slot: TimerSlot

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
        let isHopeless = (failsOffline && !session.hasPath) || (!waitsForReady && readiness == .down)
        let limit = session.isForeground ? limit : backgroundLimit ?? limit
        let due = limit.map { session.now(timing.clock) + $0 } ?? .never
        guard !isHopeless, calls.add(call, due: due, isAsked: readiness == .open) else {
            return out.append(.abandon(call: call, .unavailable))
        }
        if readiness == .open { out.append(.call(line, call)) }
        rearm(calls, &session)
    }

    public func answered(_ call: UInt32, _ calls: inout CallTable, _ session: inout Session) {
        calls.misses = 0
        calls.remove(call)
        rearm(calls, &session)
    }

    /// A connection is there: whatever waits is asked over it.
    public func opened(_ line: ConnectionSlot, _ calls: inout CallTable, _ out: inout Outbox) {
        calls.misses = 0
        for place in CallTable.places where calls.waits(place) {
            calls.isAsked[place] = true
            out.append(.call(line, calls.index(place)))
        }
    }

    /// The connection is gone, or an attempt came to nothing.
    public func closed(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        for place in CallTable.places where calls.isTaken[place] && calls.isAsked[place] {
            calls.isAsked[place] = false
            if !asksAgain { fail(place, .unavailable, &calls, &out) }
        }
        rearm(calls, &session)
    }

    /// There will be no connection for a while.
    public func wentDown(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        guard !waitsForReady || (failsOffline && !session.hasPath) else { return }
        failAll(&calls, &session, &out)
    }

    /// The system has said something about networks.
    public func heard(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        if failsOffline && !session.hasPath { failAll(&calls, &session, &out) }
    }

    public func fired(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) -> Step {
        let now = session.now(timing.clock)
        for place in CallTable.places where calls.isTaken[place] && calls.due(place) <= now {
            if calls.isAsked[place] { calls.misses = min(calls.misses, .max - 1) + 1 }
            fail(place, .deadlineExceeded, &calls, &out)
        }
        rearm(calls, &session)
        if reconnectAfter > 0 && calls.misses >= reconnectAfter { return .reconnect }
        return probeAfter > 0 && calls.misses >= probeAfter ? .probe : .nothing
    }

    private func failAll(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        for place in CallTable.places where calls.isTaken[place] { fail(place, .unavailable, &calls, &out) }
        rearm(calls, &session)
    }

    private func fail(_ place: Int, _ failure: CallFailure, _ calls: inout CallTable, _ out: inout Outbox) {
        out.append(.abandon(call: calls.index(place), failure))
        calls.vacate(place)
    }

    func rearm(_ calls: CallTable, _ session: inout Session) {
        let due = calls.earliest
        guard due != .never else { return session.disarm(slot) }
        session.arm(slot, after: due - session.now(timing.clock), timing)
    }
}
