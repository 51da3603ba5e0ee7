import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMessages
import DeadzoneNetwork
import DeadzonePhoneEnd
package import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

/// One phone and its ordered events: the device, its paths, its connections, and what is on its way.
/// Plain bytes, no class, string, array or closure. It cannot be copied, so that no careless line of the hot loop copies a
/// kilobyte.
package struct Lane: ~Copyable {
    let phone: PhoneID
    package internal(set) var now = Instant.zero
    var session: Session
    /// By interface. At places of their own: the hot loop reads and writes single fields, and what is reached through an
    /// inline array is copied whole by today's compiler.
    let ports: UnsafeMutablePointer<Port>
    var networks: Networks
    var phoneEnd: PhoneEnd
    var realities: Slots<Reality>
    var server: Server
    /// When its end of each connection is due; kept here because every event asks for it.
    var serverDue = (Instant.never, Instant.never)
    static let slots = 0..<ConnectionSlot.count
    var flights = FlightList()
    /// Looks for room that would be in vain until something happens; and when something last did.
    var looks = FlightList()
    var happenedAt = Instant.zero

    /// The next entry of the timeline.
    var nextChange: UInt32 = 0
    var nextChangeAt = Instant.never
    var delivery: Delivery
    var probes: TrafficWalker
    /// A working connection was lost and none has served a byte since.
    var isBroken = false
    /// Since when a working path exists without a working connection on it.
    var repairableSince = Instant.never
    /// Events of the second under way, those of them before this instant, and when it is over.
    var eventsInSecond: UInt32 = 0
    var eventsBefore: UInt32 = 0
    var secondEnds = Instant.zero
    /// What of the weather was next when that was looked at last; unknown since something of it has happened.
    var weather = NextEvent.unknown
    /// What was next when the lane was run last.
    var known = NextEvent.unknown
    var isStopped = false
    /// Somebody could tell the server's address.
    var isResolving = true
    /// Nil without an operating system.
    let system: UnsafeMutablePointer<OperatingSystem>?
    var herd = Herd()
    var tenants: Tenants
    var pushes = PushService()
    /// What it has beside itself lies on a ground of somebody else.
    private let isLent: Bool
    private let anchor = Anchor()

    /// - Parameter surveyor: Of the ground that its parts lie on; nil: at places of their own.
    package init(phone: PhoneID, stage: borrowing Stage, on surveyor: Surveyor? = nil) {
        self.phone = phone
        isLent = surveyor != nil
        session = Session(random: stage.dice(.strategy, phone))
        session.isPushed = stage.platforms.count > 0 && stage.world.server.push != .none
        let interfaces = Interface.allCases.count
        ports = surveyor?.place(of: Port.self, interfaces) ?? .allocate(capacity: interfaces)
        for interface in Interface.allCases {
            (ports + interface.port).initialize(to: Self.port(interface, phone, stage))
        }
        networks = Networks(stage.pathRules[0], on: surveyor) { stage.has($0) }
        phoneEnd = PhoneEnd(unused: stage.unopenedLine, stage.said, stage.phoneEndRules[0], on: surveyor)
        realities = Slots(unused: stage.unusedReality, on: surveyor)
        server = Server(stage.server[0], unused: stage.unopenedEnd, stage.said, on: surveyor)
        delivery = Delivery(
            stage.said, stage.intake[0], stage.consumers.count > 0 ? stage.consumers[0] : nil,
            leavesOut: stage.world.server.slowConsumers.conflates)
        probes = TrafficWalker(stage.said.pointee.probeCourse)
        tenants = Tenants(count: stage.tenants.count)
        if stage.platforms.count == 0 {
            system = nil
        } else {
            system = surveyor?.place(of: OperatingSystem.self) ?? .allocate(capacity: 1)
            system?.initialize(to: OperatingSystem(stage.platforms[0], standing: stage.strategy.standing))
        }
        awaitChange(after: nil, stage)
    }

    deinit {
        ports.deinitialize(count: Interface.allCases.count)
        system?.deinitialize(count: 1)
        guard !isLent else { return }
        ports.deallocate()
        system?.deallocate()
    }

    private static func port(_ interface: Interface, _ phone: PhoneID, _ stage: borrowing Stage) -> Port {
        let purposes = interface.linkPurposes
        let technology = stage.firstProfile(of: interface)
        var radio: Radio?
        if stage.has(interface) {
            let profile = stage.profile(interface, technology)
            radio = profile.pointee.radio(profile.pointee.phases(seed: stage.seed, phone: phone), at: .zero)
        }
        return Port(
            radio: radio, radioAt: radio?.nextTransition ?? .never,
            up: stage.link(interface, .up, condition: 0).pointee.link(dwells: stage.dice(purposes.lossUp, phone)),
            down: stage.link(interface, .down, condition: 0).pointee.link(dwells: stage.dice(purposes.lossDown, phone)),
            technology: technology
        )
    }
}

extension Interface {
    /// Its place among the ports.
    var port: Int { Int(rawValue) }
}
