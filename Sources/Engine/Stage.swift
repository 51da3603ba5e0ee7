import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneTransport

/// What the lanes of one worker share while they run: the world, the strategy, and places for what is in motion.
/// Nothing here outlives a lane's turn but the flights, and those belong to their lanes.
struct Stage: ~Copyable {
    let world: World
    /// What every packet and transition reads, at fixed places: passing it on copies nothing.
    let radios: Fixed<RadioProfile>
    let links: Fixed<LinkDirection>
    let seed: UInt64
    let strategy: AnyStrategy
    var flights = FlightPool()
    var journal: JournalBuffer
    var outbox = Outbox()
    var notices = NoticeQueue()
    /// Connections that wait for the shared server until the round ends.
    var arrivals: [Arrival] = []

    /// Of the lane whose turn it is.
    var state: UnsafeMutableRawPointer
    var sizesDown: MessageSizes
    var sizesUp: MessageSizes

    init(
        world: World, seed: UInt64, strategy: AnyStrategy, state: UnsafeMutableRawPointer,
        journal: consuming JournalBuffer
    ) {
        self.world = world
        radios = Fixed([world.wifi, world.cellular].compactMap { $0 })
        links = Fixed([world.wifiLink.up, world.wifiLink.down, world.cellularLink.up, world.cellularLink.down])
        self.seed = seed
        self.strategy = strategy
        self.state = state
        self.journal = journal
        let none = MessageSizes(.constant(0), dice: Dice(seed: seed, phone: PhoneID(0), purpose: .sizeUp))
        sizesDown = none
        sizesUp = none
    }

    /// The next steps are those of this phone.
    mutating func turn(to phone: PhoneID, state: UnsafeMutableRawPointer) {
        self.state = state
        sizesDown = MessageSizes(world.traffic.down?.size ?? .constant(0), dice: dice(.sizeDown, phone))
        sizesUp = MessageSizes(world.traffic.up?.size ?? .constant(0), dice: dice(.sizeUp, phone))
    }

    func dice(_ purpose: Purpose, _ phone: PhoneID) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }

    /// Only of an interface that the phone has.
    func profile(_ interface: Interface) -> UnsafePointer<RadioProfile> {
        radios[interface == .wifi ? 0 : radios.count - 1]
    }

    func link(_ interface: Interface, _ direction: Direction) -> UnsafePointer<LinkDirection> {
        links[Int(interface.rawValue) * 2 + Int(direction.rawValue)]
    }
}

/// Values at places that do not move while their owner lives.
struct Fixed<Element>: ~Copyable {
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    init(_ elements: [Element]) {
        count = elements.count
        base = .allocate(capacity: max(count, 1))
        for (index, element) in elements.enumerated() { (base + index).initialize(to: element) }
    }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    subscript(index: Int) -> UnsafePointer<Element> {
        precondition(index < count, "element \(index) of \(count)")
        return UnsafePointer(base + index)
    }
}

/// A connection attempt that has reached the shared server.
struct Arrival: Sendable {
    var at: Instant
    var lane: UInt32
    /// Its place among the arrivals of its lane.
    var sequence: UInt32
    var slot: Int
    var generation: UInt16
    var hello: Packet
}

/// Events that a strategy has yet to be told, in order; a fixed number of places.
struct NoticeQueue: ~Copyable {
    private static let capacity = 64

    private let storage: UnsafeMutablePointer<Event>
    private var head = 0
    private var count = 0

    init() { storage = .allocate(capacity: Self.capacity) }

    deinit { storage.deallocate() }

    mutating func append(_ event: Event) {
        precondition(count < Self.capacity, "more than \(Self.capacity) notices wait for one strategy")
        (storage + (head + count) % Self.capacity).initialize(to: event)
        count += 1
    }

    mutating func next() -> Event? {
        guard count > 0 else { return nil }
        defer {
            head = (head + 1) % Self.capacity
            count -= 1
        }
        return storage[head]
    }

    mutating func removeAll() { count = 0 }

    /// Takes out what is about this connection.
    mutating func removeAll(about slot: ConnectionSlot) {
        for _ in 0..<count {
            guard let event = next() else { return }
            if event.slot != slot { append(event) }
        }
    }
}

extension Event {
    /// The connection that it is about.
    fileprivate var slot: ConnectionSlot? {
        switch self {
        case .opened(let slot, _), .failed(let slot, _), .closed(let slot, _), .received(let slot, _, _),
            .acknowledged(let slot, _), .pong(let slot, _):
            slot
        case .started, .fired, .network, .app, .wantsToSend: nil
        }
    }
}
