import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Moves packets of apps through the phone's VPN tunnel, and the packets of the tunnel itself.
///
///     up:    app ─▶ tunnel ─(held until it has a session)─▶ radio ─▶ link ─▶ NAT ─▶ gateway ─▶ server
///     down:  server ─▶ gateway ─▶ NAT ─▶ link ─▶ edge ─▶ radio ─▶ tunnel ─▶ app
///
/// A packet in the tunnel has two addresses: that of its connection, which never changes, and that of the tunnel's
/// socket, which the access network sees. A middlebox of the access network sees one UDP flow; a middlebox in front of
/// the server sees the app's connections. Pushes of the platform and probes of the server stay outside.
extension PhoneSimulation {
    /// The tunnel's clock, which may stand still while the processor sleeps.
    private func clock(of tunnel: UnsafeMutablePointer<Tunnel>) -> Instant {
        tunnel.pointee.rules.pointee.clock == .uptime ? now - session.slept : now
    }

    /// The tunnel's next deadline on the true clock.
    func tunnelDeadline(_ tunnel: UnsafeMutablePointer<Tunnel>, _ kernelSleeps: Bool) -> Instant {
        var phone = tunnel.pointee.phoneDeadline
        if tunnel.pointee.rules.pointee.clock == .uptime {
            phone = kernelSleeps || phone == .never ? .never : phone + session.slept
        }
        return max(min(phone, tunnel.pointee.gatewayDeadline), now)
    }

    // MARK: Truth

    /// `true` if a connection with this address still has it.
    @inline(__always)
    func holdsAddress(_ interface: Interface, _ epoch: UInt16, _ context: borrowing WorkerContext) -> Bool {
        networks.holds(interface, epoch) || context.tunnelCarriesApp
    }

    /// `true` if the network of a connection passes its packets in both directions.
    @inline(__always)
    func networkWorks(_ interface: Interface, _ context: borrowing WorkerContext) -> Bool {
        guard context.tunnelCarriesApp, let tunnel = context.tunnel else { return networks.isWorking(interface) }
        return tunnelWorks(tunnel)
    }

    private func tunnelWorks(_ tunnel: UnsafeMutablePointer<Tunnel>) -> Bool {
        guard let outer = tunnel.pointee.outer else { return false }
        return tunnel.pointee.isReachable && networks.holds(outer.interface, outer.epoch)
            && networks.isWorking(outer.interface)
    }

    /// `true` if only a middlebox keeps the gateway's packets from the phone.
    func tunnelMappingIsForgotten(_ context: borrowing WorkerContext) -> Bool {
        guard context.tunnelCarriesApp, let tunnel = context.tunnel, let outer = tunnel.pointee.outer else {
            return false
        }
        return tunnel.pointee.boxes.status != .intact && networks.isWorkingWithAddress(outer.interface)
    }

    /// Records the time without a tunnel, when it ends, and the true state of connections in the tunnel.
    private mutating func reassessTunnel(_ tunnel: UnsafeMutablePointer<Tunnel>, _ context: inout WorkerContext) {
        updateTunnelPeriod(tunnel, &context)
        reassess(&context)
    }

    private func updateTunnelPeriod(_ tunnel: UnsafeMutablePointer<Tunnel>, _ context: inout WorkerContext) {
        let hasNetwork = networks.truePath.map { networks.isOnline($0, at: now) } ?? false
        let isDown = hasNetwork && !tunnelWorks(tunnel)
        guard isDown != (tunnel.pointee.downSince != .never) else { return }
        if isDown { tunnel.pointee.downSince = now } else { closeTunnelPeriod(&context) }
    }

    /// Records the period without a tunnel that ends now, if there is one.
    func closeTunnelPeriod(_ context: inout WorkerContext) {
        guard let tunnel = context.tunnel, tunnel.pointee.downSince != .never else { return }
        journal(.tunnelDown, value: (now - tunnel.pointee.downSince).nanoseconds, &context)
        tunnel.pointee.downSince = .never
    }

