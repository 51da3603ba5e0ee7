import DeadzoneBase
import DeadzoneTransport

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
    var tunnelQueue: PacketLocation { self == .up ? .heldByTunnel : .heldByGateway }
}

extension PacketInFlight {
    /// Creates a packet of the tunnel itself, from or to the address of its socket.
    init(
        _ message: TunnelMessage, _ number: UInt16, _ location: PacketLocation, _ address: Tunnel.OuterAddress,
        at now: Instant
    ) {
        let packet = Packet(
            .tunnel, cause: .tunnel, bytes: message.bytes, number: number, first: message.rawValue, stamp: now)
        self.init(
            at: now, packet: packet, location: location, interface: address.interface, slot: .max, generation: 0,
            addressNumber: address.addressNumber)
    }

    /// `true` if the packet rides in the tunnel, or belongs to the tunnel itself.
    @inline(__always)
    var isOfTunnel: Bool { inner != nil || packet.content == .tunnel }

    /// The packet as the access network sees it: with the address of the tunnel's socket, and the tunnel's headers.
    func wrapped(in outer: Tunnel.OuterAddress, _ rules: TunnelRules) -> PacketInFlight {
        var wrapped = self
        wrapped.inner = Tunnel.OuterAddress(interface, addressNumber)
        (wrapped.interface, wrapped.addressNumber) = (outer.interface, outer.addressNumber)
        wrapped.packet.addHeader(rules.overhead)
        return wrapped
    }

    /// The packet of the app; `nil` if the packet belongs to the tunnel itself.
    func unwrapped(_ rules: TunnelRules) -> PacketInFlight? {
        guard let inner else { return nil }
        var unwrapped = self
        (unwrapped.interface, unwrapped.addressNumber, unwrapped.inner) = (inner.interface, inner.addressNumber, nil)
        unwrapped.packet.removeHeader(rules.overhead)
        return unwrapped
    }
}

extension Tunnel {
    /// The tunnel's clock, which may stand still while the processor sleeps.
    func clock(_ sender: PacketSender) -> Instant {
        rules.pointee.clock == .uptime ? sender.now - sender.slept : sender.now
    }

    /// `true` if the packet, which has no tunnel's header, rides in the tunnel.
    func carries(_ flight: PacketInFlight) -> Bool {
        switch flight.packet.content {
        case .tunnel, .push, .probe, .probeReply: false
        case .systemRequest, .systemResponse: rules.pointee.routes != .app
        default: rules.pointee.routes != .otherApps
        }
    }
}

extension Networks {
    /// The address that a packet sent now would have; `nil` if the phone has no network.
    var defaultAddress: Tunnel.OuterAddress? { truePath.map { Tunnel.OuterAddress($0, addressNumber($0)) } }
}
