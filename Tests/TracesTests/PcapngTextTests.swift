import DeadzoneBase
import DeadzoneDevice
import DeadzoneSamples
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// Packets, waits and outages of a day, and the file that is written of them.
struct PcapngTextTests {
    private func trace(_ records: [Record]) -> PacketTrace {
        var trace = PacketTrace(phone: 3)
        records.withUnsafeBufferPointer { trace.record($0) }
        return trace
    }

    private func lines(_ trace: PacketTrace) -> String {
        let packets = trace.packets.map { packet in
            "\(packet.at / 1_000_000)-\(packet.transmittedUntil / 1_000_000) \(packet.bytes) \(packet.interface) \(packet.direction) \(packet.cause) \(packet.level.map { "\($0)" } ?? "-") waited \(packet.waited / 1_000_000)"
        }
        let gaps = trace.coverageGaps.map { "gap \($0.from / 1_000_000)-\($0.until / 1_000_000) \($0.interface)" }
        return (packets + gaps).joined(separator: "\n")
    }

    private let day: [Record] = {
        func silent(_ level: PowerLevel, _ length: Double, until end: Double) -> Record {
            TracedDay.record(
                .residency, at: end,
                tag: RadioTag(interface: .cellular, level: level, cause: .payload, isSilent: true).bits, lasting: length
            )
        }
        typealias Day = TracedDay
        return [
            Day.radio(.search, 1, until: 1, .search), Day.radio(.search, 1, until: 1, .search, on: .wifi),
            Day.radio(.unassociated, 1, until: 2, .search),
            Day.radio(.promotion, 0.5, until: 3), Day.radio(.promotion, 0.25, until: 3, .ack),
            Day.bytes(3_001, .up, at: 3), Day.bytes(40, .up, at: 3, .ack), Day.bytes(10, .down, at: 3, .dns),
            Day.radio(.activeUp, 1, until: 4), Day.bytes(3_000, .up, at: 3.5), Day.radio(.activeDown, 1, until: 5),
            Day.radio(.tail, 1, until: 6), Day.bytes(1_500, .down, at: 5.5), Day.bytes(1_501, .down, at: 6),
            Day.radio(.dch, 2, until: 8), Day.bytes(4_500, .up, at: 7, .tls), Day.radio(.dch, 2, until: 10),
            silent(.activeUp, 1, until: 11), Day.bytes(200_000, .up, at: 10.5), silent(.activeUp, 1, until: 12),
            Day.radio(.promotion, 1, until: 13, on: .wifi), Day.bytes(99, .down, at: 13, .push),
            Day.bytes(98, .down, at: 13, .push, on: .wifi), Day.bytes(97, .up, at: 12.5, .push, on: .wifi),
            Day.radio(.search, 1, until: 14, .search), Day.radio(.search, 1, until: 15, .search),
            Day.radio(.search, 1, until: 17, .search), Day.bytes(96, .up, at: 17, .poll),
        ]
    }()

