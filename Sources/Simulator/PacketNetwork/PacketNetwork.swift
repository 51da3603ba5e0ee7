import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport

/// The network that carries the packets of one phone: the access path of each interface, the packets in flight, the
/// tunnel, the mappings in middleboxes, and the times at which programs retry a send that found no buffer space.
///
///     up:    send ─▶ radio ─(held by the phone until data flows)─▶ link ─▶ server
///     down:  send ─▶ link ─▶ edge ─▶ radio ─(held by the edge until the phone listens)─▶ phone
///
/// A packet that meets no address, an old address, or no coverage is dropped. Its sender is not notified.
///
/// Stored as plain bytes, as all parts of a phone.
struct PacketNetwork: ~Copyable {
    let phone: PhoneID
    /// Number of interfaces of the world.
    private let interfaceCount: UInt8
    /// `true` if the world has more interfaces than the common ones.
    let hasFurtherInterfaces: Bool
    /// `true` if the separately allocated parts lie in an arena that another object owns.
    private let isInArena: Bool
    private let addressStable = AddressStable()
    /// Access paths, indexed by `Interface.arrayIndex`. They are allocated separately because the hot loop reads and
    /// writes single fields: Swift 6.3 copies the complete value if a field is reached through an inline array.
    let accessPaths: UnsafeMutablePointer<AccessPath>
    /// The phone's VPN tunnel; `nil` if it has none.
    let tunnel: UnsafeMutablePointer<Tunnel>?
    private var connections = (CarriedConnection(), CarriedConnection())
    /// The mappings of both connections in the middleboxes on their paths; `nil` if the world has no middleboxes.
    let mappings: UnsafeMutablePointer<MiddleboxState>?
    static let slots = 0..<ConnectionSlot.count
    /// Packets in flight, and pending tasks of phone and server.
    var packetsInFlight = PacketList()
    /// Retries of sends without buffer space, parked because they would fail until something else happens on the phone.
    var parkedRetries = PacketList()
    /// Instant of the phone's last activity. Failed polls for buffer space do not count as activity.
    var lastActivityAt = Instant.zero

    /// Creates the network of one phone at time zero.
    /// - Parameter allocator: The arena allocator for the separate parts. `nil` allocates each part separately.
    init(phone: PhoneID, _ resources: borrowing PacketResources, in allocator: ArenaAllocator? = nil) {
        self.phone = phone
        isInArena = allocator != nil
        let interfaces = resources.interfaces
        interfaceCount = UInt8(interfaces.count)
        hasFurtherInterfaces = interfaces.count > Interface.common.count
        accessPaths =
            allocator?.allocate(of: AccessPath.self, interfaces.count) ?? .allocate(capacity: interfaces.count)
        for interface in interfaces {
            (accessPaths + interface.arrayIndex).initialize(to: Self.accessPath(interface, phone, resources))
        }
        if resources.tunnels.count == 0 {
            tunnel = nil
        } else {
            tunnel = allocator?.allocate(of: Tunnel.self) ?? .allocate(capacity: 1)
            tunnel?.initialize(to: Tunnel(resources.tunnels[0], at: .zero))
        }
        if resources.hasMiddleboxes {
            mappings =
                allocator?.allocate(of: MiddleboxState.self, Self.slots.count) ?? .allocate(capacity: Self.slots.count)
            mappings?.initialize(repeating: MiddleboxState(), count: Self.slots.count)
        } else {
            mappings = nil
        }
    }

    deinit {
        accessPaths.deinitialize(count: Int(interfaceCount))
        guard !isInArena else { return }
        accessPaths.deallocate()
        tunnel?.deallocate()
        mappings?.deallocate()
    }

    private static func accessPath(_ interface: Interface, _ phone: PhoneID, _ resources: borrowing PacketResources)
        -> AccessPath
    {
        let purposes = interface.linkPurposes
        let technology = resources.firstProfile(of: interface)
        var radio: Radio?
        if resources.has(interface) {
            let profile = resources.profile(interface, technology)
            radio = profile.pointee.radio(profile.pointee.phases(seed: resources.seed, phone: phone), at: .zero)
        }
        return AccessPath(
            radio: radio,
            up: resources.link(interface, .up, condition: 0).pointee.link(
                dwells: resources.dice(purposes.lossUp, phone)),
            down: resources.link(interface, .down, condition: 0).pointee.link(
                dwells: resources.dice(purposes.lossDown, phone)),
            technology: technology
        )
    }

