import DeadzoneBase
import DeadzoneCaptures
import DeadzoneFit
import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

/// Power traces from the rails of a Perfetto trace.
struct RailTraceTests {
    /// A trace with these rails: name, subsystem, and one energy counter in microjoules every 100 ms.
    private static func rails(_ rails: [(name: String, subsystem: String, counter: [UInt64?])]) throws -> PowerRails {
        var trace = TraceWriter()
        trace.add { record in
            record.message(40) { message in
                for (index, rail) in rails.enumerated() {
                    message.message(1) { descriptor in
                        descriptor.number(1, UInt64(index))
                        descriptor.text(2, rail.name)
                        descriptor.text(3, rail.subsystem)
                    }
                    for (step, energy) in rail.counter.enumerated() {
                        guard let energy else { continue }
                        message.message(2) { reading in
                            reading.number(1, UInt64(index))
                            reading.number(2, UInt64(step) * 100)
                            reading.number(3, energy)
                        }
                    }
                }
            }
        }
        let bytes = trace.bytes
        var given = 0
        return try #require(
            try PowerRails { buffer in
                let count = min(buffer.count, bytes.count - given)
                bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[given..<(given + count)])) }
                given += count
                return count
            })
    }

    private static func trace(_ rails: PowerRails, _ wanted: [String] = []) -> String {
        do throws(PowerTrace.Unreadable) {
            let samples = try PowerTrace(rails, wanted: wanted).samples
            return samples.map { "\(($0.from * 10).rounded())+\($0.milliwatts.rounded())" }.joined(separator: " ")
        } catch {
            return "\(error)"
        }
    }

    /// Broken: energy is not divided by its time, another rail than the modem's is read, or a sum has times that one
    /// rail lacks.
    @Test func theModemsRailIsThePower() throws {
        let counters: [(name: String, subsystem: String, counter: [UInt64?])] = [
            ("S1", "CPU", [0, 100, 200, 300, 400]), ("VSYS_PWR_MODEM", "Modem", [1_000, 3_000, 3_000, 13_000, 14_000]),
        ]
        let plain = try Self.rails(counters)
        #expect(Self.trace(plain) == "0.0+20.0 1.0+0.0 2.0+100.0 3.0+10.0")
        #expect(Self.trace(plain, ["S1"]) == "0.0+1.0 1.0+1.0 2.0+1.0 3.0+1.0")
        #expect(Self.trace(plain, ["S1", "VSYS_PWR_MODEM"]) == "0.0+21.0 1.0+1.0 2.0+101.0 3.0+11.0")
        let more = try Self.rails(counters + [("RFFE", "Cellular", [0, nil, 5_000, 6_000, 7_000])])
        #expect(Self.trace(more, ["VSYS_PWR_MODEM", "RFFE"]) == "0.0+35.0 2.0+110.0 3.0+20.0")
        #expect(Self.trace(more) == "manyRails([\"VSYS_PWR_MODEM (Modem)\", \"RFFE (Cellular)\"])")
        #expect(Self.trace(plain, ["RFFE"]) == "manyRails([\"S1 (CPU)\", \"VSYS_PWR_MODEM (Modem)\"])")
        #expect(Self.trace(try Self.rails([counters[0]])) == "manyRails([\"S1 (CPU)\"])")
        #expect(Self.trace(try Self.rails([("modem", "", [0, 1_000, 2_000])])) == "tooShort")
        #expect(Self.trace(try Self.rails([("modem", "", [0, 1, .max, 2, 3, 4])])).hasPrefix("counterOutOfRange("))
    }
}
