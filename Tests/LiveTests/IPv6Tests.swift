import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneCommand
import DeadzoneTransport
import Testing

@testable import DeadzoneLive

/// IPv6 packets are handled like IPv4 packets.
struct IPv6Tests {
    private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0
        for place in stride(from: 0, to: bytes.count, by: 2) {
            sum += UInt32(bytes[place]) << 8 | UInt32(place + 1 < bytes.count ? bytes[place + 1] : 0)
        }
        while sum >> 16 > 0 { sum = sum & 0xffff + sum >> 16 }
        return sum
    }

    @Test func generatedPacketsAreAcceptedByAKernel() {
        // Broken: a wrong length, address or checksum, so that a kernel drops the packet.
        let segment = TestEndpoints.segment(.down, [.rst, .ack], sequence: 0x0102_0304, isIPv6: true)
        #expect(segment.bytes.count == 60 && Array(segment.bytes[..<8]) == [0x60, 0, 0, 0, 0, 20, 6, 64])
        #expect(Self.sum(Array(segment.bytes[8..<40]) + [0, 6, 0, 20] + segment.bytes[40...]) == 0xffff)
        #expect(segment.isTCP && segment.flags == [.rst, .ack] && segment.sequence == 0x0102_0304)
        #expect(segment.source.text == "2001:db8::cb00:7101" && segment.destination.host == TestEndpoints.phone)
        for bytes in 48..<60 {
            let datagram = TestEndpoints.udp(bytes: bytes, isIPv6: true)
            let length = UInt8(bytes - 40)
            #expect(datagram.isUDP && datagram.payloadLength == UInt32(bytes - 48) && datagram.sourcePort == 40_000)
            #expect(Self.sum(Array(datagram.bytes[8..<40]) + [0, 17, 0, length] + datagram.bytes[40...]) == 0xffff)
        }
    }

    @Test func extensionHeadersAreSkipped() throws {
        // Broken: the ports of a packet with extension headers are not found, or ports are read from a later fragment.
        let plain = TestEndpoints.udp(bytes: 80, isIPv6: true)
        func extended(_ kind: UInt8, _ header: [UInt8]) -> Datagram? {
            Datagram(Array(plain.bytes[..<6]) + [kind] + plain.bytes[7..<40] + header + plain.bytes[40...])
        }
        for kind in [UInt8(0), 43, 60] {
            let packet = try #require(extended(kind, [17, 1] + Array(repeating: 0, count: 14)))
            #expect(packet.isUDP && packet.destinationPort == 8_080 && packet.payloadLength == plain.payloadLength)
        }
        let first = try #require(extended(44, [17, 0, 0, 1, 0, 0, 0, 9]))
        #expect(first.isUDP && first.destinationPort == 8_080)
        let later = try #require(extended(44, [17, 0, 0, 8, 0, 0, 0, 9]))
        #expect(!later.isUDP && later.destinationPort == 0)
        // No bytes are read beyond the end, for any content.
        for kind in UInt8.min...UInt8.max {
            for count in 40..<72 {
                let bytes = [0x60, 0, 0, 0, 0, 0, kind, 64] + Array(repeating: kind, count: count - 8)
                #expect(Datagram(bytes)?.payloadLength ?? 0 <= UInt32(count))
            }
        }
        #expect(Datagram(Array(plain.bytes[..<39])) == nil)
    }

    @Test func localTrafficCostsNothing() throws {
        // Broken: router and neighbour discovery by the kernel costs radio energy, or a requested echo does not.
        let head: [UInt8] = [0x60, 0, 0, 0, 0, 8, 58, 64] + Array(repeating: 1, count: 32)
        for (kind, isTalk) in [(UInt8(133), true), (135, true), (143, true), (128, false), (1, false)] {
            #expect(try #require(Datagram(head + [kind, 0, 0, 0, 0, 0, 0, 0])).isNeighbourTraffic == isTalk, "\(kind)")
        }
        #expect(!TestEndpoints.udp(isIPv6: true).isNeighbourTraffic && !TestEndpoints.udp().isNeighbourTraffic)
    }

    @Test func bothFamiliesMeetTheSameConditions() throws {
        // Broken: an IPv6 packet has no source address, meets other link conditions, or skips the middlebox's timer.
        let world = """
            phone: {radios: {wifi: wifi-galaxy-s2}}
            timeline: [{at: 0s, wifi: home}]
            links: {wifi: {delay: {uniform: [5ms, 60ms]}, loss: 20%}}
            middleboxes: {wifi: [{tcp: 30s}]}
            """
        var arrived = 0
        for second in Int64(1)...20 {
            let times = try [false, true].map { isIPv6 in
                var road = try LivePath.onWiFi(world)
                return road.arrivals(of: TestEndpoints.udp(bytes: 100, isIPv6: isIPv6), at: Self.at(second * 30)).map(
                    \.0)
            }
            #expect(times[0] == times[1])
            arrived += times[0].count
        }
        #expect((5...19).contains(arrived))
        var road = try LivePath.onWiFi(world.replacing(", loss: 20%", with: ""))
        road.expect(1, of: TestEndpoints.segment(.up, [.syn], isIPv6: true), at: Self.at(1))
        road.expect(0, of: TestEndpoints.segment(.up, [.ack], sequence: 2, isIPv6: true), at: Self.at(100))
        let isNew = road.readdress(.wifi, HostAddress(TestEndpoints.phone.ipv4 + 1))
        #expect(isNew)
        road.expect(0, of: TestEndpoints.udp(port: 2, isIPv6: true), at: Self.at(200))
    }

    @Test func aaaaRecordsFollowTheScenario() throws {
        // Broken: no AAAA record although the scenario has IPv6, or one although it has none.
        let question: [UInt8] =
            [0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 6] + Array("server".utf8) + [4] + Array("test".utf8)
            + [0, 0, 28, 0, 1]
        func answer(_ ipv6: Resolver.AddressStatus) -> [UInt8]? {
            NameServer(Resolver(ipv6: ipv6), names: ["server.test"], server: TestEndpoints.server).answer(
                to: question[...])
        }
        let works = try #require(answer(.works))
        #expect(
            Array(works.suffix(28)) == [0xc0, 12, 0, 28, 0, 1, 0, 0, 0, 60, 0, 16]
                + IPAddress.ipv6(TestEndpoints.server.ipv6).bytes)
        #expect(answer(.broken)?.suffix(16) == IPAddress.ipv6(NameServer.unassignedAddress.ipv6).bytes.suffix(16))
        #expect(answer(.absent)?[7] == 0 && answer(.unanswered) == nil)
    }

    @Test func twoAddressesAreOneAttempt() {
        // Broken: a client that races both families, or tries one after the other, counts as two attempts.
        var watch = FlowObserver()
        func attempt(_ isIPv6: Bool, port: UInt16, at moment: Int64, refused: Bool = false, opens: Bool = false) {
            let at = Instant.zero + .milliseconds(moment)
            let syn = TestEndpoints.segment(.up, [.syn], port: port, isIPv6: isIPv6)
            _ = watch.phoneSent(syn, LiveFlowKey(syn, .up), at: at)
            guard refused || opens else { return }
            let flags: Datagram.SegmentFlags = refused ? [.rst, .ack] : [.syn, .ack]
            let answer = TestEndpoints.segment(.down, flags, sequence: 0, port: port, isIPv6: isIPv6)
            _ = watch.serverSent(answer, LiveFlowKey(answer, .down))
            watch.phoneReceived(answer, LiveFlowKey(answer, .down), at: at + .milliseconds(20))
        }
        // First one family after the other, both refused; then the same again; then a race that IPv4 wins; then IPv6
        // only.
        attempt(true, port: 1, at: 0, refused: true)
        attempt(false, port: 2, at: 30, refused: true)
        attempt(true, port: 3, at: 2_000, refused: true)
        attempt(false, port: 4, at: 2_030, refused: true)
        attempt(true, port: 5, at: 6_000)
        attempt(false, port: 6, at: 6_250, opens: true)
        watch.markAllDead(of: TestEndpoints.phone, at: Self.at(10))
        attempt(true, port: 7, at: 15_000, opens: true)
        watch.finish(at: Self.at(30))
        let attempts = LiveAttempt.all(of: watch.flows)
        #expect(attempts.map(\.number) == [0, 1, 2, 0] && attempts.map(\.didOpen) == [false, false, true, true])
        #expect(attempts.map(\.afterAttempt) == [nil, .milliseconds(1_950), .milliseconds(3_950), nil])
        // Nothing shows when the client closed its connection.
        #expect(attempts.last?.afterLoss == nil)
        #expect(watch.records.filter { $0.kind == .connecting }.count == 4)
    }
}

