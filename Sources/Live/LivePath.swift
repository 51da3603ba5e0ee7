import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// The simulated network path for real packets between phone and server: radios, links, middleboxes and coverage. It
/// uses the same models as a simulation. It has no clock and no device. The caller passes packets in with their times,
/// and takes the packets that have arrived.
///
///     up:    phone ─▶ radio ─(held until data flows)─▶ link ─▶ boxes ─▶ server
///     down:  server ─▶ boxes ─▶ link ─▶ edge ─▶ radio ─(held)─▶ phone
///
/// A packet to no address, to an old address, or without coverage is dropped silently. No proxy can do that.
struct LivePath {
    /// Limit for queued packets, for clients that send without a limit of their own. Packets above it are dropped.
    static let maxQueued = 1 << 16
    /// From TEST-NET-3 (RFC 5737), like the server's address.
    private static let pushServiceAddress = HostAddress(0xcb00_7150)

    enum PathEnd: Sendable { case phone(Interface), server }

    let world: World
    let seed: UInt64
    let phone: PhoneID
    let paths: [MiddleboxPath]
    /// In the order of the raw values of `Interface`. A copy of the path shares them.
    let interfaces: [LiveInterface]
    private var packetsInFlight = DueHeap<PendingPacket>()
    var mappings: [LiveFlowKey: (boxes: MiddleboxMappings, interface: Interface)] = [:]
    var mappingsAt = Instant.never
    private(set) var now = Instant.zero
    var observer = FlowObserver()
    /// `nil` if names are in the phone's hosts file.
    var names: NameServer?
    /// `true` while the phone's firewall drops all packets of the app.
    var isClosed = false

    /// `true` while the server's program is stopped.
    var serverIsFrozen = false

    /// State of the simulated push notification packet: not sent, under way, lost or arrived. Nothing is written to a
    /// device for it.
    enum PushStatus: Sendable { case none, underWay, lost, here }
    private var push = PushStatus.none

    /// Packets that have arrived and their end of the path. The caller takes them.
    var arrived: [(packet: Datagram, side: PathEnd, due: Instant)] = []

    init(_ world: World, seed: UInt64, phone: PhoneID) {
        self.world = world
        self.seed = seed
        self.phone = phone
        paths = Interface.common.map { MiddleboxPath(world.middleboxes.path(of: $0)) }
        interfaces = Interface.common.map { LiveInterface($0, world, seed: seed, phone: phone) }
    }

    subscript(interface: Interface) -> LiveInterface { interfaces[Int(interface.rawValue)] }

    mutating func takeArrived() -> [(packet: Datagram, side: PathEnd, due: Instant)] {
        defer { arrived.removeAll(keepingCapacity: true) }
        return arrived
    }

    var hasArrived: Bool { !arrived.isEmpty }

    /// Time of the next event that needs no new packet.
    var nextDue: Instant {
        var next = min(packetsInFlight.next, mappingsAt)
        for liveInterface in interfaces {
            next = min(
                next, liveInterface.path.radioAt, liveInterface.radioQueue.dueAt, liveInterface.network.gate.opensAt)
        }
        return next
    }

    // MARK: Verbs

    /// Processes all events up to `limit` in order. At equal times radio transitions come first.
    mutating func advance(to limit: Instant) {
        while true {
            let next = nextDue
            guard next <= limit else { break }
            now = max(now, next)
            if let liveInterface = interfaces.first(where: { $0.path.radioAt <= now }) {
                advanceRadio(liveInterface)
            } else if let liveInterface = interfaces.first(where: { $0.radioQueue.dueAt <= now }) {
                releaseQueued(liveInterface)
            } else if let liveInterface = interfaces.first(where: { $0.network.gate.opensAt <= now }) {
                _ = liveInterface.network.setAccess(.open)
                observePath(liveInterface)
            } else if mappingsAt <= now {
                expireMappings()
            } else if let pending = packetsInFlight.removeFirst() {
                handleArrival(pending)
            }
        }
        now = max(now, limit)
    }

