import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// The server end of one connection: the state of its kernel and of the server program.
struct ServerEnd: ~Copyable {
    let config: UnsafePointer<ConnectionConfig>
    let generation: UInt16
    let resuming: ResumeRequest
    /// Initial HTTP/2 flow-control windows that the phone's library grants. `nil` if the protocol has none.
    let window: HTTP2SendWindows?
    /// Maximum time without data from the client, after which the connection is closed. `.longest` if there is no
    /// limit.
    let idleTimeout: TimeSpan
    /// `true` if the server program itself checks that the client is alive, with heartbeats or pings.
    let probesClient: Bool

    var tcp = TCPEnd()
    /// `true` if a kernel has accepted the connection and still holds it: the server's, or that of a captive portal.
    var isHeld = false
    /// Time at which the server's kernel began to hold the connection. `.never` if it does not hold it.
    var heldSince = Instant.never
    /// `true` if a captive portal has answered in the server's name.
    var isCaptured = false
    /// `true` if the program will never serve this connection, for example because it was accepted while the program
    /// was frozen.
    var isOrphaned = false
    /// The session request that the program has read and not yet decided. Until then it reads no more.
    var sessionRequest = PendingSession.none

    enum PendingSession: UInt8, BitwiseCopyable {
        case none
        /// It waits for a decision of the shared cluster.
        case queued
        /// The program authenticates the client.
        case authenticating
    }

    /// `true` if the server program has answered the first client flight that reaches it. The kernel or TLS answers
    /// the earlier flights. With DTLS over datagrams: `true` if the server knows the session at the present address.
    var isAccepted = false
    /// Number of requests on which the shared cluster has not decided yet; it decides at the end of the sync window.
    /// Until then it is unknown which is sent first: the answer, or the acknowledgement that is delayed for it.
    var pendingOutcomes: UInt8 = 0
    /// The instance that holds the connection. `nil` if none does yet, or if the server has no instances to
    /// distinguish.
    var instance: UInt8?
    /// `true` if the program serves the phone's session on this connection.
    var isAttached = false
    /// `true` if the session has moved to a newer connection, and this one only finishes its open calls.
    var isSuperseded = false
    /// `true` if the program has refused a message and ignores those behind it until it comes again.
    var ignoresMessages = false
    /// `true` if the server has written the end of the stream (FIN), so that it writes no more data.
    var isClosing = false
    /// Time at which the program last read data from the app.
    var lastReadAt = Instant.zero
    var sessionStart = SessionStart()
    /// `true` if a snapshot of the complete state must still be sent to the client.
    var needsSnapshot = false
    /// Time since which an exhausted flow-control window has blocked waiting data. `.never` if it blocks none.
    var windowClosedSince = Instant.never

    /// The phone's current address, to which the server sends.
    var address: PhoneAddress
    /// The last address of the phone that was validated.
    var provenAddress: PhoneAddress
    /// Time at which the phone sent the latest packet. A packet from an old address that was sent earlier does not
    /// change the address (RFC 9000 §9.3).
    var latestPacketSentAt = Instant.zero
    var path = QUICPath()

    // Protocol state.
    var pingPolicy: PingPolicy
    var draining: HTTP2Draining
    var polling: PollHold
    var consumedWindows = HTTP2ReceiveWindows()
    var pendingFrames = PendingControlFrames()
    /// Number of calls that have arrived on this connection.
    var callCount: UInt32 = 0
    /// Number of calls that are not yet answered.
    var openCallCount: UInt32 = 0
    /// Bit set of the calls that have arrived. Bit n stands for call indices that are n modulo 64.
    var seenCalls: UInt64 = 0
    var receipts = Receipts()
    var keepaliveSupervisor = KeepaliveSupervisor()
    private let addressStable = AddressStable()

    init(_ opening: ConnectionRequest, generation: UInt16, _ profile: UnsafePointer<ServerProfile>) {
        config = opening.config
        self.generation = generation
        resuming = opening.resuming
        window = opening.window
        idleTimeout = opening.config.pointee.transport.idleTimeout(profile.pointee.idleLimit) ?? .longest
        probesClient = profile.pointee.keepalive != nil || profile.pointee.heartbeat != nil
        address = opening.address
        provenAddress = opening.address
        pingPolicy = profile.pings ?? PingPolicy(strikesAllowed: 0)
        draining = HTTP2Draining(grace: profile.pointee.grace)
        polling = PollHold(holdTime: opening.config.pointee.holdsPolls ? profile.pointee.longPollTimeout : .zero)
    }

    var isDatagram: Bool { config.pointee.isDatagram }
    var isHTTP2: Bool { config.pointee.isHTTP2 }
    var isQUIC: Bool { config.pointee.isQUIC }
    /// Highest stream number that the client has opened. Client streams have odd numbers (RFC 9113 §5.1.1): the
    /// session's stream is 1, each call adds 2.
    var lastStream: UInt32 { 1 + 2 * callCount }
    /// `true` if at least one HTTP/2 stream is open. The session's stream is open as long as the connection, a call's
    /// stream until its answer.
    var hasStreams: Bool { (config.pointee.transport.keepsStreamOpen && !isSuperseded) || openCallCount > 0 }
    var isResuming: Bool { resuming != .fresh }
    var setup: ConnectionSetup { config.setup(isResuming: isResuming) }