    // MARK: Networks and time

    private var defaultAddress: Tunnel.OuterAddress? {
        networks.truePath.map { Tunnel.OuterAddress($0, networks.epoch($0)) }
    }

    /// Notifies the tunnel of the default network. Call it after a change of networks.
    mutating func updateTunnelPath(_ context: inout WorkerContext) {
        guard let tunnel = context.tunnel else { return }
        if let address = defaultAddress {
            perform(tunnel.pointee.usePath(address, at: clock(of: tunnel)), tunnel, &context)
        }
        updateTunnelPeriod(tunnel, &context)
    }

    /// Carries out what is due in the tunnel.
    mutating func advanceTunnel(_ context: inout WorkerContext) {
        guard let tunnel = context.tunnel else { return }
        if let flow = tunnel.pointee.boxesAddress, tunnel.pointee.boxes.endsAt <= now,
            tunnel.pointee.expireMapping(context.tunnelBoxes(flow.interface), at: now)
        {
            journal(.mappingExpired, flow.interface, &context)
        }
        switch tunnel.pointee.expireGateway(at: now) {
        case .nothing: break
        case .initiate: sendFromGateway(.initiation, tunnel.pointee.gatewayNumber, tunnel, &context)
        case .keepAlive: sendFromGateway(.keepalive, 0, tunnel, &context)
        case .giveUp: dropHeldInTunnel(.down, tunnel, &context)
        }
        let kernelSleeps = system.map { !$0.pointee.processorIsAwake } ?? false
        if !(kernelSleeps && tunnel.pointee.rules.pointee.clock == .uptime) {
            perform(tunnel.pointee.expirePhone(at: clock(of: tunnel)), tunnel, &context)
        }
        reassessTunnel(tunnel, &context)
    }

    private mutating func perform(
        _ action: Tunnel.TunnelTask, _ tunnel: UnsafeMutablePointer<Tunnel>, _ context: inout WorkerContext
    ) {
        switch action {
        case .nothing: break
        case .initiate: initiate(tunnel, &context)
        case .keepAlive: sendOwn(.keepalive, 0, tunnel, &context)
        case .giveUp: dropHeldInTunnel(.up, tunnel, &context)
        }
    }

    // MARK: Packets that wait

    private mutating func holdInTunnel(
        _ flight: PacketInFlight, _ direction: Direction, _ tunnel: UnsafeMutablePointer<Tunnel>,
        _ context: inout WorkerContext
    ) {
        if !tunnel.pointee.hold(direction), let oldest = removeHeldInTunnel(direction, &context) {
            journal(.tunnelDropped, value: 1, &context)
            dropPacket(oldest, &context)
        }
        var held = flight
        (held.location, held.at) = (direction.tunnelQueue, .never)
        context.packets.insert(held, into: &packetsInFlight)
    }

    private mutating func removeHeldInTunnel(_ direction: Direction, _ context: inout WorkerContext) -> PacketInFlight?
    {
        context.packets.removeFirst(from: &packetsInFlight, where: { $0.location == direction.tunnelQueue })
    }

    private mutating func dropHeldInTunnel(
        _ direction: Direction, _ tunnel: UnsafeMutablePointer<Tunnel>, _ context: inout WorkerContext
    ) {
        let count = tunnel.pointee.releaseHeld(direction)
        while let flight = removeHeldInTunnel(direction, &context) { dropPacket(flight, &context) }
        if count > 0 { journal(.tunnelDropped, value: Int64(count), &context) }
    }

    // MARK: Up

