package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// The simulated server as one phone uses it: its ends of the phone's connections, its program, and its session state.
///
/// The kernel accepts, acknowledges and retransmits on its own; the program sets up sessions, answers and writes. While
/// the program is frozen the kernel keeps running: connections are accepted and stay silent. The server requests all
/// work as effects (`ServerEffect`), in order. It has no access to phones, radios or screens.
package struct Server: ~Copyable {
    package internal(set) var profile: UnsafePointer<ServerProfile>
    let traffic: UnsafePointer<TrafficPlan>
    var ends: PinnedPair<ServerEnd>
    var memory: SessionMemory
    static let slots = 0..<ConnectionSlot.count

    /// Position after the last message that the server wrote for this phone, delivered or not.
    package internal(set) var written: TrafficWalker
    /// Position after the last message of the app that has arrived.
    package internal(set) var arrived: TrafficWalker
    /// Position after the last probe that the server sent to the phone's network stack.
    package internal(set) var probes: TrafficWalker

    /// `true` if the server program is frozen: it does nothing, but its kernel keeps running.
    package internal(set) var isFrozen = false
    /// `true` if the server's process has ended and no new one runs yet.
    package internal(set) var isDown = false
    package internal(set) var refusesLogins = false
    /// Second at which the phone's access token expires; the largest number if the server uses no credentials.
    var tokenExpiry = UInt32.max
    /// A connection that the phone has replaced and that the server still considers open.
    var halfOpenConnection: HalfOpenConnection?
    /// Messages that wait until the session's connection accepts more data.
    var queue = SlowConsumers.Queue()
    var deploy = DeployProgress()
    /// Time at which a deploy replaces the instance that holds the phone's connection; `.never` if none is due.
    package internal(set) var deployAt = Instant.never
    /// Time at which the rate limit's token bucket for this phone's calls is full again.
    var rateFullAt = Instant.zero
    /// Number of session requests that this phone has made, counted only if faults of session requests are simulated.
    var sessionRequests: UInt32 = 0
    private var clusterRequests: UInt32 = 0
    private let addressStable = AddressStable()

    /// Creates the server of one phone.
    /// - Parameters:
    ///   - unused: Placeholder for the server end in slots in which no connection was opened yet.
    ///   - allocator: The arena in which server ends are allocated. `nil` allocates each separately.
    package init(
        _ profile: UnsafePointer<ServerProfile>, unused: UnsafeMutablePointer<UnopenedServerEnd>,
        _ traffic: UnsafePointer<TrafficPlan>, in allocator: ArenaAllocator? = nil
    ) {
        self.profile = profile
        self.traffic = traffic
        ends = PinnedPair(unused: unused.pointee.storage, in: allocator)
        written = TrafficWalker(traffic.pointee.downSchedule)
        arrived = TrafficWalker(traffic.pointee.upSchedule)
        probes = TrafficWalker(traffic.pointee.probeSchedule)
        memory = SessionMemory(profile, from: written)
    }

    // MARK: Queries

    package func isHeld(_ slot: Int) -> Bool { ends[slot].isHeld }
    package func isAttached(_ slot: Int) -> Bool { ends[slot].isAttached }
    /// `true` if the server program serves this connection, now or when its pause ends. `false` if the connection is
    /// closing, or was accepted by a frozen program.
    package func serves(_ slot: Int) -> Bool { !ends[slot].isClosing && !ends[slot].isOrphaned }
    package func isCaptured(_ slot: Int) -> Bool { ends[slot].isCaptured }
    package func hasUnacknowledged(_ slot: Int) -> Bool { ends[slot].tcp.hasUnacknowledged }
    package func silenceEnds(_ slot: Int) -> Instant { ends[slot].tcp.idleDeadline }
    package func lastStream(_ slot: Int) -> UInt32 { ends[slot].lastStream }
    /// Bit set of the calls that the server has seen on this connection. Bit n stands for call indices that are n
    /// modulo 64.
    package func seenCalls(_ slot: Int) -> UInt64 { ends[slot].seenCalls }
    package func start(_ slot: Int) -> SessionStart { ends[slot].sessionStart }
    /// Clears the call's bit in `seenCalls`, because the client sends the call again on another stream.
    package func forgetSeen(_ call: UInt32, _ slot: Int) { ends[slot].seenCalls &= ~(1 << UInt64(call % 64)) }
    /// The heartbeat interval that the server announces when the session starts. `nil` if it announces none.
    package func announcedHeartbeat(_ slot: Int) -> TimeSpan? {
        keepaliveRules(slot).heartbeat.flatMap { $0.isAnnounced ? $0.interval : nil }
    }
    package var namedEpoch: UInt32 { memory.namedEpoch }
    /// `true` if a client that connects now gets a session.
    package var acceptsSessions: Bool { !isDown && !isFrozen && !refusesLogins }
    /// `true` if the program would process a call that arrives now on this connection.
    package func acceptsCalls(_ slot: Int) -> Bool {
        let draining = ends[slot].draining.stage
        return !ends[slot].isClosing && (draining == .serving || draining == .sentFirstGoAway)
    }
    /// `true` if the phone sends datagrams to the server.
    var usesDatagrams: Bool { Self.slots.contains { ends[$0].isHeld && ends[$0].isDatagram } }
    var isUnattached: Bool { !Self.slots.contains { ends[$0].isAttached } }

    /// Removes and returns the next items of the server's stream that the phone has received, for the phone to read.
    /// `nil` if there are none.
    package func nextFrameRange(_ slot: Int, upTo expected: UInt64) -> FrameRange? {
        ends[slot].tcp.hasUnread(expected) ? dequeueFrameRange(slot, upTo: expected) : nil
    }

    func dequeueFrameRange(_ slot: Int, upTo expected: UInt64) -> FrameRange? {
        ends[slot].tcp.readNext(upTo: expected, ends[slot].config.downward, traffic.pointee.down)
    }

    /// Stream offset up to which the server has received all of the phone's data.
    package func expected(_ slot: Int) -> UInt64 { ends[slot].tcp.expected }

    /// Adds a round-trip sample of the connection set-up to the server's estimate. A first loss is then retransmitted
    /// sooner than after the initial second.
    package func measure(_ slot: Int, _ roundTrip: TimeSpan) {
        ends[slot].tcp.measure(roundTrip, ends[slot].config.downward)
    }

    /// Records that the client now counts messages as the server does. After a restart the server's numbers may begin
    /// again.
    package mutating func syncClientCount() { memory.syncClientCount() }

    /// Returns the message number from which the server would continue if the phone resumed with `resuming` now. `nil`
    /// if the server would send a snapshot.
    package mutating func resumePosition(
        for resuming: ResumeRequest, _ introduction: Introduction, at now: Instant
    ) -> UInt32? {
        memory.resumePosition(
            for: resuming, introduction, isKnown: memory.isKnown(at: now), written: written.index, at: now,
            traffic.pointee
        )?.next
    }

    // MARK: Effects

    func transmit(
        _ packets: borrowing OutgoingPackets, _ slot: Int, at sentAt: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        for index in 0..<packets.count { transmit(packets[index], slot, at: sentAt, &out) }
    }

    func transmit(_ packet: Packet, _ slot: Int, at sentAt: Instant, _ out: inout EffectQueue<ServerEffect>) {
        out.append(
            .transmit(packet, ends[slot].address, slot: slot, generation: ends[slot].generation, sentAt: sentAt))
    }

    /// Submits a request to the cluster of instances that all phones share. The cluster decides requests in order of
    /// time.
    mutating func submitToCluster(
        _ matter: ClusterRequest.RequestKind, _ slot: Int, of instance: UInt8?, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        out.append(
            .submit(
                ClusterRequest(
                    at: now, sequence: clusterRequests, slot: slot, generation: ends[slot].generation,
                    instance: instance,
                    kind: matter)))
        clusterRequests += 1
        ends[slot].pendingOutcomes += 1
    }

    /// Submits a request for new credentials to the cluster. It belongs to no connection.
    mutating func submitTokenRequest(_ number: UInt16, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        out.append(
            .submit(
                ClusterRequest(
                    at: now, sequence: clusterRequests, slot: 0, generation: 0, instance: nil, kind: .token(number))))
        clusterRequests += 1
    }

    /// Sends everything that can be sent now. If data still waits after that, requests a check with a `flushed` effect.
    mutating func flush(
        _ slot: Int, at now: Instant, sentAt: Instant? = nil,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        if !ends[slot].pendingFrames.isEmpty { ends[slot].sendPendingFrames() }
        var packets = OutgoingPackets()
        if !ends[slot].tcp.isIdle {
            ends[slot].tcp.flush(at: sentAt ?? now, ends[slot].config.downward, traffic.pointee.down, &packets)
            transmit(packets, slot, at: sentAt ?? now, &out)
        }
        switch profile.pointee.history.purge {
        case .never, .acknowledged: break
        case .confirmed: memory.purge(before: ends[slot].tcp.confirmed)
        case .sent: memory.purge(before: ends[slot].tcp.offeredEnd)
        }
        if hasWaiting(slot) { out.append(.flushed(slot: slot)) }
    }

    /// `true` if data waits to be sent, or did at the last check.
    private func hasWaiting(_ slot: Int) -> Bool {
        ends[slot].tcp.hasWaitingMessages || ends[slot].windowClosedSince != .never || queue.first != queue.end
    }
}

