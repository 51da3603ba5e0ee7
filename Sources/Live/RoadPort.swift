import struct DeadzoneCaptures.IPAddress
import DeadzoneDevice
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSystem

/// An interface of the phone while it lives: its radio, the links behind it, and the network that it is on.
final class RoadPort {
    let interface: Interface
    var radio: Radio?
    var up: Link
    var down: Link
    /// What they are like now.
    private var conditions: LinkProfile
    /// Nil: it has none, of either family.
    var address: HostAddress?
    /// How many addresses it has had.
    var epoch: UInt32 = 0
    var hasCoverage = true
    var technology: UInt8 = 0
    var condition: UInt8 = 0
    /// Another network is preferred already.
    var isFading = false
    var passesUp = true
    var passesDown = true
    var hasUplink = true
    /// What the network, or the system, asks before packets of the app may leave.
    var gate = AccessGate()
    var usableFrom = Instant.zero
    /// Until somebody signs in, nobody answers but a portal.
    var portalUntil = Instant.zero
    /// What waits for the radio, in order: the radio holds both directions.
    var held = Waiting()
    /// What the radio was told, as long as it is of one technology.
    private var cues: [RadioCue] = []

    init(_ interface: Interface, _ profile: RadioProfile?, _ link: LinkProfile, seed: UInt64, phone: PhoneID) {
        self.interface = interface
        let purposes = interface.linkPurposes
        conditions = link
        if let profile {
            let phases = RadioPhases.draw(profile, seed: seed, phone: phone)
            radio = Radio(profile: profile, phases: phases, at: .zero)
            cues.append(RadioCue(at: .zero, .begin(phases)))
        }
        up = Link(link.up, dwells: Dice(seed: seed, phone: phone, purpose: purposes.lossUp))
        down = Link(link.down, dwells: Dice(seed: seed, phone: phone, purpose: purposes.lossDown))
    }

    func note(_ cue: RadioCue) {
        if !cues.isEmpty, cues.count <= RadioScript.most { cues.append(cue) }
    }

    /// The radio is another one now: nobody could tell one radio all of it.
    func stopNoting() { cues.removeAll() }

    /// Nil: it is not whole.
    var script: RadioScript? { RadioScript(cues) }

    func link(_ direction: Direction) -> LinkDirection { direction == .up ? conditions.up : conditions.down }

    func meet(_ others: LinkProfile, _ dwells: (up: Dice, down: Dice)) {
        conditions = others
        up.change(to: others.up, dwells: dwells.up)
        down.change(to: others.down, dwells: dwells.down)
    }

    /// A packet of this address can leave, or be heard.
    func reaches(_ address: IPAddress) -> Bool { hasCoverage && self.address == address.host }

    /// The network behind the radio lets it through.
    func passes(_ direction: Direction, at now: Instant) -> Bool {
        hasUplink && usableFrom <= now && (direction == .up ? passesUp : passesDown)
    }

    /// The same for the app, which may be refused what the system has.
    func passesApp(_ direction: Direction, at now: Instant) -> Bool {
        passes(direction, at: now) && gate.passes(ofApp: true)
    }
}

/// A packet on its way.
struct Flight: Sendable {
    enum Hop: Sendable { case heldByPhone, toServer, answering, toEdge, heldByEdge }

    let packet: Datagram
    let name: FlowName
    let interface: Interface
    let cause: Cause
    var hop: Hop
    /// Of the system, and not of the app.
    var isPush: Bool { cause == .push }
    /// Of a held one: when it can go, and how much later than the air opens that is.
    var at = Instant.zero
    var lag = TimeSpan.zero
    /// When it was offered to the radio.
    var askedAt = Instant.zero
}
