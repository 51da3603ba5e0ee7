import DeadzoneDevice
import DeadzoneJournal
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneWorld
import Testing

@testable import DeadzoneLive

/// Real packets meet what simulated ones meet.
struct RoadTests {
    private static let phone = """
        phone: {radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}}
        timeline: [{at: 0s, wifi: home}]
        """

    @Test func aPacketMeetsTheWeatherOfItsMillisecond() throws {
        // Broken: the road draws delays by how many packets there were, or from other dice than the engine's links.
        var road = try Road.onWiFi(Self.phone + "\nlinks: {wifi: {delay: {uniform: [5ms, 60ms]}, loss: 10%}}")
        let rules = try #require(road.world.conditions(of: .wifi).first).up
        let purposes = Interface.wifi.linkPurposes
        let dice = Dice(seed: 1, phone: PhoneID(0), purpose: purposes.up)
        let dwells = Dice(seed: 1, phone: PhoneID(0), purpose: purposes.lossUp)
        var different: Set<Int64> = []
        for second in Int64(1)...20 {
            let at = Instant.zero + .seconds(second * 40) + .milliseconds(second)
            // A packet before it, of another millisecond, which must not move the dice.
            if second.isMultiple(of: 3) { _ = road.arrivals(of: Ends.udp(), at: at - .seconds(5), within: .seconds(1)) }
            let arrived = road.arrivals(of: Ends.udp(), at: at)
            let flowed = try #require(road.watch.packets.last?.at)
            var link = Link(rules, dwells: dwells)
            let transit = link.offer(bytes: 100, at: flowed, over: rules, packets: dice, dwells: dwells)
            #expect(arrived.map(\.0) == (transit.intact > 0 ? [transit.at] : []), "second \(second)")
            different.insert((transit.at - flowed).nanoseconds)
        }
        #expect(different.count > 10, "every packet had the same delay: nothing was drawn")
    }

    @Test func aPromotionHoldsTheFirstPacketAndNotTheSecond() throws {
        // Broken: packets do not wait for the radio, or overtake one that does.
        var road = Road(try compiled(Self.phone), seed: 1, phone: PhoneID(0))
        road.begin(.cellular)
        road.advance(to: .zero + .seconds(5))
        road.send(Ends.udp())
        road.advance(to: .zero + .milliseconds(5_010))
        road.send(Ends.udp(port: 40_001))
        road.advance(to: .zero + .seconds(8))
        let waits = road.watch.packets.map(\.waited)
        #expect(waits.count == 2 && waits[0] > .milliseconds(100))
        #expect(waits[0] - waits[1] == .milliseconds(10))
        let ports = road.takeArrived().map(\.packet.sourcePort)
        #expect(ports == [40_000, 40_001])
        #expect(road.watch.records.contains { $0.kind == .promotion })
    }

    @Test func whatIsCutOffVanishesWithoutAWord() throws {
        // Broken: a dead zone, an uplink that is gone or one direction that does not pass is answered, or holds packets back.
        typealias Cut = (name: String, (inout Road) -> Bool, (inout Road) -> Bool)
        let cuts: [Cut] = [
            ("coverage", { $0.cover(.wifi, false) }, { $0.cover(.wifi, true) }),
            ("uplink", { $0.connectUplink(false, on: .wifi) }, { $0.connectUplink(true, on: .wifi) }),
            ("one way", { $0.pass(.up, false, on: .wifi) }, { $0.pass(.up, true, on: .wifi) }),
        ]
        for (name, cut, mend) in cuts {
            var road = try Road.onWiFi(Self.phone)
            road.expect(1, of: Ends.udp(), at: .zero + .seconds(1), "\(name)")
            let (isCut, isCutTwice) = (cut(&road), cut(&road))
            #expect(isCut && !isCutTwice, "\(name)")
            road.expect(0, of: Ends.udp(), at: .zero + .seconds(30), "\(name)")
            let isMended = mend(&road)
            #expect(isMended, "\(name)")
            road.expect(1, of: Ends.udp(), at: .zero + .seconds(60), "\(name)")
        }
    }

    @Test func anOldAddressIsNobodys() throws {
        // Broken: packets of an address that is gone still leave, or reach the phone.
        var road = try Road.onWiFi(Self.phone)
        let isNew = road.readdress(.wifi, HostAddress(Ends.phone.ipv4 + 1))
        #expect(isNew)
        road.expect(0, of: Ends.udp(), at: .zero + .seconds(1))
        road.answer(Ends.segment(.down, [.ack]))
        road.advance(to: .zero + .seconds(40))
        #expect(road.takeArrived().isEmpty)
        let (isGone, isGoneTwice) = (road.drop(.wifi), road.drop(.wifi))
        #expect(isGone && !isGoneTwice)
    }

    @Test(arguments: [("drop", 0), ("reset", 1)])
    func aBoxForgetsWhatIsSilent(_ manner: String, _ answers: Int) throws {
        // Broken: the NAT's timer does not run on real packets, or its manner is another one.
        let box = "middleboxes: {wifi: [{tcp: 30s, manner: \(manner)}]}"
        var road = try Road.onWiFi(Self.phone + "\n" + box)
        road.expect(1, of: Ends.segment(.up, [.syn]), at: .zero + .seconds(1))
        road.expect(1, of: Ends.segment(.up, [.ack], sequence: 2), at: .zero + .seconds(25))
        let late = road.arrivals(of: Ends.segment(.up, [.ack], sequence: 2), at: .zero + .seconds(100))
        #expect(late.count == answers)
        for (_, side) in late { if case .server = side { Issue.record("the box let it through") } }
    }

