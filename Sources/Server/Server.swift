public import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneProtocols
public import DeadzoneTransport

/// The server as one phone meets it: the ends of its connections, the program behind them, and what that remembers.
///
/// Its kernel accepts, acknowledges and repeats by itself; the program sets sessions up, answers, and writes. A frozen program
/// leaves its kernel alone: connections are accepted and stay silent. What it wants done it asks for in steps, in order; it
/// knows nothing of phones, radios or screens.
public struct Server: ~Copyable {
    let profile: UnsafePointer<ServerProfile>
    let said: UnsafePointer<Conversation>
    @usableFromInline var ends: Slots<ServerEnd>
    var memory: SessionMemory
    static let slots = 0..<ConnectionSlot.count

    /// Its messages, whether or not anybody has them; and those of the app that have come.
    public internal(set) var written: TrafficWalker
    public internal(set) var arrived: TrafficWalker

    /// The program says nothing, though its kernel goes on; there is no program.
    public internal(set) var isFrozen = false
    public internal(set) var isDown = false
    public internal(set) var refusesLogins = false
    /// A connection that the phone has replaced and the server still believes in.
    var ghost: Ghost?
    /// What waits for the session's connection.
    var queue = SlowConsumers.Queue()
    var deploy = Deploying()
    /// When a deploy comes to the instance that holds the phone's connection.
    public internal(set) var deployAt = Instant.never
    /// When its bucket for this phone's calls is full again.
    var rateFullAt = Instant.zero
    /// Sessions that it was asked for.
    var sessionsAsked: UInt32 = 0
    private var arrivals: UInt32 = 0
    private let anchor = Anchor()

    /// - Parameters:
    ///   - unused: Of every slot on which nothing was opened yet.
    ///   - surveyor: Of the ground that its ends lie on; nil: at places of their own.
    public init(
        _ profile: UnsafePointer<ServerProfile>, unused: UnsafeMutablePointer<UnopenedEnd>,
        _ said: UnsafePointer<Conversation>, on surveyor: Surveyor? = nil
    ) {
        self.profile = profile
        self.said = said
        ends = Slots(unused: unused.pointee.place, on: surveyor)
        written = TrafficWalker(said.pointee.downCourse)
        arrived = TrafficWalker(said.pointee.upCourse)
        memory = SessionMemory(profile, from: written)
    }

    // MARK: What there is to know of it from outside

    @inlinable public func isHeld(_ slot: Int) -> Bool { ends[slot].isHeld }
    public func isAttached(_ slot: Int) -> Bool { ends[slot].isAttached }
    /// A hello of it has come.
    public func isJudged(_ slot: Int) -> Bool { ends[slot].isJudged }
    /// Its end is there and its program would answer, now or when it is back.
    public func serves(_ slot: Int) -> Bool { !ends[slot].isEnding && !ends[slot].isForgotten }
    public func isCaptured(_ slot: Int) -> Bool { ends[slot].isCaptured }
    public func hasUnacknowledged(_ slot: Int) -> Bool { ends[slot].kernel.hasUnacknowledged }
    public func silenceEnds(_ slot: Int) -> Instant { ends[slot].kernel.silenceEnds }
    public func lastStream(_ slot: Int) -> UInt32 { ends[slot].lastStream }
    /// Bit n: it has seen a call whose index ends in n.
    public func seenCalls(_ slot: Int) -> UInt64 { ends[slot].seen }
    public func start(_ slot: Int) -> SessionStart { ends[slot].start }
    /// The client asks the call again, on another stream.
    public func forgetSeen(_ call: UInt32, _ slot: Int) { ends[slot].seen &= ~(1 << UInt64(call % 64)) }
    /// How often the server promises a sign of life, with the session; nil: it promises nothing.
    public func announcedBeats(_ slot: Int) -> TimeSpan? {
        careRules(slot).heartbeat.flatMap { $0.isAnnounced ? $0.interval : nil }
    }
    public var namedEpoch: UInt32 { memory.namedEpoch }
    /// Its program would look at a call that comes now.
    public func considers(_ slot: Int) -> Bool {
        let draining = ends[slot].draining.stage
        return !ends[slot].isEnding && (draining == .serving || draining == .warned)
    }
    var isUnattached: Bool { !Self.slots.contains { ends[$0].isAttached } }

    /// The phone takes the next items of what was said to it.
    @inlinable public func take(_ slot: Int, upTo expected: UInt64) -> Run? {
        ends[slot].kernel.hasUntaken(expected) ? takeNext(slot, upTo: expected) : nil
    }

