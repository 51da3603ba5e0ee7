import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport
import Testing

@testable import DeadzoneSimulator

/// The network that carries the packets of a phone, without the phone.
@Suite struct PacketNetworkTests {
    private static let awake = PacketSender(now: .zero, isAllowed: true, isAsleep: false, slept: .zero)

    /// Calls `body` with the network of a phone that has just joined its cellular network. Its radio is idle.
    private func withNetwork(
        _ change: (inout World) -> Void = { _ in },
        _ body: (inout PacketNetwork, inout Networks, inout PacketResources) -> Void
    ) {
        var world = Fixture.cellularWorld(Traffic(), horizon: .hours(1))
        change(&world)
        var context = WorkerContext(
            world: world, seed: 1, strategy: Fixture.strategy(Composed.self), journal: JournalBuffer { _ in })
        var network = PacketNetwork(phone: PhoneID(0), context.packets)
        var networks = Networks(context.pathRules[0]) { world.has($0) }
        var effects = EffectQueue<NetworksEffect>()
        _ = networks.raise(.cellular, .plain, at: .zero, &effects)
        network.join(.cellular, hasCoverage: true, at: .zero, &context.packets)
        body(&network, &networks, &context.packets)
        network.releaseAll(&context.packets)
    }

    private func packet(
        _ content: Packet.PacketContent, slot: UInt8 = .max, generation: UInt16 = 0, _ networks: borrowing Networks
    ) -> PacketInFlight {
        PacketInFlight(
            at: .zero, packet: Packet(content, cause: .payload, bytes: 100, stamp: .zero), location: .heldByPhone,
            interface: .cellular, slot: slot, generation: generation, epoch: networks.epoch(.cellular))
    }

    /// Handles all hops. Returns where the packets arrived, and when.
    private func finishHops(
        _ network: inout PacketNetwork, _ networks: borrowing Networks, _ resources: inout PacketResources
    ) -> [(place: PacketArrival, at: Instant)] {
        var arrivals: [(place: PacketArrival, at: Instant)] = []
        while network.nextAt(resources) != .never {
            let flight = resources.pool.removeFirst(&network.packetsInFlight)
            let place = network.finishHop(flight, at: flight.at, networks, &resources)
            if place != .none { arrivals.append((place, flight.at)) }
        }
        return arrivals
    }

    /// Broken: a packet leaves before its radio is ready, arrives without the delay of the link, or at the wrong host.
    @Test(
        arguments: [(.systemRequest, .atServer), (.dnsQuery, .atResolver)] as [(Packet.PacketContent, PacketArrival)])
    func aPacketWaitsForTheRadioAndCrossesTheLink(content: Packet.PacketContent, place: PacketArrival) {
        withNetwork { network, networks, resources in
            network.transmit(packet(content, networks), Self.awake, &networks, &resources)
            let held = network.accessPaths[Interface.cellular.arrayIndex].held
            let arrivals = finishHops(&network, networks, &resources)
            #expect(held == 1 && arrivals.map(\.place) == [place])
            // The promotion takes 260 ms, and the link 35 ms.
            #expect(arrivals.allSatisfy { .zero + .milliseconds(295) <= $0.at && $0.at < .zero + .seconds(2) })
            let (heldAtEnd, effects) = (
                network.accessPaths[Interface.cellular.arrayIndex].held, resources.effects.count
            )
            #expect(heldAtEnd == 0 && effects == 0)
        }
    }

    /// Broken: a packet that waits for the radio outlives the signal, or a sender that does not send again is not notified.
    @Test func aWaitingPacketIsLostWithTheSignal() {
        withNetwork { network, networks, resources in
            network.transmit(packet(.tokenRequest, networks), Self.awake, &networks, &resources)
            network.transmit(packet(.systemRequest, networks), Self.awake, &networks, &resources)
            _ = networks.setCoverage(.cellular, false)
            network.setCoverage(.cellular, false, at: .zero + .milliseconds(1), &resources)
            let (next, effects) = (network.nextAt(resources), resources.effects.count)
            #expect(next == .never && effects == 1)
            guard case .lost(.tokenRequest, number: 0) = resources.effects[0] else {
                Issue.record("the loss of the push token is not reported")
                return
            }
        }
    }

    /// Broken: the firewall lets packets of the app pass, or stops those of the system.
    @Test func theFirewallStopsTheApp() {
        let blocked = PacketSender(now: .zero, isAllowed: false, isAsleep: false, slept: .zero)
        withNetwork { network, networks, resources in
            network.transmit(packet(.data, slot: 0, networks), blocked, &networks, &resources)
            let afterApp = network.nextAt(resources)
            network.transmit(packet(.systemRequest, networks), blocked, &networks, &resources)
            let afterSystem = network.nextAt(resources)
            #expect(afterApp == .never && afterSystem != .never)
        }
    }

    /// Broken: the tunnel sends a packet without a session, or a handshake for which the processor does not wake first.
    @Test func aTunnelWithoutASessionHoldsThePacketAndWakesTheProcessor() {
        withNetwork({ $0.tunnel = TunnelRules() }) { network, networks, resources in
            network.followDefaultNetwork(Self.awake, networks, &resources)
            network.transmit(packet(.data, slot: 0, networks), Self.awake, &networks, &resources)
            let (held, effects) = (network.tunnel?.pointee.held, resources.effects.count)
            #expect(held == 1 && effects == 2)
            guard case .wakeForTunnel = resources.effects[0], case .transmit(let handshake) = resources.effects[1]
            else {
                Issue.record("no handshake, or no wake-up before it")
                return
            }
            #expect(handshake.isOfTunnel && handshake.packet.first == TunnelMessage.initiation.rawValue)
        }
    }

    /// Broken: a packet over the relay takes no longer than a direct one, or an earlier connection's packet takes its way.
    @Test func theRelayTakesLonger() {
        func arrival(generation: UInt16) -> Instant {
            var at = Instant.never
            withNetwork({ $0.server.peer = PeerRules(relayDelay: .milliseconds(100)) }) {
                network, networks, resources in
                network.open(0, CarriedConnection(generation: 3, route: .relay))
                let sent = packet(.datagram, slot: 0, generation: generation, networks)
                network.transmit(sent, Self.awake, &networks, &resources)
                at = finishHops(&network, networks, &resources).first?.at ?? .never
            }
            return at
        }
        #expect(arrival(generation: 3) == arrival(generation: 2) + .milliseconds(100))
    }
}
