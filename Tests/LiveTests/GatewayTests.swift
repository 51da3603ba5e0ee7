import struct DeadzoneCaptures.IPAddress
import DeadzoneCommand
import DeadzonePrimitives
import Foundation
import Testing

@testable import DeadzoneLive

/// A real phone's packets, as its gateway has them.
struct GuestTests {
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

    /// A kernel takes it.
    private static func isSound(_ packet: Datagram) -> Bool {
        let length = packet.bytes.count - 20
        let pseudo = packet.bytes[12..<20] + [0, packet.isTCP ? 6 : 17, UInt8(length >> 8), UInt8(length & 255)]
        return sum(packet.bytes[..<20]) == 0xffff && sum(pseudo + packet.bytes[20...]) == 0xffff
            && Int(packet.bytes[2]) << 8 | Int(packet.bytes[3]) == packet.bytes.count
    }

    /// As a kernel hands it over: not summed up yet.
    private static func unsummed(_ packet: Datagram) -> Datagram {
        var bytes = packet.bytes
        for place in packet.isTCP ? [10, 11, 36, 37] : [10, 11, 26, 27] { bytes[place] = 0x55 }
        return Datagram(bytes)!
    }

    @Test func packetsLeaveWithTheNetworksAddressAndComeBack() throws {
        // Broken: an address, or a sum, by which nobody would take them.
        var guest = Guest()
        for packet in [Ends.udp(bytes: 99), Ends.segment(.up, [.syn]), Ends.segment(.up, [.ack], payload: [1, 2, 3])] {
            let sent = guest.outward(Self.unsummed(packet), by: Self.next)
            #expect(sent.count == 1 && sent[0].source.host == Self.next && sent[0].destination.host == Ends.server)
            #expect(Self.isSound(sent[0]) && Array(sent[0].payload) == Array(packet.payload))
        }
        #expect(guest.address?.host == Ends.phone)
        let answer = Ends.segment(.down, [.ack], payload: [7]).readdressed(to: .ipv4(Self.next.ipv4))
        let heard = try #require(guest.inward(answer))
        #expect(heard.destination.host == Ends.phone && Self.isSound(heard))
    }

    @Test func tcpStaysWhereItBeganAndDatagramsMove() {
        // Broken: after a handoff an old connection goes on over the new network, or a socket of UDP stays on the old one.
        var guest = Guest()
        func source(_ packet: Datagram, _ home: HostAddress?) -> HostAddress? {
            guest.outward(packet, by: home).first?.source.host
        }
        #expect(source(Ends.segment(.up, [.syn]), Self.home) == Self.home)
        #expect(source(Ends.udp(), Self.home) == Self.home)
        #expect(source(Ends.segment(.up, [.ack]), Self.next) == Self.home && source(Ends.udp(), Self.next) == Self.next)
        #expect(source(Ends.segment(.up, [.ack]), nil) == Self.home && source(Ends.udp(), nil) == nil)
        // The same ports anew.
        #expect(source(Ends.segment(.up, [.syn]), Self.next) == Self.next)
        #expect(source(Ends.segment(.up, [.ack]), Self.home) == Self.next)
    }

    @Test func whatAKernelHasPutTogetherIsCutAgain() throws {
        // Broken: bytes are lost, doubled or moved, or the end comes before it is there.
        for count in [1, 1_460, 1_461, 2_920, 20_000, 60_000] {
            var dice = Dice(seed: UInt64(count), phone: PhoneID(0), purpose: .test)
            let payload = (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
            let whole = Ends.segment(.up, [.ack, .fin], sequence: .max - 700, payload: payload)
            var guest = Guest()
            var (bytes, next): ([UInt8], UInt32) = ([], whole.sequence)
            let pieces = guest.outward(whole, by: Self.home)
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

    @Test func othersAreNoGuests() {
        // Broken: a second phone gets the first one's packets, or what is for everybody crosses.
        var guest = Guest()
        _ = guest.outward(Ends.udp(), by: Self.home)
        #expect(guest.outward(Ends.udp().readdressed(from: .ipv4(0xc0a8_2a03)), by: Self.home).isEmpty)
        for everybody: UInt32 in [0xe000_00fb, 0xffff_ffff, 0] {
            #expect(guest.outward(Ends.udp().readdressed(to: .ipv4(everybody)), by: Self.home).isEmpty)
        }
        #expect(
            guest.outward(Ends.udp(isIPv6: true), by: Self.home).isEmpty && guest.inward(Ends.udp(isIPv6: true)) == nil)
        var piece = Ends.udp().bytes
        piece[6] = 0x20
        #expect(guest.outward(Datagram(piece)!, by: Self.home).isEmpty)
    }
}

/// This machine as the gateway of a phone that is a namespace.
@Suite(
    .enabled(
        if: Live.isWanted && Live.binary != nil && Live.hasNetworkTools,
        "\(Live.advice), no command was built, or no ip"))
struct GatewayTests {
    @Test func aPhoneBehindADeviceLivesInTheWorld() throws {
        // Broken: its packets do not cross, or cross beside the world; names of this machine, long segments, or the dead zone.
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
            Live.Printed(code: process.terminationStatus == 0 ? .ok : .gateFailed, output: text, errors: said))
        let heard = outcome.told("heard").map(\.at)
        let waited = outcome.told("heard").compactMap { told in told.words.last.flatMap { Double($0) } }
        // The phone begins 0.7 s or more after the run.
        #expect(
            heard.contains { $0 < 2.5 } && heard.contains { $0 > 6 } && !heard.contains { (3.6...4.2).contains($0) },
            "\(said)")
        #expect(waited.allSatisfy { $0 >= 0.06 }, "a packet came around the world: \(said)")
        #expect(outcome.told("poured").first?.words == ["300000"], "\(said)")
        #expect(outcome.flows.contains { ($0["flow"] as? String ?? "").hasPrefix("tcp") }, "\(outcome.flows)")
        #expect(outcome.metric("battery.joules") ?? 0 > 0.1)
    }

    @Test func aKernelThatForwardsIsRefused() {
        // Broken: packets would go past the world, and nobody says so.
        let text =
            "version: 1\nname: x\nduration: 1s\nphone: {radios: {wifi: wifi-galaxy-s2}}\n"
            + "timeline: [{at: 0s, wifi: home}]\nstrategies: {a: {strategy: patient}}\n"
        let absent = Live.Printed(["live", "-", "--gateway", "nosuch0"], input: text)
        #expect(absent.code != .ok && absent.errors.contains("nosuch0"), "\(absent.errors)")
        let both = Live.Printed(["live", "-", "--gateway", "lo", "--", "true"], input: text)
        #expect(both.code == .usage && both.errors.contains("real phone"), "\(both.errors)")
        #expect(Live.Printed(["live", "-"], input: text).code == .usage)
    }
}