    @usableFromInline func takeNext(_ slot: Int, upTo expected: UInt64) -> Run? {
        ends[slot].kernel.take(upTo: expected, ends[slot].terms.downward, said.pointee.down)
    }

    /// How far it has the phone's stream.
    @inlinable public func expected(_ slot: Int) -> UInt64 { ends[slot].kernel.expected }

    /// Both ends saw the answer come back: the first loss does not wait the whole initial second.
    public func measure(_ slot: Int, _ roundTrip: TimeSpan) {
        ends[slot].kernel.measure(roundTrip, ends[slot].terms.downward)
    }

    /// The client has heard what the server said of its count.
    public mutating func tellCount() { memory.tellCount() }

    /// Where it would go on if the phone asked like this now; nil: with everything anew.
    public mutating func wouldGoOn(
        for resuming: Resuming, _ introduction: Introduction, at now: Instant
    ) -> UInt32? {
        memory.place(
            for: resuming, introduction, isKnown: memory.isKnown(at: now), written: written.index, at: now, said.pointee
        )?.next
    }

    // MARK: Asking

    func leave(_ packets: borrowing Departures, _ slot: Int, at sentAt: Instant, _ out: inout Steps<ServerStep>) {
        for index in 0..<packets.count { leave(packets[index], slot, at: sentAt, &out) }
    }

    func leave(_ packet: Packet, _ slot: Int, at sentAt: Instant, _ out: inout Steps<ServerStep>) {
        out.append(
            .leave(packet, ends[slot].address, slot: slot, generation: ends[slot].generation, sentAt: sentAt))
    }

    /// The instances that all phones share take it in their order.
    mutating func queueUp(
        _ matter: Arrival.Matter, _ slot: Int, of instance: UInt8?, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        out.append(
            .queue(
                Arrival(
                    at: now, sequence: arrivals, slot: slot, generation: ends[slot].generation, instance: instance,
                    matter: matter)))
        arrivals += 1
        ends[slot].undecided += 1
    }

    /// Everything that can leave does. What came of it is looked at once that is done (`flushed`).
    mutating func flush(
        _ slot: Int, at now: Instant, sentAt: Instant? = nil,
        _ out: inout Steps<ServerStep>
    ) {
        if !ends[slot].owed.isEmpty { ends[slot].speak() }
        var packets = Departures()
        if !ends[slot].kernel.isAtRest {
            ends[slot].kernel.flush(at: sentAt ?? now, ends[slot].terms.downward, said.pointee.down, &packets)
            leave(packets, slot, at: sentAt ?? now, &out)
        }
        switch profile.pointee.history.purge {
        case .never, .acknowledged: break
        case .confirmed: memory.purge(before: ends[slot].kernel.confirmed)
        case .sent: memory.purge(before: ends[slot].kernel.offered)
        }
        if hasWaiting(slot) { out.append(.flushed(slot: slot)) }
    }

    /// Something waits, or did when it was last looked at.
    private func hasWaiting(_ slot: Int) -> Bool {
        ends[slot].kernel.isBehind || ends[slot].shutSince != .never || queue.first != queue.end
    }
}

/// A connection that the phone has put another in the place of, and that the server knows nothing of yet.
struct Ghost: BitwiseCopyable {
    var slot: UInt8
    var generation: UInt16
    /// When the server gives it up; `.never`: it has no reason to.
    var until: Instant
    /// The server has it since.
    var heldSince: Instant
    /// Who has it.
    var instance: UInt8?
}

/// The place that all slots share on which nothing was opened yet.
public struct UnopenedEnd: ~Copyable {
    let place: UnsafeMutablePointer<ServerEnd>

    public init(_ terms: UnsafePointer<Terms>, _ profile: UnsafePointer<ServerProfile>) {
        place = .allocate(capacity: 1)
        place.initialize(
            to: ServerEnd(Opening(terms, from: Address(.wifi, epoch: 0)), generation: 0, profile))
    }

    deinit {
        let isUntouched =
            !place.pointee.isHeld && place.pointee.heldSince == .never && !place.pointee.isJudged
            && !place.pointee.isAttached && place.pointee.saidAt == .zero && place.pointee.kernel.phase == .closed
        precondition(isUntouched, "something was written to a connection that nobody opened")
        place.deinitialize(count: 1).deallocate()
    }
}
