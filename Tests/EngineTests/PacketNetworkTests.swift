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
            interface: .cellular, slot: slot, generation: generation, addressNumber: networks.addressNumber(.cellular))
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

    // MARK: Middleboxes

    /// Calls `body` with a network with one box on the path, which forgets a TCP connection after a minute. Connection
    /// 0 has just sent its first packet through it.
    private func withBox(
        _ action: Middlebox.ExpiryAction,
        _ body: (inout PacketNetwork, inout Networks, inout PacketResources, PacketInFlight) -> Void
    ) {
        withNetwork({ $0.middleboxes.cellular = [Middlebox(tcp: .minutes(1), expiryAction: action)] }) {
            network, networks, resources in
            let addressNumber = networks.addressNumber(.cellular)
            network.open(0, CarriedConnection(generation: 3, interface: .cellular, addressNumber: addressNumber))
            let hello = packet(.hello, slot: 0, generation: 3, networks)
            let crossing = network.crossMiddleboxes(hello, .up, sentAt: .zero, at: .zero, networks, &resources)
            let endsAt = network.mappingEndsAt(0)
            #expect(crossing == .passes && endsAt == .zero + .minutes(1))
            body(&network, &networks, &resources, packet(.data, slot: 0, generation: 3, networks))
        }
    }

    /// Broken: a box stops the packets of an earlier connection, of a path that the connection has left, or of none.
    @Test func onlyPacketsOfTheConnectionCrossItsBoxes() {
        withBox(.drop) { network, networks, resources, packet in
            let late = Instant.zero + .minutes(2)
            var others = [packet, packet, packet]
            others[0].generation = 2
            others[1].addressNumber &+= 1
            others[2].slot = .max
            for other in others {
                let crossing = network.crossMiddleboxes(other, .down, sentAt: late, at: late, networks, &resources)
                #expect(crossing == nil)
            }
            let own = network.crossMiddleboxes(packet, .down, sentAt: late, at: late, networks, &resources)
            let status = network.mappingStatus(0)
            network.move(0, to: .wifi, addressNumber: 7)
            let moved = network.crossMiddleboxes(packet, .down, sentAt: late, at: late, networks, &resources)
            #expect(own == .vanishes && status == .cut && moved == nil)
        }
    }

    /// Broken: a box that resets sends nothing to the phone, or sends something for a packet of the server.
    @Test(arguments: [Direction.up, .down]) func aResetGoesToThePhone(direction: Direction) {
        withBox(.reset) { network, networks, resources, packet in
            let late = Instant.zero + .minutes(2)
            let crossing = network.crossMiddleboxes(packet, direction, sentAt: late, at: late, networks, &resources)
            let sendsReset = network.nextAt(resources) != .never
            #expect(crossing == .isReset && sendsReset == (direction == .up))
        }
    }

    /// Broken: a mapping expires early or twice, a proxy does not end the connection, or another box does.
    @Test(arguments: [Middlebox.ExpiryAction.drop, .close]) func aMappingExpiresOnce(action: Middlebox.ExpiryAction) {
        withBox(action) { network, _, resources, _ in
            let early = network.expireMapping(0, at: .zero + .seconds(59), resources)
            let lost = network.expireMapping(0, at: .zero + .minutes(1), resources)
            let again = network.expireMapping(0, at: .zero + .minutes(1), resources)
            #expect(early == nil && lost?.interface == .cellular && again == nil)
            #expect(lost?.endsConnection == (action == .close))
            let (status, endsAt) = (network.mappingStatus(0), network.mappingEndsAt(0))
            #expect(status == .cut && endsAt == .never)
        }
    }

    /// Broken: a box forgets connections of other interfaces, or a new connection begins with the mappings of the last.
    @Test func aRestartedBoxForgetsItsOwnConnections() {
        withBox(.drop) { network, _, resources, _ in
            let ofWiFi = network.forgetMapping(0, over: .wifi, resources)
            let own = network.forgetMapping(0, over: .cellular, resources)
            let again = network.forgetMapping(0, over: .cellular, resources)
            let status = network.mappingStatus(0)
            #expect(ofWiFi == nil && own != nil && again == nil && status == .cut)
            network.open(0, CarriedConnection(generation: 4))
            let fresh = network.mappingStatus(0)
            #expect(fresh == .intact)
        }
    }

    // MARK: The horizon

    /// Broken: a datagram in flight counts as lost, or for the other direction, or a packet without messages counts. Or
    /// the wait of a probe is not recorded.
    @Test func packetsInFlightAreCounted() {
        withNetwork { network, networks, resources in
            for content in [Packet.PacketContent.datagram, .datagram, .data] {
                network.transmit(packet(content, slot: 0, networks), Self.awake, &networks, &resources)
            }
            var down = packet(.datagram, slot: 0, networks)
            down.location = .toEdge
            network.insert(down, &resources)
            let counts = [network.datagramsInFlight(.up, resources), network.datagramsInFlight(.down, resources)]
            #expect(counts == [2, 1])
        }
    }

    /// Broken: the network of an address that the phone has lost counts as there, or the tunnel's address as lost.
    @Test func theTunnelsAddressStays() {
        for hasTunnel in [false, true] {
            withNetwork({ $0.tunnel = hasTunnel ? TunnelRules() : nil }) { network, networks, resources in
                let addressNumber = networks.addressNumber(.cellular)
                let present = network.state(of: .cellular, addressNumber, networks, resources)
                let old = network.state(of: .cellular, addressNumber &+ 1, networks, resources)
                #expect(present.hasAddress && old.hasAddress == hasTunnel && present.works == !hasTunnel)
            }
        }
    }
}
