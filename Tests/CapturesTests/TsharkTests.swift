import DeadzoneCaptures
import DeadzoneTestKit
import Foundation
import Testing

/// Compares the reader with Wireshark's dissectors on the files that these tests write.
struct TsharkTests {
    /// The fields that both report for a packet: its length, its timestamp, and whether its outermost TCP or UDP header
    /// has ports.
    struct Line: Equatable, CustomStringConvertible {
        var length: UInt32
        var stamp: String
        var isTCP: Bool
        var isUDP: Bool

        var description: String { "\(length) bytes at \(stamp)\(isTCP ? " tcp" : "")\(isUDP ? " udp" : "")" }
    }

    private static let path = ["/usr/bin/tshark", "/usr/local/bin/tshark", "/opt/homebrew/bin/tshark"]
        .first(where: FileManager.default.isExecutableFile)

    private func tshark(_ bytes: [UInt8]) throws -> [Line] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "deadzone-tshark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, out) = (folder.appending(path: "a.pcap"), folder.appending(path: "out"))
        try Data(bytes).write(to: file)
        try Data().write(to: out)
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.path, "tshark is not installed"))
        process.arguments =
            ["-n", "-r", file.path, "-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE", "-T", "fields"]
            + ["frame.len", "frame.time_epoch", "tcp.srcport", "udp.srcport"].flatMap { ["-e", $0] }
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return String(decoding: try Data(contentsOf: out), as: UTF8.self).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Line(
                length: UInt32(fields[0]) ?? .max, stamp: fields[1], isTCP: !fields[2].isEmpty,
                isUDP: !fields[3].isEmpty)
        }
    }

    private func ours(_ bytes: [UInt8]) throws -> [Line] {
        try Reading(bytes).packets.map { packet in
            let (seconds, rest) = packet.stamp.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            let fraction = String(repeating: "0", count: 9 - String(rest).count) + String(rest)
            return Line(
                length: packet.wireLength, stamp: "\(seconds).\(fraction)", isTCP: packet.isTCP && packet.flow.isKnown,
                isUDP: packet.isUDP && packet.flow.isKnown)
        }
    }

    /// Link type 149 is reserved for private use. Only Apple's own Wireshark reads it as PKTAP and supports PKTAP
    /// version 2.
    private static let wrappings =
        (LinkTypeTests.ethernets + LinkTypeTests.cooked + LinkTypeTests.families + LinkTypeTests.wifi
        + LinkTypeTests.pktap)
        .filter { $0.linkType != 149 && $0.description != "PKTAP v2" }

    /// Wireshark does not count its pseudo-header byte for the direction (DLT_PPP_WITH_DIRECTION).
    private static func uncounted(_ linkType: UInt32) -> UInt32 { linkType == 204 ? 1 : 0 }

    private static let isWanted = path != nil || ProcessInfo.processInfo.environment["DEADZONE_REQUIRE_ORACLES"] == "1"

    @Test(.enabled(if: isWanted, "tshark is not installed"), arguments: wrappings)
    func agreesOnEveryLinkType(_ wrapping: LinkTypeTests.Wrapping) throws {
        // Broken: our link headers are readable only by our own reader.
        var file = PcapWriter(linkType: wrapping.linkType, isNanoseconds: true)
        for (index, packet) in Self.packets.enumerated() {
            file.add(wrapping.wrap(packet), at: 1_700_000_000_123_456_789 + UInt64(index))
        }
        var theirs = try tshark(file.bytes)
        for index in theirs.indices { theirs[index].length += Self.uncounted(wrapping.linkType) }
        #expect(theirs == (try ours(file.bytes)))
        #expect(
            theirs.count == Self.packets.count && theirs.contains(where: \.isTCP) && theirs.contains(where: \.isUDP))
    }

    private static let packets: [[UInt8]] = [
        PacketBytes.ipv4(PacketBytes.tcp(40_000, 9_999, payload: [1, 2, 3])),
        PacketBytes.ipv6(PacketBytes.udp(40_000, 9_999)),
        PacketBytes.ipv4(PacketBytes.udp(40_000, 9_999, payload: [9]), fragment: 0x2003),
        PacketBytes.ipv6(PacketBytes.tcp(40_000, 9_999), extensions: [(60, [0, 1, 4, 0, 0, 0, 0])]),
    ]

    @Test(.enabled(if: isWanted, "tshark is not installed"), arguments: [false, true])
    func agreesOnPcapng(_ isBigEndian: Bool) throws {
        // Broken: our blocks and resolutions are readable only by our own reader.
        var file = PcapngWriter(isBigEndian: isBigEndian)
        file.addInterface(linkType: 101, options: [.init(2, "a"), .init(9, [9])])
        file.addInterface(
            linkType: 1, snapLength: 96, options: [.init(9, [0x80 | 20]), .init(14, file.part { $0.put(Int64(-7)) })])
        file.addInterface(linkType: 113)
        for (index, packet) in Self.packets.enumerated() {
            file.add(
                packet, at: 1_700_000_000_123_456_789 + UInt64(index),
                options: [.init(1, "one"), .init(2, file.part { $0.put(UInt32(2)) })])
            file.add(
                PacketBytes.ethernet(packet), at: 1_700_000_000 << 20 + UInt64(index) << 17, interface: 1,
                wireLength: 1_500)
            file.add([0, 4, 0, 1, 0, 6] + [UInt8](repeating: 0, count: 8) + [8, 6] + packet, at: 5, interface: 2)
        }
        let (theirs, own) = (try tshark(file.bytes), try ours(file.bytes))
        #expect(theirs == own)
        #expect(theirs.count == 3 * Self.packets.count)
    }
}
