package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// The phone's side of all its connections: kernel and client library of each, open calls, and the DNS cache.
///
/// It receives packets, items of the server's stream, actions of the strategy, and the time; and it returns effects. It
/// has no access to the server or the radio, and cannot see whether a connection really works.
package struct PhoneEnd: ~Copyable {
    var connections: PinnedPair<ClientConnection>
    let traffic: UnsafePointer<TrafficPlan>
    let settings: UnsafePointer<PhoneEndSettings>
    var nameCache = DNSCache()
    package internal(set) var calls: OpenCallWindow
    /// Number of calls that failed since a call last succeeded.
    var failedInARow: UInt16 = 0
    /// Number of the server's address that was used last, plus 1; 0 if none was used.
    private var latestAddressNumber: UInt16 = 0
    /// Start of the period in which all calls failed. Valid only if `failedInARow` is not zero.
    var callsFailingSince = Instant.never
    var lastAnswerAt = Instant.zero
    /// `true` if the phone has had an open connection before.
    var wasOpen = false
    static let slots = 0..<ConnectionSlot.count
    private let addressStable = AddressStable()

    /// Creates the phone's side of connections; no slot has a connection yet.
    /// - Parameters:
    ///   - unused: A shared placeholder connection; a slot uses it until a connection is opened there.
    ///   - allocator: The arena that holds the connections. `nil` allocates each connection separately.
    package init(
        unused: UnsafeMutablePointer<UnopenedConnection>, _ traffic: UnsafePointer<TrafficPlan>,
        _ rules: UnsafePointer<PhoneEndSettings>, in allocator: ArenaAllocator? = nil
    ) {
        connections = PinnedPair(unused: unused.pointee.storage, in: allocator)
        self.traffic = traffic
        self.settings = rules
        calls = OpenCallWindow(traffic.pointee.callSchedule)
    }

    // MARK: Queries

    package subscript(slot: Int) -> ClientConnection {
        unsafeAddress { withUnsafePointer(to: &connections[slot]) { $0 } }
    }

    @inline(__always) package func deadline(_ slot: Int) -> Instant {
        guard connections[slot].unreportedLoss == nil, connections[slot].belief != .closed else { return .never }
        return connections[slot].isQUIC ? deadlineWithPath(slot) : connections[slot].tcp.deadline
    }

    func deadlineWithPath(_ slot: Int) -> Instant {
        min(connections[slot].tcp.deadline, connections[slot].protocolState.pathMigration.path.dueAt)
    }

    /// Number of the server's address to which the phone connected last; `nil` if it never did.
    package var latestAddress: UInt16? { latestAddressNumber == 0 ? nil : latestAddressNumber - 1 }

    /// Number of the server's address that a connection of the slot uses, or used. Earlier connections than the
    /// previous one are taken for it.
    package func address(_ slot: Int, generation: UInt16) -> UInt16 {
        connections[slot].generation == generation ? connections[slot].address : connections[slot].previousAddress
    }

    /// Notes that the phone connects to the address of the slot's connection.
    mutating func useAddress(_ slot: Int) { latestAddressNumber = connections[slot].address &+ 1 }

    /// Returns the time at which the next action of the name resolution is due; `.never` if there is none.
    package func resolutionDeadline(_ slot: Int) -> Instant { connections[slot].resolutionDeadline }

    /// `true` if the phone can read the next item of the server's stream.
    package func reads(_ slot: Int) -> Bool { connections[slot].tcp.phase == .open }
    /// Returns the offset in the server's stream, in bytes, up to which the phone has received it.
    package func expected(_ slot: Int) -> UInt64 { connections[slot].tcp.expected }

    /// Number of the app's messages that the connection carries and that have not arrived; 0 if the app considers it
    /// closed, or if it sends datagrams.
    func uplinkInFlight(_ slot: Int, arrived: UInt32) -> Int64 {
        guard connections[slot].belief == .open, !connections[slot].isDatagram else { return 0 }
        let from = max(connections[slot].tcp.confirmed, arrived)
        return Int64(max(connections[slot].tcp.offeredEnd, from) - from)
    }

    /// The request with which a connection would begin now that resumes as the one in this slot did.
    func nextRequest(_ slot: Int, _ session: SessionView) -> ResumeRequest {
        if case .from = connections[slot].resuming { return .from(Cursor(session.shown)) }
        return connections[slot].resuming
    }

    /// Random phase of the phone's clock. Kernel timers fire at the ticks of this clock.
    var clockPhase: TimeSpan {
        var dice = traffic.pointee.dice(.clockPhase)
        return .microseconds(Int64(dice.next().scaled(below: UInt64(Kernel.maxGranularity.nanoseconds) / 1_000)))
    }

    @inline(__always)
    func number(_ slot: Int) -> Int64 { Int64(connections[slot].generation) }
    func name(_ slot: Int) -> ConnectionSlot { ConnectionSlot(UInt8(slot)) }

    /// Removes and returns the next items of the app's stream, for the server's program to read; `nil` if there are
    /// none.
    @inline(__always)
    package func nextFrameRange(_ slot: Int, upTo expected: UInt64) -> FrameRange? {
        guard connections[slot].tcp.hasUnread(expected) else { return nil }
        return connections[slot].tcp.readNext(upTo: expected, connections[slot].upward, traffic.pointee.up)
    }

    /// Counts that the server's program sees a call once more. Returns how often it had seen the call before.
    package mutating func countVisit(call: UInt32) -> UInt64 { calls.countVisit(call) }

    // MARK: Effects

    @inline(__always)
    func transmit(_ packet: Packet, _ slot: Int, _ out: inout EffectQueue<PhoneEndEffect>) {
        out.append(
            .transmit(
                packet, connections[slot].interface, addressNumber: connections[slot].addressNumber, slot: slot,
                generation: connections[slot].generation))
    }

    @inline(__always)
    func transmit(_ packets: borrowing OutgoingPackets, _ slot: Int, _ out: inout EffectQueue<PhoneEndEffect>) {
        for index in 0..<packets.count { transmit(packets[index], slot, &out) }
    }

    func sendGoodbye(
        _ slot: Int, answering packet: Packet? = nil, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        transmit(
            Packet(.reset, cause: .connect, bytes: connections[slot].goodbyeBytes, stamp: now, answering: packet), slot,
            &out)
    }

    /// Sends everything that the connection's kernel can send now. Returns `true` if it sent anything.
    @discardableResult
    package mutating func flush(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) -> Bool {
        if !connections[slot].protocolState.pendingFrames.isEmpty { sendPendingFrames(slot) }
        var packets = OutgoingPackets()
        if !connections[slot].tcp.isIdle {
            connections[slot].tcp.flush(at: now, connections[slot].upward, traffic.pointee.up, &packets)
            transmit(packets, slot, &out)
        }
        if connections[slot].isWaiting || connections[slot].wasWaiting { updateStalls(slot, at: now, &out) }
        return packets.count > 0
    }

    /// Sends everything that the kernels of open connections can send now, such as credit that became free.
    mutating func flushOpen(at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        for slot in Self.slots where connections[slot].belief == .open { flush(slot, at: now, &out) }
    }
}

