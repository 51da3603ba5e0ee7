import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport

/// A network interface of the phone in a live run: its radio, its links, and the network that it is attached to.
final class LiveInterface {
    let interface: Interface
    var radio: Radio?
    var up: Link
    var down: Link
    /// Current link conditions.
    private var conditions: LinkProfile
    /// `nil` if the interface has no address of either family.
    var address: HostAddress?
    /// Number of addresses that the interface has had.
    var addressCount: UInt32 = 0
    var hasCoverage = true
    var technology: UInt8 = 0
    var condition: UInt8 = 0
    /// Another network is already preferred.
    var isFading = false
    var passesUp = true
    var passesDown = true
    var hasUplink = true
    /// Permissions that the network or the system requires before packets of the app may leave.
    var gate = AccessGate()
    var usableFrom = Instant.zero
    /// Until this time (sign-in) only the captive portal answers.
    var portalUntil = Instant.zero
    /// Packets that wait for the radio, in order. The radio delays both directions.
    var radioQueue = RadioQueue()
    /// The calls that the radio received, while its technology stays the same.
    private var radioCalls: [RadioCall] = []

    init(_ interface: Interface, _ profile: RadioProfile?, _ link: LinkProfile, seed: UInt64, phone: PhoneID) {
        self.interface = interface
        let purposes = interface.linkPurposes
        conditions = link
        if let profile {
            let phases = RadioPhases.draw(profile, seed: seed, phone: phone)
            radio = Radio(profile: profile, phases: phases, at: .zero)
            radioCalls.append(RadioCall(at: .zero, .begin(phases)))
        }
        up = Link(link.up, dwells: Dice(seed: seed, phone: phone, purpose: purposes.lossUp))
        down = Link(link.down, dwells: Dice(seed: seed, phone: phone, purpose: purposes.lossDown))
    }

    func recordCall(_ call: RadioCall) {
        if !radioCalls.isEmpty, radioCalls.count <= RadioCallLog.maxCalls { radioCalls.append(call) }
    }

    /// Stops the recording after a change of technology, because the calls no longer belong to one radio.
    func stopRecording() { radioCalls.removeAll() }

    /// `nil` if the recording is incomplete.
    var callLog: RadioCallLog? { RadioCallLog(radioCalls) }

    func link(_ direction: Direction) -> LinkDirection { direction == .up ? conditions.up : conditions.down }

    func applyConditions(_ others: LinkProfile, _ dwells: (up: Dice, down: Dice)) {
        conditions = others
        up.change(to: others.up, dwells: dwells.up)
        down.change(to: others.down, dwells: dwells.down)
    }

    /// `true` if packets of this address can be sent and received.
    func reaches(_ address: IPAddress) -> Bool { hasCoverage && self.address == address.host }

    /// `true` if the network behind the radio lets packets pass.
    func passes(_ direction: Direction, at now: Instant) -> Bool {
        hasUplink && usableFrom <= now && (direction == .up ? passesUp : passesDown)
    }

    /// The same for packets of the app, which can be blocked while the system has access.
    func passesApp(_ direction: Direction, at now: Instant) -> Bool {
        passes(direction, at: now) && gate.passes(ofApp: true)
    }
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
    /// For a queued packet: when it can be sent, and how much later that is than the start of the data flow.
    var at = Instant.zero
    var lag = TimeSpan.zero
    /// When the packet was offered to the radio.
    var offeredAt = Instant.zero
}
