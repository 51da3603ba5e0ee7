import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

@testable import DeadzoneReplay

/// The report of a capture: rows, limits, advice, and the notes that say how to read it.
struct ReportTests {
    private static let origin = Timestamp(seconds: 1_600_000_000)

    private static let far: [UInt8] = [198, 18, 0, 5]

    /// Two flows, the first of an app with a name; the name of its remote is in a DNS answer.
    private static func reader() throws -> CaptureReader {
        var file = PcapngWriter()
        file.addInterface(linkType: 101, options: [.init(2, "wlan0")])
        file.addInterface(linkType: 101)
        file.addBlock(0x8000_0001, [1, 0, 0, 0], options: [.init(2, "Mail")])
        file.addBlock(4, [], options: [.init(1, PacketBytes.server + Array("mail.example".utf8))])
        file.add(
            PacketBytes.ipv4(PacketBytes.tcp(50_000, 443)), at: 1_600_000_000_000_000,
            options: [.init(32_769, [0, 0, 0, 0])])
        file.add(PacketBytes.ipv4(PacketBytes.udp(50_001, 9_000), to: far), at: 1_600_000_001_000_000)
        return try readCapture(file.bytes)
    }

    private static let names = ["tcp 10.0.0.2:50000 > 192.0.2.1:443", "udp 10.0.0.2:50001 > 198.18.0.5:9000"]

    private static func burst(
        _ seconds: Int64, _ cause: BurstCause = .server, flow: UInt32 = 0, payload: Int = 5_000, joules: Double
    ) -> TrafficBurst {
        TrafficBurst(
            begin: origin + .seconds(seconds), seconds: 0.5, packets: 7, bytes: 900, payload: payload,
            flow: FlowID(flow), cause: cause, joules: joules)
    }

    private static func report(_ bursts: [TrafficBurst], _ change: (inout CaptureHabits) -> Void = { _ in }) throws
        -> ReplayReport.Habits
    {
        var habits = CaptureHabits()
        habits.bursts = bursts
        change(&habits)
        return HabitReportBuilder(
            try reader(), habits, [], InterfaceChangeDetector(), AddressChangeDetector()
        ).report
    }

    /// Broken: a row of a burst mixes up its fields, or names the flow of another burst.
    @Test func rowsAreThoseOfTheBursts() throws {
        let report = try Self.report([
            Self.burst(3, .client, flow: 1, joules: 2), Self.burst(9, .retransmission, joules: 1),
            Self.burst(20, .large, flow: 7, joules: 4),
        ])
        #expect(report.bursts.map(\.at) == [3, 9, 20].map { Self.origin + .seconds($0) })
        #expect(report.bursts.map(\.cause) == ["client", "retransmission", "large"])
        #expect(report.bursts.map(\.flow) == [Self.names[1], Self.names[0], nil])
        #expect(report.bursts.map(\.remoteName) == [nil, "mail.example", nil])
        #expect(report.bursts.map(\.joules) == [2, 1, 4] && report.bursts.allSatisfy { $0.seconds == 0.5 })
        #expect(report.bursts.allSatisfy { $0.packets == 7 && $0.bytes == 900 } && report.unlistedBursts == 0)
    }

    /// Broken: another burst than the cheapest is left out, or the number of bursts left out is wrong.
    @Test(arguments: [999, 1_000, 1_001, 1_007])
    func theDearestBurstsAreListed(_ count: Int) throws {
        // Equal costs: the earlier burst has precedence.
        let bursts = (0..<count).map { Self.burst(Int64($0), joules: Double($0 * 37 % 101)) }
        let report = try Self.report(bursts) { $0.unkeptBursts = 5 }
        var rest = bursts
        while rest.count > 1_000 {
            let least = rest.map(\.joules).min() ?? 0
            rest.remove(at: rest.lastIndex { $0.joules == least } ?? 0)
        }
        #expect(report.bursts.map(\.at) == rest.map(\.begin))
        #expect(report.unlistedBursts == 5 + max(0, count - 1_000))
    }

