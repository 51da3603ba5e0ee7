import DeadzoneBase
import DeadzoneTransport

/// Moves packets of apps through the phone's VPN tunnel, and the packets of the tunnel itself.
///
///     up:    app ─▶ tunnel ─(held until it has a session)─▶ radio ─▶ link ─▶ NAT ─▶ gateway ─▶ server
///     down:  server ─▶ gateway ─▶ NAT ─▶ link ─▶ edge ─▶ radio ─▶ tunnel ─▶ app
///
/// A packet in the tunnel has two addresses: that of its connection, which never changes, and that of the tunnel's
/// socket, which the access network sees. A middlebox of the access network sees one UDP flow; a middlebox in front of
/// the server sees the app's connections. Pushes of the platform and probes of the server stay outside.
///
/// Packets of the phone's end leave as effects, because the processor wakes for those of the tunnel itself.
extension PacketNetwork {
    // MARK: State

    /// The tunnel's next deadline on the true clock; `.never` if there is none.
    func tunnelDeadline(_ sender: PacketSender) -> Instant {
        guard let tunnel else { return .never }
        var phone = tunnel.pointee.phoneDeadline
        if tunnel.pointee.rules.pointee.clock == .uptime {
            phone = sender.isAsleep || phone == .never ? .never : phone + sender.slept
        }
        return max(min(phone, tunnel.pointee.gatewayDeadline), sender.now)
    }

    /// `true` if the tunnel passes packets in both directions.
    func tunnelWorks(_ networks: borrowing Networks) -> Bool {
        guard let tunnel, let outer = tunnel.pointee.outer else { return false }
        return tunnel.pointee.isReachable && networks.holds(outer.interface, outer.addressNumber)
            && networks.isWorking(outer.interface)
    }

    /// Says if the phone still has an address that a connection uses, and if the network passes packets there in both
    /// directions.
    func state(
        of interface: Interface, _ addressNumber: UInt16, _ networks: borrowing Networks,
        _ resources: borrowing PacketResources
    ) -> (hasAddress: Bool, works: Bool) {
        guard !resources.tunnelCarriesApp else { return (true, tunnelWorks(networks)) }
        return (networks.holds(interface, addressNumber), networks.isWorking(interface))
    }

    /// `true` if only a middlebox keeps the gateway's packets from the phone.
    func tunnelMappingIsForgotten(_ networks: borrowing Networks) -> Bool {
        guard let tunnel, let outer = tunnel.pointee.outer else { return false }
        return tunnel.pointee.boxes.status != .intact && networks.isWorkingWithAddress(outer.interface)
    }

    /// Begins or records the time without a tunnel. Call it after a change of the tunnel or of the networks.
    mutating func updateTunnelPeriod(
        at now: Instant, _ networks: borrowing Networks, _ resources: inout PacketResources
    ) {
        guard let tunnel else { return }
        let hasNetwork = networks.truePath.map { networks.isOnline($0, at: now) } ?? false
        let isDown = hasNetwork && !tunnelWorks(networks)
        guard isDown != (tunnel.pointee.downSince != .never) else { return }
        if isDown { tunnel.pointee.downSince = now } else { closeTunnelPeriod(at: now, &resources) }
    }

    /// Records the period without a tunnel that ends now, if there is one.
    func closeTunnelPeriod(at now: Instant, _ resources: inout PacketResources) {
        guard let tunnel, tunnel.pointee.downSince != .never else { return }
        journal(.tunnelDown, value: (now - tunnel.pointee.downSince).nanoseconds, at: now, &resources)
        tunnel.pointee.downSince = .never
    }

    // MARK: Networks and time

    /// Binds the tunnel's socket to the default network, if it follows the network. Call it after a change of networks.
    mutating func followDefaultNetwork(
        _ sender: PacketSender, _ networks: borrowing Networks, _ resources: inout PacketResources
    ) {
        guard let tunnel, let address = networks.defaultAddress else { return }
        let task = tunnel.pointee.usePath(address, at: tunnel.pointee.clock(sender))
        perform(task, tunnel, sender, networks, &resources)
    }

