import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// The first numbers that a reader of a replay sees: what a cellular network would carry, when, and on which flow.
struct ReplayHeadlineTests {
    /// The first packet of the television comes before the phone's first packet.
    private static let start: UInt64 = 1_700_000_000_000_000_000

    /// Irregular delays of the small messages, in seconds.
    private static let delays = [0, 3, 7.5, 1.5, 9, 5.2, 0.4, 6.1, 10.5, 2.2]

    /// Every 20 s the phone sends a request, and some seconds later a small message on another connection. A television
    /// sends mDNS every 2 s.
    private static func home(seconds: Int) -> Data {
        var file = PcapWriter()
        func add(_ segment: PacketBytes.Segment, _ at: Double, from: [UInt8], to: [UInt8]) {
            file.add(
                PacketBytes.ethernet(PacketBytes.ipv4(segment, from: from, to: to)), at: start + UInt64(at * 1e9))
        }
        for second in stride(from: 0, to: seconds, by: 2) {
            add(
                PacketBytes.udp(5_353, 5_353, payload: [UInt8](repeating: 0, count: 300)), Double(second),
                from: [10, 0, 0, 9], to: [224, 0, 0, 251])
            guard second % 20 == 0 else { continue }
            let sequence = UInt32(1 + second)
            let (phone, server) = (PacketBytes.phone, PacketBytes.server)
            add(
                PacketBytes.tcp(40_000, 443, sequence: sequence, payload: [1]), Double(second) + 1, from: phone,
                to: server)
            add(
                PacketBytes.tcp(443, 40_000, sequence: sequence, payload: [UInt8](repeating: 7, count: 900)),
                Double(second) + 1.08, from: server, to: phone)
            add(
                PacketBytes.tcp(40_001, 443, sequence: sequence, payload: [1, 2]),
                Double(second) + 4 + delays[second / 20 % 10], from: phone,
                to: server)
        }
        return Data(file.bytes)
    }