    @Test func aDayIsTraced() {
        // Broken: a packet has the power level, wait or end of another one, or an outage is joined with another.
        expectText(
            lines(trace(day)),
            #"""
            3000-3500 3001 cellular up payload activeUp waited 750
            3000-3500 40 cellular up ack activeUp waited 750
            3000-5000 10 cellular down dns activeUp waited 750
            3500-5000 3000 cellular up payload activeDown waited 0
            5500-6000 1500 cellular down payload dch waited 0
            6000-8000 1501 cellular down payload dch waited 0
            7000-10000 4500 cellular up tls dch waited 0
            10500-10500 200000 cellular up payload activeUp waited 0
            13000-13000 99 cellular down push search waited 0
            13000-13000 98 wifi down push - waited 1000
            12500-12500 97 wifi up push - waited 0
            17000-17000 96 cellular up poll - waited 0
            gap 0-2000 cellular
            gap 0-1000 wifi
            gap 13000-15000 cellular
            gap 16000-17000 cellular
            """#)
        #expect(
            lines(trace(day.map { Record(at: $0.at, phone: 2, kind: $0.kind, tag: $0.tag, value: $0.value) })).isEmpty)
    }

    @Test func partsJoin() {
        // Broken: packets are lost or mixed when the parts of a run are joined.
        var parts = trace([])
        parts.merge(trace(day))
        #expect(lines(parts) == lines(trace(day)))
        var twice = trace(day)
        twice.merge(trace(day))
        let (packets, gaps) = (twice.packets.count, twice.coverageGaps.count)
        #expect(packets == 2 * trace(day).packets.count && gaps == 2 * trace(day).coverageGaps.count)
        let end = [
            TracedDay.radio(.activeUp, 1, until: 18), TracedDay.bytes(1, .up, at: 19),
            TracedDay.bytes(1, .down, at: 19, .payload, on: .wifi),
        ]
        end.withUnsafeBufferPointer { twice.record($0) }
        var once = trace(day)
        end.withUnsafeBufferPointer { once.record($0) }
        let half = once.packets.count - 2
        #expect(
            twice.packets[half..<2 * half].map(\.transmittedUntil) == once.packets.prefix(half).map(\.transmittedUntil))
        #expect(twice.packets[half..<2 * half].map(\.level) == once.packets.prefix(half).map(\.level))
    }

    /// All blocks: type, words of the body up to the options, and the options.
    private func blocks(_ bytes: [UInt8]) -> String {
        func word(_ place: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) } }
        var (lines, place) = ([String](), 0)
        while place < bytes.count {
            let (type, length) = (word(place), Int(word(place + 4)))
            let end = place + length - 4
            var (next, text) = (place + 8, "")
            let fixed = [0x0A0D_0D0A: 4, 1: 2, 5: 3, 6: 5][type] ?? 0
            for _ in 0..<fixed { text += " \(word(next))"; next += 4 }
            if type == 6 {
                let count = Int(word(next - 8))
                text += " [" + bytes[next..<next + count].map { "\($0)" }.joined(separator: ".") + "]"
                next += (count + 3) / 4 * 4
            }
            while next < end {
                let (code, count) = (word(next) & 0xFFFF, Int(word(next) >> 16))
                next += 4
                let value = Array(bytes[next..<next + count])
                let isText = code == 1 || [0x0A0D_0D0A, 1].contains(type) && [2, 4].contains(code)
                if code > 0 {
                    text += isText ? " \(code)='\(String(decoding: value, as: UTF8.self))'" : " \(code)=\(value)"
                } else {
                    text += " end"
                }
                next += (count + 3) / 4 * 4
            }
            lines.append(
                "\(type == 0x0A0D_0D0A ? "file" : "\(type)")\(text) \(word(end) == UInt32(length) ? "ok" : "wrong length")"
            )
            place += length
        }
        return lines.joined(separator: "\n")
    }

    @Test func theFileHasItsBlocks() {
        // Broken: another program reads another packet, time, flow, comment or outage.
        var file = PcapngFile(about: "one day")
        file.add(trace(Array(day.prefix(10) + day.suffix(7))), name: "")
        file.add(trace(Array(day.prefix(6))), name: "second")
        expectText(
            blocks(file.bytes),
            #"""
            file 439041101 1 4294967295 4294967295 1='one day' 4='deadzone' end ok
            1 101 0 2='wifi' 9=[9] end ok
            1 101 0 2='cellular' 9=[9] end ok
            5 1 0 0 1='no coverage for 2 s' 2=[0, 0, 0, 0, 0, 148, 53, 119] 3=[0, 0, 0, 0, 0, 0, 0, 0] end ok
            5 0 0 0 1='no coverage for 1 s' 2=[0, 0, 0, 0, 0, 202, 154, 59] 3=[0, 0, 0, 0, 0, 0, 0, 0] end ok
            6 1 0 3000000000 28 1500 [69.0.5.220.0.0.64.0.64.17.105.14.10.0.0.2.192.0.2.1.195.81.238.72.5.200.0.0] 1='radio active, cause payload, waited up to 750 ms for a promotion' 2=[2, 0, 0, 0] end ok
            6 1 0 3000000000 28 40 [69.0.0.40.0.1.64.0.64.17.110.193.10.0.0.2.192.0.2.1.195.84.238.72.0.20.0.0] 1='radio active, cause ack, waited up to 750 ms for a promotion' 2=[2, 0, 0, 0] end ok
            6 1 0 3000000000 28 28 [69.0.0.28.0.2.64.0.64.17.110.204.192.0.2.1.10.0.0.2.238.72.195.87.0.8.0.0] 1='radio active, cause dns, waited up to 750 ms for a promotion' 2=[1, 0, 0, 0] end ok
            6 1 0 3500000000 28 1500 [69.0.5.220.0.3.64.0.64.17.105.11.10.0.0.2.192.0.2.1.195.81.238.72.5.200.0.0] 1='radio active, cause payload' 2=[2, 0, 0, 0] end ok
            6 1 0 3500000000 28 1500 [69.0.5.220.0.4.64.0.64.17.105.10.10.0.0.2.192.0.2.1.195.81.238.72.5.200.0.0] 1='radio search, cause payload' 2=[2, 0, 0, 0] end ok
            6 1 0 3500000000 28 1500 [69.0.5.220.0.5.64.0.64.17.105.9.10.0.0.2.192.0.2.1.195.81.238.72.5.200.0.0] 1='radio search, cause payload' 2=[2, 0, 0, 0] end ok
            6 1 0 4000000000 28 28 [69.0.0.28.0.6.64.0.64.17.110.200.10.0.0.2.192.0.2.1.195.81.238.72.0.8.0.0] 1='radio active, cause payload' 2=[2, 0, 0, 0] end ok
            6 0 2 3910065408 28 97 [69.0.0.97.0.7.64.0.64.17.110.130.10.0.0.2.192.0.2.1.195.91.238.72.0.77.0.0] 1='radio unknown, cause push' 2=[2, 0, 0, 0] end ok
            5 1 3 115098112 1='no coverage for 2 s' 2=[3, 0, 0, 0, 0, 214, 17, 126] 3=[3, 0, 0, 0, 0, 66, 220, 6] end ok
            6 1 3 115098112 28 99 [69.0.0.99.0.8.64.0.64.17.110.127.192.0.2.1.10.0.0.2.238.72.195.91.0.79.0.0] 1='radio search, cause push' 2=[1, 0, 0, 0] end ok
            6 0 3 115098112 28 98 [69.0.0.98.0.9.64.0.64.17.110.127.192.0.2.1.10.0.0.2.238.72.195.91.0.78.0.0] 1='radio unknown, cause push' 2=[1, 0, 0, 0] end ok
            5 1 3 3115098112 1='no coverage for 1 s' 2=[3, 0, 0, 0, 0, 106, 71, 245] 3=[3, 0, 0, 0, 0, 160, 172, 185] end ok
            6 1 3 4115098112 28 96 [69.0.0.96.0.10.64.0.64.17.110.128.10.0.0.2.192.0.2.1.195.90.238.72.0.76.0.0] 1='radio unknown, cause poll' 2=[2, 0, 0, 0] end ok
            1 101 0 2='second cellular' 9=[9] end ok
            5 2 0 0 1='no coverage for 2 s' 2=[0, 0, 0, 0, 0, 148, 53, 119] 3=[0, 0, 0, 0, 0, 0, 0, 0] end ok
            6 2 0 3000000000 28 1500 [69.0.5.220.0.0.64.0.64.17.105.14.10.0.0.2.192.0.2.1.195.81.238.72.5.200.0.0] 1='radio unknown, cause payload, waited up to 750 ms for a promotion' 2=[2, 0, 0, 0] end ok
            6 2 0 3000000000 28 1500 [69.0.5.220.0.1.64.0.64.17.105.13.10.0.0.2.192.0.2.1.195.81.238.72.5.200.0.0] 1='radio unknown, cause payload' 2=[2, 0, 0, 0] end ok
            6 2 0 3000000000 28 28 [69.0.0.28.0.2.64.0.64.17.110.204.10.0.0.2.192.0.2.1.195.81.238.72.0.8.0.0] 1='radio unknown, cause payload' 2=[2, 0, 0, 0] end ok
            """#)
    }

    @Test func realPacketsAreWritten() {
        // Broken: a rewritten capture has another packet, or a remark at another interface.
        var file = PcapngFile(about: "")
        file.add(trace([TracedDay.bytes(1, .up, at: 1)]), name: "a")
        for _ in 0..<2 {
            file.add(
                [
                    .init(
                        on: .wifi, .up, at: Instant(nanoseconds: 5_000_000_000), length: 70_000, head: [1, 2, 3, 4, 5],
                        level: .tail,
                        cause: .dns, waited: .zero),
                    .init(
                        on: .cellular, .down, at: Instant(nanoseconds: 5_001_000_000), length: 4, head: [9, 8, 7, 6],
                        level: nil, cause: .payload, waited: .nanoseconds(1_250_000)),
                ], remarks: [(.cellular, "is cellular"), (.wifi, "is Wi-Fi")])
        }
        expectText(
            blocks(file.bytes),
            #"""
            file 439041101 1 4294967295 4294967295 1='' 4='deadzone' end ok
            1 101 0 2='a cellular' 9=[9] end ok
            6 0 0 1000000000 28 28 [69.0.0.28.0.0.64.0.64.17.110.206.10.0.0.2.192.0.2.1.195.81.238.72.0.8.0.0] 1='radio unknown, cause payload' 2=[2, 0, 0, 0] end ok
            1 101 0 2='wifi' 9=[9] end ok
            1 101 0 2='cellular' 9=[9] end ok
            5 2 0 0 1='is cellular' end ok
            5 1 0 0 1='is Wi-Fi' end ok
            6 1 1 705032704 5 70000 [1.2.3.4.5] 1='radio tail, cause dns' 2=[2, 0, 0, 0] end ok
            6 2 1 706032704 4 4 [9.8.7.6] 1='radio unknown, cause payload, waited up to 1.25 ms for a promotion' 2=[1, 0, 0, 0] end ok
            1 101 0 2='wifi' 9=[9] end ok
            1 101 0 2='cellular' 9=[9] end ok
            5 4 0 0 1='is cellular' end ok
            5 3 0 0 1='is Wi-Fi' end ok
            6 3 1 705032704 5 70000 [1.2.3.4.5] 1='radio tail, cause dns' 2=[2, 0, 0, 0] end ok
            6 4 1 706032704 4 4 [9.8.7.6] 1='radio unknown, cause payload, waited up to 1.25 ms for a promotion' 2=[1, 0, 0, 0] end ok
            """#)
        var long = PcapngFile(about: String(repeating: "x", count: 60_001))
        long.add([], remarks: [])
        #expect(long.bytes.count == 60_048 + 40 + 44)
    }
}