    /// Carries out what is due in the tunnel.
    mutating func advanceTunnel(
        _ sender: PacketSender, _ networks: borrowing Networks,
        _ resources: inout PacketResources
    ) {
        guard let tunnel else { return }
        if let flow = tunnel.pointee.boxesAddress, tunnel.pointee.boxes.endsAt <= sender.now,
            tunnel.pointee.expireMapping(resources.accessBoxes(flow.interface), at: sender.now)
        {
            journal(.mappingExpired, flow.interface, at: sender.now, &resources)
        }
        switch tunnel.pointee.expireGateway(at: sender.now) {
        case .nothing: break
        case .initiate:
            sendFromGateway(.initiation, tunnel.pointee.gatewayNumber, tunnel, at: sender.now, networks, &resources)
        case .keepAlive: sendFromGateway(.keepalive, 0, tunnel, at: sender.now, networks, &resources)
        case .giveUp: dropHeldInTunnel(.down, tunnel, at: sender.now, &resources)
        }
        if !(sender.isAsleep && tunnel.pointee.rules.pointee.clock == .uptime) {
            let task = tunnel.pointee.expirePhone(at: tunnel.pointee.clock(sender))
            perform(task, tunnel, sender, networks, &resources)
        }
        resources.effects.append(.tunnelChanged)
    }

    private mutating func perform(
        _ task: Tunnel.TunnelTask, _ tunnel: UnsafeMutablePointer<Tunnel>, _ sender: PacketSender,
        _ networks: borrowing Networks, _ resources: inout PacketResources
    ) {
        switch task {
        case .nothing: break
        case .initiate: initiate(tunnel, sender, networks, &resources)
        case .keepAlive: sendOwn(.keepalive, 0, tunnel, sender, networks, &resources)
        case .giveUp: dropHeldInTunnel(.up, tunnel, at: sender.now, &resources)
        }
    }

    // MARK: Packets that wait

    private mutating func holdInTunnel(
        _ flight: PacketInFlight, _ direction: Direction, _ tunnel: UnsafeMutablePointer<Tunnel>, at now: Instant,
        _ resources: inout PacketResources
    ) {
        if !tunnel.pointee.hold(direction), let oldest = removeHeldInTunnel(direction, &resources) {
            journal(.tunnelDropped, value: 1, at: now, &resources)
            drop(oldest, at: now, &resources)
        }
        var held = flight
        (held.location, held.at) = (direction.tunnelQueue, .never)
        insert(held, &resources)
    }

    private mutating func removeHeldInTunnel(
        _ direction: Direction, _ resources: inout PacketResources
    ) -> PacketInFlight? {
        resources.pool.removeFirst(from: &packetsInFlight, where: { $0.location == direction.tunnelQueue })
    }

    private mutating func dropHeldInTunnel(
        _ direction: Direction, _ tunnel: UnsafeMutablePointer<Tunnel>, at now: Instant,
        _ resources: inout PacketResources
    ) {
        let count = tunnel.pointee.releaseHeld(direction)
        while let flight = removeHeldInTunnel(direction, &resources) { drop(flight, at: now, &resources) }
        if count > 0 { journal(.tunnelDropped, value: Int64(count), at: now, &resources) }
    }

    // MARK: Up

    /// Sends a packet of an app through the tunnel, or holds it until the tunnel has a session.
    mutating func sendThroughTunnel(
        _ flight: PacketInFlight, _ tunnel: UnsafeMutablePointer<Tunnel>, _ sender: PacketSender,
        _ networks: borrowing Networks, _ resources: inout PacketResources
    ) {
        guard sender.isAllowed || flight.isOfSystem else { return drop(flight, at: sender.now, &resources) }
        let passage = tunnel.pointee.send(at: tunnel.pointee.clock(sender))
        switch passage {
        case .passes, .passesAndInitiates:
            if passage == .passesAndInitiates { initiate(tunnel, sender, networks, &resources) }
            guard let outer = tunnel.pointee.outer else { return drop(flight, at: sender.now, &resources) }
            resources.effects.append(.transmit(flight.wrapped(in: outer, tunnel.pointee.rules.pointee)))
        case .waits, .waitsAndInitiates:
            holdInTunnel(flight, .up, tunnel, at: sender.now, &resources)
            if passage == .waitsAndInitiates { initiate(tunnel, sender, networks, &resources) }
        }
    }

    /// Sends a handshake. A tunnel without a session binds its socket to the default network first.
    private mutating func initiate(
        _ tunnel: UnsafeMutablePointer<Tunnel>, _ sender: PacketSender, _ networks: borrowing Networks,
        _ resources: inout PacketResources
    ) {
        if let address = networks.defaultAddress {
            tunnel.pointee.rebindWithoutSession(to: address, at: tunnel.pointee.clock(sender))
        }
        sendOwn(.initiation, tunnel.pointee.handshakeNumber, tunnel, sender, networks, &resources)
    }

    /// Sends a packet of the tunnel itself, and wakes the processor for it.
    private mutating func sendOwn(
        _ message: TunnelMessage, _ number: UInt16, _ tunnel: UnsafeMutablePointer<Tunnel>, _ sender: PacketSender,
        _ networks: borrowing Networks, _ resources: inout PacketResources
    ) {
        guard let outer = tunnel.pointee.outer, networks.reaches(outer.interface, outer.addressNumber) else { return }
        resources.effects.append(.wakeForTunnel)
        resources.effects.append(.transmit(PacketInFlight(message, number, .heldByPhone, outer, at: sender.now)))
    }

