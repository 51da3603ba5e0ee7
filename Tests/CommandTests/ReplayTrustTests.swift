import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Trust in the result of a replay: what it is compared with, and what it excludes.
struct ReplayTrustTests {
    /// A phone at home: it sends a request to a server every 30 s, and a television sends mDNS every 2 s.
    private static func home(seconds: Int, linkType: UInt32 = 1) -> [UInt8] {
        var file = PcapWriter(linkType: linkType)
        func add(_ packet: [UInt8], _ at: Double) {
            let link = linkType == 1 ? PacketBytes.ethernet(packet) : packet
            file.add(link, at: 1_700_000_000_000_000_000 + UInt64(at * 1e9))
        }
        for second in stride(from: 0, to: seconds, by: 2) {
            if second % 30 == 0 {
                let sequence = UInt32(1 + second)
                add(PacketBytes.ipv4(PacketBytes.tcp(40_000, 443, sequence: sequence, payload: [1])), Double(second))
                add(
                    PacketBytes.ipv4(
                        PacketBytes.tcp(443, 40_000, sequence: sequence, payload: [UInt8](repeating: 7, count: 900)),
                        from: PacketBytes.server, to: PacketBytes.phone), Double(second) + 0.08)
            }
            add(
                PacketBytes.ipv4(
                    PacketBytes.udp(5_353, 5_353, payload: [UInt8](repeating: 0, count: 300)), from: [10, 0, 0, 9],
                    to: [224, 0, 0, 251]), Double(second) + 1)
        }
        return file.bytes
    }

