import struct DeadzoneCaptures.IPAddress
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneWorld

/// How real packets cross, by the values that simulated ones cross by: radios, links, middleboxes, coverage. It knows no clock
/// and no device: whoever drives it says what was sent and when, and takes what has arrived.
///
///     up:    phone ─▶ radio ─(held until data flows)─▶ link ─▶ boxes ─▶ server
///     down:  server ─▶ boxes ─▶ link ─▶ edge ─▶ radio ─(held)─▶ phone
///
/// A packet that meets no address, an old one, or no coverage is gone, and who sent it is not told: what no proxy can do.
struct Road {
    /// Whatever a client pours into a link without a bound of its own; what comes on top is dropped.
    static let mostWaiting = 1 << 16
    /// From TEST-NET-3 (RFC 5737), as the server's.
    private static let pushService = HostAddress(0xcb00_7150)

    enum Side: Sendable { case phone(Interface), server }

    let world: World
    let seed: UInt64
    let phone: PhoneID
    let paths: [MiddleboxPath]
    let ports: [RoadPort]
    private var flights = DueHeap<Flight>()
    var mappings: [FlowName: (boxes: Mappings, interface: Interface)] = [:]
    var mappingsAt = Instant.never
    private(set) var now = Instant.zero
    var watch = FlowWatch()
    /// Nil: names stand in a file of the phone's.
    var names: NameServer?
    /// The phone's firewall lets nothing of the app pass.
    var isClosed = false

    /// Of the system's own push, by which nothing is written to a device.
    enum Push: Sendable { case none, underWay, lost, here }
    private var push = Push.none

    /// What has arrived, and where; whoever drives the road takes it.
    var arrived: [(packet: Datagram, side: Side, due: Instant)] = []

    init(_ world: World, seed: UInt64, phone: PhoneID) {
        self.world = world
        self.seed = seed
        self.phone = phone
        paths = Interface.allCases.map { MiddleboxPath(world.middleboxes.path(of: $0)) }
        ports = Interface.allCases.map { interface in
            RoadPort(
                interface, interface == .wifi ? world.wifi : world.cellular, world.conditions(of: interface)[0],
                seed: seed, phone: phone)
        }
    }

    mutating func takeArrived() -> [(packet: Datagram, side: Side, due: Instant)] {
        defer { arrived.removeAll(keepingCapacity: true) }
        return arrived
    }

    var hasArrived: Bool { !arrived.isEmpty }

    /// When there is something to do without a packet.
    var nextDue: Instant {
        var next = min(flights.next, mappingsAt)
        for port in ports {
            next = min(next, port.radio?.nextTransition ?? .never, port.held.dueAt, port.gate.opensAt)
        }
        return next
    }

    // MARK: Verbs

    /// Everything up to this moment, in its order: of one moment radios first.
    mutating func advance(to limit: Instant) {
        while true {
            let next = nextDue
            guard next <= limit else { break }
            now = max(now, next)
            if let place = ports.firstIndex(where: { ($0.radio?.nextTransition ?? .never) <= now }) {
                advanceRadio(place)
            } else if let place = ports.firstIndex(where: { $0.held.dueAt <= now }) {
                release(place)
            } else if let port = ports.first(where: { $0.gate.opensAt <= now }) {
                _ = port.gate.become(.open)
            } else if mappingsAt <= now {
                expireMappings()
            } else if let flight = flights.removeFirst() {
                land(flight)
            }
        }
        now = max(now, limit)
    }

    /// The phone's kernel has sent a packet; over which interface is the matter of its source address.
    mutating func send(_ packet: Datagram) {
        let name = FlowName(packet, .up)
        let place = ports.firstIndex { $0.address == packet.source.host }
        let cause = watch.phoneSent(packet, name, on: place.map { ports[$0].interface }, at: now)
        guard let place, !isClosed else { return watch.lose(name, .up) }
        ports[place].gate.knock(at: now)
        guard ports[place].gate.passes(ofApp: true) else { return watch.lose(name, .up) }
        leave(
            Flight(packet: packet, name: name, interface: ports[place].interface, cause: cause, hop: .heldByPhone))
    }

    /// The server's kernel has sent a packet; it does not know whether the phone is still there.
    mutating func answer(_ packet: Datagram) {
        let name = FlowName(packet, .down)
        let cause = watch.serverSent(packet, name)
        guard let place = ports.firstIndex(where: { $0.address == packet.destination.host }),
            ports[place].portalUntil <= now
        else { return watch.lose(name, .down) }
        let flight = Flight(
            packet: packet, name: name, interface: ports[place].interface, cause: cause, hop: .toEdge)
        guard passesBoxes(flight, .down) else { return watch.lose(name, .down) }
        cross(flight, .down)
    }

    /// The service sends a push to the phone, over the network that is preferred. False: there is none that works.
    mutating func launchPush() -> Bool {
        let port = ports.first { $0.address != nil && $0.hasUplink && $0.usableFrom <= now && $0.portalUntil <= now }
        guard let port, let address = port.address else { return false }
        let head = Datagram.message(
            from: .init(.ipv4(Self.pushService.ipv4), 5_228), to: .init(.ipv4(address.ipv4), 5_228),
            payload: Array(repeating: 0, count: Int(PushService.bytes) - 28))
        push = .underWay
        cross(
            Flight(packet: head, name: FlowName(head, .down), interface: port.interface, cause: .push, hop: .toEdge),
            .down)
        return true
    }

    /// What has become of it since somebody asked.
    mutating func takePush() -> Push {
        defer { if push != .underWay { push = .none } }
        return push
    }

    /// Who sent it is not told.
    mutating func lose(_ flight: Flight, _ direction: Direction) {
        if flight.isPush { push = .lost }
        watch.lose(flight.name, direction)
    }

