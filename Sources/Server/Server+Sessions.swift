import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneTransport

/// How a session comes to a connection, goes on there, and leaves it.
extension Server {
    // MARK: The phone's doing

    /// The phone puts another connection in the place of one that the server still believes in.
    public mutating func leaveGhost(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        guard ends[slot].isHeld, ends[slot].isAttached, !ends[slot].isDatagram else {
            return endHold(slot, at: now, &out)
        }
        forgetGhost(at: now, &out)
        ghost = Ghost(
            slot: UInt8(slot), generation: ends[slot].generation, until: givesUp(slot, at: now),
            heldSince: ends[slot].heldSince, instance: ends[slot].instance)
        ends[slot].instance = nil
    }

    /// Another connection is opened in the slot.
    public mutating func renew(_ slot: Int, generation: UInt16, _ opening: Opening) {
        ends.renew(slot, ServerEnd(opening, generation: generation, profile))
    }

    /// Datagrams need no server to be opened.
    public mutating func openDatagrams(
        _ slot: Int, _ introduction: Introduction, at now: Instant, _ out: inout Steps<ServerStep>
    ) { attach(slot, introduction, at: now, &out) }

    public mutating func closeDatagrams(_ slot: Int) {
        ends[slot].isHeld = false
        ends[slot].isAttached = false
    }

    // MARK: Beginning

    /// The server has set the session up: it answers, and writes what the client has missed. In a coupled world the phone may
    /// already be past this moment; the answer still leaves then, and arrives in a round to come.
    public mutating func accept(
        _ slot: Int, _ generation: UInt16, _ introduction: Introduction, at now: Instant, acceptedAt: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        guard ends[slot].generation == generation else { return }
        if ends[slot].isQueued {
            ends[slot].isQueued = false
            out.note(.serverAccepted, value: Int64(generation))
        }
        guard ends[slot].isHeld, !ends[slot].isForgotten else { return }
        ends[slot].saidAt = acceptedAt
        let setup = ends[slot].setup
        if setup.settlesFirst && !ends[slot].isAccepted {
            ends[slot].isAccepted = true
            ends[slot].writeAnswer(toFlight: setup.accepted)
            return flush(slot, at: now, sentAt: acceptedAt, &out)
        }
        if refusesLogins { return refuseLogin(slot, at: now, sentAt: acceptedAt, &out) }
        if isTaken(by: slot, at: now) {
            out.note(.sessionRefused, value: Int64(generation))
            return end(slot, at: now, &out)
        }
        attach(slot, introduction, at: now, &out)
        ends[slot].writeAnswer(toFlight: ends[slot].setup.session)
        writeSnapshot(slot, &out)
        flush(slot, at: now, sentAt: acceptedAt, &out)
    }

    /// A server that sets connections up and then does not know who is there: an expired token, an account service that is away.
    /// The set-up succeeds, the connection is open to the client, and the first thing that it hears is that it may not stay (close
    /// code 1008 of RFC 6455 §7.4.1, UNAUTHENTICATED, CONNACK 5 of MQTT).
    private mutating func refuseLogin(
        _ slot: Int, at now: Instant, sentAt: Instant, _ out: inout Steps<ServerStep>
    ) {
        ends[slot].start.resumedAt = written.index
        if case .from(let cursor) = ends[slot].resuming { ends[slot].start.resumedAt = cursor.position }
        if let window = ends[slot].window { ends[slot].kernel.credit = window }
        ends[slot].writeAnswer(toFlight: ends[slot].setup.session)
        ends[slot].say(.loginRefused)
        ends[slot].say(.end)
        ends[slot].isEnding = true
        flush(slot, at: now, sentAt: sentAt, &out)
    }

    /// Addresses of the dice that calls do not reach.
    private static let sessions: UInt64 = 1 << 40

    /// The server will not open the session, and says so.
    mutating func turnsAway(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) -> Bool {
        let (transient, permanent) = (
            profile.pointee.troubles.sessionTransient, profile.pointee.troubles.sessionPermanent
        )
        guard transient != .zero || permanent != .zero else { return false }
        let dice = said.pointee.dice(.serverErrors)
        sessionsAsked &+= 1
        let isPermanent = permanent.hits(dice.at(Self.sessions))
        guard isPermanent || transient.hits(dice.at(Self.sessions + UInt64(sessionsAsked))) else { return false }
        turnAway(slot, isPermanent ? .permanent : .transient, at: now, &out)
        return true
    }

    mutating func turnAway(
        _ slot: Int, _ code: RejectionCode, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        out.note(.serverRejected, code, value: Int64(ends[slot].generation))
        ends[slot].say(code == .permanent ? .turnedAwayForGood : .turnedAway)
        end(slot, at: now, &out)
    }

    /// An older connection of the same session stands in the way.
    private func isTaken(by slot: Int, at now: Instant) -> Bool {
        guard !profile.pointee.session.replaces else { return false }
        if Self.slots.contains(where: { $0 != slot && ends[$0].isAttached }) { return true }
        return ghost.map { now < $0.until } ?? false
    }

