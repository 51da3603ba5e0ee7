package import DeadzoneBase
import DeadzoneClient

/// Memory block in which one phone is simulated: a `PhoneSimulation` with all its parts in one arena.
///
/// Each slot of a worker uses the same layout. Pointers between the parts are therefore valid for every phone that is
/// loaded into the slot, and the whole phone can be stored as plain bytes.
package struct PhoneSlot: BitwiseCopyable {
    /// Arena size in bytes: more than a phone with every optional part needs. The strategy's state is added to this.
    private static let arenaBytes = 16 << 10
    /// Maximum number of packets in flight that are stored in the block of a waiting phone. A waiting phone seldom has
    /// more; if it has, all its packets stay in the pool.
    static let maxStoredPackets = 3

    private let arena: UnsafeMutablePointer<Arena>
    /// Memory for the strategy's state on this phone.
    let strategyState: UnsafeMutableRawPointer
    /// The credentials of this phone; `nil` if the server uses none.
    let credentials: UnsafeMutablePointer<CredentialState>?
    /// State of the client's library about the server's name; `nil` if it keeps nothing.
    let names: UnsafeMutablePointer<NamePolicy.State>?
    /// The server's memory of the phone's next message; `nil` if no message is refused or continued.
    let uploads: UnsafeMutablePointer<UploadState>?
    /// The push service of this phone; `nil` if its platform has none.
    let pushes: UnsafeMutablePointer<Pushes>?
    /// Memory of `pushes`; `nil` if the push service stores at most one push.
    let pushQueue: PushQueueMemory?
    /// The subscriptions of this phone; `nil` if none can end alone.
    let subscriptions: SubscriptionMemory?
    /// The presence of this phone's user; `nil` if the server shows none.
    let presence: UnsafeMutablePointer<Presence>?
    /// The paths of this phone to its peer; `nil` if it has none.
    let peer: UnsafeMutablePointer<PeerPaths>?
    package let simulation: UnsafeMutablePointer<PhoneSimulation>
    let storedPackets: UnsafeMutablePointer<PacketInFlight>
    let storedPacketCount: UnsafeMutablePointer<Int>
    private let firstPart: Arena.Position

    /// Allocates the block.
    /// - Parameters:
    ///   - stateBytes: Size of the strategy's state.
    ///   - bytes: Arena size that the phones of this worker need; `nil` if it is not known yet.
    init(
        stateBytes: Int, alignment: Int, hasCredentials: Bool = false, keepsNames: Bool = false,
        hasUploads: Bool = false, hasSubscriptions: Bool = false,
        hasPresence: Bool = false, hasPeer: Bool = false, hasPushes: Bool = false, pushLimits: PushLimits? = nil,
        bytes: Int? = nil
    ) {
        arena = .allocate(capacity: 1)
        let pushBytes = pushLimits?.bytes ?? 0
        arena.initialize(
            to: Arena(bytes: bytes ?? Self.arenaBytes + stateBytes + pushBytes + alignment, alignment: alignment))
        let allocator = arena.pointee.allocator
        simulation = allocator.allocate(of: PhoneSimulation.self)
        storedPacketCount = allocator.allocate(of: Int.self)
        storedPackets = allocator.allocate(of: PacketInFlight.self, Self.maxStoredPackets)
        strategyState = allocator.allocate(bytes: max(stateBytes, 1), alignment: alignment)
        credentials = hasCredentials ? allocator.allocate(of: CredentialState.self) : nil
        names = keepsNames ? allocator.allocate(of: NamePolicy.State.self) : nil
        uploads = hasUploads ? allocator.allocate(of: UploadState.self) : nil
        pushes = hasPushes ? allocator.allocate(of: Pushes.self) : nil
        pushQueue = pushLimits.map { PushQueueMemory($0, in: allocator) }
        subscriptions = hasSubscriptions ? SubscriptionMemory(in: allocator) : nil
        presence = hasPresence ? allocator.allocate(of: Presence.self) : nil
        peer = hasPeer ? allocator.allocate(of: PeerPaths.self) : nil
        firstPart = arena.pointee.position
    }

    /// Frees the memory block.
    package func deallocate() { arena.deinitialize(count: 1).deallocate() }

    /// Allocates memory in this block, for the parts of its phone.
    package var allocator: ArenaAllocator { arena.pointee.allocator }
    /// The used bytes of the block, as words.
    package var words: UnsafeMutableRawPointer { arena.pointee.used.baseAddress.unsafelyUnwrapped }
    package var wordCount: Int { arena.pointee.used.count / MemoryLayout<UInt64>.size }

    /// Sets every byte of the block to zero, for a new phone.
    func clear() { arena.pointee.clear(keeping: firstPart) }

    /// Sets the number of stored packets, and zeroes the unused entries so that they leave no trace in the stored
    /// bytes.
    func storePacketCount(_ count: Int) {
        storedPacketCount.pointee = count
        let rest = UnsafeMutableRawPointer(storedPackets + count)
        rest.initializeMemory(
            as: UInt8.self, repeating: 0, count: (Self.maxStoredPackets - count) * MemoryLayout<PacketInFlight>.stride)
    }

    package static let similarityClassCount = 4 << 4

    /// Class of the phone for delta encoding: phones of one class have most of their words in common.
    package var similarityClass: Int {
        let belief = Int(simulation.pointee.phoneEnd[0].belief.rawValue)
        let server = (simulation.pointee.server.isHeld(0) ? 1 : 0) + (simulation.pointee.server.isAttached(0) ? 1 : 0)
        return storedPacketCount.pointee << 4 | belief << 2 | server
    }
}

/// The memory of one phone's subscriptions: at the client's library, and at the server.
struct SubscriptionMemory: BitwiseCopyable {
    let client: UnsafeMutablePointer<ClientSubscriptions>
    let server: UnsafeMutablePointer<SubscriptionState>

    init(in allocator: ArenaAllocator) {
        client = allocator.allocate(of: ClientSubscriptions.self)
        server = allocator.allocate(of: SubscriptionState.self)
    }
    /// Updates the measured times after a change of connections or subscriptions.
    /// - Returns: The record of a period that ends now in which the client took a dead subscription for joined.
    func measure(isOpen: Bool, at now: Instant) -> JournalEntry? {
        // Requests that were not sent end with their connection.
        if !isOpen { client.pointee.pendingJoins = .empty }
        let deaf = server.pointee.measure(isOpen: isOpen, believed: client.pointee.believed, at: now)
        return deaf.map { JournalEntry(.subscriptionDeaf, value: $0.nanoseconds) }
    }
}
