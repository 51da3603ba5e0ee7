import DeadzoneBase
import DeadzoneDevice
import Testing

@testable import DeadzoneReports

/// Blocks of a pcapng file, as a reader finds them.
private struct PcapngBlock {
    let type: UInt32
    let body: [UInt8]

    static func all(of bytes: [UInt8]) -> [PcapngBlock] {
        var (blocks, place): ([PcapngBlock], Int) = ([], 0)
        while place + 12 <= bytes.count {
            let length = Int(word(bytes, place + 4))
            guard length >= 12, place + length <= bytes.count, Int(word(bytes, place + length - 4)) == length else {
                return []
            }
            blocks.append(PcapngBlock(type: word(bytes, place), body: Array(bytes[(place + 8)..<(place + length - 4)])))
            place += length
        }
        return place == bytes.count ? blocks : []
    }

    static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
    }

    subscript(place: Int) -> UInt32 { Self.word(body, place) }
    /// Timestamp of a packet or of statistics.
    var stamp: UInt64 { UInt64(self[4]) << 32 | UInt64(self[8]) }
    var data: [UInt8] { Array(body[20..<(20 + Int(self[12]))]) }

    /// Options by their codes, beginning at `place`.
    func options(from place: Int) -> [UInt16: [UInt8]] {
        var (options, place): ([UInt16: [UInt8]], Int) = ([:], place)
        while place + 4 <= body.count, self[place] != 0 {
            let (code, length) = (UInt16(self[place] & 0xFFFF), Int(self[place] >> 16))
            options[code] = Array(body[(place + 4)..<(place + 4 + length)])
            place += 4 + (length + 3) / 4 * 4
        }
        return options
    }
}

struct PcapngFileTests {
    private static let second: Int64 = 1_000_000_000

    private func spent(_ level: PowerLevel, _ seconds: Double, until end: Double, _ cause: Cause = .payload) -> Record {
        Record(
            at: Instant(nanoseconds: Int64(end * 1e9)), phone: 0, kind: .residency,
            tag: RadioTag(interface: .cellular, level: level, cause: cause).bits, value: Int64(seconds * 1e9))
    }

    private func sent(_ bytes: Int64, _ direction: Direction, at: Double, phone: UInt32 = 0) -> Record {
        Record(
            at: Instant(nanoseconds: Int64(at * 1e9)), phone: phone, kind: .bytes,
            tag: BytesTag(interface: .cellular, direction: direction, cause: .payload).bits, value: bytes)
    }

    private func trace(_ records: [Record]) -> PacketTrace {
        var trace = PacketTrace()
        records.withUnsafeBufferPointer { trace.record($0) }
        return trace
    }

    /// A trace that begins at ten seconds, so that neither half of a timestamp is zero.
    private var exampleTrace: PacketTrace {
        trace([
            spent(.search, 2, until: 12, .search), spent(.unassociated, 3, until: 15, .search),
            // Two causes share one promotion.
            spent(.promotion, 0.3, until: 20, .payload), spent(.promotion, 0.2, until: 20, .keepalive),
            sent(4_000, .up, at: 20), sent(99, .up, at: 20, phone: 1), spent(.activeUp, 0.03, until: 20.03),
            spent(.tail, 1, until: 21.03), sent(1_500, .down, at: 21.03), spent(.activeDown, 0.01, until: 21.04),
        ])
    }

    @Test func traceHasThePacketsOfItsPhone() {
        // Broken: the trace has packets of other phones, a wait that did not occur, or an outage in two pieces.
        let day = exampleTrace
        #expect(day.packets.map(\.bytes) == [4_000, 1_500])
        #expect(day.packets.map(\.waited) == [Self.second / 2, 0])
        #expect(day.packets.map(\.level) == [.activeUp, .activeDown])
        #expect(day.packets.map(\.transmittedUntil) == [20_030_000_000, 21_040_000_000])
        #expect(
            day.coverageGaps.map(\.from) == [10 * Self.second] && day.coverageGaps.map(\.until) == [15 * Self.second])
    }

    @Test func fileIsReadableByOtherPrograms() throws {
        // Broken: other programs misread pieces, timestamps, directions, sums or lengths.
        var file = PcapngFile(about: "a day")
        file.add(exampleTrace, name: "tuned")
        let blocks = PcapngBlock.all(of: file.bytes)
        #expect(blocks.map(\.type) == [0x0A0D_0D0A, 1, 5, 6, 6, 6, 6])
        let outage = blocks[2].options(from: 12)
        #expect(blocks[2].stamp == UInt64(10 * Self.second) && outage[3]?.count == 8 && outage[2] != outage[3])
        let packets = Array(blocks.dropFirst(3))
        // The last bit of a large packet is sent at its end. The pieces before it are spread over its duration.
        #expect(packets.map(\.stamp) == [20_000_000_000, 20_015_000_000, 20_030_000_000, 21_030_000_000])
        #expect(packets.map { $0[16] } == [1_500, 1_500, 1_000, 1_500])
        for (index, packet) in packets.enumerated() {
            let options = packet.options(from: 20 + (Int(packet[12]) + 3) / 4 * 4)
            #expect(options[2] == [index < 3 ? 2 : 1, 0, 0, 0])
            let comment = String(decoding: try #require(options[1]), as: UTF8.self)
            #expect(comment.contains("waited up to 500 ms") == (index == 0), "\(comment)")
            // RFC 1071: a header that includes its own checksum sums to all ones.
            let head = packet.data
            var sum = stride(from: 0, to: 20, by: 2).reduce(0) { $0 + Int(head[$1]) << 8 + Int(head[$1 + 1]) }
            while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
            #expect(sum == 0xFFFF && Int(head[2]) << 8 + Int(head[3]) == Int(packet[16]))
        }
    }

    @Test func outageComesBeforePacketsOfTheSameTime() {
        // Broken: a reader that goes through the file finds the dead zone after the events in it.
        var file = PcapngFile(about: "")
        file.add(
            trace([
                spent(.search, 5, until: 15, .search), sent(100, .up, at: 10), spent(.activeUp, 1, until: 16),
            ]), name: "")
        #expect(PcapngBlock.all(of: file.bytes).map(\.type) == [0x0A0D_0D0A, 1, 5, 6])
    }

    @Test func onlyTheFirstPacketWaited() {
        // Broken: each packet after a promotion is reported to have waited for it.
        let trace = trace([
            spent(.promotion, 0.5, until: 20), sent(100, .up, at: 20), sent(100, .down, at: 20.01),
            spent(.activeUp, 0.02, until: 20.02),
        ])
        #expect(trace.packets.map(\.waited) == [Self.second / 2, 0])
    }
}
