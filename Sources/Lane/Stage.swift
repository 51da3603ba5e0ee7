package import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMessages
import DeadzoneNetwork
import DeadzonePhoneEnd
package import DeadzonePrimitives
import DeadzoneProtocols
package import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport
package import DeadzoneWorld

/// What the lanes of one worker share while they run: the world, the strategy, and places for what is in motion.
/// Nothing here outlives a lane's turn but the flights, and those belong to their lanes.
package struct Stage: ~Copyable {
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
    /// More than packets, timers and weather can be due on a phone: it has an operating system, a consumer or other programs.
    let isRestless: Bool
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
    package var journal: JournalBuffer
    var outbox = Outbox()
    var serverSteps = Steps<ServerStep>()
    var deliverySteps = Steps<DeliveryStep>()
    var networksSteps = Steps<NetworksStep>()
    var systemSteps = Steps<SystemStep>()
    var phoneEndSteps = Steps<PhoneEndStep>()
    var notices = NoticeQueue(atMost: 64)
    /// Connections that wait for the shared server until the round ends.
    package var arrivals: [Arrival] = []
    /// Whoever waits goes on no further than that.
    package var standstill = Instant.never
    /// Nil where phones do not meet.
    private let rounds: Rounds?
    /// Connections that its instances no longer have.
    package var leavings: [Leaving] = []

    /// Where the lane lies whose turn it is.
    package private(set) var seat: Seat
    /// For those who come one after the other, or take turns.
    private let common: Seat
    /// At one place: what speaks of messages holds its address.
    let said: UnsafeMutablePointer<Conversation>
    let intake: Fixed<Intake>
    let consumers: Fixed<Consumer>
    private let anchor = Anchor()

    /// - Parameters:
    ///   - abreast: Who lie side by side; nobody: they come one after the other.
    ///   - rounds: In which they meet.
    package init(
        world: World, firstChange: Int = 0, seed: UInt64, strategy: AnyStrategy, abreast: Range<UInt32> = 0..<0,
        rounds: Rounds? = nil, journal: consuming JournalBuffer
    ) {
        self.rounds = rounds
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
        isRestless = world.platform != nil || world.consumer != nil || !world.tenants.isEmpty
        hasMiddleboxes = world.middleboxes != Middleboxes()
        self.seed = seed
        self.strategy = strategy
        common = Seat(stateBytes: strategy.stateSize, alignment: strategy.stateAlignment)
        seat = common
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
        common.takeAway()
        precondition(unusedReality.pointee.isUntouched, "something was said of a connection that nobody opened")
        unusedReality.deallocate()
        unopenedLine.deinitialize(count: 1).deallocate()
        unopenedEnd.deinitialize(count: 1).deallocate()
        said.deinitialize(count: 1).deallocate()
    }

    /// What the strategy keeps of the phone whose turn it is.
    var state: UnsafeMutableRawPointer { seat.state }

    /// The next steps are those of a lane that lies there.
    /// - Parameter seat: Nil: the stage's own.
    package mutating func move(to seat: Seat?) { self.seat = seat ?? common }

    /// Another seat for the same phones.
    /// - Parameter seat: What has one already; nil: nobody.
    package func newSeat(like seat: Seat?) -> Seat {
        Seat(
            stateBytes: strategy.stateSize, alignment: strategy.stateAlignment,
            bytes: seat.map { $0.wordCount * MemoryLayout<UInt64>.size })
    }

    /// The next steps are those of this phone, which has no past yet. Its parts may lie on the seat.
    package mutating func begin(_ phone: PhoneID) {
        turn(to: phone)
        seat.clear()
        strategy.initialize(state)
    }

    /// Somebody has come to the shared server, and stands where the round ends.
    mutating func wait(_ arrival: Arrival, at now: Instant) {
        arrivals.append(arrival)
        if let rounds { standstill = rounds.end(of: rounds.number(of: now)) }
    }

    /// The next steps are those of this phone.
    package mutating func turn(to phone: PhoneID) { said.pointee.turn(to: phone) }

    /// What is on its way lies on the seat, too, as far as there is room.
    package mutating func putFlightsAway() {
        seat.keep(flights.takeAll(&seat.lane.pointee.flights, atMost: Seat.flights, to: seat.flights))
    }

    /// What was put away is on its way again.
    package mutating func takeFlightsOut() {
        for index in 0..<seat.flightCount.pointee {
            flights.insert(seat.flights[index], into: &seat.lane.pointee.flights)
        }
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
package struct Leaving: BitwiseCopyable, Sendable {
    package let at: Instant
    package let instance: UInt8
}