    /// Accepts a packet from the phone's kernel. Its source address selects the interface.
    mutating func send(_ packet: Datagram) {
        let name = LiveFlowKey(packet, .up)
        let liveInterface = interfaces.first { $0.address == packet.source.host }
        let (cause, account) = observer.phoneSent(packet, name, at: now)
        // Without coverage, the traffic cannot set up the connection that the network needs.
        guard let liveInterface, !isClosed, liveInterface.reaches(name.phone) else {
            return observer.recordLoss(name, .up)
        }
        guard liveInterface.network.maySend(ofApp: true, at: now) else { return observer.recordLoss(name, .up) }
        transmit(
            PendingPacket(
                packet: packet, name: name, interface: liveInterface.interface, cause: cause, account: account,
                hop: .heldByPhone), .up)
    }

    /// Accepts a packet from the server's kernel, whether or not the phone still has the address.
    mutating func sendFromServer(_ packet: Datagram) {
        let name = LiveFlowKey(packet, .down)
        let (cause, account) = observer.serverSent(packet, name)
        let address = packet.destination.host
        guard let liveInterface = interfaces.first(where: { $0.hasHad(address) }) else {
            return observer.recordLoss(name, .down)
        }
        let pending = PendingPacket(
            packet: packet, name: name, interface: liveInterface.interface, cause: cause, account: account,
            hop: .toEdge)
        guard passesMiddleboxes(pending, .down) else { return observer.recordLoss(name, .down) }
        sendThroughLink(pending, .down)
    }

    /// Sends a push to the phone over the preferred network. Returns `false` if no network works.
    mutating func sendPush() -> Bool {
        let liveInterface = interfaces.first { $0.address != nil && $0.network.isConnected(at: now) }
        guard let liveInterface, let address = liveInterface.address else { return false }
        let head = Datagram.message(
            from: .init(.ipv4(Self.pushServiceAddress.ipv4), 5_228), to: .init(.ipv4(address.ipv4), 5_228),
            payload: Array(repeating: 0, count: Int(PushService.bytes) - 28))
        push = .underWay
        sendThroughLink(
            PendingPacket(
                packet: head, name: LiveFlowKey(head, .down), interface: liveInterface.interface, cause: .push,
                account: .push, hop: .toEdge),
            .down)
        return true
    }

    /// Returns the outcome of the push since the last call.
    mutating func takePushStatus() -> PushStatus {
        defer { if push != .underWay { push = .none } }
        return push
    }

    /// Records a dropped packet. The sender gets no notification.
    mutating func recordLoss(_ pending: PendingPacket, _ direction: Direction) {
        if pending.isPush { push = .lost }
        observer.recordLoss(pending.name, direction)
    }

    /// Closes the accounting of the radios and flows at the end of the run.
    mutating func finish(at end: Instant) {
        advance(to: end)
        for liveInterface in interfaces { changeRadio(liveInterface) { $0.closePeriod(at: $1, $2, $3) } }
        observer.finish(at: end)
    }

    // MARK: Packets

    /// Hands a packet to the radio, and queues it until its first bit can flow.
    private mutating func transmit(_ pending: PendingPacket, _ direction: Direction) {
        let liveInterface = self[pending.interface]
        let bytes = pending.packet.length
        let burst = Burst(
            direction: direction, bytes: bytes, airtime: liveInterface.link(direction).airtime(ofBytes: bytes),
            cause: pending.account)
        let rests =
            direction == .down && withUnsafePointer(to: liveInterface.profile) { liveInterface.path.rests($0) }
        if rests, withUnsafePointer(to: liveInterface.profile, { liveInterface.path.isCoreFull($0) }) {
            observer.appendEntry(JournalEntry(.downlinkDropped, pending.interface, value: 1), at: now)
            return recordLoss(pending, direction)
        }
        let offer = offerToRadio(burst, liveInterface)
        if rests, offer.isHeld {
            let held = JournalEntry(.downlinkHeld, pending.interface, value: (offer.flowsAt - now).nanoseconds)
            observer.appendEntry(held, at: now)
        }
        var moved = pending
        moved.hop = direction == .up ? .heldByPhone : .heldByEdge
        moved.offeredAt = now
        moved.lag = offer.lag
        moved.at = offer.flowsAt + offer.lag
        if liveInterface.path.held > 0 {
            reschedule(liveInterface, to: offer.flowsAt, isSlow: offer.lag > .zero)
        }
        guard offer.isHeld else { return sendOverAir(moved) }
        guard liveInterface.radioQueue.count < Self.maxQueued else { return recordLoss(pending, direction) }
        liveInterface.path.hold()
        liveInterface.radioQueue.insert(moved)
    }

