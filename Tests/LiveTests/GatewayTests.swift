import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneCommand
import Foundation
import Testing

@testable import DeadzoneLive

/// Packet handling of the gateway for a real phone.
struct GatewayClientTests {
    private static let home = HostAddress(0xc0a8_4d02)
    private static let next = HostAddress(0x6440_0703)

    private static func sum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var (sum, isHigh): (UInt32, Bool) = (0, true)
        for byte in bytes {
            sum += isHigh ? UInt32(byte) << 8 : UInt32(byte)
            isHigh.toggle()
        }
        while sum >> 16 > 0 { sum = sum & 0xffff + sum >> 16 }
        return sum
    }

    /// `true` if a kernel would accept the packet: checksums and length are correct.
    private static func isSound(_ packet: Datagram) -> Bool {
        let length = packet.bytes.count - 20
        let pseudo = packet.bytes[12..<20] + [0, packet.isTCP ? 6 : 17, UInt8(length >> 8), UInt8(length & 255)]
        return sum(packet.bytes[..<20]) == 0xffff && sum(pseudo + packet.bytes[20...]) == 0xffff
            && Int(packet.bytes[2]) << 8 | Int(packet.bytes[3]) == packet.bytes.count
    }

    /// The packet as a kernel hands it over, with checksums not computed yet.
    private static func unsummed(_ packet: Datagram) -> Datagram {
        var bytes = packet.bytes
        for place in packet.isTCP ? [10, 11, 36, 37] : [10, 11, 26, 27] { bytes[place] = 0x55 }
        return Datagram(bytes)!
    }

    @Test func packetsLeaveWithTheNetworksAddressAndComeBack() throws {
        // Broken: an address or a checksum with which the packets would be dropped.
        var guest = GatewayClient()
        for packet in [
            TestEndpoints.udp(bytes: 99), TestEndpoints.segment(.up, [.syn]),
            TestEndpoints.segment(.up, [.ack], payload: [1, 2, 3]),
        ] {
            let sent = guest.outgoingPackets(Self.unsummed(packet), by: Self.next)
            #expect(
                sent.count == 1 && sent[0].source.host == Self.next && sent[0].destination.host == TestEndpoints.server)
            #expect(Self.isSound(sent[0]) && Array(sent[0].payload) == Array(packet.payload))
        }
        #expect(guest.address?.host == TestEndpoints.phone)
        let answer = TestEndpoints.segment(.down, [.ack], payload: [7]).withAddresses(to: .ipv4(Self.next.ipv4))
        let heard = try #require(guest.incomingPacket(answer))
        #expect(heard.destination.host == TestEndpoints.phone && Self.isSound(heard))
    }

    @Test func tcpKeepsItsAddressAndDatagramsMove() {
        // Broken: after a handoff an old TCP connection continues on the new network, or a UDP socket stays on the old
        // one.
        var guest = GatewayClient()
        func source(_ packet: Datagram, _ home: HostAddress?) -> HostAddress? {
            guest.outgoingPackets(packet, by: home).first?.source.host
        }
        #expect(source(TestEndpoints.segment(.up, [.syn]), Self.home) == Self.home)
        #expect(source(TestEndpoints.udp(), Self.home) == Self.home)
        #expect(
            source(TestEndpoints.segment(.up, [.ack]), Self.next) == Self.home
                && source(TestEndpoints.udp(), Self.next) == Self.next)
        #expect(source(TestEndpoints.segment(.up, [.ack]), nil) == Self.home && source(TestEndpoints.udp(), nil) == nil)
        // The same ports again.
        #expect(source(TestEndpoints.segment(.up, [.syn]), Self.next) == Self.next)
        #expect(source(TestEndpoints.segment(.up, [.ack]), Self.home) == Self.next)
    }

    @Test func coalescedSegmentsAreSplitAgain() throws {
        // Broken: bytes are lost, doubled or moved, or the FIN arrives before the last bytes.
        for count in [1, 1_460, 1_461, 2_920, 20_000, 60_000] {
            var dice = Dice(seed: UInt64(count), phone: PhoneID(0), purpose: .test)
            let payload = (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
            let whole = TestEndpoints.segment(.up, [.ack, .fin], sequence: .max - 700, payload: payload)
            var guest = GatewayClient()
            var (bytes, next): ([UInt8], UInt32) = ([], whole.sequence)
            let pieces = guest.outgoingPackets(whole, by: Self.home)
            #expect(pieces.count == (count + 1_459) / 1_460)
            for (number, piece) in pieces.enumerated() {
                #expect(piece.sequence == next && piece.bytes.count <= 1_500 && Self.isSound(piece))
                #expect(piece.flags.contains(.fin) == (number == pieces.count - 1))
                bytes += piece.payload
                next = piece.nextSequence
            }
            #expect(bytes == payload && next == whole.nextSequence)
        }
    }

    @Test func packetsOfOtherPhonesAreIgnored() {
        // Broken: a second phone gets the first one's packets, or broadcast and multicast packets cross.
        var guest = GatewayClient()
        _ = guest.outgoingPackets(TestEndpoints.udp(), by: Self.home)
        #expect(
            guest.outgoingPackets(TestEndpoints.udp().withAddresses(from: .ipv4(0xc0a8_2a03)), by: Self.home).isEmpty)
        for groupAddress: UInt32 in [0xe000_00fb, 0xffff_ffff, 0] {
            #expect(
                guest.outgoingPackets(TestEndpoints.udp().withAddresses(to: .ipv4(groupAddress)), by: Self.home).isEmpty
            )
        }
        #expect(
            guest.outgoingPackets(TestEndpoints.udp(isIPv6: true), by: Self.home).isEmpty
                && guest.incomingPacket(TestEndpoints.udp(isIPv6: true)) == nil)
        var piece = TestEndpoints.udp().bytes
        piece[6] = 0x20
        #expect(guest.outgoingPackets(Datagram(piece)!, by: Self.home).isEmpty)
    }
}

