public import DeadzoneBase

/// Policy for calls: how long the app waits for answers, and how the client reacts to missed deadlines. At most
/// `CallTable.capacity` calls wait at the same time; a further call fails at once.
public struct Deadlines: Sendable {
    /// Maximum time from a call to its answer, for a call made in the foreground; `nil` sets no deadline.
    public var limit: TimeSpan?
    /// Maximum time from a call to its answer, for a call made in the background; `nil` uses `limit`.
    public var backgroundLimit: TimeSpan?
    /// Maximum time from a call to its answer, for a call made while battery saver is on, in the foreground or
    /// background; `nil` uses the other two limits.
    public var batterySaverLimit: TimeSpan?
    /// Deadline on a slow network, for a call made in the foreground without battery saver; `nil` uses `limit`.
    public var slowNetwork: SlowNetworkLimit?
    public var timing = TimerOptions()
    /// `true` if unanswered calls are sent again on the next connection when theirs ends; `false` if they fail.
    public var retriesAfterReconnect = true
    public var whenNotConnected = NotConnectedPolicy.wait
    /// Policy for sending a call more than once; replaces `retriesAfterReconnect`. `nil` if there is none.
    public var retry: CallRetry?
    public var throttle: RetryThrottle?
    /// `true` if calls fail as soon as the system reports no network.
    public var failsOffline = false
    /// Number of consecutive missed deadlines on one connection after which the connection is probed by a ping; 0 never
    /// probes.
    public var probeAfter: UInt8 = 0
    /// Number of consecutive missed deadlines after which the connection is replaced by a new one; 0 never replaces it.
    public var reconnectAfter: UInt8 = 0
    public var slot: TimerSlot
    private let passByAddress = PassByAddress()

    /// The deadline of calls on a slow network. An app cannot see the quality of the network; it measures how long its
    /// own calls take.
    public struct SlowNetworkLimit: Hashable, Sendable, BitwiseCopyable {
        /// The network is slow if the last measured call took longer than this, or got no answer.
        public var threshold: TimeSpan
        public var limit: TimeSpan

        public init(threshold: TimeSpan, limit: TimeSpan) {
            self.threshold = threshold
            self.limit = limit
        }
    }

    /// Behaviour of a call that is made without a connection. While an attempt to connect is in progress, a call always
    /// waits for its result.
    public enum NotConnectedPolicy: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Waits for a connection (gRPC's wait-for-ready).
        case wait
        /// Waits for the next attempt to connect, and fails if that attempt fails (grpc/grpc, note on network
        /// transitions of iOS).
        case attempt
        /// Fails at once (gRPC's default).
        case fail
    }

    /// State of the connection, as far as calls depend on it: none, being opened, or open.
    public enum Readiness: Hashable, Sendable { case down, opening, open }

    /// Reaction to missed deadlines: none, a probe of the connection, or a new connection.
    public enum DeadlineDecision: Hashable, Sendable { case nothing, probe, reconnect }

    public init(limit: TimeSpan? = nil, slot: TimerSlot) {
        self.limit = limit
        self.slot = slot
    }

    /// Handles a call that the app makes: sends it, stores it until a connection is open, or lets it fail.
    public func callRequested(
        _ call: UInt32, over connection: ConnectionSlot, _ readiness: Readiness, _ calls: inout CallTable,
        _ session: inout Session, _ out: inout Outbox
    ) {
        let isHopeless = failsOffline && !session.hasPath
        let place = session.isForeground ? foregroundLimit(calls) : backgroundLimit ?? limit
        let limit = session.isBatterySaverOn ? batterySaverLimit ?? place : place
        let due = limit.map { session.now(timing.clock) + $0 } ?? .never
        guard !isHopeless else { return out.append(.abandon(call: call, .unavailable)) }
        if calls.isFull {
            guard let oldest = calls.oldestWithoutDeadline else {
                return out.append(.abandon(call: call, .unavailable))
            }
            out.append(.abandon(call: calls.index(oldest), .unavailable))
            calls.release(oldest)
        }
        calls.add(call, due: due, isSent: readiness == .open)
        if slowNetwork != nil && readiness == .open { calls.measure(call, at: session.now) }
        if readiness == .open {
            out.append(.call(connection, call))
            if let place = calls.place(of: call) { scheduleHedge(place, &calls, session) }
        } else if readiness == .down && whenNotConnected == .fail, let place = calls.place(of: call) {
            attemptFailed(place, .unavailable, &calls, &session, &out)
        }
        rearm(&calls, &session)
    }