/// A connection that the phone has already replaced, while the server still holds it as open.
struct HalfOpenConnection: BitwiseCopyable {
    var slot: UInt8
    var generation: UInt16
    /// Time at which the server gives up the connection. `.never` if it has no limit.
    var until: Instant
    /// Time at which the server accepted the connection.
    var heldSince: Instant
    /// The instance that holds the connection; `nil` if none does.
    var instance: UInt8?
}

/// A shared placeholder for the server end of a connection; a slot uses it until a connection is opened there.
package struct UnopenedServerEnd: ~Copyable {
    let storage: UnsafeMutablePointer<ServerEnd>

    package init(_ terms: UnsafePointer<ConnectionConfig>, _ profile: UnsafePointer<ServerProfile>) {
        storage = .allocate(capacity: 1)
        storage.initialize(
            to: ServerEnd(ConnectionRequest(terms, from: PhoneAddress(.wifi, addressNumber: 0)), generation: 0, profile)
        )
    }

    deinit {
        let isUntouched =
            !storage.pointee.isHeld && storage.pointee.heldSince == .never && !storage.pointee.isAttached
            && storage.pointee.lastReadAt == .zero && storage.pointee.tcp.phase == .closed
        precondition(isUntouched, "data was written to a connection that was never opened")
        storage.deinitialize(count: 1).deallocate()
    }
}
