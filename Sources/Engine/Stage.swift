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
    /// Where those of the cellular interface begin.
    let cellularLinks: Int
    /// One, or none.
    let platforms: Fixed<Platform>
    let tenants: Fixed<Tenant>
    /// Where the cellular profiles begin among the radios.
    private let cellularAt: Int
    let pathRules: PathRules
    /// By interface.
    let paths: Fixed<MiddleboxPath>
    let hasMiddleboxes: Bool
    let seed: UInt64
    let strategy: AnyStrategy
    /// The app asks questions.
    let hasCalls: Bool
    var terms: TermsTable
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
    var sizesCall: MessageSizes
    var sizesAnswer: MessageSizes
    private let anchor = Anchor()

    init(
        world: World, seed: UInt64, strategy: AnyStrategy, state: UnsafeMutableRawPointer,
        journal: consuming JournalBuffer
    ) {
        self.world = world
        radios = Fixed([world.wifi, world.cellular].compactMap { $0 } + world.cellularAlternates)
        links = Fixed(Interface.allCases.flatMap { world.conditions(of: $0).flatMap { [$0.up, $0.down] } })
        cellularLinks = world.conditions(of: .wifi).count * 2
        platforms = Fixed([world.platform].compactMap { $0 })
        tenants = Fixed(world.tenants)
        cellularAt = world.wifi == nil ? 0 : 1
        pathRules = PathRules(world.platform)
        paths = Fixed(Interface.allCases.map { MiddleboxPath(world.middleboxes.path(of: $0)) })
        hasMiddleboxes = world.middleboxes != Middleboxes()
        self.seed = seed
        self.strategy = strategy
        self.state = state
        self.journal = journal
        hasCalls = world.traffic.calls != nil
        terms = TermsTable(world.platform?.family == .ios ? .xnu : .linux, world.server)
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .sizeUp)
        func sizes(_ size: Distribution?, in envelope: Envelope = .none) -> MessageSizes {
            MessageSizes(size ?? .constant(0), dice: dice, in: envelope)
        }
        sizesDown = sizes(world.traffic.down?.size, in: world.traffic.envelope)
        sizesUp = sizes(world.traffic.up?.size, in: world.traffic.envelope)
        sizesCall = sizes(world.traffic.calls?.size)
        sizesAnswer = sizes(world.traffic.answer)
    }

    /// The next steps are those of this phone.
    mutating func turn(to phone: PhoneID, state: UnsafeMutableRawPointer) {
        self.state = state
        sizesDown.dice = dice(.sizeDown, phone)
        sizesUp.dice = dice(.sizeUp, phone)
        sizesCall.dice = dice(.sizeCall, phone)
        sizesAnswer.dice = dice(.sizeAnswer, phone)
    }

    func dice(_ purpose: Purpose, _ phone: PhoneID) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }

    /// Only of an interface that the phone has.
    func profile(_ interface: Interface, _ technology: UInt8) -> UnsafePointer<RadioProfile> {
        radios[interface == .wifi ? 0 : cellularAt + Int(technology)]
    }

    func link(
        _ interface: Interface, _ direction: Direction, condition: UInt8
    ) -> UnsafePointer<LinkDirection> {
        let before = interface == .wifi ? 0 : cellularLinks
        return links[before + Int(condition) * 2 + Int(direction.rawValue)]
    }

    func boxes(_ interface: Interface) -> UnsafePointer<MiddleboxPath> { paths[Int(interface.rawValue)] }
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

/// A connection attempt, or a call, that has reached the shared server.
struct Arrival: Sendable {
    var at: Instant
    var lane: UInt32
    /// Its place among the arrivals of its lane.
    var sequence: UInt32
    var slot: Int
    var generation: UInt16
    /// A call on it; nil: its session.
    var call: UInt32?
    /// What its TLS has cost the server.
    var handshake = TimeSpan.zero
}

/// Events that a strategy has yet to be told, in order; a fixed number of places.
struct NoticeQueue: ~Copyable {
    private let capacity: Int
    private let storage: UnsafeMutablePointer<Event>
    private var head = 0
    private var count = 0

    init(capacity: Int = 64) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit { storage.deallocate() }

    mutating func append(_ event: Event) {
        precondition(count < capacity, "more than \(capacity) notices wait for one strategy")
        (storage + (head + count) % capacity).initialize(to: event)
        count += 1
    }

    mutating func next() -> Event? {
        guard count > 0 else { return nil }
        defer {
            head = (head + 1) % capacity
            count -= 1
        }
        return storage[head]
    }

    /// For an app that does not run: what it would hear twice it hears once, the latest; of many changes of network it
    /// hears the last ones.
    mutating func post(_ event: Event) {
        var networks = 0
        for _ in 0..<count {
            guard let waiting = next() else { break }
            if event.replaces(waiting) { continue }
            if case .network = waiting { networks += 1 }
            append(waiting)
        }
        if case .network = event, networks >= Self.networksRemembered { dropFirstNetwork() }
        append(event)
    }

    /// How many changes of network wait for an app that does not run.
    private static let networksRemembered = 16

    private mutating func dropFirstNetwork() {
        var isDropped = false
        for _ in 0..<count {
            guard let waiting = next() else { return }
            if case .network = waiting, !isDropped { isDropped = true } else { append(waiting) }
        }
    }

    mutating func removeAll() { count = 0 }

    /// Takes out what is about this connection.
    mutating func removeAll(about slot: ConnectionSlot) {
        for _ in 0..<count {
            guard let event = next() else { return }
            if event.connection != slot { append(event) }
        }
    }
}

extension Event {
    /// Says all that the other one, which nobody has heard yet, would have said.
    fileprivate func replaces(_ other: Event) -> Bool {
        switch (self, other) {
        case (.received, .received), (.acknowledged, .acknowledged), (.pong, .pong), (.stalled, .writable),
            (.heartbeat, .heartbeat), (.writable, .stalled):
            connection == other.connection
        default: self == other
        }
    }
}
