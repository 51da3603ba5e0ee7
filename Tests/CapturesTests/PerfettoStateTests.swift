import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Testing

/// Clocks and writers of Perfetto traces: which packets have a known time and a known context.
struct PerfettoStateTests {
    typealias NetworkPacket = TraceWriter.NetworkPacket

    private static let (boot, wall) = (PerfettoTests.boot, PerfettoTests.wall)

    private static func packet(_ offset: UInt64 = 0) -> NetworkPacket {
        NetworkPacket(at: boot + offset, isUp: true, length: 60)
    }

    private static func offsets(_ trace: TraceWriter) throws -> [Int128] {
        try Reading(trace.bytes).packets.map { $0.stamp.nanoseconds - Int128(wall) }
    }

    /// Broken: a wall clock that is set during the trace moves packets.
    @Test func theFirstWallClockCounts() throws {
        var trace = PerfettoTests.begin()
        trace.add(Self.packet())
        trace.addClocks([(6, Self.boot + 1_000_000_000), (1, Self.wall + 61_000_000_000)])
        trace.add(Self.packet(2_000_000_000))
        #expect(try Self.offsets(trace) == [0, 2_000_000_000])
        let contents = try #require(try Reading(trace.bytes).capture.traceContents)
        #expect(contents.clockStep == .seconds(60) && contents.notes.contains { $0.contains("set by 60000 ms") })
    }

    /// Broken: a trace without a wall clock has packets at a wrong time and no note.
    @Test func withoutAWallClockTimesAreSinceBoot() throws {
        var trace = TraceWriter()
        trace.addClocks([(6, Self.boot), (3, 1)])
        trace.add(Self.packet())
        let reading = try Reading(trace.bytes)
        #expect(reading.packets.map(\.stamp.nanoseconds) == [Int128(Self.boot)])
        #expect(reading.capture.traceContents?.hasWallClock == false)
        #expect(reading.capture.traceContents?.notes.contains { $0.contains("from the phone's start") } == true)
    }

    /// Broken: a record with another clock, or a default clock, is at the time of the wrong clock.
    @Test func otherClocksAreConverted() throws {
        var trace = PerfettoTests.begin()
        var monotonic = Self.packet()
        monotonic.at -= 1_000_000_000
        func event(_ record: inout MessageBytes) {
            record.message(88) { event in
                monotonic.writeContext(&event)
                event.number(3, 60)
            }
        }
        trace.add(at: monotonic.at) { record in
            record.number(58, 3)
            event(&record)
        }
        trace.add(at: Self.wall) { record in
            record.number(58, 1)
            event(&record)
        }
        trace.add(at: 5) { record in
            record.number(58, 99)
            event(&record)
        }
        trace.add { $0.message(59) { $0.number(58, 3) } }
        trace.add(at: monotonic.at + 7) { event(&$0) }
        trace.add(at: .max) { event(&$0) }
        #expect(try Self.offsets(trace) == [0, 0, 7])
        #expect(try Reading(trace.bytes).capture.traceContents?.packetsWithoutTime == 2)
    }

    /// Broken: times without a clock are those of another clock than the snapshot names, or a zero names a clock.
    @Test(arguments: [(nil, 0), (0, 0), (6, 0), (3, 1_000_000_000)] as [(UInt64?, Int128)])
    func aSnapshotNamesTheClockOfTheTrace(_ primary: UInt64?, _ offset: Int128) throws {
        var trace = TraceWriter()
        let clocks: [(UInt64, UInt64)] = [(6, Self.boot), (1, Self.wall), (3, Self.boot - 1_000_000_000)]
        trace.add { record in
            record.message(6) { snapshot in
                if let primary { snapshot.number(2, primary) }
                for (id, time) in clocks {
                    snapshot.message(1) { clock in
                        clock.number(1, id)
                        clock.number(2, time)
                    }
                }
            }
        }
        trace.add(Self.packet())
        #expect(try Self.offsets(trace) == [offset])
    }