    /// Adjusts the queue when data can flow at another time than the radio announced.
    func reschedule(_ liveInterface: LiveInterface, to flowsAt: Instant, isSlow: Bool) {
        guard flowsAt != .never else { return }
        liveInterface.radioQueue.reschedule(to: flowsAt, isSlow: isSlow, at: now)
    }

    private mutating func releaseQueued(_ liveInterface: LiveInterface) {
        let pending = liveInterface.radioQueue.removeFirst()
        let direction: Direction = pending.hop == .heldByPhone ? .up : .down
        liveInterface.path.endHold()
        guard liveInterface.reaches(pending.name.phone) else { return recordLoss(pending, direction) }
        sendOverAir(pending)
    }

    /// Records that the packet is on the air, then moves it to the link or to the phone.
    private mutating func sendOverAir(_ pending: PendingPacket) {
        let direction: Direction = pending.hop == .heldByPhone ? .up : .down
        let liveInterface = self[pending.interface]
        observer.recordTransmission(
            pending, direction, technology: liveInterface.path.technology, level: liveInterface.path.radio?.level,
            at: now)
        if direction == .up { sendThroughLink(pending, .up) } else { deliverToPhone(pending) }
    }

    /// Sends the packet through the link, which may lose it.
    mutating func sendThroughLink(_ pending: PendingPacket, _ direction: Direction) {
        guard passes(pending, direction), packetsInFlight.count < Self.maxQueued else {
            return recordLoss(pending, direction)
        }
        let purposes = pending.interface.linkPurposes
        let packets = dice(direction == .up ? purposes.up : purposes.down)
        let dwells = dice(direction == .up ? purposes.lossUp : purposes.lossDown)
        let liveInterface = self[pending.interface]
        let transit = withUnsafePointer(to: liveInterface.link(direction)) {
            liveInterface.path.cross(
                direction, bytes: pending.packet.length, parts: 1, at: now, over: $0, packets: packets, dwells: dwells)
        }
        guard transit.intact > 0 else { return recordLoss(pending, direction) }
        var moved = pending
        moved.hop = direction == .up ? .toServer : .toEdge
        packetsInFlight.insert(moved, at: transit.at)
    }

    private mutating func handleArrival(_ pending: PendingPacket) {
        if pending.hop == .answering {
            sendThroughLink(pending, .down)
        } else if pending.hop == .toServer {
            if answerLocally(pending) { return }
            guard passesMiddleboxes(pending, .up) else { return recordLoss(pending, .up) }
            observer.serverReceived(pending.packet, pending.name)
            arrived.append((pending.packet, .server, now))
        } else {
            guard self[pending.interface].reaches(pending.name.phone), passes(pending, .down) else {
                return recordLoss(pending, .down)
            }
            transmit(pending, .down)
        }
    }

    /// Answers in place of the server: as name server or captive portal. Returns `false` if the packet is for the
    /// server.
    private mutating func answerLocally(_ pending: PendingPacket) -> Bool {
        var reply: Datagram?
        var work = TimeSpan.zero
        if let names, pending.packet.destination.host == NameServer.address {
            if pending.packet.destinationPort == NameServer.port {
                reply = names.answer(to: pending.packet.payload, on: pending.interface).map(
                    pending.name.reply)
            }
            work = names.resolver.on(pending.interface).work
        } else if self[pending.interface].network.isPortal(at: now) {
            reply = CaptivePortal.answer(to: pending.packet, pending.name)
        } else {
            return false
        }
        observer.serverReceived(pending.packet, pending.name)
        guard let reply else { return true }
        let (cause, account) = observer.serverSent(reply, pending.name)
        packetsInFlight.insert(
            PendingPacket(
                packet: reply, name: pending.name, interface: pending.interface, cause: cause, account: account,
                hop: .answering, isOfPortal: true),
            at: now + work)
        return true
    }

    private func passes(_ pending: PendingPacket, _ direction: Direction) -> Bool {
        self[pending.interface].network.passes(
            direction, ofApp: !pending.isPush, isOfPortal: pending.isOfPortal, at: now)
    }

    private mutating func deliverToPhone(_ pending: PendingPacket) {
        if pending.isPush { return push = .here }
        if isClosed {
            observer.recordLoss(pending.name, .down)
        } else {
            observer.phoneReceived(pending.packet, pending.name, at: now)
        }
        arrived.append((pending.packet, .phone(pending.interface), now))
    }
}
