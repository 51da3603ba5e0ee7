import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Testing

/// Power rails of Perfetto traces.
struct PowerRailTests {
    static func describe(_ record: inout MessageBytes, _ rails: [(String, String)], session: UInt64 = 0) {
        record.message(40) { message in
            if session > 0 { message.number(3, session) }
            for (index, rail) in rails.enumerated() {
                message.message(1) { descriptor in
                    descriptor.number(1, UInt64(index))
                    descriptor.text(2, rail.0)
                    if !rail.1.isEmpty { descriptor.text(3, rail.1) }
                }
            }
        }
    }

    /// Adds readings: rail, milliseconds since boot, and microjoules.
    static func read(_ record: inout MessageBytes, _ readings: [(UInt64, UInt64?, UInt64)], session: UInt64 = 0) {
        record.message(40) { message in
            if session > 0 { message.number(3, session) }
            for (rail, milliseconds, energy) in readings {
                message.message(2) { reading in
                    reading.number(1, rail)
                    if let milliseconds { reading.number(2, milliseconds) }
                    reading.number(3, energy)
                }
            }
        }
    }

    private static let start = PerfettoTests.boot / 1_000_000

    /// Broken: a reading is on another rail, at another time, or before an earlier one.
    @Test func railsHaveTheirReadings() throws {
        var trace = PerfettoTests.begin()
        trace.add { Self.describe(&$0, [("VSYS_PWR_MODEM", "Modem"), ("S2M_VDD", "CPU")]) }
        trace.add {
            Self.read(
                &$0, [(0, Self.start + 200, 30), (1, Self.start, 7), (0, Self.start + 100, 20), (9, Self.start, 1)])
        }
        trace.add(at: PerfettoTests.boot + 300_000_000) { Self.read(&$0, [(0, nil, 40)]) }
        let rails = try #require(try PowerRails(trace.bytes.source()))
        #expect(rails.rails.map(\.name) == ["VSYS_PWR_MODEM", "S2M_VDD", "rail 9"])
        #expect(rails.rails.map(\.isModem) == [true, false, false])
        let wall = Double(PerfettoTests.wall) / 1e9
        #expect(rails.rails[0].readings.map(\.microjoules) == [20, 30, 40])
        for (reading, offset) in zip(rails.rails[0].readings, [0.1, 0.2, 0.3]) {
            #expect(abs(reading.seconds - wall - offset) < 1e-6)
        }
        #expect(rails.notes.isEmpty)
    }

    /// Broken: rails of two sessions with the same number are one rail.
    @Test func sessionsAreSeparate() throws {
        var trace = PerfettoTests.begin()
        trace.add { Self.describe(&$0, [("a modem", "")], session: 1) }
        trace.add { Self.describe(&$0, [("b", "Cellular")], session: 2) }
        trace.add { Self.read(&$0, [(0, Self.start, 1)], session: 2) }
        trace.add { Self.read(&$0, [(0, Self.start, 2)], session: 1) }
        let rails = try #require(try PowerRails(trace.bytes.source())).rails
        #expect(rails.map(\.name) == ["a modem", "b"] && rails.allSatisfy(\.isModem))
        #expect(rails.map { $0.readings[0].microjoules } == [2, 1])
    }

    /// Broken: a damaged trace has rails without limit, or a known rail loses its later readings or its new name.
    @Test func keepsRailsUpToTheirLimit() throws {
        let names = (0..<1_030).map { ("rail \($0) of many", "") }
        var trace = PerfettoTests.begin()
        trace.add { Self.describe(&$0, names) }
        trace.add { Self.describe(&$0, [("again", "")]) }
        trace.add { Self.read(&$0, (0..<1_030).map { ($0, Self.start, 1) }) }
        trace.add { Self.read(&$0, [(0, Self.start + 1, 2), (1_023, Self.start + 1, 2), (1_029, Self.start + 1, 2)]) }
        trace.add { $0.content(133, [1, 2, 3]) }
        let rails = try #require(try PowerRails(trace.bytes.source()))
        #expect(rails.rails.map(\.name) == ["again"] + (1..<1_024).map { "rail \($0) of many" })
        #expect(rails.rails.map(\.readings.count) == [2] + Array(repeating: 1, count: 1_022) + [2])
        #expect(rails.notes.count == 2 && rails.notes[0].hasPrefix("7 readings of power after the first "))
        #expect(rails.notes.last == "1 record of the trace could not be read")
        // Names have the same limit, without readings too.
        trace = PerfettoTests.begin()
        trace.add { Self.describe(&$0, names) }
        trace.add { Self.read(&$0, [(1_023, Self.start, 1), (1_024, Self.start, 1)]) }
        let few = try #require(try PowerRails(trace.bytes.source()))
        #expect(few.rails.map(\.name) == ["rail 1023 of many", "rail 1024"] && few.notes.isEmpty)
    }

    /// Broken: absurd readings trap, or files of other kinds are refused instead of read by another reader.
    @Test func whatIsNoRailIsNotRead() throws {
        #expect(try PowerRails(Array("Time(s),Power(mW)\n1,2\n".utf8).source()) == nil)
        let fault = #expect(throws: CaptureFault.self) { try PowerRails(PerfettoTests.single().bytes.source()) }
        #expect(
            fault?.message.contains("no power rails") == true && fault?.help?.contains("collect_power_rails") == true)
        var trace = TraceWriter()
        trace.add { Self.read(&$0, [(0, .max, 1), (0, 1, .max), (.max, 2, 0)]) }
        trace.add { $0.content(40, [0x12, 2, 0xff, 0xff]) }
        let rails = try #require(try PowerRails((trace.bytes + [0x0b]).source()))
        #expect(rails.rails.map(\.readings.count) == [1, 1])
        for part in ["without a usable time", "no time of day", "up to a fault"] {
            #expect(rails.notes.contains { $0.contains(part) }, "\(part): \(rails.notes)")
        }
    }
}