    /// Broken: a note about connections, flows or sizes that are not known counts other packets too.
    @Test func notesCountTheirPackets() throws {
        var trace = PerfettoTests.begin()
        // Protocol, TCP flags, local port and length.
        let packets: [(UInt64, UInt64, UInt64, UInt64)] = [
            (6, 16, 40_000, 60), (6, 0, 40_000, 60), (6, 0, 0, 1_500), (17, 0, 40_000, 1_501), (17, 0, 0, 60),
            (1, 0, 0, 60), (6, 2, 40_000, 1_501), (6, 16, 40_000, 9_000),
        ]
        for (index, (transport, flags, port, length)) in packets.enumerated() {
            var packet = Self.packet(UInt64(index))
            (packet.transport, packet.flags, packet.localPort, packet.length) = (transport, flags, port, length)
            trace.add(packet)
        }
        let reading = try Reading(trace.bytes)
        let contents = try #require(reading.capture.traceContents)
        #expect(reading.packets.count == packets.count)
        #expect(contents.tcpPacketsWithoutFlags == 2 && contents.packetsWithoutLocalPort == 2)
        #expect(contents.mergedPackets == 3)
        for part in ["2 TCP packets without flags", "2 packets without a local port", "3 packets longer than 1500"] {
            #expect(contents.notes.contains { $0.hasPrefix(part) }, "\(part)")
        }
    }

    /// Broken: snapshots with absurd clocks trap, or count.
    @Test func absurdClocksAreIgnored() throws {
        var trace = TraceWriter()
        trace.addClocks([(6, .max), (1, .max), (0, 5), (70, 5)])
        trace.add {
            $0.message(6) {
                $0.message(1) { clock in
                    clock.number(1, 1)
                    clock.number(2, 1 << 60)
                    clock.number(4, 1 << 60)
                }
            }
        }
        trace.addClocks([(6, 1 << 63 - 1), (1, 0)])
        trace.addClocks([(6, 0), (1, 1 << 63 - 1)])
        trace.add(Self.packet())
        let reading = try Reading(trace.bytes)
        #expect(reading.packets.count == 1 && reading.capture.traceContents?.hasWallClock == true)
    }

    /// Broken: an interned number of before a loss or a reset gets a context of after it.
    @Test func contextsEndWithLosses() throws {
        var trace = PerfettoTests.begin()
        var other = Self.packet(1)
        other.localPort = 40_009
        trace.add(bundle: [Self.packet()], iid: 1, flags: 1)
        trace.add(bundle: [Self.packet(2)], iid: 1, isNew: false, flags: 2)
        // Another writer has its own numbers.
        trace.sequence = 4
        trace.add(bundle: [Self.packet(3)], iid: 1, isNew: false, flags: 2)
        trace.sequence = 3
        trace.add(at: 0) { $0.number(42, 1) }
        trace.add(bundle: [Self.packet(4)], iid: 1, isNew: false, flags: 2)
        trace.add(bundle: [other], iid: 1, flags: 1)
        trace.add(bundle: [Self.packet(5)], iid: 1, isNew: false, flags: 2)
        trace.add(bundle: [Self.packet(6)], iid: 2, isNew: false, flags: 2)
        let reading = try Reading(trace.bytes)
        let ports = reading.packets.map { reading.capture.flow($0.flow).local.port }
        #expect(ports == [40_000, 40_009, 40_000, 40_009])
        let contents = try #require(reading.capture.traceContents)
        #expect(contents.packetsWithoutContext == 2 && contents.lostRecords == 1)
        #expect(contents.notes.contains { $0.hasPrefix("2 packets left out") })
    }

    /// Broken: a trace cannot be one of several files, and the error hides which file is wrong.
    @Test func tracesAreNotMixedWithCaptures() throws {
        var pcap = PcapWriter()
        pcap.add(Samples.packets[0], at: 1_000_000_000)
        let files = [pcap.bytes, PerfettoTests.single().bytes]
        let parts = files.enumerated().map { index, bytes in
            CapturePart(name: "part \(index)") { () throws(SourceFailure) in bytes.source() }
        }
        for order in [[0, 1], [1, 0], [1, 1]] {
            let capture = try CaptureReader(order.map { parts[$0] })
            while capture.next({ _ in }) {}
            #expect(capture.fault?.message.contains("cannot be one of several files") == true, "\(order)")
            #expect((capture.traceContents != nil) == (order[0] == 1), "\(order)")
        }
    }

    /// Broken: selections that need addresses or bytes are ignored.
    @Test func selectionsAreRefused() throws {
        let bytes = PerfettoTests.single().bytes
        let fault = #expect(throws: CaptureFault.self) { try Reading(bytes, device: [.ipv4(1)]) }
        #expect(fault?.message.contains("no addresses") == true && fault?.help?.contains("--interface") == true)
        let filter = try CaptureFilter("tcp")
        let other = #expect(throws: CaptureFault.self) { try Reading(bytes, filter: filter) }
        #expect(other?.message.contains("no packet bytes") == true)
    }
}
