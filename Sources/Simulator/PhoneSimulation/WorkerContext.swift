package import DeadzoneBase
package import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport

/// Data that all phones of one worker share: the simulated environment (world), the strategy, effect queues and the
/// packet pool.
///
/// Nothing here outlives the time for which one phone has control, except its packets in flight.
package struct WorkerContext: ~Copyable {
    let world: World
    /// The operating system's rules: one element, or none if the scenario simulates no operating system.
    let platforms: PinnedArray<Platform>
    let otherApps: PinnedArray<OtherApp>
    /// `true` if an address of the server may work on some networks only.
    let addressesDependOnNetwork: Bool
    let pathRules: PinnedArray<PathRules>
    /// `true` if a phone has event sources beyond packets, timers and weather: an operating system, a consumer, other
    /// apps, a tunnel, subscriptions that can end alone, or a presence.
    let hasExtraEventSources: Bool
    /// Maximum number of positions by which timeline entries can change places on a phone: `maxDisplacement` of the
    /// timeline.
    let maxDisplacement: Int
    /// Index of the world's first timeline entry in the timeline of the whole population.
    let firstChange: Int
    let seed: UInt64
    var connectionConfigs: ConnectionConfigTable
    /// Shared placeholder for the client's side of a connection; a slot uses it until a connection is opened there.
    let unopenedConnection: UnsafeMutablePointer<UnopenedConnection>
    /// Shared placeholder for the true state of a connection; a slot uses it until a connection is opened there.
    let unusedTruth: UnsafeMutablePointer<ConnectionTruth>
    let phoneEndRules: PinnedArray<PhoneEndSettings>
    /// Shared placeholder for the server's side of a connection; a slot uses it until a connection is opened there.
    let unopenedEnd: UnsafeMutablePointer<UnopenedServerEnd>
    let server: PinnedArray<ServerProfile>
    /// The data that the packet network of the active phone uses. It includes the journal.
    var packets: PacketResources
    /// The data that the app of the active phone uses. It includes the strategy.
    var client: ClientResources
    var effects = EffectQueues()
    /// Requests to the shared server that wait until the sync window ends.
    package var arrivals: [ClusterRequest] = []
    /// Instant at which the phone must stop to wait for the shared server; `.never` if it does not wait.
    package var barrier = Instant.never
    /// Sync windows in which coupled phones run; `nil` if the phones share no server.
    private let syncWindows: SyncWindows?
    /// Connections that the instances of the shared server have released since these were last collected.
    package var departures: [Departure] = []

    /// The memory block of the active phone.
    package private(set) var phoneSlot: PhoneSlot
    /// The memory block for phones that have no block of their own. They use it one after the other.
    private let sharedSlot: PhoneSlot
    /// Message schedules of the active phone. Stored at a fixed address, because all users of messages keep a pointer
    /// to it.
    let traffic: UnsafeMutablePointer<TrafficPlan>
    let receivePolicy: PinnedArray<ReceivePolicy>
    let consumers: PinnedArray<Consumer>
    private let addressStable = AddressStable()

    /// Creates the shared data of one worker.
    /// - Parameters:
    ///   - firstChange: Index of the world's first timeline entry in the timeline of the whole population.
    ///   - interleavedPhones: Phones that run interleaved; an empty range if they run one after the other.
    ///   - syncWindows: The sync windows in which coupled phones run; `nil` if the phones share no server.
    package init(
        world: World, firstChange: Int = 0, seed: UInt64, strategy: AnyStrategy,
        interleavedPhones: Range<UInt32> = 0..<0,
        syncWindows: SyncWindows? = nil, journal: consuming JournalBuffer
    ) {
        self.syncWindows = syncWindows
        self.world = world
        maxDisplacement = world.timeline.maxDisplacement
        self.firstChange = firstChange
        let interfaces = world.interfaces
        assert(
            world.timeline.allSatisfy { $0.change.interface.map { Int($0.rawValue) < interfaces.count } ?? true },
            "the timeline changes an interface that no phone has")
        let hasPeer = Self.hasPeer(world, strategy)
        packets = PacketResources(
            world: world, seed: seed, relayDelay: hasPeer ? (world.server.peer ?? PeerRules()).relayDelay : .zero,
            journal: journal)
        platforms = PinnedArray([world.platform].compactMap { $0 })
        otherApps = PinnedArray(world.otherApps)
        let tunnelCarriesApp = packets.tunnelCarriesApp
        addressesDependOnNetwork = world.resolver?.dependsOnNetwork ?? false
        pathRules = PinnedArray([
            PathRules(
                world.platform, world.preference.requesting(strategy.requestedNetwork), interfaces)
        ])
        hasExtraEventSources = world.hasExtraEventSources
        self.seed = seed
        sharedSlot = Self.slot(of: world, strategy)
        phoneSlot = sharedSlot
        client = ClientResources(strategy, state: sharedSlot.strategyState)
        var connectionSettings = world.server.connectionConfig
        if tunnelCarriesApp { connectionSettings.mtu = world.tunnel.map { UInt32($0.mtu) } }
        connectionConfigs = ConnectionConfigTable(world.kernel, connectionSettings)
        unopenedConnection = .allocate(capacity: 1)
        unopenedConnection.initialize(to: UnopenedConnection(connectionConfigs.placeholder))
        unusedTruth = .allocate(capacity: 1)
        unusedTruth.initialize(to: ConnectionTruth())
        phoneEndRules = PinnedArray([PhoneEndSettings(world, strategy, keepsAddress: tunnelCarriesApp)])
        server = PinnedArray([world.server] + world.serverVersions)
        unopenedEnd = .allocate(capacity: 1)
        unopenedEnd.initialize(to: UnopenedServerEnd(connectionConfigs.placeholder, server[0]))
        traffic = .allocate(capacity: 1)
        traffic.initialize(to: TrafficPlan(world.traffic, seed: seed, until: world.horizon, phones: interleavedPhones))
        traffic.pointee.subscriptions = world.subscriptionCount(of: strategy)
        receivePolicy = PinnedArray([strategy.receivePolicy])
        consumers = PinnedArray([world.consumer].compactMap { $0 })
    }

    /// Allocates a memory block with the optional parts that the phones of this world and strategy need.
    private static func slot(of world: World, _ strategy: AnyStrategy) -> PhoneSlot {
        PhoneSlot(
            stateBytes: strategy.stateSize, alignment: strategy.stateAlignment,
            hasCredentials: world.server.credentials != nil,
            keepsNames: strategy.names != nil && world.resolver != nil,
            hasUploads: strategy.uploads != nil || world.server.faults.messages != nil,
            hasSubscriptions: world.subscriptionCount(of: strategy) > 0,
            hasPresence: world.server.presence != nil,
            hasPeer: hasPeer(world, strategy),
            hasPushes: world.platform != nil, pushLimits: world.pushQueueRules?.limits)
    }

    /// `true` if the phones have paths to a peer.
    private static func hasPeer(_ world: World, _ strategy: AnyStrategy) -> Bool {
        world.server.peer != nil || strategy.transport.map { $0.datagrams.route != .none } ?? false
    }

    deinit {
        sharedSlot.deallocate()
        precondition(unusedTruth.pointee.isUntouched, "the placeholder of an unopened connection was written")
        unusedTruth.deallocate()
        unopenedConnection.deinitialize(count: 1).deallocate()
        unopenedEnd.deinitialize(count: 1).deallocate()
        traffic.deinitialize(count: 1).deallocate()
    }

    /// The credentials of the active phone; `nil` if the server uses none.
    var credentials: UnsafeMutablePointer<CredentialState>? { phoneSlot.credentials }

    /// The memory of the active phone's client library about the server's name; `nil` if it keeps nothing.
    var names: KeptNames? {
        guard let state = phoneSlot.names, let policy = client.strategy.names else { return nil }
        return KeptNames(policy: policy, state: state)
    }

    /// The server's memory of the active phone's next message; `nil` if no message is refused or continued.
    var uploads: UnsafeMutablePointer<UploadState>? { phoneSlot.uploads }

    /// The push service of the active phone; `nil` if its platform has none.
    @inline(__always) var pushes: UnsafeMutablePointer<Pushes>? { phoneSlot.pushes }
    /// The subscriptions of the active phone; `nil` if none can end alone.
    @inline(__always) var subscriptions: SubscriptionMemory? { phoneSlot.subscriptions }
    /// The presence of the active phone's user; `nil` if the server shows none.
    @inline(__always) var presence: UnsafeMutablePointer<Presence>? { phoneSlot.presence }

    /// Rules of the presence. A later version of the server does not change them.
    var presenceRules: PresenceRules { server[0].pointee.presence ?? PresenceRules() }
    /// Rules of the push service, if it stores several pushes.
    var pushRules: PushQueueRules { server[0].pointee.pushQueue ?? PushQueueRules() }
    /// The resolver, if its answers or the addresses that work depend on the network; otherwise `nil`.
    var resolverOfNetworks: Resolver? { addressesDependOnNetwork ? world.resolver : nil }
    /// The paths of the active phone to its peer; `nil` if it has none.
    @inline(__always) var peer: UnsafeMutablePointer<PeerPaths>? { phoneSlot.peer }

    /// Makes another memory block the current one.
    /// - Parameter phoneSlot: The block; `nil` selects the shared one.
    package mutating func switchSlot(to phoneSlot: PhoneSlot?) {
        self.phoneSlot = phoneSlot ?? sharedSlot
        client.state = self.phoneSlot.strategyState
    }

    /// Allocates a memory block for one more phone of this worker.
    /// - Parameter phoneSlot: An existing block that determines the size; `nil` if there is none.
    package func newSlot(like phoneSlot: PhoneSlot?) -> PhoneSlot {
        PhoneSlot(
            stateBytes: client.strategy.stateSize, alignment: client.strategy.stateAlignment,
            hasCredentials: server[0].pointee.credentials != nil, keepsNames: sharedSlot.names != nil,
            hasUploads: sharedSlot.uploads != nil, hasSubscriptions: sharedSlot.subscriptions != nil,
            hasPresence: sharedSlot.presence != nil, hasPeer: sharedSlot.peer != nil,
            hasPushes: sharedSlot.pushes != nil, pushLimits: sharedSlot.pushQueue.map { _ in pushRules.limits },
            bytes: phoneSlot.map { $0.wordCount * MemoryLayout<UInt64>.size })
    }

    /// Prepares the current memory block for a new phone: clears it and initialises the strategy's state.
    package mutating func beginPhone(_ phone: PhoneID) {
        switchPhone(to: phone)
        phoneSlot.clear()
        client.strategy.initialize(client.state)
        phoneSlot.names?.initialize(to: NamePolicy.State())
        phoneSlot.uploads?.initialize(to: UploadState())
        phoneSlot.pushes?.initialize(to: Pushes(phoneSlot.pushQueue))
        if let rules = server[0].pointee.streams {
            phoneSlot.subscriptions?.client.initialize(to: ClientSubscriptions())
            phoneSlot.subscriptions?.server.initialize(
                to: SubscriptionState(rules, count: traffic.pointee.subscriptions, dice(.serverErrors, phone)))
        }
        phoneSlot.presence?.initialize(to: Presence())
        phoneSlot.peer?.initialize(to: PeerPaths())
        guard let credentials, let life = server[0].pointee.credentials?.life else { return }
        // Phones have logged in at different times.
        let word = dice(.serverErrors, phone).at(Self.tokenAgeAddress)
        let age = TimeSpan(nanoseconds: Int64(word.scaled(below: UInt64(max(life.nanoseconds, 1)))))
        credentials.initialize(to: CredentialState(age: age))
    }

    /// Address of the random age of a phone's first token; beyond the addresses of sessions and calls.
    private static let tokenAgeAddress: UInt64 = 1 << 41

    /// Records a request of the active phone to the shared server. The phone then stops at the end of the current sync
    /// window.
    mutating func recordArrival(_ arrival: ClusterRequest, at now: Instant) {
        arrivals.append(arrival)
        if let syncWindows { barrier = syncWindows.end(of: syncWindows.number(of: now)) }
    }

    /// Makes this phone's message schedules the current ones. Call it when a phone becomes active.
    package mutating func switchPhone(to phone: PhoneID) { traffic.pointee.switchPhone(to: phone) }

    /// Moves the active phone's packets in flight from the pool into its memory block, if there is space for all of
    /// them.
    package mutating func storePackets() {
        phoneSlot.storePacketCount(
            packets.pool.takeAll(
                &phoneSlot.simulation.pointee.packetNetwork.packetsInFlight, atMost: PhoneSlot.maxStoredPackets,
                to: phoneSlot.storedPackets))
    }

    /// Moves the packets that are stored in the active phone's memory block back into the pool.
    package mutating func restorePackets() {
        for index in 0..<phoneSlot.storedPacketCount.pointee {
            phoneSlot.simulation.pointee.packetNetwork.insert(phoneSlot.storedPackets[index], &packets)
        }
    }

    func dice(_ purpose: Purpose, _ phone: PhoneID) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }

    /// The journal of the worker.
    package var journal: JournalBuffer {
        _read { yield packets.journal }
        _modify { yield &packets.journal }
    }
}

