import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@testable import DeadzoneLive

/// Real packets meet the same conditions as simulated ones.
struct LivePathTests {
    private static let phone = """
        phone: {radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}}
        timeline: [{at: 0s, wifi: home}]
        """

    @Test func delayAndLossDependOnTheMillisecond() throws {
        // Broken: delays depend on the number of earlier packets, or come from other dice than the engine's links.
        var road = try LivePath.onWiFi(Self.phone + "\nlinks: {wifi: {delay: {uniform: [5ms, 60ms]}, loss: 10%}}")
        let rules = try #require(road.world.conditions(of: .wifi).first).up
        let purposes = Interface.wifi.linkPurposes
        let dice = Dice(seed: 1, phone: PhoneID(0), purpose: purposes.up)
        let dwells = Dice(seed: 1, phone: PhoneID(0), purpose: purposes.lossUp)
        var different: Set<Int64> = []
        for second in Int64(1)...20 {
            let at = Instant.zero + .seconds(second * 40) + .milliseconds(second)
            // An earlier packet, in another millisecond, must not change the dice.
            if second.isMultiple(of: 3) {
                _ = road.arrivals(of: TestEndpoints.udp(), at: at - .seconds(5), within: .seconds(1))
            }
            let arrived = road.arrivals(of: TestEndpoints.udp(), at: at)
            let flowed = try #require(road.observer.packets.last?.at)
            var link = Link(rules, dwells: dwells)
            let transit = link.transmit(bytes: 100, at: flowed, over: rules, packets: dice, dwells: dwells)
            #expect(arrived.map(\.0) == (transit.intact > 0 ? [transit.at] : []), "second \(second)")
            different.insert((transit.at - flowed).nanoseconds)
        }
        #expect(different.count > 10, "every packet had the same delay: no delay was drawn")
    }

    @Test func aPromotionHoldsTheFirstPacketAndNotTheSecond() throws {
        // Broken: packets do not wait for the radio, or overtake a waiting packet.
        var road = LivePath(try compiled(Self.phone), seed: 1, phone: PhoneID(0))
        road.begin(.cellular)
        road.advance(to: .zero + .seconds(5))
        road.send(TestEndpoints.udp())
        road.advance(to: .zero + .milliseconds(5_010))
        road.send(TestEndpoints.udp(port: 40_001))
        road.advance(to: .zero + .seconds(8))
        let waits = road.observer.packets.map(\.waited)
        #expect(waits.count == 2 && waits[0] > .milliseconds(100))
        #expect(waits[0] - waits[1] == .milliseconds(10))
        let ports = road.takeArrived().map(\.packet.sourcePort)
        #expect(ports == [40_000, 40_001])
        #expect(road.observer.records.contains { $0.kind == .promotion })
    }

    @Test func packetsOnABrokenPathVanish() throws {
        // Broken: in a dead zone, without an uplink or on a one-way path, packets are answered or held back.
        typealias Cut = (name: String, (inout LivePath) -> Bool, (inout LivePath) -> Bool)
        let cuts: [Cut] = [
            ("coverage", { $0.changeCoverage(.wifi, false) }, { $0.changeCoverage(.wifi, true) }),
            ("uplink", { $0.setUplink(false, on: .wifi) }, { $0.setUplink(true, on: .wifi) }),
            ("one way", { $0.setPassing(.up, false, on: .wifi) }, { $0.setPassing(.up, true, on: .wifi) }),
        ]
        for (name, cut, mend) in cuts {
            var road = try LivePath.onWiFi(Self.phone)
            road.expect(1, of: TestEndpoints.udp(), at: .zero + .seconds(1), "\(name)")
            let (isCut, isCutTwice) = (cut(&road), cut(&road))
            #expect(isCut && !isCutTwice, "\(name)")
            road.expect(0, of: TestEndpoints.udp(), at: .zero + .seconds(30), "\(name)")
            let isMended = mend(&road)
            #expect(isMended, "\(name)")
            road.expect(1, of: TestEndpoints.udp(), at: .zero + .seconds(60), "\(name)")
        }
    }

