import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneTransport

/// One phone and its ordered events: the device, its paths, its connections, and what is on its way.
/// Plain bytes, no class, string, array or closure. It cannot be copied, so that no careless line of the hot loop copies a
/// kilobyte.
struct Lane: ~Copyable {
    let phone: PhoneID
    var now = Instant.zero
    var session: Session
    /// By interface. At places of their own: the hot loop reads and writes single fields, and what is reached through an
    /// inline array is copied whole by today's compiler.
    let ports: UnsafeMutablePointer<Port>
    var lines: Lines
    static let slots = 0..<ConnectionSlot.count
    var flights = FlightList()

    /// The next entry of the timeline.
    var nextChange: UInt32 = 0
    var nextChangeAt = Instant.never
    /// Messages of the server: written, and seen by the app.
    var writtenDown: TrafficWalker
    var seenDown: TrafficWalker
    /// Messages of the app: wanted, there, and known to be there.
    var wantedUp: TrafficWalker
    var arrivedUp: TrafficWalker
    var confirmedUp: TrafficWalker
    var probes: TrafficWalker
    var calls: CallBook
    /// The phone has every message of the server below this.
    var receivedDown: UInt32 = 0

    /// The server's program says nothing, though its kernel goes on; there is no server program.
    var serverIsFrozen = false
    var serverIsDown = false
    var loginsAreRefused = false

    /// A working connection was lost and none has served a byte since.
    var isBroken = false
    /// Since when a working path exists without a working connection on it.
    var repairableSince = Instant.never
    var eventsNow: UInt32 = 0
    /// Of the second under way, and when that is over.
    var eventsInSecond: UInt32 = 0
    var secondEnds = Instant.zero
    var arrivalsSent: UInt32 = 0
    var isStopped = false
    /// What the phone remembers of the server's name, and whether anybody could tell it.
    var names = NameCache()
    var isResolving = true
    /// The strategy has heard of every wish of the app below this.
    var toldUp: UInt32 = 0
    /// Nil without an operating system.
    let system: UnsafeMutablePointer<Housekeeping>?
    /// The server's, of this phone's session.
    let desk: UnsafeMutablePointer<Desk>
    /// By tenant.
    let tenancies: UnsafeMutablePointer<Tenancy>
    var pushed = PendingPush()
    /// Calls that failed since the last answer, and when the first of them was wished for.
    var failedInARow: UInt16 = 0
    var callsFailSince = Instant.never
    var lastAnswerAt = Instant.zero
    /// Sessions that the server was asked for.
    var sessionsAsked: UInt32 = 0
    /// Of the deploy under way: its place in the timeline, when it began, whose turn ends the phone's connection, and when.
    var deployEntry: UInt32 = 0
    var deployInstance: UInt16 = 0
    var deployCuts: UInt16 = 0
    var deployBegan = Instant.zero
    var deployAt = Instant.never
    /// Nil without a consumer that takes its time.
    let consumption: UnsafeMutablePointer<Consumption>?
    /// When the server's bucket for this phone's calls is full again.
    var rateFullAt = Instant.zero
    /// When the system, or a network, next does by itself what it has put off.
    var pathsAt = Instant.never
    private let anchor = Anchor()

    init(phone: PhoneID, stage: borrowing Stage) {
        self.phone = phone
        session = Session(random: stage.dice(.strategy, phone))
        session.isPushed = stage.platforms.count > 0 && stage.world.server.push != .none
        ports = .allocate(capacity: Interface.allCases.count)
        for interface in Interface.allCases {
            (ports + interface.port).initialize(to: Self.port(interface, phone, stage))
        }
        lines = Lines(unused: stage.unusedLine)
        let traffic = stage.world.traffic
        writtenDown = TrafficWalker(traffic.down, dice: stage.dice(.trafficDown, phone))
        seenDown = writtenDown
        wantedUp = TrafficWalker(traffic.up, dice: stage.dice(.trafficUp, phone))
        arrivedUp = wantedUp
        confirmedUp = wantedUp
        probes = TrafficWalker(traffic.probe, dice: stage.dice(.trafficProbe, phone))
        calls = CallBook(traffic.calls, dice: stage.dice(.trafficCall, phone))
        desk = .allocate(capacity: 1)
        desk.initialize(to: Desk(kept: writtenDown, stage.world.server))
        tenancies = .allocate(capacity: stage.tenants.count)
        tenancies.initialize(repeating: Tenancy(), count: stage.tenants.count)
        if stage.world.consumer == nil && stage.strategy.intake.asks?.neverHoldsBack ?? true {
            consumption = nil
        } else {
            consumption = .allocate(capacity: 1)
            consumption?.initialize(to: Consumption())
        }
        if stage.platforms.count == 0 {
            system = nil
        } else {
            let device = Phone(
                platform: stage.platforms[0].pointee, standing: stage.strategy.standing, at: .zero)
            system = .allocate(capacity: 1)
            system?.initialize(to: Housekeeping(device))
        }
        awaitChange(stage)
    }

    deinit {
        ports.deinitialize(count: Interface.allCases.count).deallocate()
        lines.deallocate()
        tenancies.deallocate()
        desk.pointee.words.deallocate()
        desk.pointee.leftOut?.deallocate()
        desk.deallocate()
        consumption?.deallocate()
        system?.deinitialize(count: 1).deallocate()
    }

    private static func port(_ interface: Interface, _ phone: PhoneID, _ stage: borrowing Stage) -> Port {
        let purposes = interface.linkPurposes
        let profile = interface == .wifi ? stage.world.wifi : stage.world.cellular
        let radio = profile.map {
            Radio(profile: $0, phases: RadioPhases.draw($0, seed: stage.seed, phone: phone), at: .zero)
        }
        return Port(
            radio: radio, radioAt: radio?.nextTransition ?? .never,
            up: Link(stage.link(interface, .up, condition: 0).pointee, dwells: stage.dice(purposes.lossUp, phone)),
            down: Link(stage.link(interface, .down, condition: 0).pointee, dwells: stage.dice(purposes.lossDown, phone))
        )
    }
}

extension Interface {
    /// Its place among the ports.
    var port: Int { Int(rawValue) }

    var linkPurposes: (up: Purpose, down: Purpose, lossUp: Purpose, lossDown: Purpose) {
        switch self {
        case .wifi: (.linkWifiUp, .linkWifiDown, .lossWifiUp, .lossWifiDown)
        case .cellular: (.linkCellularUp, .linkCellularDown, .lossCellularUp, .lossCellularDown)
        }
    }
}