extension World {
    fileprivate var hasExtraEventSources: Bool {
        platform != nil || consumer != nil || !otherApps.isEmpty || tunnel != nil || server.streams != nil
            || server.presence != nil
    }

    /// Number of the client's subscriptions that can end alone.
    fileprivate func subscriptionCount(of strategy: AnyStrategy) -> UInt8 {
        server.streams == nil ? 0 : strategy.subscriptions?.count ?? 0
    }
}

/// Records that an instance of the shared server released a connection, and when.
package struct Departure: BitwiseCopyable, Sendable {
    package let at: Instant
    package let instance: UInt8
}

extension PushQueueRules {
    fileprivate var limits: PushLimits { PushLimits(pending: pendingLimit, keys: keyLimit) }
}

extension PhoneEndSettings {
    fileprivate init(_ world: World, _ strategy: AnyStrategy, keepsAddress: Bool) {
        self.init(
            resolver: world.resolver, keepsNames: strategy.names != nil,
            family: strategy.names?.family ?? .any,
            translation: Resolver.Translation(world.platform?.family), intake: strategy.receivePolicy,
            holdsCredit: world.consumer != nil && strategy.receivePolicy.stopsReading, keepsAddress: keepsAddress,
            subscriptions: strategy.subscriptions)
    }
}
