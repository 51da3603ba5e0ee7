import DeadzoneBase
import DeadzoneTransport

/// The true state of the phone's connections, independently of what their ends believe: available, blocked and zombie
/// time, the outage in which no connection works, and the recovery from it.
///
/// It has no access to the other parts of the phone. Each call passes the facts that its rule needs.
struct Connections: ~Copyable {
    var truths: PinnedPair<ConnectionTruth>
    /// The outage that lasts; `nil` while a connection works. At the start of the run no connection exists.
    var outage: OngoingOutage? = OngoingOutage(since: .zero, change: nil, cause: .notConnected)
    var recentChanges = RecentChanges()
    /// `true` if the phone may reach a peer over a relay and directly at the same time.
    private let hasPeer: Bool
    var recovery = Recovery()
    var herd = Herd()
    /// A client has at most two connections.
    static let slots = 0..<2

    /// Creates the state of a phone without connections.
    /// - Parameters:
    ///   - unused: A shared placeholder; a slot uses it until a connection is opened there.
    ///   - allocator: The arena that holds the first state. `nil` allocates it separately.
    init(unused: UnsafeMutablePointer<ConnectionTruth>, hasPeer: Bool, in allocator: ArenaAllocator? = nil) {
        truths = PinnedPair(unused: unused, in: allocator)
        self.hasPeer = hasPeer
    }

    /// `true` if at least one connection works.
    var isConnected: Bool { truths[0].state == .working || truths[1].state == .working }

    // MARK: Changes

    /// Begins the state of another connection in the slot. It is absent until the client considers it open.
    mutating func renew(_ slot: Int, isDatagram: Bool) {
        truths.replace(
            slot, ConnectionTruth(isPeerPath: hasPeer && isDatagram, abandoned: truths[slot].abandoned))
    }

    /// Notes a timeline change that is about to be applied.
    /// - Parameter isCommon: `true` if the change reaches all phones at the same instant, so that it can begin a herd.
    mutating func beginChange(_ change: ConditionChange, number: Int, isCommon: Bool, at now: Instant) {
        if isCommon && change.beginsHerd && now != .zero { herd.begin(isConnected: isConnected, at: now) }
        recentChanges.begin(change, number)
    }

    /// Called when the client begins to consider the connection open.
    mutating func open(
        _ slot: Int, _ facts: ConnectionFacts, number: UInt16, isStopped: Bool, at now: Instant,
        _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        closeOtherPeriod(than: slot, isStopped: isStopped, at: now, &out)
        truths[slot].since = now
        truths[slot].diedAt = now
        truths[slot].state = facts.state
        out.note(.opened, value: Int64(number))
        updateHerd(at: now, &out)
    }

    /// Called when the client begins to consider the connection closed, correctly or not.
    mutating func close(
        _ slot: Int, isStopped: Bool, at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        if truths[slot].state == .dead { out.note(.detected, value: (now - truths[slot].diedAt).nanoseconds) }
        set(.absent, slot, isStopped: isStopped, at: now, &out)
    }

    /// Recomputes the true state of the connection after a change of conditions.
    mutating func reassess(
        _ slot: Int, _ facts: ConnectionFacts, isStopped: Bool, at now: Instant,
        _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        let state = facts.state
        // Data in flight waits for its retransmission timer, so the outage lasts until a byte is delivered. With
        // nothing in flight the outage is over.
        if truths[slot].state == .blocked && state == .working && !facts.hasUnacknowledged {
            recovery.connectionReturned()
        }
        set(state, slot, isStopped: isStopped, at: now, &out)
    }

    /// Sets the true state of the connection. The period of the previous state ends now and is recorded in the journal.
    /// - Parameter isStopped: `true` if the system prevents the app from running.
    mutating func set(
        _ state: ConnectionTruth.State, _ slot: Int, isStopped: Bool, at now: Instant,
        _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        let before = truths[slot].state
        guard before != state else { return }
        closeOtherPeriod(than: slot, isStopped: isStopped, at: now, &out)
        closePeriod(slot, isStopped: isStopped, at: now, &out)
        truths[slot].state = state
        if state == .dead { truths[slot].diedAt = now }
        if before == .working && (state == .dead || state == .blocked) { recovery.connectionLost() }
        updateHerd(at: now, &out)
        out.append(.stateChanged)
    }

    /// Notes that data from the server arrived on a connection that the client considers open. Ends the outage if the
    /// connection works. Returns the time for which it could have worked; `nil` if this time was not measured.
    mutating func hear(_ slot: Int, at now: Instant) -> TimeSpan? {
        guard recovery.isBroken, truths[slot].state == .working else { return nil }
        defer { recovery.end() }
        return recovery.waited(until: now)
    }

    private mutating func updateHerd(at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>) {
        guard let span = herd.update(isConnected: isConnected, at: now) else { return }
        out.note(.herdBack, herd.isFromTimeline, value: span.nanoseconds)
    }

    // MARK: Periods

    /// Starts a new period of zombie time (the client believes a dead connection open) when the system stops the app or
    /// lets it run again. Zombie time of a stopped app is recorded separately.
    mutating func splitZombies(
        wasStopped: Bool, at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        for slot in Self.slots where truths[slot].state == .dead {
            closePeriod(slot, isStopped: wasStopped, at: now, &out)
        }
    }

    /// Records all open periods at the horizon.
    mutating func finish(isStopped: Bool, at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>) {
        for slot in Self.slots where truths[slot].state != .absent {
            if truths[slot].state == .dead { out.note(.undetected, value: (now - truths[slot].diedAt).nanoseconds) }
            closePeriod(slot, isStopped: isStopped, at: now, &out)
        }
        recordSilence(at: now, &out)
    }

    /// Records the period of the connection's true state that ends now, and begins a new period.
    /// - Parameter isStopped: `true` if the system prevents the app from running, or did so during the period.
    private mutating func closePeriod(
        _ slot: Int, isStopped: Bool, at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        let span = (now - truths[slot].since).nanoseconds
        truths[slot].since = now
        switch truths[slot].state {
        case .absent: break
        // The relay works at the same time as this direct path. That time counts as available once.
        case .working where slot == 1 && truths[slot].isPeerPath && truths[0].state == .working: break
        case .working: out.note(.available, value: span)
        case .blocked: out.note(.blocked, value: span)
        case .dead: out.note(isStopped ? .zombieFrozen : .zombie, value: span)
        }
    }

    /// Ends the recorded period of the other path to a peer, because the state of this one changes.
    private mutating func closeOtherPeriod(
        than slot: Int, isStopped: Bool, at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        guard hasPeer else { return }
        for other in Self.slots where other != slot && truths[other].state == .working {
            closePeriod(other, isStopped: isStopped, at: now, &out)
        }
    }
}