    /// Sends a packet of an app through the tunnel, or holds it until the tunnel has a session.
    mutating func sendThroughTunnel(
        _ flight: PacketInFlight, _ tunnel: UnsafeMutablePointer<Tunnel>, _ context: inout WorkerContext
    ) {
        guard networkIsAllowed || flight.isOfSystem else { return dropPacket(flight, &context) }
        let passage = tunnel.pointee.send(at: clock(of: tunnel))
        switch passage {
        case .passes, .passesAndInitiates:
            if passage == .passesAndInitiates { initiate(tunnel, &context) }
            guard let outer = tunnel.pointee.outer else { return dropPacket(flight, &context) }
            transmitOutside(flight.wrapped(in: outer, tunnel.pointee.rules.pointee), &context)
        case .waits, .waitsAndInitiates:
            holdInTunnel(flight, .up, tunnel, &context)
            if passage == .waitsAndInitiates { initiate(tunnel, &context) }
        }
    }

    /// Sends a handshake. A tunnel without a session binds its socket to the default network first.
    private mutating func initiate(_ tunnel: UnsafeMutablePointer<Tunnel>, _ context: inout WorkerContext) {
        if let address = defaultAddress { tunnel.pointee.rebindWithoutSession(to: address, at: clock(of: tunnel)) }
        sendOwn(.initiation, tunnel.pointee.handshakeNumber, tunnel, &context)
    }

    /// Sends a packet of the tunnel itself, and wakes the processor for it.
    private mutating func sendOwn(
        _ message: TunnelMessage, _ number: UInt16, _ tunnel: UnsafeMutablePointer<Tunnel>,
        _ context: inout WorkerContext
    ) {
        guard let outer = tunnel.pointee.outer, networks.reaches(outer.interface, outer.epoch) else { return }
        callSystem(&context) { $0.wake(for: .tunnel, isAlarm: true, at: $1, &$2) }
        let packet = Packet(
            .tunnel, cause: .tunnel, bytes: message.bytes, number: number, first: message.rawValue, stamp: now)
        transmitOutside(
            PacketInFlight(
                at: now, packet: packet, location: .heldByPhone, interface: outer.interface, slot: .max, generation: 0,
                epoch: outer.epoch), &context)
    }

    /// Handles a packet of the tunnel that reached the far end of the link.
    mutating func receiveAtGateway(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        let address = Tunnel.OuterAddress(flight.interface, flight.epoch)
        guard let tunnel = context.tunnel, !networks.isPortal(flight.interface, at: now),
            passesTunnelBoxes(.up, address, tunnel, &context)
        else { return dropPacket(flight, &context) }
        defer { reassessTunnel(tunnel, &context) }
        if flight.inner == nil, flight.packet.first == TunnelMessage.initiation.rawValue {
            tunnel.pointee.acceptHandshake(from: address, at: now)
            sendFromGateway(.response, flight.packet.number, tunnel, &context)
            if tunnel.pointee.gatewayHeld > 0 { releaseAtGateway(tunnel, &context) }
            return
        }
        if flight.inner == nil, flight.packet.first == TunnelMessage.response.rawValue {
            guard tunnel.pointee.acceptAnswer(to: flight.packet.number, from: address, at: now) else { return }
            return releaseAtGateway(tunnel, &context)
        }
        guard tunnel.pointee.accept(isData: flight.inner != nil, from: address, at: now) else {
            return dropPacket(flight, &context)
        }
        guard let unwrapped = flight.unwrapped(tunnel.pointee.rules.pointee) else { return }
        switch unwrapped.packet.content {
        case .dnsQuery: queryResolver(unwrapped, &context)
        case .unansweredSYN: dropPacket(unwrapped, &context)
        default: reachServer(unwrapped, &context)
        }
    }

    // MARK: Down

    /// Sends a packet of the server to the phone: through the gateway if it belongs to the tunnel.
    mutating func sendThroughGateway(_ flight: PacketInFlight, at sentAt: Instant, _ context: inout WorkerContext) {
        guard let tunnel = context.tunnel, tunnel.pointee.carries(flight) else {
            return crossLink(flight, .down, at: sentAt, &context)
        }
        guard let endpoint = tunnel.pointee.endpoint else { return dropPacket(flight, &context) }
        let passage = tunnel.pointee.sendDown(at: now)
        guard passage == .passes else {
            holdInTunnel(flight, .down, tunnel, &context)
            guard passage == .waitsAndInitiates else { return }
            return sendFromGateway(.initiation, tunnel.pointee.gatewayNumber, tunnel, &context)
        }
        guard passesTunnelBoxes(.down, endpoint, tunnel, &context) else { return dropPacket(flight, &context) }
        crossLink(flight.wrapped(in: endpoint, tunnel.pointee.rules.pointee), .down, at: sentAt, &context)
    }