    private func workspace(_ bytes: [UInt8]) throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try Data(bytes).write(to: URL(filePath: workspace.file("home.pcap")))
        try workspace.write("clients.yaml", "calm: {strategy: patient, ping: 5m}\neager: {strategy: eager}\n")
        return workspace
    }

    private func number(_ document: [String: Any], _ path: String...) -> Double {
        let inner = path.dropLast().reduce(document as Any?) { ($0 as? [String: Any])?[$1] } as? [String: Any]
        return (inner?[path.last ?? ""] as? NSNumber)?.doubleValue ?? .nan
    }

    @Test func neighboursArePricedSeparately() throws {
        // Broken: the mDNS packets of a television are charged to the phone's LTE radio.
        let workspace = try workspace(Self.home(seconds: 600))
        let replay = try workspace.document("replay @home.pcap")
        let (whole, without) = (number(replay, "radio", "joules"), number(replay, "neighbours", "joules_without"))
        // With all packets there is one long tail; the phone's own packets have twenty short tails.
        #expect(without < 0.6 * whole && without > 20)
        #expect(abs(number(replay, "neighbours", "joules") + without - whole) < 1e-9)
        #expect(number(replay, "neighbours", "packets") == 300)
        #expect((replay["capture"] as? [String: Any])?["medium"] as? String == "local")
        let periodic = try #require(replay["periodic"] as? [[String: Any]])
        #expect(periodic.compactMap { $0["flow"] as? String } == ["tcp 10.0.0.2:40000 > 192.0.2.1:443"])
        #expect(abs(number(periodic[0], "interval_s") - 30) < 0.1)
        let remotes = try #require(replay["remotes"] as? [[String: Any]])
        #expect(remotes.compactMap { $0["name"] as? String } == ["192.0.2.1"])
        let flows = try #require(replay["flows"] as? [[String: Any]])
        #expect(flows.count == 2 && flows.contains { $0["neighbours"] as? String == "mDNS" })
        let text = workspace.run("replay @home.pcap").output.replacing(/\s+/, with: " ")
        #expect(
            text.contains("300 mDNS") && text.contains("not on a cellular interface")
                && text.contains("local traffic, 1 flow"))
        #expect(!text.contains("repeats every 2 s") && text.contains("repeats every 30 s"))
        // On Wi-Fi, the phone receives all of these packets.
        let wifi = try workspace.document("replay @home.pcap --profile wifi-galaxy-s2")
        #expect(wifi["neighbours"] is NSNull && (wifi["periodic"] as? [Any])?.count == 2)
        #expect((wifi["notes"] as? [String])?.contains { $0.contains("cellular") } == false)
    }

    @Test func packetsWithoutIPAreReported() throws {
        // Broken: management frames of a network get a price in joules, without a note that the price is meaningless.
        var file = PcapWriter(linkType: 105)
        for second in 0..<5 { file.add([0x80] + [UInt8](repeating: 0, count: 60), at: UInt64(second) * 1_000_000_000) }
        let replay = try workspace(file.bytes).document("replay @home.pcap")
        #expect((replay["notes"] as? [String])?.contains { $0.contains("no IP packets") } == true)
        #expect(number(replay, "neighbours", "packets") == 5)
    }

    @Test func timeJumpIsReported() throws {
        // Broken: the joules include ten years of an idle radio, without a note.
        var file = PcapWriter(linkType: 101)
        let packet = PacketBytes.ipv4(PacketBytes.udp(50_000, 443, payload: [1]))
        for second: UInt64 in [1_592_552_824, 1_592_552_825, 1_907_912_825] {
            file.add(packet, at: second * 1_000_000_000)
        }
        let text = try workspace(file.bytes).run("replay @home.pcap").output.replacing(/\s+/, with: " ")
        let words =
            "time jumps forward by 3650 days at packet 3, from 2020-06-19 07:47:05 UTC to 2030-06-17 07:47:05 UTC"
        #expect(text.contains(words), "\(text)")
    }

    @Test func strategiesAreComparedWithTheCapture() throws {
        // Broken: strategies are compared with nothing, or with a capture of another duration.
        let workspace = try workspace(Self.home(seconds: 600))
        let line = "replay @home.pcap --strategies @clients.yaml"
        let replay = try workspace.document(line)
        let seconds = number(replay, "what_if", "scenario", "duration_s")
        #expect(abs(number(replay, "as_captured", "seconds") - seconds) < 1e-6 && seconds > 620)
        let captured = number(replay, "as_captured", "joules")
        // The phone's own packets, and the time after the last one.
        let silent = try workspace.document("replay @home.pcap --filter tcp --until +\(Int(seconds))s")
        #expect(abs(captured - number(silent, "radio", "joules")) < 0.1)
        #expect(captured < number(replay, "radio", "joules"))
        let strategies = try #require((replay["what_if"] as? [String: Any])?["strategies"] as? [[String: Any]])
        #expect(strategies.compactMap { $0["name"] as? String } == ["calm", "eager"])
        let text = workspace.run(line).output
        let head = try #require(text.split(separator: "\n").first { $0.hasSuffix("eager") })
        #expect(head.split(separator: " ").map(String.init) == ["as", "captured", "calm", "eager"])
        #expect(
            text.contains(
                "deadzone replay \(workspace.file("home.pcap")) --strategies \(workspace.file("clients.yaml"))\n"))
        for format in ["html", "md"] {
            let page = workspace.run("\(line) --format \(format)").output
            #expect(page.contains("as captured") && page.contains("eager") && page.contains("calm"), "\(format)")
            #expect(!page.contains(workspace.path))
        }
        #expect(workspace.run("\(line) --format html").output.contains("home.pcap --profile lte-verizon-2021"))
        #expect(workspace.run("\(line) --format html").output.contains(" --strategies clients.yaml"))
    }

    @Test func mostExpensiveFlowComesFirst() throws {
        // Broken: the flow that costs most is listed below those that carry most bytes, or without its joules.
        var file = PcapWriter(linkType: 101)
        func add(_ port: UInt16, _ bytes: Int, _ seconds: Double) {
            file.add(
                PacketBytes.ipv4(PacketBytes.udp(port, 443, payload: [UInt8](repeating: 0, count: bytes))),
                at: UInt64(1e18) + UInt64(seconds * 1e9))
        }
        for index in 0..<40 { add(50_001, 1_200, Double(index) / 100) }
        for index in 1..<6 { add(50_002, 20, Double(index) * 60) }
        let workspace = try workspace(file.bytes)
        let flows = try #require(
            try workspace.document("replay @home.pcap --device 10.0.0.2")["flows"] as? [[String: Any]])
        #expect(flows.compactMap { $0["flow"] as? String }.first?.contains(":50002 ") == true)
        let joules = flows.map { number($0, "joules") }
        #expect(joules == joules.sorted(by: >) && joules[0] > 5)
        for (format, heading) in [
            ("", "flows with the most energy"), (" --format html", ">Flows<"),
            (" --format md", "Flows with the most energy"),
        ] {
            let text = workspace.run("replay @home.pcap --device 10.0.0.2" + format).output
            let table = text[(text.range(of: heading)?.upperBound ?? text.endIndex)...]
            let places = ["50002", "50001"].map { table.range(of: $0)?.lowerBound ?? text.endIndex }
            #expect(places[0] < places[1], "\(format)")
        }
        #expect(workspace.run("replay @home.pcap").output.contains("joules\nudp 10.0.0.2:50002"))
    }
}