    var interfaces: Interfaces { Interfaces(Int(interfaceCount)) }

    /// Instant at which the next packet or task is due; `.never` if there is none.
    @inline(__always)
    func nextAt(_ resources: borrowing PacketResources) -> Instant { resources.pool.nextAt(packetsInFlight) }

    /// Adds a packet, or a pending task of phone or server.
    @inline(__always)
    mutating func insert(_ flight: PacketInFlight, _ resources: inout PacketResources) {
        resources.pool.insert(flight, into: &packetsInFlight)
    }

    /// Returns the memory of all packets and tasks to the pool.
    mutating func releaseAll(_ resources: inout PacketResources) {
        while !packetsInFlight.isEmpty { _ = resources.pool.removeFirst(&packetsInFlight) }
        while !parkedRetries.isEmpty { _ = resources.pool.removeFirst(&parkedRetries) }
    }

    // MARK: Connections

    /// Notes that the phone has opened a connection in the slot, in place of the previous one. It has no mappings yet.
    mutating func open(_ slot: Int, _ connection: CarriedConnection) {
        self[connection: slot] = connection
        mappings?[slot] = MiddleboxState()
    }

    /// Notes that the connection has moved to another address of the phone.
    mutating func move(_ slot: Int, to interface: Interface, addressNumber: UInt16) {
        self[connection: slot].interface = interface
        self[connection: slot].addressNumber = addressNumber
    }

    /// Notes that a captive portal has accepted the slot's connection in the server's name.
    mutating func capture(_ slot: Int) { self[connection: slot].isOfPortal = true }

    @inline(__always)
    func isOfPortal(_ flight: PacketInFlight) -> Bool {
        flight.slot < Self.slots.count && self[connection: Int(flight.slot)].isOfPortal
    }

    /// The way of the slot's connection to the peer; `none` for a connection to a server.
    func route(of slot: Int) -> DatagramLayer.PeerRoute { self[connection: slot].route }

    /// The way of the packet's connection to the peer; `none` for a packet of an earlier connection or of none.
    func route(of flight: PacketInFlight) -> DatagramLayer.PeerRoute {
        guard flight.slot < Self.slots.count else { return .none }
        let connection = self[connection: Int(flight.slot)]
        return connection.generation == flight.generation ? connection.route : .none
    }

    @inline(__always)
    subscript(connection slot: Int) -> CarriedConnection {
        get { slot == 0 ? connections.0 : connections.1 }
        _modify { if slot == 0 { yield &connections.0 } else { yield &connections.1 } }
    }

    // MARK: The journal

    /// Writes a journal record of a kind that has no tag.
    func journal(_ kind: RecordKind, value: Int64, at now: Instant, _ resources: inout PacketResources) {
        resources.journal.append(Record(at: now, phone: phone.index, kind: kind, value: value))
    }

    func journal<Tag>(
        _ tagged: TaggedKind<Tag>, _ tag: Tag, value: Int64 = 0, at now: Instant, _ resources: inout PacketResources
    ) {
        resources.journal.append(
            Record(at: now, phone: phone.index, kind: tagged.kind, tag: tag.bits, value: value))
    }
}

/// The state of the phone that sends a packet.
struct PacketSender: BitwiseCopyable {
    let now: Instant
    /// `true` if the operating system lets the app use the network.
    let isAllowed: Bool
    /// `true` while the processor sleeps. The tunnel's timers on the phone may then wait.
    let isAsleep: Bool
    /// Time for which the processor has slept. The tunnel's clock may leave it out.
    let slept: TimeSpan
}

/// The facts about the connection in a slot that its packets depend on.
struct CarriedConnection: BitwiseCopyable {
    /// Number of the connection among those of the slot. A packet with another number belongs to an earlier one.
    var generation: UInt16 = 0
    /// The way to the peer; `none` to a server.
    var route = DatagramLayer.PeerRoute.none
    /// `true` if a captive portal answers in the server's name. Its packets reach the phone before sign-in.
    var isOfPortal = false
    /// `true` if middleboxes see a UDP flow.
    var isUDP = false
    /// The phone's address that the connection uses now.
    var interface = Interface.wifi
    var addressNumber: UInt16 = 0
}