    /// Sends the packets that waited at the gateway for a session, or an empty one that confirms it.
    private mutating func releaseAtGateway(_ tunnel: UnsafeMutablePointer<Tunnel>, _ context: inout WorkerContext) {
        guard tunnel.pointee.releaseHeld(.down) > 0 else { return sendFromGateway(.keepalive, 0, tunnel, &context) }
        while var flight = removeHeldInTunnel(.down, &context) {
            (flight.location, flight.at) = (.toEdge, now)
            sendThroughGateway(flight, at: now, &context)
        }
    }

    private mutating func sendFromGateway(
        _ message: TunnelMessage, _ number: UInt16, _ tunnel: UnsafeMutablePointer<Tunnel>,
        _ context: inout WorkerContext
    ) {
        guard let endpoint = tunnel.pointee.endpoint, passesTunnelBoxes(.down, endpoint, tunnel, &context)
        else { return }
        let packet = Packet(
            .tunnel, cause: .tunnel, bytes: message.bytes, number: number, first: message.rawValue, stamp: now)
        crossLink(
            PacketInFlight(
                at: now, packet: packet, location: .toEdge, interface: endpoint.interface, slot: .max, generation: 0,
                epoch: endpoint.epoch), .down, at: now, &context)
    }

    /// Handles a packet of the tunnel that reached the phone.
    mutating func receiveFromGateway(_ flight: PacketInFlight, _ context: inout WorkerContext) {
        guard let tunnel = context.tunnel else { return }
        if flight.inner == nil, flight.packet.first == TunnelMessage.response.rawValue {
            return openTunnel(flight.packet.number, tunnel, &context)
        }
        if flight.inner == nil, flight.packet.first == TunnelMessage.initiation.rawValue {
            tunnel.pointee.acceptHandshakeOfGateway(at: clock(of: tunnel))
            sendOwn(.response, flight.packet.number, tunnel, &context)
            return releaseOnPhone(tunnel, &context)
        }
        guard tunnel.pointee.receive(isData: flight.inner != nil, at: clock(of: tunnel)) else {
            return dropPacket(flight, &context)
        }
        guard let unwrapped = flight.unwrapped(tunnel.pointee.rules.pointee) else { return }
        if unwrapped.packet.content == .dnsResponse { return receiveResolverAnswer(unwrapped, &context) }
        receiveAtPhone(unwrapped, &context)
    }

    /// Opens the session, and sends the packets that waited for it, or an empty one that confirms it.
    private mutating func openTunnel(
        _ number: UInt16, _ tunnel: UnsafeMutablePointer<Tunnel>, _ context: inout WorkerContext
    ) {
        guard let took = tunnel.pointee.receiveAnswer(to: number, at: clock(of: tunnel)) else { return }
        journal(.tunnelReady, value: took.nanoseconds, &context)
        reassessTunnel(tunnel, &context)
        guard tunnel.pointee.held == 0 else { return releaseOnPhone(tunnel, &context) }
        tunnel.pointee.noteKeepalive(at: clock(of: tunnel))
        sendOwn(.keepalive, 0, tunnel, &context)
    }

    /// Sends the packets that waited on the phone for a session.
    private mutating func releaseOnPhone(_ tunnel: UnsafeMutablePointer<Tunnel>, _ context: inout WorkerContext) {
        guard tunnel.pointee.releaseHeld(.up) > 0 else { return }
        while var flight = removeHeldInTunnel(.up, &context) {
            (flight.location, flight.at) = (.heldByPhone, now)
            sendThroughTunnel(flight, tunnel, &context)
        }
    }

