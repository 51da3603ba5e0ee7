import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Whether the answer of a replay can be trusted: what it is compared with, and what it leaves out.
struct ReplayTrustTests {
    /// A phone at home: it asks a server every 30 s, and a television says mDNS every 2 s.
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

    private func shop(_ bytes: [UInt8]) throws -> Workshop {
        let shop = try Workshop()
        try Data(bytes).write(to: URL(filePath: shop.file("home.pcap")))
        try shop.write("clients.yaml", "calm: {strategy: patient, ping: 5m}\neager: {strategy: eager}\n")
        return shop
    }

    private func document(_ shop: Workshop, _ line: String) throws -> [String: Any] {
        let outcome = shop.run(line + " --json")
        try #require(outcome.code == .ok, "\(outcome.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    private func number(_ document: [String: Any], _ path: String...) -> Double {
        let inner = path.dropLast().reduce(document as Any?) { ($0 as? [String: Any])?[$1] } as? [String: Any]
        return (inner?[path.last ?? ""] as? NSNumber)?.doubleValue ?? .nan
    }

    @Test func neighboursArePricedApart() throws {
        // Broken: the user is told to make his television quieter on LTE.
        let shop = try shop(Self.home(seconds: 600))
        let replay = try document(shop, "replay @home.pcap")
        let (whole, without) = (number(replay, "radio", "joules"), number(replay, "neighbours", "joules_without"))
        // The whole is one long tail, the phone's own twenty short ones.
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
        let text = shop.run("replay @home.pcap").output
        #expect(
            text.contains("300 mDNS") && text.contains("on no cellular interface")
                && text.contains("neighbours' talk, 1 flow"))
        #expect(!text.contains("comes round every 2 s") && text.contains("comes round every 30 s"))
        // On Wi-Fi a phone hears all of it.
        let wifi = try document(shop, "replay @home.pcap --profile wifi-galaxy-s2")
        #expect(wifi["neighbours"] is NSNull && (wifi["periodic"] as? [Any])?.count == 2)
        #expect((wifi["notes"] as? [String])?.contains { $0.contains("cellular") } == false)
    }

    @Test func whatIsNoIPIsSaid() throws {
        // Broken: frames of a network's housekeeping have a price in joules, and nobody says that it means nothing.
        var file = PcapWriter(linkType: 105)
        for second in 0..<5 { file.add([0x80] + [UInt8](repeating: 0, count: 60), at: UInt64(second) * 1_000_000_000) }
        let replay = try document(try shop(file.bytes), "replay @home.pcap")
        #expect((replay["notes"] as? [String])?.contains { $0.contains("no IP in it") } == true)
        #expect(number(replay, "neighbours", "packets") == 5)
    }

    @Test func timeThatJumpsIsSaid() throws {
        // Broken: ten years of idle radio stand in the joules without a word.
        var file = PcapWriter(linkType: 101)
        let packet = PacketBytes.ipv4(PacketBytes.udp(50_000, 443, payload: [1]))
        for second: UInt64 in [1_592_552_824, 1_592_552_825, 1_907_912_825] {
            file.add(packet, at: second * 1_000_000_000)
        }
        let text = try shop(file.bytes).run("replay @home.pcap").output.replacing(/\s+/, with: " ")
        let words =
            "time jumps forward by 3650 days at packet 3, from 2020-06-19 07:47:05 UTC to 2030-06-17 07:47:05 UTC"
        #expect(text.contains(words), "\(text)")
    }

    @Test func strategiesStandBesideWhatWasCaptured() throws {
        // Broken: strategies are compared with nothing, or with another stretch of time than theirs.
        let shop = try shop(Self.home(seconds: 600))
        let line = "replay @home.pcap --strategies @clients.yaml"
        let replay = try document(shop, line)
        let seconds = number(replay, "what_if", "scenario", "duration_s")
        #expect(abs(number(replay, "as_captured", "seconds") - seconds) < 1e-6 && seconds > 620)
        let captured = number(replay, "as_captured", "joules")
        // The phone's own packets, and the time after the last one.
        let silent = try document(shop, "replay @home.pcap --filter tcp --until +\(Int(seconds))s")
        #expect(abs(captured - number(silent, "radio", "joules")) < 0.1)
        #expect(captured < number(replay, "radio", "joules"))
        let strategies = try #require((replay["what_if"] as? [String: Any])?["strategies"] as? [[String: Any]])
        #expect(strategies.compactMap { $0["name"] as? String } == ["calm", "eager"])
        let text = shop.run(line).output
        let head = try #require(text.split(separator: "\n").first { $0.hasSuffix("eager") })
        #expect(head.split(separator: " ").map(String.init) == ["as", "captured", "calm", "eager"])
        #expect(text.contains("deadzone replay \(shop.file("home.pcap")) --strategies \(shop.file("clients.yaml"))\n"))
        for format in ["html", "md"] {
            let page = shop.run("\(line) --format \(format)").output
            #expect(page.contains("as captured") && page.contains("eager") && page.contains("calm"), "\(format)")
            #expect(!page.contains(shop.path))
        }
        #expect(shop.run("\(line) --format html").output.contains("home.pcap --profile lte-verizon-2021"))
        #expect(shop.run("\(line) --format html").output.contains(" --strategies clients.yaml"))
    }

    @Test func theDearestFlowComesFirst() throws {
        // Broken: the flow that costs most stands below those that carry most, and no joule beside it.
        var file = PcapWriter(linkType: 101)
        func add(_ port: UInt16, _ bytes: Int, _ seconds: Double) {
            file.add(
                PacketBytes.ipv4(PacketBytes.udp(port, 443, payload: [UInt8](repeating: 0, count: bytes))),
                at: UInt64(1e18) + UInt64(seconds * 1e9))
        }
        for index in 0..<40 { add(50_001, 1_200, Double(index) / 100) }
        for index in 1..<6 { add(50_002, 20, Double(index) * 60) }
        let shop = try shop(file.bytes)
        let flows = try #require(try document(shop, "replay @home.pcap --device 10.0.0.2")["flows"] as? [[String: Any]])
        #expect(flows.compactMap { $0["flow"] as? String }.first?.contains(":50002 ") == true)
        let joules = flows.map { number($0, "joules") }
        #expect(joules == joules.sorted(by: >) && joules[0] > 5)
        for (format, heading) in [
            ("", "dearest flows"), (" --format html", ">Flows<"), (" --format md", "Dearest flows"),
        ] {
            let text = shop.run("replay @home.pcap --device 10.0.0.2" + format).output
            let table = text[(text.range(of: heading)?.upperBound ?? text.endIndex)...]
            let places = ["50002", "50001"].map { table.range(of: $0)?.lowerBound ?? text.endIndex }
            #expect(places[0] < places[1], "\(format)")
        }
        #expect(shop.run("replay @home.pcap").output.contains("joules\nudp 10.0.0.2:50002"))
    }
}
