import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMessages
import DeadzoneNetwork
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

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
    /// Which interfaces there are, and which of their profiles comes first.
    private let wifi: (isThere: Bool, first: UInt8)
    private let cellular: (isThere: Bool, first: UInt8)
    let pathRules: Fixed<PathRules>
    /// By interface.
    let paths: Fixed<MiddleboxPath>
    let hasMiddleboxes: Bool
    /// Of the timeline; and where it begins in that of all phones.
    let reach: Int
    let firstChange: Int
    let seed: UInt64
    let strategy: AnyStrategy
    var terms: TermsTable
    /// Of every slot in which nothing was opened yet.
    let unopenedLine: UnsafeMutablePointer<UnopenedLine>
    let unusedReality: UnsafeMutablePointer<Reality>
    let phoneEndRules: Fixed<PhoneEndRules>
    let unopenedEnd: UnsafeMutablePointer<UnopenedEnd>
    let server: Fixed<ServerProfile>
    var flights = FlightPool()
    var journal: JournalBuffer
    var outbox = Outbox()
    var steps = Steps<ServerStep>()
    var news = Steps<DeliveryStep>()
    var moves = Steps<NetworksStep>()
    var orders = Steps<SystemStep>()
    var calls = Steps<PhoneEndStep>()
    var notices = NoticeQueue(atMost: 64)
    /// Connections that wait for the shared server until the round ends.
    var arrivals: [Arrival] = []
    /// Connections that its instances no longer have.
    var leavings: [Leaving] = []

    /// Where the lane lies whose turn it is.
    private(set) var seat: Seat
    /// Whose turn it is.
    private var awake: Int?
    /// In a small crowd each has a seat of its own, by place, and none ever rests.
    private var own: [Seat?]
    private var hasOwn: Bool { !own.isEmpty }
    /// In others there is one for all, and who has no turn rests.
    private let common: Seat
    private var rows: Rows
    /// At one place: what speaks of messages holds its address.
    let said: UnsafeMutablePointer<Conversation>
    let intake: Fixed<Intake>
    let consumers: Fixed<Consumer>
    private let anchor = Anchor()

    /// - Parameter abreast: Who lie side by side; nobody: they come one after the other.
    init(
        world: World, firstChange: Int = 0, seed: UInt64, strategy: AnyStrategy, abreast: Range<UInt32> = 0..<0,
        journal: consuming JournalBuffer
    ) {
        let phones = abreast.count
        self.world = world
        reach = world.timeline.reach
        self.firstChange = firstChange
        radios = Fixed(Interface.allCases.flatMap { world.profiles(of: $0) })
        links = Fixed(Interface.allCases.flatMap { world.conditions(of: $0).flatMap { [$0.up, $0.down] } })
        cellularLinks = world.conditions(of: .wifi).count * 2
        platforms = Fixed([world.platform].compactMap { $0 })
        tenants = Fixed(world.tenants)
        cellularAt = world.profiles(of: .wifi).count
        wifi = (world.has(.wifi), world.firstProfile(of: .wifi))
        cellular = (world.has(.cellular), world.firstProfile(of: .cellular))
        pathRules = Fixed([PathRules(world.platform)])
        paths = Fixed(Interface.allCases.map { MiddleboxPath(world.middleboxes.path(of: $0)) })
        hasMiddleboxes = world.middleboxes != Middleboxes()
        self.seed = seed
        self.strategy = strategy
        common = Seat(stateBytes: strategy.stateSize, alignment: strategy.stateAlignment)
        seat = common
        own = phones <= Seat.most ? Array(repeating: nil, count: phones) : []
        rows = Rows(count: phones <= Seat.most ? 0 : phones, kinds: Self.waysToRest)
        self.journal = journal
        terms = TermsTable(world.kernel, world.server.terms)
        unopenedLine = .allocate(capacity: 1)
        unopenedLine.initialize(to: UnopenedLine(terms.any))
        unusedReality = .allocate(capacity: 1)
        unusedReality.initialize(to: Reality())
        phoneEndRules = Fixed([
            PhoneEndRules(
                resolver: world.resolver, intake: strategy.intake,
                holdsCredit: world.consumer != nil && strategy.intake.stopsReading)
        ])
        server = Fixed([world.server])
        unopenedEnd = .allocate(capacity: 1)
        unopenedEnd.initialize(to: UnopenedEnd(terms.any, server[0]))
        said = .allocate(capacity: 1)
        said.initialize(to: Conversation(world.traffic, seed: seed, until: world.horizon, phones: abreast))
        intake = Fixed([strategy.intake])
        consumers = Fixed([world.consumer].compactMap { $0 })
    }

    deinit {
        // Of a run that nobody wanted to its end: who sits there, before another is laid out in its place.
        for case let seat? in own {
            seat.lane.deinitialize(count: 1)
            seat.takeAway()
        }
        if awake != nil && !hasOwn { seat.lane.deinitialize(count: 1) }
        for place in 0..<rows.count where rows.isKept(place) && awake != place {
            rows.layOut(place, on: seat.words)
            seat.lane.deinitialize(count: 1)
        }
        common.takeAway()
        precondition(unusedReality.pointee.isUntouched, "something was said of a connection that nobody opened")
        unusedReality.deallocate()
        unopenedLine.deinitialize(count: 1).deallocate()
        unopenedEnd.deinitialize(count: 1).deallocate()
        said.deinitialize(count: 1).deallocate()
    }

    /// What the strategy keeps of the phone whose turn it is.
    var state: UnsafeMutableRawPointer { seat.state }

    /// The next steps are those of this phone, which has no past yet. Its parts may lie on the seat.
    mutating func begin(_ phone: PhoneID) {
        said.pointee.turn(to: phone)
        seat.clear()
        strategy.initialize(state)
    }

    // MARK: Lanes that lie side by side

    /// It has a past, and rests or sits.
    func isThere(_ place: Int) -> Bool { hasOwn ? own[place] != nil : awake == place || rows.isKept(place) }

    /// A new one sits down.
    /// - Parameter place: Its own among those of the crowd.
    mutating func begin(_ phone: PhoneID, place: Int) -> UnsafeMutablePointer<Lane> {
        rest()
        rows.loseImage()
        if hasOwn {
            let bytes = own.lazy.compactMap { $0 }.first.map { $0.wordCount * MemoryLayout<UInt64>.size }
            seat = Seat(stateBytes: strategy.stateSize, alignment: strategy.stateAlignment, bytes: bytes)
            own[place] = seat
        }
        begin(phone)
        seat.lane.initialize(to: Lane(phone: phone, stage: self, on: seat.surveyor))
        awake = place
        return seat.lane
    }

    /// The next steps are those of this phone, which sits down if it does not sit yet.
    mutating func turn(to phone: PhoneID, place: Int) -> UnsafeMutablePointer<Lane> {
        said.pointee.turn(to: phone)
        guard awake != place else { return seat.lane }
        rest()
        awake = place
        if hasOwn {
            guard let its = own[place] else { preconditionFailure("lane \(place) has no seat") }
            seat = its
            return seat.lane
        }
        rows.layOut(place, on: seat.words)
        for index in 0..<seat.flightCount.pointee {
            flights.insert(seat.flights[index], into: &seat.lane.pointee.flights)
        }
        return seat.lane
    }

    /// Who sits there stands up for good.
    mutating func end() {
        guard let place = awake else { return }
        awake = nil
        seat.lane.deinitialize(count: 1)
        guard hasOwn else { return rows.forget(place) }
        own[place] = nil
        seat.takeAway()
        seat = common
    }

    mutating func rest() {
        guard let place = awake else { return }
        awake = nil
        guard !hasOwn else { return }
        let lane = seat.lane
        seat.rest(flights.takeAll(&lane.pointee.flights, atMost: Seat.flights, to: seat.flights))
        rows.keep(place, seat.words, words: seat.wordCount, kind: wayToRest, at: lane.pointee.now)
    }

    /// Bytes of a lane that rests.
    mutating func bytes(_ place: Int) -> Int {
        rest()
        return own.isEmpty ? rows.bytes(of: place) : 0
    }

    private static let waysToRest = 4 << 4

    /// Lanes that are alike in this have most of their words in common.
    private var wayToRest: Int {
        let lane = seat.lane
        let belief = Int(lane.pointee.phoneEnd[0].belief.rawValue)
        let server = (lane.pointee.server.isHeld(0) ? 1 : 0) + (lane.pointee.server.isAttached(0) ? 1 : 0)
        return seat.flightCount.pointee << 4 | belief << 2 | server
    }

    func dice(_ purpose: Purpose, _ phone: PhoneID) -> Dice { Dice(seed: seed, phone: phone, purpose: purpose) }

    func has(_ interface: Interface) -> Bool { (interface == .wifi ? wifi : cellular).isThere }
    func firstProfile(of interface: Interface) -> UInt8 { (interface == .wifi ? wifi : cellular).first }

    /// Only of an interface that the phone has.
    @inline(__always)
    func profile(_ interface: Interface, _ technology: UInt8) -> UnsafePointer<RadioProfile> {
        radios[(interface == .wifi ? 0 : cellularAt) + Int(technology)]
    }

    @inline(__always)
    func link(
        _ interface: Interface, _ direction: Direction, condition: UInt8
    ) -> UnsafePointer<LinkDirection> {
        let before = interface == .wifi ? 0 : cellularLinks
        return links[before + Int(condition) * 2 + Int(direction.rawValue)]
    }

    func boxes(_ interface: Interface) -> UnsafePointer<MiddleboxPath> { paths[Int(interface.rawValue)] }
}

/// An instance of the shared server no longer has a connection.
struct Leaving: BitwiseCopyable, Sendable {
    let at: Instant
    let instance: UInt8
}