    @Test func aConnectionIsBlockedWhileItsPathIsBroken() throws {
        // Broken: the time in a dead zone, or with a frozen server, counts as time in which the connection works.
        typealias Cut = (name: String, (inout LivePath, Bool) -> Void)
        let cuts: [Cut] = [
            ("coverage", { _ = $0.changeCoverage(.wifi, !$1) }), ("uplink", { _ = $0.setUplink(!$1, on: .wifi) }),
            ("down", { _ = $0.setPassing(.down, !$1, on: .wifi) }), ("server", { $0.setServer(isFrozen: $1) }),
            ("access", { _ = $0.setAccess($1 ? .refused : .open, to: .wifi) }),
            ("other network", { _ = $0.changeCoverage(.cellular, !$1) }),
        ]
        for (name, set) in cuts {
            var road = try LivePath.onWiFi(Self.phone)
            road.send(TestEndpoints.segment(.up, [.syn], sequence: 0))
            road.advance(to: .zero + .seconds(1))
            road.sendFromServer(TestEndpoints.segment(.down, [.syn, .ack], sequence: 0))
            road.advance(to: .zero + .seconds(10))
            let opened = try #require(road.observer.flows.first?.openedAt)
            set(&road, true)
            road.advance(to: .zero + .seconds(40))
            set(&road, false)
            road.finish(at: .zero + .seconds(60))
            let spans = { (kind: RecordKind) in
                road.observer.records.filter { $0.kind == kind }.map { TimeSpan(nanoseconds: $0.value) }
            }
            let before = .zero + .seconds(10) - opened
            let isCut = name != "other network"
            #expect(spans(.blocked) == (isCut ? [.seconds(30)] : []), "\(name)")
            #expect(
                spans(.available) == (isCut ? [before, .seconds(20)] : [before + .seconds(50)]), "\(name)")
        }
    }

    @Test func packetsOfAnOldAddressAreDropped() throws {
        // Broken: packets of an old address still leave, or reach the phone.
        var road = try LivePath.onWiFi(Self.phone)
        let isNew = road.readdress(.wifi, HostAddress(TestEndpoints.phone.ipv4 + 1))
        #expect(isNew)
        road.expect(0, of: TestEndpoints.udp(), at: .zero + .seconds(1))
        road.sendFromServer(TestEndpoints.segment(.down, [.ack]))
        road.advance(to: .zero + .seconds(40))
        #expect(road.takeArrived().isEmpty)
        let (isGone, isGoneTwice) = (road.takeDown(.wifi), road.takeDown(.wifi))
        #expect(isGone && !isGoneTwice)
    }

    @Test(arguments: [("drop", 0), ("reset", 1)])
    func aMiddleboxDropsSilentMappings(_ manner: String, _ answers: Int) throws {
        // Broken: the NAT's timer ignores real packets, or the expiry action is not the configured one.
        let box = "middleboxes: {wifi: [{tcp: 30s, manner: \(manner)}]}"
        var road = try LivePath.onWiFi(Self.phone + "\n" + box)
        road.expect(1, of: TestEndpoints.segment(.up, [.syn]), at: .zero + .seconds(1))
        road.expect(1, of: TestEndpoints.segment(.up, [.ack], sequence: 2), at: .zero + .seconds(25))
        let late = road.arrivals(of: TestEndpoints.segment(.up, [.ack], sequence: 2), at: .zero + .seconds(100))
        #expect(late.count == answers)
        for (_, side) in late { if case .server = side { Issue.record("the box let it through") } }
    }

    @Test(arguments: [Direction.up, .down])
    func resetsAreNeverAnswered(_ direction: Direction) throws {
        // Broken: two middleboxes, or a middlebox and a kernel, answer each other's resets for ever.
        for (flags, answers) in [([.ack], 1), ([.rst], 0), ([.rst, .ack], 0)] as [(Datagram.SegmentFlags, Int)] {
            var road = try LivePath.onWiFi(Self.phone + "\nmiddleboxes: {wifi: [{tcp: 30s, manner: reset}]}")
            road.expect(1, of: TestEndpoints.segment(.up, [.syn]), at: .zero + .seconds(1))
            let late = TestEndpoints.segment(direction, flags, sequence: 2)
            road.advance(to: .zero + .seconds(100))
            if direction == .up { road.send(late) } else { road.sendFromServer(late) }
            road.advance(to: .zero + .seconds(130))
            let arrived = road.takeArrived()
            #expect(arrived.count == answers && arrived.allSatisfy { $0.packet.flags.contains(.rst) }, "\(flags)")
        }
    }

    @Test func mappingsExpireIndividually() throws {
        // Broken: once a mapping has expired, the others last until the next packet.
        var road = try LivePath.onWiFi(Self.phone + "\nmiddleboxes: {wifi: [{udp: 30s, manner: drop}]}")
        var due: [Int64] = []
        for (port, second) in [(UInt16(1), Int64(1)), (2, 8), (3, 12)] {
            road.advance(to: .zero + .seconds(second))
            road.send(TestEndpoints.udp(port: port))
            due.append(second + 30)
        }
        road.advance(to: .zero + .seconds(55))
        let forgotten = road.observer.records.filter { $0.kind == .mappingExpired }
        // A packet reaches the middlebox some milliseconds after it was sent.
        #expect(forgotten.map { $0.at.nanoseconds / 1_000_000_000 } == due)
    }

    @Test func aBlockedProtocolNeverArrives() throws {
        // Broken: real packets of UDP pass a box that blocks UDP, its own packets of TCP do not, or each packet has a record.
        var road = try LivePath.onWiFi(Self.phone + "\nmiddleboxes: {wifi: [{udp: blocked}]}")
        for (second, port) in [(1, 1), (2, 1), (3, 2)] as [(Int64, UInt16)] {
            road.expect(0, of: TestEndpoints.udp(port: port), at: .zero + .seconds(second))
        }
        road.expect(1, of: TestEndpoints.segment(.up, [.syn]), at: .zero + .seconds(4))
        #expect(road.observer.records.count { $0.kind == .protocolBlocked } == 2)
    }

    @Test func radioTimeEqualsElapsedTime() throws {
        // Broken: a radio period is lost or counted twice.
        var road = try LivePath.onWiFi(Self.phone)
        road.begin(.cellular, HostAddress(TestEndpoints.phone.ipv4 + 1))
        var isCovered = true
        for second in Int64(1)...40 {
            road.advance(to: .zero + .milliseconds(second * 700))
            road.send(TestEndpoints.udp(bytes: 1_400))
            if second == 10 { isCovered = !road.changeCoverage(.wifi, false) }
            if second == 20 { isCovered = road.changeCoverage(.wifi, true) && road.changeCell() }
        }
        #expect(isCovered)
        road.finish(at: .zero + .seconds(50))
        for interface in Interface.common {
            let spent = road.observer.records.filter { $0.kind == .residency }.filter {
                RadioTag(bits: $0.tag)?.interface == interface
            }
            #expect(spent.reduce(0) { $0 + $1.value } == 50_000_000_000, "\(interface)")
            #expect(interface == .cellular || spent.count > 20)
        }
    }

    @Test func aPushIsNotAnAppPacket() throws {
        // Broken: a push is written to the device, costs no energy, or is blocked by the app's network access. Or its
        // loss is not reported.
        var road = try LivePath.onWiFi(Self.phone)
        road.isClosed = true
        let isRefused = road.setAccess(.refused, to: .wifi)
        #expect(isRefused)
        road.advance(to: .zero + .seconds(1))
        let isSent = road.sendPush()
        #expect(isSent)
        road.advance(to: .zero + .seconds(5))
        #expect(road.takePushStatus() == .here && road.takePushStatus() == .none && road.takeArrived().isEmpty)
        #expect(road.observer.packets.map(\.cause) == [.push] && road.observer.packets[0].length == 374)
        let isSentAgain = road.sendPush()
        let isDark = road.changeCoverage(.wifi, false)
        road.advance(to: .zero + .seconds(9))
        #expect(isSentAgain && isDark && road.takePushStatus() == .lost)
        _ = road.takeDown(.wifi)
        let isSentIntoNothing = road.sendPush()
        #expect(!isSentIntoNothing)
    }

    @Test func aGateOpensAfterAConnectionAttempt() throws {
        // Broken: a network that needs a connection attempt opens without one, or never opens.
        var road = try LivePath.onWiFi(Self.phone)
        let isGated = road.setAccess(.needsConnection(.seconds(3)), to: .wifi)
        #expect(isGated)
        road.expect(0, of: TestEndpoints.udp(), at: .zero + .seconds(10))
        road.expect(1, of: TestEndpoints.udp(), at: .zero + .seconds(40))
        let (isRefused, isRefusedTwice) = (road.setAccess(.refused, to: .wifi), road.setAccess(.refused, to: .wifi))
        #expect(isRefused && !isRefusedTwice)
        road.expect(0, of: TestEndpoints.udp(), at: .zero + .seconds(70))
        let isOpen = road.setAccess(.open, to: .wifi)
        #expect(isOpen)
        road.expect(1, of: TestEndpoints.udp(), at: .zero + .seconds(100))
    }

    /// Broken: a live run says that a cell change took effect on a radio that has none, and a simulated run says that it
    /// did not.
    @Test(arguments: [("umts-att-i997", false), ("lte-verizon-2021", true)])
    func onlySomeRadiosChangeCells(_ radio: String, _ changes: Bool) throws {
        let world = "phone: {radios: {cellular: \(radio)}}"
        var road = LivePath(try compiled(world), seed: 1, phone: PhoneID(0))
        road.begin(.cellular)
        road.advance(to: .zero + .seconds(5))
        let isChanged = road.changeCell()
        #expect(isChanged == changes)
        let simulated = try compiled(
            world + "\ntimeline: [{at: 5s, cell-handover: true}]\ntraffic: {up: {every: 4s, size: 200B}}")
        #expect(simulated.cellular?.handover.isNone == !changes)
    }

    @Test func trafficInADeadZoneSetsUpNoAccess() throws {
        // Broken: a network that needs a connection first is set up by packets that no radio can send, so that the first
        // packet after a dead zone does not wait, as it does in a simulated run.
        var road = LivePath(try compiled(Self.phone), seed: 1, phone: PhoneID(0))
        road.begin(.cellular)
        road.expect(1, of: TestEndpoints.udp(), at: .zero + .seconds(1))
        let isDark = road.changeCoverage(.cellular, false)
        let isClosed = road.setAccess(.needsConnection(.seconds(3)), to: .cellular)
        #expect(isDark && isClosed)
        road.expect(0, of: TestEndpoints.udp(), at: .zero + .seconds(30), "in the dead zone")
        let isBack = road.changeCoverage(.cellular, true)
        #expect(isBack)
        road.expect(0, of: TestEndpoints.udp(), at: .zero + .seconds(60), "this packet requests the connection")
        road.expect(1, of: TestEndpoints.udp(), at: .zero + .seconds(90), "the connection is set up")
    }

    @Test func theQueueIsBounded() throws {
        // Broken: a program that floods a slow radio with packets uses all memory.
        var road = LivePath(try compiled(Self.phone), seed: 1, phone: PhoneID(0))
        road.begin(.cellular)
        road.advance(to: .zero + .seconds(5))
        for _ in 0..<LivePath.maxQueued + 10 { road.send(TestEndpoints.udp()) }
        #expect(road.observer.flows.first?.up.lost == 10)
    }
}