    /// Handles a packet of the tunnel that reached the far end of the link. If it carries a packet of an app, `flight`
    /// becomes that packet, and the caller updates the tunnel's period after it has handled the arrival.
    mutating func receiveAtGateway(
        _ flight: inout PacketInFlight, at now: Instant, _ networks: borrowing Networks,
        _ resources: inout PacketResources
    ) -> PacketArrival {
        let address = Tunnel.OuterAddress(flight.interface, flight.addressNumber)
        guard let tunnel, !networks.isPortal(flight.interface, at: now),
            passesAccessBoxes(.up, address, tunnel, at: now, &resources)
        else {
            drop(flight, at: now, &resources)
            return .none
        }
        let arrival = acceptAtGateway(&flight, from: address, tunnel, at: now, networks, &resources)
        if arrival == .none { resources.effects.append(.tunnelChanged) }
        return arrival
    }

    private mutating func acceptAtGateway(
        _ flight: inout PacketInFlight, from address: Tunnel.OuterAddress, _ tunnel: UnsafeMutablePointer<Tunnel>,
        at now: Instant, _ networks: borrowing Networks, _ resources: inout PacketResources
    ) -> PacketArrival {
        if flight.inner == nil, flight.packet.first == TunnelMessage.initiation.rawValue {
            tunnel.pointee.acceptHandshake(from: address, at: now)
            sendFromGateway(.response, flight.packet.number, tunnel, at: now, networks, &resources)
            if tunnel.pointee.gatewayHeld > 0 { releaseAtGateway(tunnel, at: now, networks, &resources) }
            return .none
        }
        if flight.inner == nil, flight.packet.first == TunnelMessage.response.rawValue {
            guard tunnel.pointee.acceptAnswer(to: flight.packet.number, from: address, at: now) else { return .none }
            releaseAtGateway(tunnel, at: now, networks, &resources)
            return .none
        }
        guard tunnel.pointee.accept(isData: flight.inner != nil, from: address, at: now) else {
            drop(flight, at: now, &resources)
            return .none
        }
        guard let unwrapped = flight.unwrapped(tunnel.pointee.rules.pointee) else { return .none }
        flight = unwrapped
        switch flight.packet.content {
        case .dnsQuery: return .atResolver
        case .unansweredSYN:
            drop(flight, at: now, &resources)
            return .none
        default: return .atServer
        }
    }

    // MARK: Down

    /// Sends a packet of the server to the phone: through the gateway if it belongs to the tunnel.
    mutating func sendThroughGateway(
        _ flight: PacketInFlight, sentAt: Instant, at now: Instant, _ networks: borrowing Networks,
        _ resources: inout PacketResources
    ) {
        guard let tunnel, tunnel.pointee.carries(flight) else {
            return crossLink(flight, .down, sentAt: sentAt, at: now, networks, &resources)
        }
        guard let endpoint = tunnel.pointee.endpoint else { return drop(flight, at: now, &resources) }
        let passage = tunnel.pointee.sendDown(at: now)
        guard passage == .passes else {
            holdInTunnel(flight, .down, tunnel, at: now, &resources)
            guard passage == .waitsAndInitiates else { return }
            return sendFromGateway(.initiation, tunnel.pointee.gatewayNumber, tunnel, at: now, networks, &resources)
        }
        guard passesAccessBoxes(.down, endpoint, tunnel, at: now, &resources) else {
            return drop(flight, at: now, &resources)
        }
        let wrapped = flight.wrapped(in: endpoint, tunnel.pointee.rules.pointee)
        crossLink(wrapped, .down, sentAt: sentAt, at: now, networks, &resources)
    }

    /// Sends the packets that waited at the gateway for a session, or an empty one that confirms it.
    private mutating func releaseAtGateway(
        _ tunnel: UnsafeMutablePointer<Tunnel>, at now: Instant, _ networks: borrowing Networks,
        _ resources: inout PacketResources
    ) {
        guard tunnel.pointee.releaseHeld(.down) > 0 else {
            return sendFromGateway(.keepalive, 0, tunnel, at: now, networks, &resources)
        }
        while var flight = removeHeldInTunnel(.down, &resources) {
            (flight.location, flight.at) = (.toEdge, now)
            sendThroughGateway(flight, sentAt: now, at: now, networks, &resources)
        }
    }

