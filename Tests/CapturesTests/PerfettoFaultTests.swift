import CZlib
import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneCaptures

/// Damaged and hostile Perfetto traces must do no harm.
struct PerfettoFaultTests {
    private struct Dice {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
        mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    }

    /// Traces with every kind of record that is read.
    static let traces: [(name: String, bytes: [UInt8])] = {
        var rails = PerfettoTests.begin()
        rails.add { PowerRailTests.describe(&$0, [("VSYS_PWR_MODEM", "Modem")]) }
        for time in 0..<40 as Range<UInt64> {
            rails.add { PowerRailTests.read(&$0, [(0, 5_000_000 + 100 * time, time * 20_000)]) }
        }
        var named = PerfettoTests.begin()
        named.addPackages([("com.example.chat", 10_123)])
        return [
            ("single", named.bytes + PerfettoTests.single().bytes), ("bundles", PerfettoTests.bundled().bytes),
            ("inline", PerfettoTests.bundled(isInterned: false).bytes),
            ("totals", PerfettoTests.bundled(isInterned: false, isSummary: true).bytes),
            ("zlib", (try? PerfettoTests.compressed(PerfettoTests.bundled().bytes)) ?? []), ("rails", rails.bytes),
        ]
    }()

    /// Reads a trace for packets and for rails. Returns the number of packets and readings, less one if it has no
    /// packets.
    private func read(_ bytes: [UInt8], _ place: String) -> Int {
        let readings = (try? PowerRails(bytes.source()))?.rails.reduce(0) { $0 + $1.readings.count } ?? 0
        #expect(readings <= bytes.count, "\(place)")
        do throws(CaptureFault) {
            let reading = try Reading(bytes)
            // Compressed data and totals can stand for more packets than bytes, up to the limits.
            let most = bytes.count * Int(TraceLimits.summarised)
            #expect(reading.packets.count <= most && reading.packets.count == Int(reading.counts.packets), "\(place)")
            if let fault = reading.fault {
                #expect(fault.offset <= UInt64(bytes.count) && !fault.message.isEmpty, "\(place)")
            }
            _ = reading.capture.traceContents?.notes
            return reading.packets.count + readings
        } catch {
            #expect(!error.message.isEmpty && error.offset <= UInt64(bytes.count), "\(place)")
            return readings - 1
        }
    }

    /// Broken: a flipped bit, a wrong length or a cut traps, hangs, or makes packets without limit.
    @Test(arguments: traces.map(\.name))
    func survivesMutants(_ name: String) throws {
        let bytes = try #require(Self.traces.first { $0.name == name }).bytes
        let whole = read(bytes, name)
        var dice = Dice(state: UInt64(bytes.count))
        var changed = 0
        for round in 0..<1_700 {
            var mutant = bytes
            for _ in 0...dice.below(3) {
                let place = dice.below(mutant.count)
                switch dice.below(6) {
                case 0: mutant[place] ^= 1 << UInt8(dice.below(8))
                case 1: mutant[place] = [0, 1, 0x7f, 0x80, 0xff][dice.below(5)]
                case 2: mutant.removeLast(min(dice.below(mutant.count), mutant.count - 4))
                case 3: mutant.insert(contentsOf: [UInt8](repeating: 0xff, count: 1 + dice.below(10)), at: place)
                case 4: mutant.remove(at: place)
                default: mutant += mutant[place...].prefix(200)
                }
                if mutant.count < 4 { mutant = bytes }
            }
            if read(mutant, "\(name), mutant \(round)") != whole { changed += 1 }
        }
        #expect(changed > 100)
    }

    /// Broken: a truncated trace loses packets that are in the file.
    @Test(arguments: ["single", "bundles", "totals"])
    func readsUpToEveryTruncation(_ name: String) throws {
        let bytes = try #require(Self.traces.first { $0.name == name }).bytes
        var before = -1
        for length in 0...bytes.count {
            let count = read(Array(bytes.prefix(length)), "\(name) cut at \(length)")
            #expect(count >= before, "\(name) cut at \(length): fewer packets than with one byte fewer")
            before = count
        }
        #expect(before > 0 && before == read(bytes, name))
    }

