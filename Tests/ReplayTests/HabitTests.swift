import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneReplay
import Testing

struct HabitTests {
    /// A packet of a flow, which is identified by its number.
    private func packet(
        _ milliseconds: Int64, _ bytes: UInt32, flow: UInt32, isUp: Bool = true, payload: UInt32? = nil,
        flags: TCPFlags = [.ack], sequence: UInt32 = 0, isTCP: Bool = false
    ) -> CapturedPacket {
        var packet = CapturedPacket(
            stamp: Timestamp(seconds: 1_700_000_000) + .milliseconds(milliseconds), wireLength: bytes, capturedLength: 0
        )
        packet.direction = isUp ? .up : .down
        packet.side = isUp ? .opener : .answerer
        packet.network = .ipv4
        packet.transport = isTCP ? .tcp : .udp
        packet.payloadLength = payload ?? bytes
        packet.flags = flags
        packet.sequence = sequence
        packet.flow = FlowID(flow)
        return packet
    }

    private func replay(_ profile: String, _ packets: [CapturedPacket]) throws -> (
        bill: RadioBill, habits: CaptureHabits
    ) {
        let (profile, sheet) = try ReplayBench.profile(profile)
        var replay = try RadioReplay(profile, sheet, window: ReplayWindow(until: .tail))
        for packet in packets { replay.add(packet) }
        let bill = replay.finish()
        return (bill, replay.habits)
    }