    /// The program has the session: it goes on at the client's cursor, or at what is new. An older connection of the phone is let go.
    private mutating func attach(
        _ slot: Int, _ introduction: Introduction, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        for other in Self.slots where other != slot && ends[other].isAttached { passOn(other, at: now, &out) }
        ends[slot].isHeld = true
        ends[slot].isAttached = true
        forgetGhost(at: now, &out)
        queue.restart()
        goOn(slot, introduction, at: now, &out)
        if let window = ends[slot].window { ends[slot].kernel.credit = window }
        if !ends[slot].isDatagram && !ends[slot].terms.pointee.answersOnly {
            let word = said.pointee.dice(.serverAge).at(UInt64(ends[slot].generation) << 1 | UInt64(slot))
            ends[slot].care.begin(careRules(slot), hasStreams: ends[slot].hasStreams, word: word, at: now)
        }
        if ends[slot].terms.pointee.carrier.holdsStream {
            ends[slot].kernel.offer(from: ends[slot].start.resumedAt, upTo: written.index)
        }
        out.append(.attached)
    }

    /// The phone has a newer connection: an older one is let go, unless it was told to go away and has calls to finish.
    private mutating func passOn(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        let draining = ends[slot].draining.stage
        guard ends[slot].isHTTP2, draining == .warned || draining == .settled else {
            return letGo(slot, at: now, &out)
        }
        ends[slot].isPassedOn = true
    }

    /// A client resumes, or begins: where the server goes on, and what becomes of what lies before.
    private mutating func goOn(
        _ slot: Int, _ introduction: Introduction, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        let isKnown = memory.isKnown(at: now)
        if !isKnown { memory.forget() }
        if let bytes = memory.begin() { out.note(.dedupMemory, value: Int64(bytes)) }
        let resuming = ends[slot].resuming
        if case .from(let cursor) = resuming {
            let behind = written.index - min(cursor.position, written.index)
            out.note(.drift, value: Int64(behind))
        }
        let place = memory.place(
            for: resuming, introduction, isKnown: isKnown, written: written.index, at: now, said.pointee)
        let next = place?.next ?? written.index
        if let place {
            out.append(.goesOn(slot: slot, at: next, isGap: place.isGap))
        } else {
            out.append(.beginsAnew(slot: slot, at: next, isAsked: resuming == .whole))
        }
        ends[slot].owesSnapshot = place == nil
        ends[slot].start.resumedAt = next
        ends[slot].start.sent = written.index
        ends[slot].start.bringsSnapshot = place == nil
        ends[slot].start.confirmedUp = ends[slot].isResuming ? memory.knownUp : 0
        ends[slot].receipts = Receipts(from: memory.knownUp)
        memory.comeBack()
    }

    mutating func writeSnapshot(_ slot: Int, _ out: inout Steps<ServerStep>) {
        guard ends[slot].owesSnapshot, ends[slot].isAttached else { return }
        let rules = ends[slot].terms.downward
        let payload = profile.pointee.history.snapshot
        let bytes = rules.pointee.framing.message(said.pointee.envelope.snapshot(payload, written.index))
        guard ends[slot].kernel.write(.snapshot, written.index, bytes: bytes, cause: .resume, rules) else { return }
        ends[slot].owesSnapshot = false
        out.note(.fullSync, value: Int64(payload))
    }

    // MARK: Ending

    /// The server ends a connection in order: what it has written still goes, and then no more.
    mutating func end(
        _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        ends[slot].say(.end)
        ends[slot].isEnding = true
        if ends[slot].isAttached { memory.leave(at: now) }
        ends[slot].isAttached = false
        out.append(.changed)
        flush(slot, at: now, &out)
    }

    /// The server has learned that nobody listens on the connection: what the phone does not have, a push announces.
    public mutating func loseClient(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        letGo(slot, at: now, &out)
        announcePending(&out)
    }

    private mutating func letGo(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        endHold(slot, at: now, &out)
        if ends[slot].isAttached { memory.leave(at: now) }
        ends[slot].letGo()
    }

    /// The server had a connection, and has it no longer.
    mutating func endHold(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        endHold(since: ends[slot].heldSince, at: now, &out)
        leave(ends[slot].instance, &out)
        ends[slot].instance = nil
    }

    private func endHold(
        since begin: Instant, until end: Instant = .never, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        guard begin != .never else { return }
        out.note(.serverHeld, value: max((min(end, now) - begin).nanoseconds, 0))
    }

    /// The balancer counts who has how many.
    func leave(_ instance: UInt8?, _ out: inout Steps<ServerStep>) {
        guard profile.pointee.cluster.counts, let instance else { return }
        out.append(.left(instance: instance))
    }

    // MARK: Ghosts

    /// When the server gives a connection up of which it hears nothing more; `.never`: it has no reason to.
    public func givesUp(_ slot: Int, at now: Instant) -> Instant {
        var until = ends[slot].saidAt + ends[slot].silenceLimit
        if ends[slot].kernel.hasUnacknowledged { until = min(until, now + Self.retransmissionLimit) }
        return until
    }

    /// Linux gives a connection up 924.6 s after the first byte that nobody confirms (`net/ipv4/tcp_timer.c`,
    /// tcp_model_timeout with 15 retries and a first timeout of 200 ms).
    public static let retransmissionLimit = TimeSpan.milliseconds(924_600)

    mutating func forgetGhost(at now: Instant, _ out: inout Steps<ServerStep>) {
        guard let ghost else { return }
        endHold(since: ghost.heldSince, until: ghost.until, at: now, &out)
        leave(ghost.instance, &out)
        self.ghost = nil
    }

    /// The server has something to say to the ghost.
    mutating func writeToGhost(at now: Instant) {
        if ghost?.until == .never { ghost?.until = now + Self.retransmissionLimit }
    }
}