    /// Broken: a pipe that delivers a few bytes at a time changes the result, or hides that the file is a trace.
    @Test(arguments: [1, 2, 3, 7, 64, 4_096])
    func readsFromAnySource(_ piece: Int) throws {
        for (name, bytes) in Self.traces where name != "rails" {
            let (whole, pieces) = (try Reading(bytes), try Reading(bytes, piece: piece))
            #expect(whole.packets == pieces.packets && whole.counts == pieces.counts, "\(name)")
            #expect(whole.capture.traceContents == pieces.capture.traceContents, "\(name)")
        }
    }

    /// Broken: highly compressed data takes memory or time without limit.
    @Test func unpackedDataHasALimit() throws {
        let records = PerfettoTests.single().bytes
        // Records of zeros in an unknown field, 80 MB.
        var filler = TraceWriter()
        filler.add { $0.content(900, [UInt8](repeating: 0, count: 400_000)) }
        var bomb = records
        for _ in 0..<200 { bomb += filler.bytes }
        bomb += records
        let packed = try PerfettoTests.compressed(bomb)
        #expect(packed.count < 200_000)
        let reading = try Reading(packed)
        let contents = try #require(reading.capture.traceContents)
        #expect(reading.packets.count == PerfettoTests.packets.count && contents.recordsNotUnpacked == 1)
    }

    /// Broken: what cannot be read is not counted, or it hides the records after it.
    @Test func unreadRecordsAreCounted() throws {
        var trace = PerfettoTests.begin()
        trace.add { $0.content(133, [1, 2, 3]) }
        trace.add { $0.content(50, [0x78, 0x9c, 1, 2, 3]) }
        trace.add { $0.content(88, [0xff]) }
        trace.add { $0.content(92, [0x1a, 0x7f]) }
        trace.add { $0.content(900, [UInt8](repeating: 0, count: TraceLimits.record)) }
        let inner = try PerfettoTests.compressed(try PerfettoTests.compressed(PerfettoTests.single().bytes))
        let reading = try Reading(trace.bytes + inner + [0x0a, 2, 0xff, 0xff] + PerfettoTests.single().bytes)
        let contents = try #require(reading.capture.traceContents)
        #expect(reading.packets.count == PerfettoTests.packets.count && reading.fault == nil)
        #expect(contents.zstandardRecords == 1 && contents.recordsNotUnpacked == 1 && contents.longRecords == 1)
        // Two network messages, a compressed record in a compressed record, and two bytes that are no field.
        #expect(contents.damagedRecords == 4)
        for part in ["Zstandard", "longer than", "damaged", "compressed record"] {
            #expect(contents.notes.contains { $0.contains(part) }, "\(part)")
        }
    }

    /// Broken: the error for a trace without packets, or for a damaged one, does not tell the next step.
    @Test func faultsSayWhatWasExpected() throws {
        var empty = PerfettoTests.begin()
        empty.add { $0.text(11, "another data source") }
        let none = try Reading(empty.bytes)
        #expect(none.fault?.message == "the Perfetto trace has no network packets in its 2 records")
        #expect(none.fault?.help?.contains("android.network_packets") == true && none.capture.interfaces.isEmpty)
        empty.add { $0.content(133, [0]) }
        #expect(try Reading(empty.bytes).fault?.help?.contains("deflate") == true)

        let damaged = try Reading(PerfettoTests.single().bytes + [0x0b, 1, 2, 3])
        #expect(damaged.packets.count == PerfettoTests.packets.count)
        #expect(damaged.fault?.message.contains("0x0a") == true)
        let endless = try Reading(PerfettoTests.single().bytes + [0x0a] + [UInt8](repeating: 0xff, count: 12))
        #expect(endless.fault?.message.contains("64 bits") == true)
    }