    /// Broken: a habit costs other bursts than its own, saves too much, or lists bursts in another order.
    @Test func adviceIsAboutItsBursts() throws {
        var bursts: [TrafficBurst] = []
        for index in 0..<25 as Range<Int64> {
            bursts.append(Self.burst(index * 100, .control, joules: Double(index + 1)))
        }
        bursts.append(Self.burst(5_000, .keepalive, joules: 400))
        bursts.append(Self.burst(5_100, .keepalive, flow: 1, joules: 50))
        bursts.append(Self.burst(5_200, .retransmission, joules: 90))
        let before = bursts.count
        // Little data of the client within a minute: yes; a minute later, much data, or of the server: no.
        bursts += [
            Self.burst(6_000, .client, payload: 10, joules: 1_000),
            Self.burst(6_059, .client, payload: 1_023, joules: 7),
            Self.burst(6_119, .client, payload: 10, joules: 2_000),
            Self.burst(6_120, .client, payload: 1_024, joules: 3_000),
            Self.burst(6_121, .server, payload: 10, joules: 4_000),
            Self.burst(6_122, .client, flow: 1, payload: 0, joules: 9),
        ]
        let report = try Self.report(bursts)
        #expect(before == 28 && report.advice.count == 4)
        #expect(
            report.advice.map { Self.words($0.habit) } == [
                "keepalives 2", "control 25", "retransmissions 1", "isolated 2",
            ])
        #expect(report.advice.map(\.joules) == [450, 325, 90, 16] && report.advice.map(\.saves) == [450, 325, 90, 16])
        #expect(
            report.advice.map(\.unlisted) == [0, 5, 0, 0] && report.advice.map(\.occasions.count) == [2, 20, 1, 2])
        let control = report.advice[1].occasions
        #expect(control.map(\.at) == (5..<25).map { Self.origin + .seconds($0 * 100) })
        #expect(report.advice[3].occasions.map(\.at) == [6_059, 6_122].map { Self.origin + .seconds($0) })
        #expect(try Self.report([]).advice.isEmpty)
    }

    private static func words(_ habit: ReplayReport.Advice.Habit) -> String {
        switch habit {
        case .periodic(let flow, let remoteName, let interval, let count):
            "periodic \(flow) \(remoteName ?? "-") \(interval) \(count)"
        case .control(let count): "control \(count)"
        case .keepalives(let count): "keepalives \(count)"
        case .retransmissions(let count): "retransmissions \(count)"
        case .isolated(let count): "isolated \(count)"
        }
    }

    /// Broken: a periodic flow is listed with numbers of another one, or a longer interval saves more than nothing.
    @Test func periodicFlowsAreListed() throws {
        let periods = [(0, 30, 60), (1, 900, 50), (0, 901, 40), (9, 60, 70)] as [(UInt32, Double, Double)]
        let bursts = [Self.burst(1, flow: 1, joules: 3), Self.burst(2, joules: 4)]
        let report = try Self.report(bursts) { habits in
            habits.periodic = periods.map {
                PeriodicFlow(flow: FlowID($0.0), interval: $0.1, jitter: 0.25, count: 12, joules: $0.2)
            }
        }
        #expect(report.periodic.map(\.flow) == [Self.names[0], Self.names[1], Self.names[0]])
        #expect(report.periodic.map(\.remoteName) == ["mail.example", nil, "mail.example"])
        #expect(report.periodic.map(\.interval) == [30, 900, 901] && report.periodic.map(\.joules) == [60, 50, 40])
        #expect(report.periodic.allSatisfy { $0.jitter == 0.25 && $0.count == 12 })
        let expected = [
            "periodic \(Self.names[0]) mail.example 30.0 12", "periodic \(Self.names[1]) - 900.0 12",
            "periodic \(Self.names[0]) mail.example 901.0 12",
        ]
        #expect(report.advice.map { Self.words($0.habit) } == expected)
        #expect(report.advice.map(\.joules) == [60, 50, 40] && report.advice.map(\.saves) == [58, 0, 0])
        #expect(report.advice.map { $0.occasions.map(\.joules) } == [[4], [3], [4]])
        // At most ten pieces of advice.
        let many = try Self.report([]) { habits in
            habits.periodic = (0..<14).map {
                PeriodicFlow(flow: FlowID(0), interval: 9, jitter: 0, count: 1, joules: Double($0))
            }
        }
        #expect(many.periodic.count == 14 && many.advice.map(\.joules) == (0..<10).reversed().map { Double($0) })
    }

    /// Broken: a move, an address or an upheaval is missing, out of order, or has other ends.
    @Test func transitionsAreInOrder() throws {
        func packet(_ interface: UInt32, _ seconds: Int64) -> CapturedPacket {
            var packet = CapturedPacket(stamp: Self.origin + .seconds(seconds), wireLength: 60, capturedLength: 60)
            packet.interface = interface
            return packet
        }
        var moves = InterfaceChangeDetector()
        let packets = [packet(0, 0), packet(1, 5), packet(7, 20)]
        moves.add(packets.span)
        var file = PcapWriter(linkType: 101)
        let addresses: [[UInt8]] = [[10, 0, 0, 2], [10, 0, 0, 3], [10, 0, 0, 2], [10, 0, 0, 4]]
        for (index, address) in addresses.enumerated() {
            file.add(
                PacketBytes.ipv4(PacketBytes.udp(50_000 + UInt16(index), 443), from: address),
                at: 1_600_000_000_000_000_000 + UInt64(index) * 4_000_000_000)
        }
        file.add(PacketBytes.ipv6(PacketBytes.udp(50_009, 443)), at: 1_600_000_030_000_000_000)
        file.add(
            PacketBytes.ipv4(PacketBytes.udp(50_010, 443), from: [10, 0, 0, 9], to: [224, 0, 0, 1]),
            at: 1_600_000_031_000_000_000)
        // The phone has no part in this flow.
        file.add(
            PacketBytes.ipv4(PacketBytes.udp(50_011, 443), from: [10, 0, 0, 8], to: Self.far),
            at: 1_600_000_032_000_000_000)
        let phones = addresses.map { $0.map(String.init).joined(separator: ".") }.compactMap { IPAddress($0) }
        let device = phones + [.ipv4(0x0a00_0009), .ipv6(PacketBytes.phone6.reduce(0) { $0 << 8 | UInt128($1) })]
        let reader = try readCapture(file.bytes, device: device)
        var changes = AddressChangeDetector()
        changes.scanNewFlows(reader)
        changes.scanNewFlows(reader)
        // The first address is known when it is used again, and is then the latest one.
        #expect(changes.changes.map { "\($0.from.text) \($0.to.text)" } == ["10.0.0.2 10.0.0.3", "10.0.0.2 10.0.0.4"])
        var habits = CaptureHabits()
        habits.reconnects = [ReconnectAfterSilence(silentFrom: Self.origin, at: Self.origin + .seconds(8))]
        let report = HabitReportBuilder(try Self.reader(), habits, [], moves, changes).report
        #expect(report.transitions.map(\.kind) == ["address", "interface", "upheaval", "address", "interface"])
        #expect(report.transitions.map { ($0.at - Self.origin).nanoseconds / 1_000_000_000 } == [4, 5, 8, 12, 20])
        #expect(report.transitions.map { $0.from ?? "-" } == ["10.0.0.2", "wlan0", "-", "10.0.0.2", "interface 1"])
        #expect(report.transitions.map { $0.to ?? "-" } == ["10.0.0.3", "interface 1", "-", "10.0.0.4", "interface 7"])
    }

    /// Broken: the basis of the directions has another sentence or another identifier.
    @Test func directionsSayTheirBasis() {
        func basis(_ change: (inout DirectionReport) -> Void) -> [String] {
            var report = DirectionReport(sampled: 9, explained: 8)
            change(&report)
            let basis = ReplayReport.DirectionBasis(report, packets: 20)
            return [basis.by, basis.reason] + basis.device
        }
        let phone = IPAddress.ipv4(0x0a00_0002)
        let many = (1...5).map { IPAddress.ipv4($0) }
        let guess = "inferred: 10.0.0.2 is the phone, the endpoint of 8 of the first 9 IP packets"
        let unknown = "the phone's address is unknown; name it with --device"
        #expect(basis { _ in } == ["unknown", unknown])
        #expect(basis { $0.device = [phone] } == ["inferred", guess, "10.0.0.2"])
        #expect(
            basis { ($0.device, $0.hasStation) = ([phone], true) } == [
                "inferred", guess + "; all packets from its network card are uplink", "10.0.0.2",
            ])
        #expect(
            basis { $0.device = Array(many.prefix(2)) }[1]
                == "inferred: 0.0.0.1, 0.0.0.2 are addresses of the phone, the endpoints of 8 of the first 9 IP packets"
        )
        #expect(
            basis { ($0.device, $0.isDeviceStated) = ([phone], true) } == [
                "device", "packets from 10.0.0.2 are uplink, as given by --device", "10.0.0.2",
            ])
        for stated in [20, 21] as [UInt64] {
            #expect(
                basis { $0.packetsWithStatedDirection = stated } == ["file", "recorded in the file for all packets"])
        }
        #expect(
            basis { ($0.device, $0.packetsWithStatedDirection) = ([phone], 19) } == [
                "file", "recorded in the file for 19 packets; for the others: " + guess, "10.0.0.2",
            ])
        #expect(
            basis { $0.packetsWithStatedDirection = 1 } == [
                "file", "recorded in the file for 1 packets; for the others: " + unknown,
            ])
        for count in [4, 5] {
            let reason = basis { ($0.device, $0.isDeviceStated) = (Array(many.prefix(count)), true) }[1]
            let listed = "0.0.0.1, 0.0.0.2, 0.0.0.3, 0.0.0.4" + (count == 5 ? ", …" : "")
            #expect(reason == "packets from \(listed) are uplink, as given by --device")
        }
    }

    /// Broken: a result says nothing about a missing tail or late packets, or a sum of a report leaves a part out.
    @Test func sumsAndShortNotes() throws {
        let (reader, nothing) = (try Self.reader(), try readCapture(PcapWriter(linkType: 101).bytes))
        let tail = ["the energy ends with the last packet; --until tail adds the tail after it"]
        #expect(
            ReplayReport.notes(ReplayWindow(), reader) == tail && ReplayReport.notes(ReplayWindow(), nothing).isEmpty)
        #expect(ReplayReport.notes(ReplayWindow(until: .tail), reader).isEmpty)
        #expect(ReplayReport.notes(ReplayWindow(until: .moment(.at(.epoch))), reader).isEmpty)
        var (bill, less) = (RadioBill(), RadioBill())
        #expect(ReplayReport.notes(nil).isEmpty && ReplayReport.notes(bill).isEmpty)
        bill.clamped = 3
        let late =
            "3 packets are more than \(RadioReplay.reorderBound) packets behind later ones; they count at the later time"
        #expect(ReplayReport.notes(bill) == [late])
        bill.add(.tail, count: 2, seconds: 3, joules: 5)
        bill.add(.idle, count: 1, seconds: 4, joules: 6)
        bill.add(.tail, count: 1, seconds: 10, joules: 20)
        bill.add(.promotion, count: 1, seconds: 1, joules: 1)
        less.add(.idle, count: 1, seconds: 9, joules: 30)
        #expect(bill.states.map(\.state) == [.idle, .promotion, .tail] && bill.joules == 32)
        let found = bill.state(.tail)
        #expect(found.count == 3 && found.seconds == 13 && found.joules == 25)
        var report = ReplayReport(file: "a.pcapng", reader)
        #expect(report.ownRadio == nil && report.file == "a.pcapng" && report.capture.format == "pcapng")
        #expect(
            report.capture.compression == nil && report.capture.counts == reader.counts && report.capture.error == nil)
        #expect(report.capture.tcpFlows == 1 && report.capture.udpFlows == 1 && report.capture.linkTypes == [101])
        #expect(report.capture.medium == "unknown" && report.capture.filteredOut == 0 && report.interfaces.count == 2)
        #expect(report.direction.by == "inferred" && report.isComplete)
        report.radio = ReplayReport.RadioCost(profile: "p", about: "a", rules: .aro, stamps: .enqueue, bill: bill)
        #expect(report.ownRadio?.bill == bill && report.ownRadio?.rules == .aro && report.ownRadio?.stamps == .enqueue)
        report.neighbours = ReplayReport.Neighbours(
            joules: 32, without: less, kinds: [.init(word: "mdns", name: "mDNS", packets: 4, bytes: 9)])
        #expect(report.ownRadio?.bill == less && report.ownRadio?.profile == "p" && report.ownRadio?.about == "a")
        #expect(report.neighbours?.added == 2 && report.neighbours?.joulesWithout == 30)
        #expect(report.neighbours?.kinds.map { "\($0.word) \($0.name) \($0.packets) \($0.bytes)" } == ["mdns mDNS 4 9"])
        let row = ReplayReport.FlowRow(
            name: "n", transport: "tcp", remote: "r", remoteName: "m", app: "x", first: .epoch, last: Self.origin,
            up: (packets: 1, bytes: 20), down: (packets: 300, bytes: 4_000), joules: 5, neighbourTraffic: "k")
        #expect(
            row.bytes == 4_020 && [row.upPackets, row.downPackets, row.upBytes, row.downBytes] == [1, 300, 20, 4_000])
        #expect(
            [row.name, row.transport, row.remote, row.remoteName, row.app, row.neighbourTraffic] == [
                "n", "tcp", "r", "m", "x", "k",
            ])
        #expect(row.first == .epoch && row.last == Self.origin && row.joules == 5)
        #expect(!report.dividesEnergy && ReplayReport(file: "a", reader).dividesEnergy)
    }
}