    public func answered(_ call: UInt32, _ calls: inout CallTable, _ session: inout Session) {
        calls.missedDeadlines = 0
        if calls.place(of: call) != nil { throttle?.succeeded(&calls.throttle) }
        if let slowNetwork { calls.measured(call, at: session.now, slowAbove: slowNetwork.threshold) }
        calls.remove(call)
        rearm(&calls, &session)
    }

    private func foregroundLimit(_ calls: CallTable) -> TimeSpan? {
        calls.isNetworkSlow ? slowNetwork?.limit ?? limit : limit
    }

    /// Called when a connection has opened: sends all waiting calls on it.
    public func opened(
        _ connection: ConnectionSlot, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        calls.missedDeadlines = 0
        for place in calls.occupied where calls.awaitsConnection(place) {
            calls.markSent(place)
            out.append(.call(connection, calls.index(place)))
            scheduleHedge(place, &calls, session)
        }
        rearm(&calls, &session)
    }

    /// Called when the connection has ended, or an attempt to connect has failed. Calls that were sent are sent again
    /// later, or fail.
    /// - Parameter first: The first call that may be on this connection. Earlier ones are on another, which drains.
    public func closed(
        from first: UInt32 = 0, _ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox
    ) {
        for place in calls.occupied
        where calls.occupied[place] && calls.isSent[place] && calls.index(place) >= first {
            if retry != nil {
                loseAttempts(place, &calls, &session, &out)
            } else if retriesAfterReconnect {
                calls.isSent[place] = false
            } else {
                fail(place, .unavailable, &calls, &out)
            }
        }
        rearm(&calls, &session)
    }

    /// Called when no connection is available for a while. Lets waiting calls fail, if the settings say so.
    public func wentDown(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        if failsOffline && !session.hasPath { return failAll(&calls, &session, &out) }
        guard whenNotConnected != .wait else { return }
        for place in calls.occupied where calls.awaitsConnection(place) {
            attemptFailed(place, .unavailable, &calls, &session, &out)
        }
        rearm(&calls, &session)
    }

    /// Keeps a call that the server refused until the caller sends all waiting calls. Returns `false` if the call has
    /// failed meanwhile, or was kept before.
    func hold(_ call: UInt32, _ calls: inout CallTable) -> Bool {
        guard let place = calls.place(of: call), !calls.wasUnprocessed[place] else { return false }
        calls.wasUnprocessed[place] = true
        calls.isSent[place] = false
        return true
    }

    /// Called when the system has reported a change of network. With `failsOffline`, all calls fail if no network is
    /// left.
    public func networkChanged(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        if failsOffline && !session.hasPath { failAll(&calls, &session, &out) }
    }

    public func deadlineFired(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox)
        -> DeadlineDecision
    {
        let now = session.now(timing.clock)
        for place in calls.occupied where calls.occupied[place] && calls.due(place) <= now {
            if calls.isSent[place] { calls.missedDeadlines = min(calls.missedDeadlines, .max - 1) + 1 }
            fail(place, .deadlineExceeded, &calls, &out)
        }
        rearm(&calls, &session)
        if reconnectAfter > 0 && calls.missedDeadlines >= reconnectAfter { return .reconnect }
        return probeAfter > 0 && calls.missedDeadlines >= probeAfter ? .probe : .nothing
    }

    private func failAll(_ calls: inout CallTable, _ session: inout Session, _ out: inout Outbox) {
        for place in calls.occupied { fail(place, .unavailable, &calls, &out) }
        rearm(&calls, &session)
    }

    func fail(_ place: Int, _ failure: CallFailure, _ calls: inout CallTable, _ out: inout Outbox) {
        out.append(.abandon(call: calls.index(place), failure))
        calls.release(place)
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
