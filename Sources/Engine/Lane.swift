import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneTransport

/// An interface of the phone: its radio, and the links its packets ride.
struct Port: BitwiseCopyable, Sendable {
    var radio: Radio?
    /// When the radio changes by itself; kept here because every event asks for it.
    var radioAt: Instant
    var up: Link
    var down: Link
    var hasAddress = false
    var hasCoverage = true
    /// Counts addresses: a socket belongs to one.
    var epoch: UInt16 = 0
    /// Packets that wait for the radio.
    var held: UInt32 = 0

    var isUsable: Bool { hasAddress && hasCoverage }
}

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
    /// By slot.
    let lines: UnsafeMutablePointer<Line>
    static let slots = 0..<ConnectionSlot.count
    var flights = FlightList()

    /// The next entry of the timeline.
    var nextChange: UInt32 = 0
    var nextChangeAt: Instant
    /// Messages of the server: written, and seen by the app.
    var writtenDown: TrafficWalker
    var seenDown: TrafficWalker
    /// Messages of the app: wanted, there, and known to be there.
    var wantedUp: TrafficWalker
    var arrivedUp: TrafficWalker
    var confirmedUp: TrafficWalker
    var probes: TrafficWalker
    /// The phone has every message of the server below this.
    var receivedDown: UInt32 = 0
    /// The strategy will not hand over anything below this again.
    var forgottenUp: UInt32 = 0

    /// A working connection was lost and none has served a byte since.
    var isBroken = false
    /// Since when a working path exists without a working connection on it.
    var repairableSince = Instant.never
    var eventsNow = 0
    var arrivalsSent: UInt32 = 0
    var isStopped = false
    /// Of the network the operating system named last.
    var announcedEpoch: UInt16?

    init(phone: PhoneID, stage: borrowing Stage) {
        self.phone = phone
        session = Session(random: stage.dice(.strategy, phone))
        ports = .allocate(capacity: Interface.allCases.count)
        for interface in Interface.allCases {
            (ports + interface.port).initialize(to: Self.port(interface, phone, stage))
        }
        lines = .allocate(capacity: Self.slots.count)
        for slot in Self.slots { (lines + slot).initialize(to: Line()) }
        nextChangeAt = stage.world.timeline.first?.at ?? .never
        let traffic = stage.world.traffic
        writtenDown = TrafficWalker(traffic.down, dice: stage.dice(.trafficDown, phone))
        seenDown = writtenDown
        wantedUp = TrafficWalker(traffic.up, dice: stage.dice(.trafficUp, phone))
        arrivedUp = wantedUp
        confirmedUp = wantedUp
        probes = TrafficWalker(traffic.probe, dice: stage.dice(.trafficProbe, phone))
    }

    deinit {
        ports.deinitialize(count: Interface.allCases.count).deallocate()
        lines.deinitialize(count: Self.slots.count).deallocate()
    }

    private static func port(_ interface: Interface, _ phone: PhoneID, _ stage: borrowing Stage) -> Port {
        let purposes = interface.linkPurposes
        let profile = interface == .wifi ? stage.world.wifi : stage.world.cellular
        let radio = profile.map {
            Radio(profile: $0, phases: RadioPhases.draw($0, seed: stage.seed, phone: phone), at: .zero)
        }
        return Port(
            radio: radio, radioAt: radio?.nextTransition ?? .never,
            up: Link(stage.link(interface, .up).pointee, dwells: stage.dice(purposes.lossUp, phone)),
            down: Link(stage.link(interface, .down).pointee, dwells: stage.dice(purposes.lossDown, phone)))
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