    // MARK: Sending

    /// Sends a control frame, now or as soon as the stream has room for it.
    mutating func send(_ frame: ControlFrame) {
        if pendingFrames.isEmpty && write(frame) { return }
        pendingFrames.add(frame)
        sendPendingFrames()
    }

    /// Writes as many pending control frames as fit. Must be called before anything else is written.
    mutating func sendPendingFrames() {
        while let frame = pendingFrames.first, write(frame) { pendingFrames.remove(frame) }
    }

    private mutating func write(_ frame: ControlFrame) -> Bool {
        let rules = config.downward
        return tcp.write(
            frame.kind, frame.item, bytes: frame.bytes(rules.pointee.framing), cause: config.pointee.cause(of: frame),
            rules
        )
    }

    mutating func writeAnswer(toFlight index: UInt32) {
        let flight = setup.flight(index)
        _ = tcp.write(.flight, index, bytes: flight.down, cause: flight.cause, config.downward)
    }

    mutating func writeAnswer(to call: UInt32, _ traffic: borrowing TrafficPlan) -> Bool {
        let rules = config.downward
        pingPolicy.sentData()
        let bytes = rules.pointee.framing.exchange(traffic.answer.bytes(of: call))
        guard tcp.write(.answer, call, bytes: bytes, cause: .payload, rules) else { return false }
        openCallCount -= min(openCallCount, 1)
        return true
    }

    mutating func writeRefusal(_ refusal: RefusalCode, of call: UInt32) {
        let rules = config.downward
        // An answer without content; RST_STREAM has 13 bytes (RFC 9113 §6.4).
        let bytes = refusal == .unprocessed ? rules.pointee.framing.control(13) : rules.pointee.framing.exchange(0)
        pingPolicy.sentData()
        openCallCount -= min(openCallCount, 1)
        // If even these few bytes do not fit, the server drops the refusal: the client's deadline ends the call.
        _ = tcp.write(.refusal, refusal.item(call), bytes: bytes, cause: .payload, rules)
    }

    /// Offers messages below number `end` to the client: they are sent at once, or with the answer to the client's next
    /// poll.
    mutating func offer(upTo end: UInt32) {
        guard config.pointee.transport.keepsStreamOpen else { return }
        guard config.pointee.serverOnlyAnswers else {
            tcp.offer(from: end - 1, upTo: end)
            return pingPolicy.sentData()
        }
        if polling.answerHeldRequest() { answerPoll(upTo: end) }
    }

    /// Offers all messages to the client that were written while the program was frozen.
    mutating func catchUp(to written: UInt32) {
        guard tcp.offeredEnd < written else { return }
        guard config.pointee.serverOnlyAnswers else { return tcp.offer(upTo: written) }
        if polling.answerHeldRequest() { answerPoll(upTo: written) }
    }

    mutating func answerPoll(upTo written: UInt32) {
        send(.pollAnswer)
        tcp.offer(from: written, upTo: written)
    }

    /// Sends the confirmations that are due for items that the program has read, and the HTTP/2 window updates for
    /// them.
    @inline(__always)
    mutating func didConsume(_ run: FrameRange) {
        let (upward, downward) = (config.pointee.clientRules.framing, config.pointee.serverRules.framing)
        if run.kind == .message && downward.confirmationBytes > 0 { send(.confirmation(run.count)) }
        guard isHTTP2 else { return }
        let grant = consumedWindows.consume(run, upward)
        if grant.connection > 0 { send(.connectionWindowUpdate(grant.connection)) }
        if grant.stream > 0 { send(.streamWindowUpdate(grant.stream)) }
    }

    // MARK: Set-up

    /// `true` if the packet is the first one of a QUIC connection with early data. It then opens the connection like a
    /// hello.
    @inline(__always)
    func isEarly(_ packet: Packet) -> Bool {
        config.pointee.sendsEarlyData && packet.content == .data && !isHeld && lastReadAt == .zero
    }

    /// Discards the server's end of the connection without notifying the client.
    mutating func release() {
        heldSince = .never
        isHeld = false
        isAttached = false
        tcp.close()
    }
}

/// The parameters with which a phone opens a connection to the server.
package struct ConnectionRequest: BitwiseCopyable {
    package var config: UnsafePointer<ConnectionConfig>
    package var resuming: ResumeRequest
    package var address: PhoneAddress
    /// Initial HTTP/2 flow-control windows that the phone's library grants. `nil` if the protocol has none.
    package var window: HTTP2SendWindows?

    package init(
        _ terms: UnsafePointer<ConnectionConfig>, resuming: ResumeRequest = .fresh, from address: PhoneAddress,
        window: HTTP2SendWindows? = nil
    ) {
        self.config = terms
        self.resuming = resuming
        self.address = address
        self.window = window
    }
}
