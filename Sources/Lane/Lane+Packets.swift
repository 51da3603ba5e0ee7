import DeadzoneDevice
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport

/// How packets cross: phone, radio, link, server; and server, link, edge, radio, phone.
///
///     up:    send ─▶ radio ─(held by the phone until data flows)─▶ link ─▶ server
///     down:  send ─▶ link ─▶ edge ─▶ radio ─(held by the edge until the phone listens)─▶ phone
///
/// A packet that meets no address, an old address, or no coverage is gone; who sent it is not told.
extension Lane {
    /// Into the network at the server. The server does not know whether the phone is still there.
    mutating func launchDown(
        _ packet: Packet, slot: Int?, over interface: Interface, epoch: UInt16, generation: UInt16? = nil,
        at sentAt: Instant? = nil, _ stage: inout Stage
    ) {
        let flight = Flight(
            at: now, packet: packet, hop: .toEdge, interface: interface, slot: slot.map(UInt8.init) ?? .max,
            generation: generation ?? slot.map { phoneEnd[$0].generation } ?? 0, epoch: epoch)
        // What the resolver answers has a mapping of its own, as young as its question.
        guard packet.content == .resolution || passesBoxes(flight, .down, at: sentAt ?? now, &stage) else {
            return vanish(flight, &stage)
        }
        cross(flight, .down, at: sentAt ?? now, &stage)
    }

    /// A hop is over.
    mutating func land(_ stage: inout Stage) {
        let flight = stage.flights.removeFirst(&flights)
        if !flight.hop.isLook { somethingHappens(&stage) }
        switch flight.hop {
        case .heldByPhone, .heldByEdge:
            ports[flight.interface.port].held -= 1
            guard isReachable(flight) else { return vanish(flight, &stage) }
            // A handover may have begun since the radio promised this moment.
            if flight.lag == .zero, let later = ports[flight.interface.port].radio?.dataFlowsFrom, now < later,
                later != .never
            {
                hold(flight, until: later, &stage)
            } else if flight.hop == .heldByPhone {
                pass(flight, .up, &stage)
                cross(flight, .up, at: now, &stage)
            } else {
                pass(flight, .down, &stage)
                comeIn(flight, &stage)
            }
        case .toServer: arriveBeyond(flight, &stage)
        case .toEdge: reachEdge(flight, &stage)
        case .queued: comeBack(flight, .session, &stage)
        case .thinking: comeBack(flight, .answer(flight.packet.first), &stage)
        case .refusing: comeBack(flight, .refusal(flight.packet.first), &stage)
        case .answering: comeBack(flight, .room(flight.packet.first), &stage)
        case .resolving: answerOfResolver(flight, &stage)
        case .asking: retryCall(flight, &stage)
        }
    }

    /// From the phone's network stack to its radio.
    mutating func leave(_ flight: Flight, _ stage: inout Stage) {
        let isOfSystem = flight.slot == .max || flight.packet.content == .goodbye
        guard isReachable(flight), networkIsAllowed || isOfSystem,
            networks.mayLeave(over: flight.interface, ofApp: flight.slot != .max, at: now)
        else {
            // A gate may have begun to open.
            weather = .unknown
            return vanish(flight, &stage)
        }
        let (flowsAt, lag) = carry(flight, .up, &stage)
        if mustWait(flight, until: flowsAt + lag) {
            hold(flight, until: flowsAt, lag: lag, &stage)
        } else {
            pass(flight, .up, &stage)
            cross(flight, .up, at: now, &stage)
        }
    }

    /// At the base station or access point, for a phone that may be asleep.
    @inline(__always)
    private mutating func reachEdge(_ flight: Flight, _ stage: inout Stage) {
        guard isReachable(flight), passes(flight, .down) else { return vanish(flight, &stage) }
        let (flowsAt, lag) = carry(flight, .down, &stage)
        if mustWait(flight, until: flowsAt + lag) {
            var held = flight
            held.hop = .heldByEdge
            hold(held, until: flowsAt, lag: lag, &stage)
        } else {
            pass(flight, .down, &stage)
            comeIn(flight, &stage)
        }
    }

    /// At the far end of the link: the resolver, the boxes and the server.
    @inline(__always)
    private mutating func arriveBeyond(_ flight: Flight, _ stage: inout Stage) {
        switch flight.packet.content {
        case .question: askResolver(flight, &stage)
        case .stray: vanish(flight, &stage)
        case _ where networks.isPortal(flight.interface, at: now): receiveAtPortal(flight, &stage)
        default:
            guard passesBoxes(flight, .up, at: now, &stage) else { return vanish(flight, &stage) }
            receiveAtServer(flight, &stage)
        }
    }

    /// A packet wakes a phone that sleeps.
    @inline(__always)
    private mutating func comeIn(_ flight: Flight, _ stage: inout Stage) {
        wakePhone(for: flight.packet.account, &stage)
        if flight.packet.content == .resolution { return hearResolver(flight, &stage) }
        receiveAtPhone(flight, &stage)
    }