    @Test(arguments: [Direction.up, .down])
    func nobodyAnswersAReset(_ direction: Direction) throws {
        // Broken: two boxes, or a box and a kernel, answer each other's resets for ever.
        for (flags, answers) in [([.ack], 1), ([.rst], 0), ([.rst, .ack], 0)] as [(Datagram.Flags, Int)] {
            var road = try Road.onWiFi(Self.phone + "\nmiddleboxes: {wifi: [{tcp: 30s, manner: reset}]}")
            road.expect(1, of: Ends.segment(.up, [.syn]), at: .zero + .seconds(1))
            let late = Ends.segment(direction, flags, sequence: 2)
            road.advance(to: .zero + .seconds(100))
            if direction == .up { road.send(late) } else { road.answer(late) }
            road.advance(to: .zero + .seconds(130))
            let arrived = road.takeArrived()
            #expect(arrived.count == answers && arrived.allSatisfy { $0.packet.flags.contains(.rst) }, "\(flags)")
        }
    }

    @Test func aBoxForgetsEachByItself() throws {
        // Broken: once a mapping has run out, the others last until a packet comes by.
        var road = try Road.onWiFi(Self.phone + "\nmiddleboxes: {wifi: [{udp: 30s, manner: drop}]}")
        var due: [Int64] = []
        for (port, second) in [(UInt16(1), Int64(1)), (2, 8), (3, 12)] {
            road.advance(to: .zero + .seconds(second))
            road.send(Ends.udp(port: port))
            due.append(second + 30)
        }
        road.advance(to: .zero + .seconds(55))
        let forgotten = road.watch.records.filter { $0.kind == .mappingExpired }
        // A packet is at the box some milliseconds after it has left.
        #expect(forgotten.map { $0.at.nanoseconds / 1_000_000_000 } == due)
    }

    @Test func radioTimeIsTheTimeThatPassed() throws {
        // Broken: a period of a radio is lost or counted twice.
        var road = try Road.onWiFi(Self.phone)
        road.begin(.cellular, HostAddress(Ends.phone.ipv4 + 1))
        var isCovered = true
        for second in Int64(1)...40 {
            road.advance(to: .zero + .milliseconds(second * 700))
            road.send(Ends.udp(bytes: 1_400))
            if second == 10 { isCovered = !road.cover(.wifi, false) }
            if second == 20 { isCovered = road.cover(.wifi, true) && road.changeCell() }
        }
        #expect(isCovered)
        road.finish(at: .zero + .seconds(50))
        for interface in Interface.allCases {
            let spent = road.watch.records.filter { $0.kind == .residency }.filter {
                RadioTag(bits: $0.tag)?.interface == interface
            }
            #expect(spent.reduce(0) { $0 + $1.value } == 50_000_000_000, "\(interface)")
            #expect(interface == .cellular || spent.count > 20)
        }
    }

    @Test func aPushIsNoAppsPacket() throws {
        // Broken: a push is written to a device, costs nothing, stops before what the app may not have, or is not missed when lost.
        var road = try Road.onWiFi(Self.phone)
        road.isClosed = true
        let isRefused = road.admit(.refused, to: .wifi)
        #expect(isRefused)
        road.advance(to: .zero + .seconds(1))
        let isSent = road.launchPush()
        #expect(isSent)
        road.advance(to: .zero + .seconds(5))
        #expect(road.takePush() == .here && road.takePush() == .none && road.takeArrived().isEmpty)
        #expect(road.watch.packets.map(\.cause) == [.push] && road.watch.packets[0].length == 374)
        let isSentAgain = road.launchPush()
        let isDark = road.cover(.wifi, false)
        road.advance(to: .zero + .seconds(9))
        #expect(isSentAgain && isDark && road.takePush() == .lost)
        _ = road.drop(.wifi)
        let isSentIntoNothing = road.launchPush()
        #expect(!isSentIntoNothing)
    }

    @Test func aGateOpensOnceSomebodyHasKnocked() throws {
        // Broken: what needs a connection needs none, opens by itself, or never opens.
        var road = try Road.onWiFi(Self.phone)
        let isGated = road.admit(.needsConnection(.seconds(3)), to: .wifi)
        #expect(isGated)
        road.expect(0, of: Ends.udp(), at: .zero + .seconds(10))
        road.expect(1, of: Ends.udp(), at: .zero + .seconds(40))
        let (isRefused, isRefusedTwice) = (road.admit(.refused, to: .wifi), road.admit(.refused, to: .wifi))
        #expect(isRefused && !isRefusedTwice)
        road.expect(0, of: Ends.udp(), at: .zero + .seconds(70))
        let isOpen = road.admit(.open, to: .wifi)
        #expect(isOpen)
        road.expect(1, of: Ends.udp(), at: .zero + .seconds(100))
    }

    @Test func whatWaitsHasABound() throws {
        // Broken: a program that pours packets into a slow radio takes all memory.
        var road = Road(try compiled(Self.phone), seed: 1, phone: PhoneID(0))
        road.begin(.cellular)
        road.advance(to: .zero + .seconds(5))
        for _ in 0..<Road.mostWaiting + 10 { road.send(Ends.udp()) }
        #expect(road.watch.flows.first?.up.lost == 10)
    }
}
