import DeadzoneBase
import DeadzoneDevice
import DeadzoneTransport

/// The data of one worker that the packet network of its active phone uses: the radio profiles, links and middleboxes of
/// the world, the memory of packets, and the journal.
struct PacketResources: ~Copyable {
    let seed: UInt64
    /// Radio profiles in the order of their interfaces. Read for every packet and radio transition. Pinned, so that passing
    /// them on copies nothing.
    private let radios: PinnedArray<RadioProfile>
    private let links: PinnedArray<LinkDirection>
    /// The interfaces of the world, by their numbers.
    private let interfaceRows: PinnedArray<InterfaceRow>
    /// Index of the first cellular profile in `radios` and of the first cellular link in `links`. The tables begin with
    /// those of Wi-Fi, so packets of the common interfaces look up no row.
    private let cellularRadios: Int
    private let cellularLinks: Int
    let tailAttribution: TailAttribution
    /// The tunnel's settings: one element, or none if the phones have no tunnel.
    let tunnels: PinnedArray<TunnelRules>
    /// `true` if the app's packets ride in the tunnel.
    let tunnelCarriesApp: Bool
    /// The middleboxes of each access network, indexed by interface.
    private let accessBoxPaths: PinnedArray<MiddleboxPath>
    /// The middleboxes that a connection over each interface crosses, indexed by interface.
    private let boxPaths: PinnedArray<MiddleboxPath>
    let hasMiddleboxes: Bool
    /// Time that a packet takes in addition to the link on the way over the relay; zero without a peer.
    let relayDelay: TimeSpan
    var pool = PacketPool()
    var journal: JournalBuffer
    var effects = EffectQueue<PacketEffect>()
    private let addressStable = AddressStable()

    init(world: World, seed: UInt64, relayDelay: TimeSpan, journal: consuming JournalBuffer) {
        self.seed = seed
        self.relayDelay = relayDelay
        self.journal = journal
        let interfaces = world.interfaces
        radios = PinnedArray(interfaces.flatMap { world.profiles(of: $0) })
        links = PinnedArray(interfaces.flatMap { world.conditions(of: $0).flatMap { [$0.up, $0.down] } })
        interfaceRows = PinnedArray(InterfaceRow.rows(of: world))
        cellularRadios = world.profiles(of: .wifi).count
        cellularLinks = world.conditions(of: .wifi).count * 2
        tailAttribution = world.tailAttribution
        tunnels = PinnedArray([world.tunnel].compactMap { $0 })
        let tunnelCarriesApp = world.tunnel.map { $0.routes != .otherApps } ?? false
        self.tunnelCarriesApp = tunnelCarriesApp
        // Between phone and gateway there is only the tunnel's own flow.
        boxPaths = PinnedArray(
            interfaces.map {
                MiddleboxPath(tunnelCarriesApp ? world.middleboxes.server : world.middleboxes.path(of: $0))
            })
        accessBoxPaths = PinnedArray(interfaces.map { MiddleboxPath(world.middleboxes.own($0)) })
        hasMiddleboxes = world.middleboxes != Middleboxes()
    }

    func dice(_ purpose: Purpose, _ phone: PhoneID) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }

    var interfaces: Interfaces { Interfaces(interfaceRows.count) }
    func has(_ interface: Interface) -> Bool { interfaceRows[interface.arrayIndex].pointee.isThere }
    func firstProfile(of interface: Interface) -> UInt8 { interfaceRows[interface.arrayIndex].pointee.firstProfile }

    /// The number of a technology of the cellular radio: 0 for the usual one, then the world's further ones in their
    /// order. `nil` if the phone has none with this index.
    func cellularProfile(_ index: UInt8) -> UInt8? {
        let row = interfaceRows[Interface.cellular.arrayIndex]
        guard row.pointee.isThere, Int(index) <= row.pointee.alternateProfiles else { return nil }
        return row.pointee.firstProfile + index
    }

    /// Returns the radio profile of the interface with this number. The phone must have the interface.
    @inline(__always)
    func profile(_ interface: Interface, _ technology: UInt8) -> UnsafePointer<RadioProfile> {
        let before =
            switch interface {
            case .wifi: 0
            case .cellular: cellularRadios
            default: interfaceRows[interface.arrayIndex].pointee.radios
            }
        return radios[before + Int(technology)]
    }

    @inline(__always)
    func link(
        _ interface: Interface, _ direction: Direction, condition: UInt8
    ) -> UnsafePointer<LinkDirection> {
        let before =
            switch interface {
            case .wifi: 0
            case .cellular: cellularLinks
            default: interfaceRows[interface.arrayIndex].pointee.links
            }
        return links[before + Int(condition) * 2 + Int(direction.rawValue)]
    }

    @inline(__always)
    func boxes(_ interface: Interface) -> UnsafePointer<MiddleboxPath> { boxPaths[interface.arrayIndex] }
    /// The middleboxes of the access network, which the tunnel's packets cross, without those in front of the server.
    func accessBoxes(_ interface: Interface) -> UnsafePointer<MiddleboxPath> { accessBoxPaths[interface.arrayIndex] }
}

/// One interface of a world, and the positions of its radios and links in the tables of a worker.
private struct InterfaceRow: BitwiseCopyable {
    /// `true` if the phone has the interface.
    let isThere: Bool
    /// Number of the phone's first radio profile of this interface.
    let firstProfile: UInt8
    /// Number of cellular profiles besides the first one.
    let alternateProfiles: Int
    /// Index of the interface's first radio profile.
    let radios: Int
    /// Index of the interface's first link.
    let links: Int

    static func rows(of world: World) -> [InterfaceRow] {
        var (radios, links) = (0, 0)
        return world.interfaces.map { interface in
            defer {
                radios += world.profiles(of: interface).count
                links += world.conditions(of: interface).count * 2
            }
            return InterfaceRow(
                isThere: world.has(interface), firstProfile: world.firstProfile(of: interface),
                alternateProfiles: interface == .cellular ? world.cellularAlternates.count : 0, radios: radios,
                links: links)
        }
    }
}

extension Interface {
    /// Index into the tables of interfaces.
    var arrayIndex: Int { Int(rawValue) }
}