    private func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }

    @Test func cellularEnergyComesFirst() throws {
        // Broken: the headline includes the mDNS of a television, or the flows do not add up to it.
        let workspace = try TestWorkspace.replaying(Self.home(seconds: 200))
        let replay = try workspace.document("replay @a.pcap")
        let neighbours = try #require(replay["neighbours"] as? [String: Any])
        let (own, added) = (number(neighbours["joules_without"]), number(neighbours["joules"]))
        #expect(added > 2 && own > 2)
        let (ownText, addedText) = (String(format: "%.4g J", own), String(format: "%.4g J", added))
        func words(_ flags: String) -> String {
            workspace.run("replay @a.pcap " + flags).output.replacing(/\s+/, with: " ")
        }
        let text = words("")
        #expect(
            text.contains(
                "Radio energy on lte-verizon-2021 with physical rules: \(ownText) for the phone's own traffic; local traffic, "
                    + "which a cellular network does not carry, would add \(String(format: "%.2f", added)) J"),
            "\(text)")
        let page = words("--format html")
        #expect(page.contains("the radio used <b>\(ownText)</b> for the phone's own traffic"))
        #expect(page.contains("<h3>Energy of the radio, without local traffic</h3><p class=\"big\">\(ownText)</p>"))
        #expect(page.contains("local traffic: +\(addedText), not included"))
        #expect(words("--format md").contains("**\(String(format: "%.2f", own)) J** for the phone's own traffic"))
        // States, own flows with idle time, and the peer with the most energy are those of the own traffic.
        let states = try #require(neighbours["states_without"] as? [[String: Any]])
        #expect(abs(states.reduce(0) { $0 + number($1["joules"]) } - own) < 1e-9)
        let idle = number(states.first { $0["state"] as? String == "idle" }?["joules"])
        let flows = try #require(replay["flows"] as? [[String: Any]]).filter { $0["neighbours"] is NSNull }
        #expect(abs(flows.reduce(idle) { $0 + number($1["joules"]) } - own) < 1e-6)
        let remotes = try #require(replay["remotes"] as? [[String: Any]])
        #expect(abs(remotes.reduce(idle) { $0 + number($1["joules"]) } - own) < 1e-6)
    }

    @Test func whatIfIsRelatedToTheHeadline() throws {
        // Broken: the what-if table shows a third energy of the capture, and does not say how it relates to the others.
        let workspace = try TestWorkspace.replaying(Self.home(seconds: 200))
        let line = "replay @a.pcap --strategies @clients.yaml"
        let replay = try workspace.document(line)
        let own = number((replay["neighbours"] as? [String: Any])?["joules_without"])
        let captured = number((replay["as_captured"] as? [String: Any])?["joules"])
        // Both begin with the first packet of the capture, which is the television's.
        let window = try workspace.document("replay @a.pcap --until +228s")
        #expect(abs(captured - number((window["neighbours"] as? [String: Any])?["joules_without"])) < 0.05)
        func text(_ joules: Double) -> String {
            String(format: "%.2f", joules).replacing(/\.?0+$/, with: "")
        }
        let words =
            "is \(text(captured)) J: the \(text(own)) J above without local traffic, and \(text(captured - own)) J in the 30 s"
        let output = workspace.run(line).output.replacing(/\s+/, with: " ")
        #expect(output.contains("\"As captured\" " + words), "\(output)")
        #expect(output.contains("20 messages up and 10 down in 228 s"))
        #expect(workspace.run(line + " --format html").output.contains(words))
        // The report of another window or with other rules is not that part of it.
        #expect(!workspace.run(line + " --until +60s").output.contains("As captured\" is"))
        // A monthly figure says that it comes from minutes.
        #expect(workspace.run(line + " -v").output.contains("Bytes in a month, from 3 min 48 s"))
    }

    @Test func habitsNameFlowPeerAndTime() throws {
        // Broken: a habit has joules, but no place in the capture; or times are seconds since 1970.
        let workspace = try TestWorkspace.replaying(Self.home(seconds: 200))
        let replay = try workspace.document("replay @a.pcap")
        let habits = try #require(replay["habits"] as? [[String: Any]])
        let isolated = try #require(habits.first { ($0["habit"] as? String)?.contains("less than 1 KiB") == true })
        let bursts = try #require(isolated["bursts"] as? [[String: Any]])
        // The bursts are the small messages.
        #expect(bursts.count == 10)
        for (index, burst) in bursts.enumerated() {
            let at = Double(20 * index) + 4 + Self.delays[index]
            #expect(abs(number(burst["from_start_s"]) - at) < 1e-6)
            #expect(abs(number(burst["at_s"]) - Double(Self.start / 1_000_000_000) - at) < 1e-3)
            #expect(burst["flow"] as? String == "tcp 10.0.0.2:40001 > 192.0.2.1:443")
        }
        #expect(abs(bursts.reduce(0) { $0 + number($1["joules"]) } - number(isolated["joules"])) < 1e-9)
        let text = workspace.run("replay @a.pcap").output.replacing(/\s+/, with: " ")
        #expect(text.contains("10 bursts of less than 1 KiB") && text.contains("and 7 more"))
        #expect(text.contains(/at (\d+ )?[\d.]+ s, [\d.]+ J: tcp 10\.0\.0\.2:40001 > 192\.0\.2\.1:443/), "\(text)")
        #expect(!text.contains("at 1700000"))
        let page = workspace.run("replay @a.pcap --format html").output
        #expect(page.contains("J: tcp 10.0.0.2:40001 &gt; 192.0.2.1:443"))
        // The periodic flow has its own name and its bursts.
        let periodic = try #require(habits.first { ($0["habit"] as? String)?.contains("repeats every 20 s") == true })
        #expect((periodic["habit"] as? String)?.hasPrefix("tcp 10.0.0.2:40000 > ") == true)
        #expect((periodic["bursts"] as? [Any])?.isEmpty == false)
    }

    @Test func transitionsCountFromTheFirstPacket() throws {
        // Broken: a transition is printed as seconds since 1970, where every other time counts from the beginning.
        var file = PcapWriter(linkType: 101)
        func add(_ sequence: UInt32, _ at: Double, flags: UInt8 = 0x10, port: UInt16 = 40_000) {
            file.add(
                PacketBytes.ipv4(
                    PacketBytes.tcp(port, 443, flags: flags, sequence: sequence, payload: flags == 2 ? [] : [1, 2])),
                at: Self.start + UInt64(at * 1e9))
        }
        add(1, 0)
        add(3, 0.1)
        // Silence, a retransmission, and a new connection.
        add(3, 10)
        add(100, 10.2, flags: 2, port: 40_002)
        let workspace = try TestWorkspace.replaying(Data(file.bytes))
        let text = workspace.run("replay @a.pcap --device 10.0.0.2").output
        #expect(text.contains("transition at 10 s: silence, then new connections"), "\(text)")
        #expect(text.contains("1 burst began with a retransmission"), "\(text)")
        let transitions = try #require(
            try workspace.document("replay @a.pcap --device 10.0.0.2")["transitions"] as? [[String: Any]])
        #expect(abs(number(transitions.first?["from_start_s"]) - 10) < 1e-6)
    }

    @Test func missingTailIsNoted() throws {
        // Broken: nothing says that the tail after the last packet is left out, which can be half of the energy.
        let workspace = try TestWorkspace.replaying(Self.home(seconds: 60))
        func tells(_ flags: String) throws -> Bool {
            let notes = try workspace.document("replay @a.pcap \(flags)")["notes"] as? [String]
            return notes?.contains { $0.contains("--until tail") } ?? false
        }
        #expect(try tells("") && !tells("--until tail") && !tells("--until +30s"))
    }

    @Test func sentencesOfTheMarkdownAreComplete() throws {
        // Broken: a sentence of the Markdown output is cut, as a long name is.
        let workspace = try TestWorkspace.replaying(Self.home(seconds: 60))
        let text = workspace.run("replay @a.pcap --format md").output
        #expect(text.contains("local traffic") && !text.contains("…"), "\(text)")
    }

    @Test func networkOfPCAPdroidIsUnknown() throws {
        // Broken: PCAPdroid's empty Ethernet header is taken for Ethernet, and the note says that no cellular network
        // carried the packets.
        var file = PcapWriter()
        let zero = [UInt8](repeating: 0, count: 6)
        var trailer = CaptureBytes()
        trailer.put(UInt32(0x0107_2021))
        trailer.put(UInt32(10_042))
        trailer.put(Array("Signal".utf8) + [UInt8](repeating: 0, count: 18))
        let packets = [
            PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.tcp(40_000, 443, payload: [1])), from: zero, to: zero),
            // A frame without IP, as other Ethernet captures have them.
            PacketBytes.ethernet([0, 1], type: 0x0806, from: zero, to: zero),
        ]
        for (index, packet) in packets.enumerated() {
            file.add(packet + trailer.bytes, at: Self.start + UInt64(index) * 1_000_000_000)
        }
        let replay = try TestWorkspace.replaying(Data(file.bytes)).document("replay @a.pcap")
        #expect((replay["capture"] as? [String: Any])?["medium"] as? String == "unknown")
        let notes = try #require(replay["notes"] as? [String])
        #expect(notes.contains { $0.contains("PCAPdroid recorded this above the phone's network") }, "\(notes)")
        #expect(!notes.contains { $0.contains("captured on Ethernet") })
    }
}