/// Tests this machine as the gateway of a phone that is simulated by a network namespace.
@Suite(
    .enabled(
        if: Live.isWanted && Live.binary != nil && Live.hasNetworkTools,
        "\(Live.advice), no command was built, or no ip"))
struct GatewayTests {
    @Test func aPhoneBehindTheGatewayIsSimulated() throws {
        // Broken: the phone's packets do not cross, or bypass the simulation. Also covers names, long segments and the
        // dead zone.
        let scenario = FileManager.default.temporaryDirectory.appending(
            path: "deadzone-gateway-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: scenario) }
        try Data(
            """
            version: 1
            name: gateway
            duration: 9s
            phone: {radios: {wifi: wifi-galaxy-s2}}
            links: {wifi: {delay: 30ms, rate: 20Mbps}}
            timeline: [{at: 0s, wifi: home}, {at: 4s, dead-zone: 2s}]
            strategies: {a: {strategy: patient}}
            """.utf8
        ).write(to: scenario)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["unshare", "--map-root-user", "--net", "--fork", "--kill-child", "sh", "\(Live.programs)/gateway.sh"]
            + [try #require(Live.binary), Live.python, scenario.path, Live.programs]
        let (output, errors) = (
            Pipe(), FileManager.default.temporaryDirectory.appending(path: "deadzone-\(UUID().uuidString)")
        )
        defer { try? FileManager.default.removeItem(at: errors) }
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let said = try String(contentsOf: errors, encoding: .utf8)
        let outcome = try Live.Outcome(
            Live.CommandOutput(code: process.terminationStatus == 0 ? .ok : .gateFailed, output: text, errors: said))
        let heard = outcome.reportedLines("heard").map(\.at)
        let waited = outcome.reportedLines("heard").compactMap { told in told.words.last.flatMap { Double($0) } }
        // The phone's clock starts 0.7 s or more after the run's clock, so only the length of the silence is known.
        let silence = zip(heard, heard.dropFirst()).map { $1 - $0 }.max() ?? 0
        #expect((1.8...4).contains(silence) && heard.count >= 10, "\(said)")
        #expect(waited.allSatisfy { $0 >= 0.06 }, "a packet bypassed the simulation: \(said)")
        #expect(outcome.reportedLines("poured").first?.words == ["300000"], "\(said)")
        #expect(outcome.flows.contains { ($0["flow"] as? String ?? "").hasPrefix("tcp") }, "\(outcome.flows)")
        #expect(outcome.metric("battery.joules") ?? 0 > 0.1)
    }

    @Test func unsuitableGatewaySetupsAreRejected() {
        // Broken: packets would bypass the simulation without an error.
        let text =
            "version: 1\nname: x\nduration: 1s\nphone: {radios: {wifi: wifi-galaxy-s2}}\n"
            + "timeline: [{at: 0s, wifi: home}]\nstrategies: {a: {strategy: patient}}\n"
        let absent = Live.CommandOutput(["live", "-", "--gateway", "nosuch0"], input: text)
        #expect(absent.code != .ok && absent.errors.contains("nosuch0"), "\(absent.errors)")
        let both = Live.CommandOutput(["live", "-", "--gateway", "lo", "--", "true"], input: text)
        #expect(both.code == .usage && both.errors.contains("real phone"), "\(both.errors)")
        #expect(Live.CommandOutput(["live", "-"], input: text).code == .usage)
    }
}