    /// Packets that were held before this one may have yet to go, even if the air opens at this very instant.
    @inline(__always)
    private func mustWait(_ flight: Flight, until at: Instant) -> Bool {
        now < at || ports[flight.interface.port].held > 0
    }

    /// Asks the radio when the packet's first bit can flow, and how much later than the link says it is through, which on a
    /// slow shared channel can be long. Radio time begins now for what waits, too.
    private mutating func carry(
        _ flight: Flight, _ direction: Direction, _ stage: inout Stage
    ) -> (flowsAt: Instant, lag: TimeSpan) {
        let interface = flight.interface
        let airtime = link(interface, direction, stage).pointee.airtime(ofBytes: flight.packet.bytes)
        let burst = Burst(
            direction: direction, bytes: flight.packet.bytes, airtime: airtime, cause: flight.packet.account)
        guard let carried = ports[interface.port].radio?.carry(burst, at: now, profile(interface, stage)) else {
            return (now, .zero)
        }
        if carried.promoted { journal(.promotion, interface, &stage) }
        spend(carried.spent, interface, &stage)
        let lag = max(carried.airtime - airtime, .zero)
        if ports[interface.port].held > 0 {
            reschedule(interface, to: carried.flowsAt, isSlow: lag > .zero, &stage)
        }
        return (carried.flowsAt, lag)
    }

    private mutating func hold(_ flight: Flight, until flowsAt: Instant, lag: TimeSpan = .zero, _ stage: inout Stage) {
        var held = flight
        held.at = flowsAt + lag
        held.lag = lag
        ports[flight.interface.port].held += 1
        stage.flights.insert(held, into: &flights)
    }

    /// The air opens at another moment than the radio promised, sooner or later: what waits for it goes then, in its old
    /// order. What is on a slow channel already gets through.
    mutating func reschedule(_ interface: Interface, to flowsAt: Instant, isSlow: Bool, _ stage: inout Stage) {
        guard ports[interface.port].held > 0, flowsAt != .never else { return }
        while var flight = stage.flights.removeFirst(
            from: &flights,
            where: {
                $0.isHeld && $0.interface == interface && now <= $0.flowsAt
                    && ($0.flowsAt != flowsAt || (!isSlow && $0.lag > .zero))
            })
        {
            if !isSlow { flight.lag = .zero }
            flight.at = flowsAt + flight.lag
            stage.flights.insert(flight, into: &flights)
        }
    }

    /// The bits are on the air.
    @inline(__always)
    private mutating func pass(_ flight: Flight, _ direction: Direction, _ stage: inout Stage) {
        let tag = BytesTag(
            interface: flight.interface, technology: ports[flight.interface.port].technology, direction: direction,
            cause: flight.packet.cause)
        journal(.bytes, tag, value: Int64(flight.packet.bytes), &stage)
    }

    /// Through the link, if it is not lost there.
    mutating func cross(
        _ flight: Flight, _ direction: Direction, at sentAt: Instant, _ stage: inout Stage
    ) {
        guard passes(flight, direction) else { return vanish(flight, &stage) }
        let parts = flight.packet.parts
        let transit = offer(flight, parts: parts, direction, at: sentAt, stage)
        let hop = direction == .up ? Hop.toServer : .toEdge
        if transit.intact == parts { return stage.flights.insert(flight, hop, at: transit.at, into: &flights) }
        if transit.dropped > 0 {
            let tag = BytesTag(interface: flight.interface, direction: direction, cause: flight.packet.cause)
            journal(.queueDropped, tag, value: Int64(transit.dropped), &stage)
        }
        let arrived = parts - transit.dropped - transit.lost
        guard arrived > 0 else { return vanish(flight, &stage) }
        var rest = flight
        rest.packet.keep(parts: transit.intact, of: arrived, lost: transit.lost)
        stage.flights.insert(rest, hop, at: transit.at, into: &flights)
    }

    @inline(__always)
    private func isReachable(_ flight: Flight) -> Bool {
        networks.reaches(flight.interface, flight.epoch)
    }

    /// The network behind the radio lets it through.
    @inline(__always)
    private func passes(_ flight: Flight, _ direction: Direction) -> Bool {
        networks.passes(
            direction, flight.interface, ofApp: flight.slot != .max,
            isOfPortal: flight.packet.content == .resolution
                || (flight.slot != .max && server.isCaptured(Int(flight.slot))),
            at: now)
    }

    mutating func vanish(_ flight: Flight, _ stage: inout Stage) {
        switch flight.packet.content {
        case .probe, .probeReply: journal(.probeLost, value: 1, &stage)
        case .push: pushes.lose(at: now)
        default: break
        }
    }

    /// The radio has lost its network: what waited for it is gone.
    mutating func dropHeld(_ interface: Interface, _ stage: inout Stage) {
        while let flight = stage.flights.removeFirst(
            from: &flights, where: { $0.isHeld && $0.interface == interface })
        {
            ports[interface.port].held -= 1
            vanish(flight, &stage)
        }
    }
}

extension Flight {
    var isHeld: Bool { hop == .heldByPhone || hop == .heldByEdge }
    /// Of a held packet: when its first bit flows.
    var flowsAt: Instant { at - lag }
}