/// The settings of scenario and strategy that the phone's side of connections needs.
package struct PhoneEndSettings: Sendable {
    /// The DNS resolver; `nil` if the server's address is always known.
    package var resolver: Resolver?
    /// `true` if the client's library keeps addresses, so that it needs to know them.
    package var keepsNames = false
    /// The addresses that the client's library uses.
    package var family = AddressFamily.any
    /// The phone's translation between IPv4 and IPv6.
    package var translation = Resolver.Translation.none
    /// How the app receives messages.
    package var intake: ReceivePolicy
    /// `true` if the app's consumer of messages, not its library, decides when the server gets window credit.
    package var holdsCredit: Bool
    /// `true` if the connections ride in a tunnel: their own address stays when the phone changes its network.
    package var keepsAddress = false
    /// How the client's library joins subscriptions; `nil` if it joins none.
    package var subscriptions: SubscriptionPolicy?
}

/// A shared placeholder for the phone's side of a connection; a slot uses it until a connection is opened there.
package struct UnopenedConnection: ~Copyable {
    let storage: UnsafeMutablePointer<ClientConnection>

    package init(_ terms: UnsafePointer<ConnectionConfig>) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: ClientConnection(terms))
    }

    deinit {
        precondition(storage.pointee.isUntouched, "something was written to a line that nobody opened")
        storage.deinitialize(count: 1).deallocate()
    }
}
