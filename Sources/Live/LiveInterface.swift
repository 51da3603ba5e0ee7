import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// A network interface of the phone in a live run: its access path, and the network that it is attached to.
///
/// A class, because a change of `path` reports to the observer of the same `LivePath`. If the interface were a value in
/// the `LivePath`, both would be overlapping accesses to it.
final class LiveInterface {
    let interface: Interface
    var path: AccessPath
    var network = NetworkCondition()
    /// The radio profiles by their numbers. Empty if the phone does not have the interface.
    let profiles: [RadioProfile]
    private let conditions: [LinkProfile]
    /// `nil` if the interface has no address of either family.
    private(set) var address: HostAddress?
    /// The addresses that the interface has had, in their order.
    private var addresses: [HostAddress] = []
    /// Another network is already preferred.
    var isFading = false
    /// Packets that wait for the radio, in order. The radio delays both directions.
    var radioQueue = RadioQueue()
    /// The calls that the radio received, while its technology stays the same.
    private var radioCalls: [RadioCall] = []

    init(_ interface: Interface, _ world: World, seed: UInt64, phone: PhoneID) {
        self.interface = interface
        let purposes = interface.linkPurposes
        conditions = world.conditions(of: interface)
        let first = interface == .wifi ? world.wifi : world.cellular
        profiles = first.map { [$0] + (interface == .wifi ? [] : world.cellularAlternates) } ?? []
        var radio: Radio?
        if let profile = profiles.first {
            let phases = RadioPhases.draw(profile, seed: seed, phone: phone)
            radio = Radio(profile: profile, phases: phases, at: .zero)
            radioCalls.append(RadioCall(at: .zero, .begin(phases)))
        }
        path = AccessPath(
            radio: radio,
            up: Link(conditions[0].up, dwells: Dice(seed: seed, phone: phone, purpose: purposes.lossUp)),
            down: Link(conditions[0].down, dwells: Dice(seed: seed, phone: phone, purpose: purposes.lossDown)))
    }

    func recordCall(_ call: RadioCall) {
        if !radioCalls.isEmpty, radioCalls.count <= RadioCallLog.maxCalls { radioCalls.append(call) }
    }

    /// Stops the recording after a change of technology, because the calls no longer belong to one radio.
    func stopRecording() { radioCalls.removeAll() }

    /// `nil` if the recording is incomplete.
    var callLog: RadioCallLog? { RadioCallLog(radioCalls) }

    /// The radio profile in use. The phone must have the interface.
    var profile: RadioProfile { profiles[Int(path.technology)] }

    func link(_ direction: Direction, condition: UInt8? = nil) -> LinkDirection {
        let link = conditions[Int(condition ?? path.condition)]
        return direction == .up ? link.up : link.down
    }

    // MARK: Addresses

    /// Number of addresses that the interface has had.
    var addressCount: UInt32 { UInt32(addresses.count) }

    func takeAddress(_ address: HostAddress) {
        self.address = address
        addresses.append(address)
    }

    func dropAddress() { address = nil }

    /// `true` if packets to this address go to this interface, even if they are too late for it.
    func hasHad(_ address: HostAddress) -> Bool { addresses.contains(address) }

    /// `true` if packets of this address can be sent and received.
    func reaches(_ address: IPAddress) -> Bool { network.hasCoverage && self.address == address.host }
}

/// A real packet that is under way on the simulated path between phone and server.
struct PendingPacket: Sendable {
    enum PacketStage: Sendable { case heldByPhone, toServer, answering, toEdge, heldByEdge }

    let packet: Datagram
    let name: LiveFlowKey
    let interface: Interface
    let cause: Cause
    /// Cause that is charged for keeping the radio awake after this packet.
    let account: Cause
    var hop: PacketStage
    /// `true` for a packet of the system, not of the app.
    var isPush: Bool { cause == .push }
    /// `true` for an answer of the name server or of the captive portal.
    var isOfPortal = false
    /// For a queued packet: when it can be sent, and how much later that is than the start of the data flow.
    var at = Instant.zero
    var lag = TimeSpan.zero
    /// When the packet was offered to the radio.
    var offeredAt = Instant.zero
}