    /// Broken: other files are taken for traces, or traces for other files.
    @Test func tracesAreRecognisedByContent() {
        func isTrace(_ bytes: [UInt8]) -> Bool {
            var window = ReadWindow(bytes.source())
            return TraceRecordReader.isTrace(&window)
        }
        for (name, bytes) in Self.traces { #expect(isTrace(bytes), "\(name)") }
        var long = TraceWriter()
        long.add { $0.content(1, [UInt8](repeating: 7, count: 3_000_000)) }
        #expect(
            isTrace(long.bytes) && isTrace(Array(long.bytes.prefix(5_000))) && !isTrace(Array(long.bytes.prefix(30))))
        for text in [
            "", "\n", "\n\n", "\nname: a scenario\n", "\n{\"a\": 1}\n", "time,power\n1,2\n", "\n\u{0}", "\n\u{2}a",
        ] {
            #expect(!isTrace(Array(text.utf8)), "\(text)")
        }
        for length in 4...12 { #expect(!isTrace(Array(PcapngWriter().bytes.prefix(length))), "\(length)") }
        #expect(!isTrace(PcapngWriter().bytes) && !isTrace(PcapWriter().bytes))
        #expect(!isTrace([0x0a, 2, 0x0b, 1]) && !isTrace([0x0a, 3, 0x12, 9, 1]) && isTrace([0x0a, 2, 0x40, 1]))
    }

    /// Broken: numbers are read past the end of a message, with more than 64 bits, or as another type.
    @Test func messagesAreReadWithinTheirBytes() {
        func fields(_ bytes: [UInt8]) -> String {
            bytes.withUnsafeBytes { buffer in
                var reader = ProtobufReader(
                    Bytes(buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!, count: buffer.count))
                var text = ""
                while let (field, value) = reader.next() {
                    switch value {
                    case .number(let number): text += "\(field)=\(number) "
                    case .bytes(let part): text += "\(field)[\(part.count)] "
                    }
                }
                return text + (reader.isDamaged ? "damaged" : "end")
            }
        }
        let largest = [UInt8](repeating: 0xff, count: 9) + [1]
        #expect(fields([]) == "end")
        #expect(fields([8, 0x96, 1]) == "1=150 end")
        #expect(fields([8] + largest) == "1=18446744073709551615 end")
        #expect(fields([8] + [UInt8](repeating: 0xff, count: 9) + [2]) == "damaged")
        #expect(fields([8] + [UInt8](repeating: 0x80, count: 10) + [0]) == "damaged")
        #expect(fields([8, 0x80]) == "damaged" && fields([8]) == "damaged" && fields([0x80]) == "damaged")
        #expect(fields([0x12, 2, 1, 2, 8, 7]) == "2[2] 1=7 end")
        #expect(fields([0x12, 3, 1, 2]) == "damaged" && fields([0x12] + largest) == "damaged")
        #expect(fields([9, 1, 2, 3, 4, 5, 6, 7, 8]) == "1=578437695752307201 end" && fields([9, 1, 2]) == "damaged")
        #expect(fields([0x0d, 1, 2, 3, 4]) == "1=67305985 end" && fields([0x0d, 1]) == "damaged")
        // Groups, reserved types, field 0, and a field number of more than 29 bits.
        for first in [0x0b, 0x0c, 0x0e, 0x0f, 0, 2] as [UInt8] { #expect(fields([first, 1]) == "damaged") }
        #expect(fields([0x80, 0x80, 0x80, 0x80, 0x10, 1]) == "damaged")
    }

    /// Broken: a number is written with another number of bytes than it is read with.
    @Test func numbersSurviveWritingAndReading() {
        var numbers: [UInt64] = [0, 1, 127, 128, 300, 1 << 32, .max]
        for shift in 0..<64 as Range<UInt64> { numbers += [1 << shift, 1 << shift &- 1] }
        for number in numbers {
            var bytes: [UInt8] = []
            Varint.append(number, to: &bytes)
            var message = MessageBytes()
            message.varint(number)
            #expect(bytes == message.bytes && bytes.count <= Varint.maximumBytes)
            var rest = bytes[...]
            #expect(Varint.read { rest.popFirst() } == number && rest.isEmpty)
        }
    }
}