    private mutating func sendFromGateway(
        _ message: TunnelMessage, _ number: UInt16, _ tunnel: UnsafeMutablePointer<Tunnel>, at now: Instant,
        _ networks: borrowing Networks, _ resources: inout PacketResources
    ) {
        guard let endpoint = tunnel.pointee.endpoint,
            passesAccessBoxes(.down, endpoint, tunnel, at: now, &resources)
        else { return }
        let flight = PacketInFlight(message, number, .toEdge, endpoint, at: now)
        crossLink(flight, .down, sentAt: now, at: now, networks, &resources)
    }

    /// Handles a packet of the tunnel that reached the phone, which is awake. If it carries a packet of an app, `flight`
    /// becomes that packet. Returns `false` if there is none.
    mutating func unwrapAtPhone(
        _ flight: inout PacketInFlight, _ sender: PacketSender,
        _ networks: borrowing Networks, _ resources: inout PacketResources
    ) -> Bool {
        guard let tunnel else { return false }
        let clock = tunnel.pointee.clock(sender)
        if flight.inner == nil, flight.packet.first == TunnelMessage.response.rawValue {
            guard let took = tunnel.pointee.receiveAnswer(to: flight.packet.number, at: clock) else { return false }
            journal(.tunnelReady, value: took.nanoseconds, at: sender.now, &resources)
            resources.effects.append(.tunnelChanged)
            if tunnel.pointee.held > 0 {
                releaseOnPhone(tunnel, sender, networks, &resources)
            } else {
                // An empty packet confirms the session.
                tunnel.pointee.noteKeepalive(at: clock)
                sendOwn(.keepalive, 0, tunnel, sender, networks, &resources)
            }
            return false
        }
        if flight.inner == nil, flight.packet.first == TunnelMessage.initiation.rawValue {
            tunnel.pointee.acceptHandshakeOfGateway(at: clock)
            sendOwn(.response, flight.packet.number, tunnel, sender, networks, &resources)
            releaseOnPhone(tunnel, sender, networks, &resources)
            return false
        }
        guard tunnel.pointee.receive(isData: flight.inner != nil, at: clock) else {
            drop(flight, at: sender.now, &resources)
            return false
        }
        guard let unwrapped = flight.unwrapped(tunnel.pointee.rules.pointee) else { return false }
        flight = unwrapped
        return true
    }

    /// Sends the packets that waited on the phone for a session.
    private mutating func releaseOnPhone(
        _ tunnel: UnsafeMutablePointer<Tunnel>, _ sender: PacketSender,
        _ networks: borrowing Networks, _ resources: inout PacketResources
    ) {
        guard tunnel.pointee.releaseHeld(.up) > 0 else { return }
        while var flight = removeHeldInTunnel(.up, &resources) {
            (flight.location, flight.at) = (.heldByPhone, sender.now)
            sendThroughTunnel(flight, tunnel, sender, networks, &resources)
        }
    }

    // MARK: Middleboxes and bytes

    private func passesAccessBoxes(
        _ direction: Direction, _ address: Tunnel.OuterAddress, _ tunnel: UnsafeMutablePointer<Tunnel>,
        at now: Instant, _ resources: inout PacketResources
    ) -> Bool {
        let path = resources.accessBoxes(address.interface)
        guard path.pointee.count > 0 else { return true }
        let crossing = tunnel.pointee.crossBoxes(direction, address, path, at: now)
        if crossing == .isBlocked { journal(.protocolBlocked, address.interface, at: now, &resources) }
        return crossing == .passes
    }

    /// Makes the middleboxes of an interface forget the tunnel's flow. Returns `false` if they had no mapping.
    mutating func loseTunnelMappings(
        _ interface: Interface, at now: Instant, _ resources: inout PacketResources
    ) -> Bool {
        guard let tunnel, tunnel.pointee.forgetMappings(interface, resources.accessBoxes(interface)) else {
            return false
        }
        journal(.mappingExpired, interface, at: now, &resources)
        resources.effects.append(.tunnelChanged)
        return true
    }

    /// Records the bytes of an app's packet, and those that the tunnel has added.
    @inline(never)
    func recordTunnelledBytes(
        _ flight: PacketInFlight, _ tag: BytesTag, at now: Instant, _ resources: inout PacketResources
    ) {
        guard let tunnel else { return }
        let added = UInt32(tunnel.pointee.rules.pointee.overhead) * flight.packet.parts
        journal(.bytes, tag, value: Int64(flight.packet.bytes - added), at: now, &resources)
        let own = BytesTag(
            interface: tag.interface, technology: tag.technology, direction: tag.direction, cause: .tunnel)
        journal(.bytes, own, value: Int64(added), at: now, &resources)
    }
}
