package import DeadzoneBase
package import DeadzoneTransport

/// The two ends of a VPN tunnel: the phone, and the gateway beyond the access network.
///
///     phone:    no session ──packet──▶ handshake ──answer──▶ session ──rekey age, packet──▶ handshake beside the session
///               handshake ──retry──▶ repeated ──give-up──▶ no session        session ──dead-after──▶ no session
///     gateway:  the same, without rekeying; its packets go to the address of the latest packet of the phone
///
/// A value without I/O: its owner moves the packets, holds those that wait, and passes the time. The phone's end counts
/// time on the tunnel's clock (`clock`), which may stand still while the processor sleeps; the gateway on the true one
/// (`now`).
///
/// Where this is inaccurate: repeated handshakes have no random delay, a session has no limit of packets, only the phone
/// renews a session that is still valid, and an end that answers a handshake uses the session at once.
package struct Tunnel: BitwiseCopyable {
    /// The address of the tunnel's own packets: an interface, and the number of its address.
    package struct OuterAddress: Hashable, Sendable, BitwiseCopyable {
        package let interface: Interface
        package let addressNumber: UInt16

        package init(_ interface: Interface, _ addressNumber: UInt16) {
            (self.interface, self.addressNumber) = (interface, addressNumber)
        }
    }

    /// The task of the owner after an end has changed.
    package enum TunnelTask: Hashable, Sendable {
        case nothing
        /// Send a handshake.
        case initiate
        /// Send an empty packet.
        case keepAlive
        /// Drop the packets that wait: the handshake was given up.
        case giveUp
    }

    /// The fate of a packet of an app.
    package enum Passage: Hashable, Sendable {
        case passes
        /// The packet goes out, and a handshake beside it.
        case passesAndInitiates
        case waits
        case waitsAndInitiates
    }

    /// A handshake of one end, which is repeated until it is answered or given up.
    private struct TunnelHandshake: BitwiseCopyable {
        /// Time of the first packet; `.never` if no handshake is under way.
        private(set) var since = Instant.never
        private(set) var retryAt = Instant.never
        /// Number of the latest packet. Only the answer to this packet counts.
        private(set) var number: UInt16 = 0

        var isUnderWay: Bool { since != .never }

        /// Returns `false` if a handshake is under way.
        mutating func start(_ rules: TunnelRules, at now: Instant) -> Bool {
            guard !isUnderWay else { return false }
            since = now
            repeatPacket(rules, at: now)
            return true
        }

        /// Returns `false` if the handshake is given up instead.
        mutating func retry(_ rules: TunnelRules, at now: Instant) -> Bool {
            guard now < since + rules.giveUp else {
                end()
                return false
            }
            repeatPacket(rules, at: now)
            return true
        }

        private mutating func repeatPacket(_ rules: TunnelRules, at now: Instant) {
            retryAt = now + rules.retry
            number &+= 1
        }

        func isAnswered(by number: UInt16) -> Bool { isUnderWay && number == self.number }

        mutating func end() { (since, retryAt) = (.never, .never) }
    }

    package let rules: UnsafePointer<TunnelRules>
    /// Address to which the tunnel's socket is bound; `nil` before the first network.
    package private(set) var outer: OuterAddress?

    // The phone's end.
    private var sessionSince = Instant.never
    private var handshake = TunnelHandshake()
    private var keepaliveAt = Instant.never
    private var passiveAt = Instant.never
    private var unansweredAt = Instant.never
    /// Number of packets that wait for a session.
    package private(set) var held: UInt16 = 0

    // The gateway's end.
    private var gatewayEndsAt = Instant.never
    private var gatewayPassiveAt = Instant.never
    private var gatewayHandshake = TunnelHandshake()
    /// Number of packets that wait at the gateway.
    package private(set) var gatewayHeld: UInt16 = 0
    /// Address to which the gateway sends: that of the latest packet that it accepted.
    package private(set) var endpoint: OuterAddress?

    /// Mappings of the tunnel's flow in the middleboxes of the access network, and the address that they belong to.
    package private(set) var boxes = MiddleboxState()
    package private(set) var boxesAddress: OuterAddress?

    /// Start of the period without a tunnel that is being recorded; `.never` if there is none.
    package var downSince = Instant.never

    /// - Parameter clock: Reading of the tunnel's clock. A tunnel with a keepalive opens by itself.
    package init(_ rules: UnsafePointer<TunnelRules>, at clock: Instant) {
        self.rules = rules
        if rules.pointee.keepalive != .longest { keepaliveAt = clock }
    }

    // MARK: Queries

    package func hasSession(at clock: Instant) -> Bool {
        sessionSince != .never && clock < sessionSince + rules.pointee.deadAfter
    }

    package func gatewayAccepts(at now: Instant) -> Bool { gatewayEndsAt != .never && now < gatewayEndsAt }

    package var handshakeNumber: UInt16 { handshake.number }

    package var gatewayNumber: UInt16 { gatewayHandshake.number }

    /// Next deadline of the phone's end, on the tunnel's clock.
    package var phoneDeadline: Instant {
        let ends = sessionSince == .never ? .never : sessionSince + rules.pointee.deadAfter
        return min(min(min(handshake.retryAt, keepaliveAt), min(passiveAt, unansweredAt)), ends)
    }

    /// Next deadline of the gateway or of a middlebox.
    package var gatewayDeadline: Instant {
        min(min(gatewayEndsAt, gatewayPassiveAt), min(gatewayHandshake.retryAt, boxes.endsAt))
    }

    /// `true` if a packet of the gateway, such as a handshake, reaches the phone's socket.
    package var isReachable: Bool { outer != nil && outer == endpoint && boxes.status == .intact }

    // MARK: The phone's end

    /// Passes on a packet of an app, or says that it waits.
    package mutating func send(at clock: Instant) -> Passage {
        guard hasSession(at: clock) else { return startHandshake(at: clock) ? .waitsAndInitiates : .waits }
        noteSent(at: clock)
        if unansweredAt == .never { unansweredAt = clock + rules.pointee.unanswered }
        guard sessionSince + rules.pointee.rekey <= clock, startHandshake(at: clock) else { return .passes }
        return .passesAndInitiates
    }

    /// Notes that one more packet waits. Returns `false` if the oldest one must be dropped for it.
    package mutating func hold(_ direction: Direction) -> Bool {
        guard (direction == .up ? held : gatewayHeld) < rules.pointee.queue else { return false }
        if direction == .up { held += 1 } else { gatewayHeld += 1 }
        return true
    }

    /// Notes that no packet waits any more. Returns the number of those that did.
    package mutating func releaseHeld(_ direction: Direction) -> UInt16 {
        defer { if direction == .up { held = 0 } else { gatewayHeld = 0 } }
        return direction == .up ? held : gatewayHeld
    }

    /// Notes an empty packet of the phone.
    package mutating func noteKeepalive(at clock: Instant) { noteSent(at: clock) }

    private mutating func noteSent(at clock: Instant) {
        passiveAt = .never
        restartKeepalive(at: clock)
    }

    private mutating func restartKeepalive(at clock: Instant) {
        if rules.pointee.keepalive != .longest { keepaliveAt = clock + rules.pointee.keepalive }
    }

    /// Begins a handshake. Returns `false` if one is under way.
    private mutating func startHandshake(at clock: Instant) -> Bool { handshake.start(rules.pointee, at: clock) }

    /// Carries out what is due on the phone's end.
    package mutating func expirePhone(at clock: Instant) -> TunnelTask {
        if sessionSince != .never, !hasSession(at: clock) { endSession() }
        if handshake.retryAt <= clock { return repeatHandshake(at: clock) }
        if unansweredAt <= clock {
            unansweredAt = .never
            return startHandshake(at: clock) ? .initiate : .nothing
        }
        guard keepaliveAt <= clock || passiveAt <= clock else { return .nothing }
        return sendEmpty(at: clock)
    }

    private mutating func endSession() { (sessionSince, passiveAt, unansweredAt) = (.never, .never, .never) }

    /// Sends an empty packet, or opens the tunnel for it.
    private mutating func sendEmpty(at clock: Instant) -> TunnelTask {
        noteSent(at: clock)
        if hasSession(at: clock) {
            // An empty packet of an old session renews it, as one with data does.
            guard sessionSince + rules.pointee.rekey <= clock, startHandshake(at: clock) else { return .keepAlive }
            return .initiate
        }
        return startHandshake(at: clock) ? .initiate : .nothing
    }

    private mutating func repeatHandshake(at clock: Instant) -> TunnelTask {
        if handshake.retry(rules.pointee, at: clock) { return .initiate }
        return hasSession(at: clock) ? .nothing : .giveUp
    }

    /// Handles the gateway's answer to a handshake. Returns the time since its first packet; `nil` if the answer is to
    /// an earlier packet.
    package mutating func receiveAnswer(to number: UInt16, at clock: Instant) -> TimeSpan? {
        guard handshake.isAnswered(by: number) else { return nil }
        defer { startSession(at: clock) }
        return clock - handshake.since
    }

    private mutating func startSession(at clock: Instant) {
        handshake.end()
        unansweredAt = .never
        sessionSince = clock
        restartKeepalive(at: clock)
    }

    /// Handles a handshake of the gateway, which the phone answers at once.
    package mutating func acceptHandshakeOfGateway(at clock: Instant) {
        passiveAt = .never
        startSession(at: clock)
    }

    /// Handles a packet of the gateway. Returns `false` if the phone's session is dead.
    package mutating func receive(isData: Bool, at clock: Instant) -> Bool {
        guard hasSession(at: clock) else { return false }
        unansweredAt = .never
        restartKeepalive(at: clock)
        if isData, passiveAt == .never { passiveAt = clock + TunnelRules.passiveKeepalive }
        return true
    }

    /// Notes the default network. A socket that is not bound yet, or that follows the network, is bound to it.
    package mutating func usePath(_ address: OuterAddress, at clock: Instant) -> TunnelTask {
        guard outer != address, outer == nil || rules.pointee.onPathChange != .keep else { return .nothing }
        let renews = outer != nil && rules.pointee.onPathChange == .renew
        outer = address
        if renews {
            endSession()
            return handshake.isUnderWay ? repeatHandshake(at: clock) : startHandshake(at: clock) ? .initiate : .nothing
        }
        if hasSession(at: clock) {
            noteSent(at: clock)
            return .keepAlive
        }
        if handshake.isUnderWay { return repeatHandshake(at: clock) }
        guard rules.pointee.keepalive != .longest else { return .nothing }
        return startHandshake(at: clock) ? .initiate : .nothing
    }

    /// Binds the socket of a tunnel without a session, before a handshake.
    package mutating func rebindWithoutSession(to address: OuterAddress, at clock: Instant) {
        if outer == nil || !hasSession(at: clock) { outer = address }
    }

    // MARK: The gateway's end

    /// Handles a handshake that reached the gateway. The gateway answers it at once.
    package mutating func acceptHandshake(from address: OuterAddress, at now: Instant) {
        endpoint = address
        gatewayEndsAt = now + rules.pointee.deadAfter
        gatewayPassiveAt = .never
        gatewayHandshake.end()
    }

    /// Handles the phone's answer to a handshake of the gateway. Returns `false` if it is to an earlier packet.
    package mutating func acceptAnswer(to number: UInt16, from address: OuterAddress, at now: Instant) -> Bool {
        guard gatewayHandshake.isAnswered(by: number) else { return false }
        acceptHandshake(from: address, at: now)
        return true
    }

    /// Handles a packet that reached the gateway. Returns `false` if the gateway's session is dead.
    package mutating func accept(isData: Bool, from address: OuterAddress, at now: Instant) -> Bool {
        guard gatewayAccepts(at: now) else { return false }
        endpoint = address
        if isData, gatewayPassiveAt == .never { gatewayPassiveAt = now + TunnelRules.passiveKeepalive }
        return true
    }

    /// Sends on a packet for the phone, or says that it waits.
    package mutating func sendDown(at now: Instant) -> Passage {
        guard !gatewayAccepts(at: now) else {
            gatewayPassiveAt = .never
            return .passes
        }
        return gatewayHandshake.start(rules.pointee, at: now) ? .waitsAndInitiates : .waits
    }

    /// Carries out what is due at the gateway.
    package mutating func expireGateway(at now: Instant) -> TunnelTask {
        if gatewayEndsAt <= now { (gatewayEndsAt, gatewayPassiveAt) = (.never, .never) }
        if gatewayHandshake.retryAt <= now {
            return gatewayHandshake.retry(rules.pointee, at: now) ? .initiate : .giveUp
        }
        guard gatewayPassiveAt <= now else { return .nothing }
        gatewayPassiveAt = .never
        return .keepAlive
    }

    // MARK: Middleboxes

    /// Sends a packet of the tunnel, which is UDP, through the middleboxes of the access network.
    package mutating func crossBoxes(
        _ direction: Direction, _ address: OuterAddress, _ path: UnsafePointer<MiddleboxPath>, at now: Instant
    ) -> MiddleboxMappings.CrossingResult {
        // After the flow has moved, the middleboxes of its old path are not simulated any more.
        if direction == .down, boxesAddress != address { return .passes }
        boxesAddress = address
        let number = 1 << 32 | UInt64(address.interface.rawValue) << 16 | UInt64(address.addressNumber)
        return boxes.cross(
            direction, under: number, path, isUDP: true, opensConnection: direction == .up, at: now)
    }

    /// Removes a mapping that has expired. Returns `false` if none has.
    package mutating func expireMapping(_ path: UnsafePointer<MiddleboxPath>, at now: Instant) -> Bool {
        boxes.expire(at: now, path, isUDP: true) != nil
    }

    /// Removes all mappings on an interface. Returns `false` if there was none.
    package mutating func forgetMappings(_ interface: Interface, _ path: UnsafePointer<MiddleboxPath>) -> Bool {
        guard boxesAddress?.interface == interface else { return false }
        var isAny = false
        for place in 0..<path.pointee.count where boxes.forget(place, path, isUDP: true) { isAny = true }
        return isAny
    }
}