    // MARK: Middleboxes and bytes

    private mutating func passesTunnelBoxes(
        _ direction: Direction, _ address: Tunnel.OuterAddress, _ tunnel: UnsafeMutablePointer<Tunnel>,
        _ context: inout WorkerContext
    ) -> Bool {
        let path = context.tunnelBoxes(address.interface)
        guard path.pointee.count > 0 else { return true }
        let crossing = tunnel.pointee.crossBoxes(direction, address, path, at: now)
        if crossing == .isBlocked { journal(.protocolBlocked, address.interface, &context) }
        return crossing == .passes
    }

    /// Makes the middleboxes of an interface forget the tunnel's flow. Returns `false` if they had no mapping.
    mutating func loseTunnelMappings(_ interface: Interface, _ context: inout WorkerContext) -> Bool {
        guard let tunnel = context.tunnel,
            tunnel.pointee.forgetMappings(interface, context.tunnelBoxes(interface))
        else { return false }
        journal(.mappingExpired, interface, &context)
        reassessTunnel(tunnel, &context)
        return true
    }

    /// Records the bytes of an app's packet, and those that the tunnel has added.
    @inline(never)
    func recordTunnelledBytes(_ flight: PacketInFlight, _ tag: BytesTag, _ context: inout WorkerContext) {
        guard let tunnel = context.tunnel else { return }
        let added = UInt32(tunnel.pointee.rules.pointee.overhead) * flight.packet.parts
        journal(.bytes, tag, value: Int64(flight.packet.bytes - added), &context)
        let own = BytesTag(
            interface: tag.interface, technology: tag.technology, direction: tag.direction, cause: .tunnel)
        journal(.bytes, own, value: Int64(added), &context)
    }
}

/// A packet of the tunnel itself.
enum TunnelMessage: UInt32 {
    case initiation, response, keepalive

    var bytes: UInt32 {
        switch self {
        case .initiation: TunnelRules.initiationBytes
        case .response: TunnelRules.responseBytes
        case .keepalive: TunnelRules.keepaliveBytes
        }
    }
}

extension Direction {
    /// Where packets wait for a session of the tunnel.
    fileprivate var tunnelQueue: PacketLocation { self == .up ? .heldByTunnel : .heldByGateway }
}

extension PacketInFlight {
    /// `true` if the packet rides in the tunnel, or belongs to the tunnel itself.
    @inline(__always)
    var isOfTunnel: Bool { inner != nil || packet.content == .tunnel }

    /// The packet as the access network sees it: with the address of the tunnel's socket, and the tunnel's headers.
    func wrapped(in outer: Tunnel.OuterAddress, _ rules: TunnelRules) -> PacketInFlight {
        var wrapped = self
        wrapped.inner = Tunnel.OuterAddress(interface, epoch)
        (wrapped.interface, wrapped.epoch) = (outer.interface, outer.epoch)
        wrapped.packet.addHeader(rules.overhead)
        return wrapped
    }

    /// The packet of the app; `nil` if the packet belongs to the tunnel itself.
    func unwrapped(_ rules: TunnelRules) -> PacketInFlight? {
        guard let inner else { return nil }
        var unwrapped = self
        (unwrapped.interface, unwrapped.epoch, unwrapped.inner) = (inner.interface, inner.epoch, nil)
        unwrapped.packet.removeHeader(rules.overhead)
        return unwrapped
    }
}

extension Tunnel {
    /// `true` if the packet, which has no tunnel's header, rides in the tunnel.
    func carries(_ flight: PacketInFlight) -> Bool {
        switch flight.packet.content {
        case .tunnel, .push, .probe, .probeReply: false
        case .systemRequest, .systemResponse: rules.pointee.routes != .app
        default: rules.pointee.routes != .otherApps
        }
    }
}