/// Runs with programs that use IPv6.
@Suite(.enabled(if: Live.isWanted, "\(Live.advice)"))
struct IPv6ProgramTests {
    @Test func programsCanUseIPv6() throws {
        // Broken: the device has no IPv6 address or route, a name has no AAAA record, or the address survives a change
        // of Wi-Fi.
        let outcome = try Live.outcome(.six)
        let asked = outcome.reportedLines("tcp").map(\.words)
        let (byName, byNumber) = (asked.filter { $0[1].contains(":") }, asked.filter { !$0[1].contains(":") })
        #expect(
            byName.count >= 2 && byName.allSatisfy { $0[1] == "2001:db8::cb00:7101" && $0[2] == "7" }, "\(outcome.said)"
        )
        #expect(byNumber.count >= 2 && Set(byName.map { $0[0] }).count >= 2, "\(outcome.said)")
        let datagrams = outcome.reportedLines("udp").map(\.words)
        #expect(datagrams.count >= 2 && datagrams.allSatisfy { $0[0].hasPrefix("2001:db8:") && $0[1] == "8" })
        // Only the programs' packets cross: the kernel alone would send three packets.
        #expect(outcome.flows.allSatisfy { ($0["flow"] as? String ?? "").hasSuffix(" 8080") }, "\(outcome.flows)")
    }

    @Test func racingSucceedsIfIPv6IsBroken() throws {
        // Broken: a broken family answers, or a race counts as two attempts.
        let outcome = try Live.outcome(.race)
        let raced = try #require(outcome.reportedLines("raced").first, "\(outcome.said)")
        #expect(raced.words == ["203.0.113.1", "9"] && (0.2...2).contains(raced.at))
        #expect(
            outcome.attempts.count == 1 && outcome.attempts.first?["opened"] as? Bool == true, "\(outcome.attempts)")
        #expect(outcome.flows.count { ($0["flow"] as? String ?? "").hasPrefix("tcp") } == 2, "\(outcome.flows)")
    }

    @Test func aRefusalOverIPv6LeadsToIPv4() throws {
        // Broken: a client that tries its list of addresses counts as two attempts, or reaches no server.
        let outcome = try Live.run(
            .init(
                yaml: "timeline: [{at: 0s, wifi: home}]", seconds: 5, flags: ["--ipv6"], server: Live.echo,
                client: Live.program("odd.py", "asks", "server.test", "8080")))
        #expect(outcome.said.contains("heard 7") && outcome.attempts.count == 1, "\(outcome.attempts)")
        #expect(outcome.flows.count == 2, "\(outcome.flows)")
    }

    @Test func ipv6FlagAndResolverSectionConflict() {
        // Broken: the flag and the scenario disagree on the same name without an error.
        let printed = Live.CommandOutput(
            ["live", "-", "--ipv6", "--", "true"],
            input: """
                version: 1
                name: x
                duration: 2s
                phone: {radios: {wifi: wifi-galaxy-s2}}
                resolver: {ipv6: absent}
                timeline: [{at: 0s, wifi: home}]
                strategies: {a: {strategy: patient}}
                """)
        #expect(printed.code == .usage && printed.errors.contains("ipv6: works"), "\(printed.errors)")
    }
}