    /// Time of the radios that has not been told yet.
    mutating func finish(at end: Instant) {
        advance(to: end)
        for place in ports.indices { tell(place, .end) }
        watch.finish(at: end)
    }

    // MARK: Packets

    private mutating func leave(_ flight: Flight) {
        let place = Int(flight.interface.rawValue)
        guard ports[place].reaches(flight.name.phone) else { return lose(flight, .up) }
        carry(flight, place, .up)
    }

    /// Asks the radio when the first bit can flow; what must wait is held.
    private mutating func carry(_ flight: Flight, _ place: Int, _ direction: Direction) {
        let airtime = ports[place].link(direction).airtime(ofBytes: flight.packet.length)
        var held = flight
        held.at = now
        held.askedAt = now
        let verb = RadioCue.Verb.carry(direction, bytes: flight.packet.length, airtime: airtime)
        if let carried = tell(place, verb, for: flight.cause) {
            if carried.promoted { watch.promoted(flight.interface, at: now) }
            held.lag = max(carried.airtime - airtime, .zero)
            held.at = carried.flowsAt + held.lag
            reschedule(place, to: carried.flowsAt, isSlow: held.lag > .zero)
        }
        if direction == .down { held.hop = .heldByEdge }
        if now < held.at || !ports[place].held.isEmpty {
            guard ports[place].held.count < Self.mostWaiting else { return lose(flight, direction) }
            ports[place].held.append(held)
        } else {
            goOn(held, place)
        }
    }

    /// The air opens at another moment than the radio promised.
    mutating func reschedule(_ place: Int, to flowsAt: Instant, isSlow: Bool) {
        guard flowsAt != .never else { return }
        ports[place].held.reschedule(to: flowsAt, isSlow: isSlow, at: now)
    }

    private mutating func release(_ place: Int) {
        let flight = ports[place].held.removeFirst()
        let direction: Direction = flight.hop == .heldByPhone ? .up : .down
        guard ports[place].reaches(flight.name.phone) else { return lose(flight, direction) }
        // A handover may have begun since the radio promised this moment.
        if flight.lag == .zero, let later = ports[place].radio?.dataFlowsFrom, now < later, later != .never {
            var held = flight
            held.at = later
            ports[place].held.putBack(held)
        } else {
            goOn(flight, place)
        }
    }

    /// The bits are on the air.
    private mutating func goOn(_ flight: Flight, _ place: Int) {
        let direction: Direction = flight.hop == .heldByPhone ? .up : .down
        watch.flowed(
            flight, direction, technology: ports[place].technology, level: ports[place].radio?.level, at: now)
        if direction == .up { cross(flight, .up) } else { arriveAtPhone(flight) }
    }

    /// Through the link, if it is not lost there.
    mutating func cross(_ flight: Flight, _ direction: Direction) {
        let place = Int(flight.interface.rawValue)
        guard passes(flight, direction), flights.count < Self.mostWaiting else { return lose(flight, direction) }
        let purposes = flight.interface.linkPurposes
        let rules = ports[place].link(direction)
        let packets = dice(direction == .up ? purposes.up : purposes.down)
        let dwells = dice(direction == .up ? purposes.lossUp : purposes.lossDown)
        let length = flight.packet.length
        let at = now
        let transit =
            direction == .up
            ? ports[place].up.offer(bytes: length, at: at, over: rules, packets: packets, dwells: dwells)
            : ports[place].down.offer(bytes: length, at: at, over: rules, packets: packets, dwells: dwells)
        guard transit.intact > 0 else { return lose(flight, direction) }
        var moved = flight
        moved.hop = direction == .up ? .toServer : .toEdge
        flights.insert(moved, at: transit.at)
    }

    private mutating func land(_ flight: Flight) {
        let place = Int(flight.interface.rawValue)
        if flight.hop == .answering {
            cross(flight, .down)
        } else if flight.hop == .toServer {
            if answers(flight) { return }
            guard passesBoxes(flight, .up) else { return lose(flight, .up) }
            watch.serverGot(flight.packet, flight.name)
            arrived.append((flight.packet, .server, now))
        } else {
            guard ports[place].reaches(flight.name.phone), passes(flight, .down) else { return lose(flight, .down) }
            carry(flight, place, .down)
        }
    }

    /// Somebody on the way to the server answers in its place, or nobody does.
    private mutating func answers(_ flight: Flight) -> Bool {
        var reply: Datagram?
        var work = TimeSpan.zero
        if let names, flight.packet.destination.host == NameServer.address {
            if flight.packet.destinationPort == NameServer.port {
                reply = names.answer(to: flight.packet.payload).map(flight.name.reply)
            }
            work = names.resolver.work
        } else if now < ports[Int(flight.interface.rawValue)].portalUntil {
            reply = Portal.answer(to: flight.packet, flight.name)
        } else {
            return false
        }
        watch.serverGot(flight.packet, flight.name)
        guard let reply else { return true }
        let cause = watch.serverSent(reply, flight.name)
        flights.insert(
            Flight(packet: reply, name: flight.name, interface: flight.interface, cause: cause, hop: .answering),
            at: now + work)
        return true
    }

    private func passes(_ flight: Flight, _ direction: Direction) -> Bool {
        let port = ports[Int(flight.interface.rawValue)]
        return flight.isPush ? port.passes(direction, at: now) : port.passesApp(direction, at: now)
    }

    private mutating func arriveAtPhone(_ flight: Flight) {
        if flight.isPush { return push = .here }
        if isClosed { watch.lose(flight.name, .down) } else { watch.phoneGot(flight.packet, flight.name, at: now) }
        arrived.append((flight.packet, .phone(flight.interface), now))
    }
}