    /// Broken: energy is assigned to no flow, or to two.
    @Test(arguments: [
        "lte-att-2012-aro", "lte-verizon-2021", "nr-nsa-low-tmobile-2021", "nr-sa-low-tmobile-2021", "umts-att-i997",
        "umts-teliasonera", "wifi-galaxy-s2",
    ])
    func `shares, bursts and idle add up to the whole`(_ name: String) throws {
        var packets: [CapturedPacket] = []
        var now: Int64 = 0
        var seed: UInt64 = 7
        for _ in 0..<2_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            now += Int64((seed >> 33) % [20, 90, 800, 16_000][Int(seed >> 62)])
            packets.append(
                packet(
                    now, UInt32(seed >> 40) % 1_400 + 40, flow: UInt32(truncatingIfNeeded: seed >> 20) % 9,
                    isUp: seed >> 50 & 1 == 0))
        }
        let (bill, habits) = try replay(name, packets)
        let flows = (0..<9).reduce(0) { $0 + habits.joules(FlowID(UInt32($1))) } + habits.joulesOfOthers
        let bursts = habits.bursts.reduce(0) { $0 + $1.joules }
        let active = bill.joules - bill.state(.idle).joules
        #expect(isClose(flows, active, within: 1e-6 * active), "\(flows) of \(active)")
        #expect(isClose(bursts, active, within: 1e-6 * active), "\(bursts) of \(active)")
        #expect(habits.bursts.count > 10)
    }

    /// Broken: the energy after the last packet is lost, or stops the program, if too many flows came before its flow.
    @Test(arguments: [-1, 0, 1])
    func `the first flow without a cost of its own is one of the others`(_ distance: Int) throws {
        let own = UInt32(CaptureHabits.describedFlows - 1)
        let last = UInt32(CaptureHabits.describedFlows + distance)
        let (bill, habits) = try replay(
            "lte-verizon-2021", [packet(0, 60, flow: own), packet(60_000, 60, flow: last)])
        let active = bill.joules - bill.state(.idle).joules
        let sum = habits.joules(FlowID(own)) + habits.joulesOfOthers
        #expect(isClose(sum, active, within: 1e-6 * active), "\(sum) of \(active)")
        #expect((habits.joulesOfOthers > 0) == (last > own))
    }

    /// Broken: a beacon among other traffic is not found, or is reported with a wrong interval.
    @Test func `a beacon is found`() throws {
        var packets = (0..<21).map { packet(Int64($0) * 45_000 + [0, 100, -100][$0 % 3] + 500, 60, flow: 0) }
        // A flow with irregular packets.
        packets += [3, 20, 61, 140, 305, 560, 700].map { packet($0 * 1_000, 600, flow: 1) }
        packets.sort { $0.stamp < $1.stamp }
        let (_, habits) = try replay("lte-verizon-2021", packets)
        let beacon = try #require(habits.periodic.first)
        #expect(habits.periodic.count == 1 && beacon.flow == FlowID(0) && beacon.count == 20)
        #expect(isClose(beacon.interval, 45, within: 0.1) && beacon.jitter > 0.05 && beacon.jitter < 0.3)
        // Each datagram costs a promotion of 0.265 s at 1.21 W and a tail of 10.2 s at 0.178 W, unless the other flow
        // keeps the radio awake.
        #expect(beacon.joules > 15 * 2.1 && beacon.joules < 20 * 2.2)
    }

    /// Broken: the cause of a burst does not follow from its packets.
    @Test func `bursts have the right cause`() throws {
        let packets = [
            packet(0, 60, flow: 0, payload: 0, flags: [.syn], sequence: 10, isTCP: true),
            packet(50, 60, flow: 0, payload: 0, flags: [.ack], sequence: 11, isTCP: true),
            packet(5_000, 500, flow: 0, payload: 460, sequence: 11, isTCP: true),
            packet(12_000, 41, flow: 0, payload: 1, sequence: 470, isTCP: true),
            packet(21_000, 500, flow: 0, payload: 460, sequence: 11, isTCP: true),
            packet(24_000, 900, flow: 0, isUp: false, payload: 860, sequence: 1, isTCP: true),
            packet(41_000, 60, flow: 0, payload: 0, flags: [.fin, .ack], sequence: 471, isTCP: true),
            packet(77_000, 100, flow: 1),
        ]
        let (_, habits) = try replay("lte-verizon-2021", packets)
        let causes: [BurstCause] = [.control, .client, .keepalive, .retransmission, .server, .control, .client]
        #expect(habits.bursts.map(\.cause) == causes)
    }

    /// Broken: a silence of 1.5 s ends a burst, or a longer one does not. Or a short or small burst is classified as
    /// large.
    @Test func `silence ends a burst, and duration and size make it large`() throws {
        #expect(
            try replay("wifi-aro", [packet(0, 100, flow: 0), packet(1_500, 100, flow: 0)]).habits.bursts.count == 1)
        #expect(
            try replay("wifi-aro", [packet(0, 100, flow: 0), packet(1_501, 100, flow: 0)]).habits.bursts.count == 2)
        let table: [(count: Int, gap: Int64, payload: UInt32, cause: BurstCause)] = [
            (101, 51, 1_000, .large), (101, 49, 1_000, .client), (101, 51, 900, .client),
        ]
        for (count, gap, payload, cause) in table {
            let packets = (0..<count).map { packet(Int64($0) * gap, payload + 52, flow: 0, payload: payload) }
            #expect(try replay("wifi-aro", packets).habits.bursts.map(\.cause) == [cause], "\(gap), \(payload)")
        }
    }

    /// Broken: a burst is split although more data was still to come.
    @Test func `a full segment keeps a burst open`() throws {
        let full = (0..<10).map { packet(Int64($0) * 2_000, 1_500, flow: 0, payload: 1_448) }
        let (bill, habits) = try replay("wifi-aro", full)
        #expect(habits.bursts.count == 1 && habits.bursts[0].packets == 10 && habits.bursts[0].payload == 14_480)
        #expect(habits.bursts[0].cause == .periodic)
        // The burst's cost is all energy that is not idle, including its later parts.
        let active = bill.joules - bill.state(.idle).joules
        #expect(
            isClose(habits.bursts[0].joules, active, within: 1e-6 * active), "\(habits.bursts[0].joules) of \(active)")
        let small = (0..<10).map { packet(Int64($0) * 2_000, 150, flow: 0, payload: 100) }
        #expect(try replay("wifi-aro", small).habits.bursts.count == 10)
    }

    /// Broken: a move between interfaces is not detected, or two interfaces in use at the same time count as moves.
    @Test func `interfaces`() {
        func on(_ interface: UInt32, _ milliseconds: Int64) -> CapturedPacket {
            var packet = packet(milliseconds, 60, flow: 0)
            packet.interface = interface
            return packet
        }
        var together = InterfaceChangeDetector()
        let mixed = (0..<40).map { on(UInt32($0 % 2), Int64($0) * 300) }
        together.add(mixed.span)
        #expect(together.changes.isEmpty)
        var moving = InterfaceChangeDetector()
        let moves = [on(0, 0), on(0, 500), on(1, 900), on(1, 1_400), on(1, 1_600), on(0, 9_000), on(0, 11_000)]
        moving.add(moves.span)
        #expect(moving.changes.map(\.to) == [1, 0])
        #expect(moving.changes[0].at == Timestamp(seconds: 1_700_000_000) + .milliseconds(900))
    }
}
