import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Foundation
import Testing

/// Values at the edges of ranges: dates, jumps of time, pings, snap lengths, and lengths of names.
struct EdgeTests {
    /// Broken: a date is off by a day, a month or a year near the end of a month, a leap year or a century.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func datesAreThoseOfTheCalendar(_ seed: UInt64) {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        let day: Int64 = 86_400
        let edges = [-719_162, -141_428, -25_509, -1, 0, 11_016, 19_782, 47_540, 157_054].flatMap {
            [$0 - 1, $0, $0 + 1]
        }
        let random = (0..<4_000).map { _ in Int64(dice.next() % 3_600_000) - 719_000 }
        for days in edges.map(Int64.init) + random {
            for rest in [0, day - 1, Int64(dice.next() % UInt64(day))] {
                var (seconds, parts) = (Int(days * day + rest), tm())
                gmtime_r(&seconds, &parts)
                func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
                let date = "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
                let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) UTC"
                #expect(Timestamp(seconds: Int64(seconds)).utc == "\(date) \(clock)")
            }
        }
        // A part of a second belongs to the second before it, also before 1970.
        #expect(Timestamp(nanoseconds: -1).utc == "1969-12-31 23:59:59 UTC")
        #expect(Timestamp(nanoseconds: 999_999_999).utc == "1970-01-01 00:00:00 UTC")
    }

    /// Broken: a step of exactly thirty days counts as a jump, or a longer one does not, in one of the directions.
    @Test(arguments: [(1, 0), (2, 1)] as [(Int, Int)], [true, false])
    func aJumpIsLongerThanThirtyDays(_ extra: (nanoseconds: Int, jumps: Int), _ isForward: Bool) throws {
        let packet = PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.udp(50_000, 443)))
        let (first, month) = (UInt64(1_600_000_000_000_000_000), UInt64(30 * 86_400) * 1_000_000_000)
        let last = first + month + UInt64(extra.nanoseconds - 1)
        var file = PcapWriter(isNanoseconds: true)
        file.add(packet, at: isForward ? first : last)
        file.add(packet, at: isForward ? last : first)
        let counts = try Reading(file.bytes).counts
        #expect(counts.jumps == UInt64(extra.jumps) && (counts.firstJump?.packet == 2) == (extra.jumps == 1))
    }

    /// Broken: other data that resembles a ping counts as one, so that a client seems to ping more often.
    @Test func onlyCompleteFramesArePings() {
        let http2: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
        let answered = http2[..<4] + [1] + http2[5...]
        let masked: [UInt8] = [0x89, 0x82, 1, 2, 3, 4, 9, 9]
        let frames: [([UInt8], PingFrame?)] = [
            ([0xc0, 0], .ping), ([0xd0, 0], .pong), ([0xe0, 0], nil), ([0xc0, 1], nil), ([0xc0], nil),
            ([0xc0, 0, 0], nil),
            (http2, .ping), (Array(answered), .pong), (http2 + [9], nil), (Array(http2.dropLast()), nil),
            ([1] + http2.dropFirst(), nil), ([0, 1] + http2.dropFirst(2), nil), ([0, 0, 9] + http2.dropFirst(3), nil),
            ([0, 0, 8, 7] + http2.dropFirst(4), nil),
            (masked, .ping), (masked + [9], nil), (Array(masked.dropLast()), nil), ([0x8a] + masked.dropFirst(), .pong),
            ([0x8b] + masked.dropFirst(), nil), ([0x89, 0], .ping),
            ([0x89, 126] + [UInt8](repeating: 0, count: 126), nil),
            ([0x89, 125] + [UInt8](repeating: 0, count: 125), .ping),
            (Array("PING\r\n".utf8), .ping), (Array("PONG\r\n".utf8), .pong), (Array("PANG\r\n".utf8), nil),
            (Array("*1\r\n$4\r\nPING\r\n".utf8), .ping), (Array("*1\r\n$4\r\nPONG\r\n".utf8), nil),
            (Array("+PONG\r\n".utf8), .pong), (Array("+PING\r\n".utf8), nil), ([], nil),
        ]
        for (bytes, expected) in frames {
            #expect(bytes.withUnsafeBytes { PingFrame($0) } == expected, "\(bytes)")
        }
    }

    /// Broken: a packet of an interface with a snap length is read beyond it, or one without is read as empty.
    @Test(arguments: [(0, 60), (40, 40), (60, 60), (100, 60)] as [(UInt32, UInt32)])
    func simplePacketsAreCutToTheSnapLength(_ snapLength: UInt32, _ captured: UInt32) throws {
        let packet = PacketBytes.ipv4(PacketBytes.udp(50_000, 443, payload: [UInt8](repeating: 7, count: 32)))
        var file = PcapngWriter()
        file.addInterface(linkType: 101, snapLength: snapLength)
        file.addBlock(
            3,
            file.part { part in
                part.put(UInt32(60))
                part.put(packet)
            })
        let reading = try Reading(file.bytes)
        #expect(packet.count == 60 && reading.packets.map(\.capturedLength) == [captured])
        #expect(reading.packets.map(\.wireLength) == [60] && reading.fault == nil)
    }

    /// Broken: an IPv6 name record is ignored, or one without a name is read.
    @Test func nameRecordsOfIPv6AreRead() throws {
        func name(_ record: [UInt8], _ remote: [UInt8]) throws -> String? {
            var file = PcapngWriter()
            file.addInterface(linkType: 101)
            file.addBlock(
                4,
                file.part { part in
                    part.put(UInt16(2))
                    part.put(UInt16(record.count))
                    part.put(record)
                })
            file.add(PacketBytes.ipv6(PacketBytes.tcp(50_000, 443), to: remote), at: 1)
            let reading = try Reading(file.bytes)
            return reading.capture.remoteName(reading.capture.flow(reading.packets[0].flow))
        }
        #expect(try name(PacketBytes.server6 + Array("six.lan".utf8), PacketBytes.server6) == "six.lan")
        #expect(try name(PacketBytes.server6, PacketBytes.server6) == nil)
    }

    /// Broken: a name with the longest label, or with the longest text, is not read; or a longer one is.
    @Test(arguments: [(63, true), (64, false)])
    func labelsHaveAtMost63Characters(_ length: Int, _ isRead: Bool) throws {
        let label = String(repeating: "a", count: length)
        let answer = Samples.dnsAnswer("\(label).example", PacketBytes.server)
        var file = PcapWriter(linkType: 101)
        file.add(
            PacketBytes.ipv4(
                PacketBytes.udp(53, 40_000, payload: answer), from: PacketBytes.server, to: PacketBytes.phone), at: 0)
        file.add(PacketBytes.ipv4(PacketBytes.tcp(50_000, 443)), at: 1_000)
        let reading = try Reading(file.bytes)
        let name = reading.capture.remoteName(reading.capture.flow(reading.packets[1].flow))
        #expect(name == (isRead ? "\(label).example" : nil))
    }
}
