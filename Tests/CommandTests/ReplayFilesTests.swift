import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Several files as one capture, and other input and output of `replay`.
struct ReplayFilesTests {
    /// A capture with one TCP segment every 7 s within the range of seconds.
    private static func capture(_ seconds: Range<Int>, linkType: UInt32 = 1) -> Data {
        var file = PcapWriter(linkType: linkType)
        for second in seconds where second % 7 == 0 {
            let packet = PacketBytes.ipv4(
                PacketBytes.tcp(
                    40_000, 443, sequence: UInt32(second), payload: [UInt8](repeating: 1, count: second % 90)))
            file.add(
                linkType == 1 ? PacketBytes.ethernet(packet) : packet,
                at: UInt64(1_700_000_000 + second) * 1_000_000_000)
        }
        return Data(file.bytes)
    }

    private func document(_ outcome: TestWorkspace.Outcome) throws -> [String: Any] {
        try #require(outcome.code == .ok, "\(outcome.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    private func bill(_ document: [String: Any]) throws -> [String: Double] {
        let radio = try #require(document["radio"] as? [String: Any])
        let capture = try #require(document["capture"] as? [String: Any])
        return ["joules": radio["joules"], "seconds": radio["seconds"], "packets": capture["packets"]]
            .compactMapValues { ($0 as? NSNumber)?.doubleValue }
    }

    @Test func rotatedFilesAreOneCapture() throws {
        // Broken: files split by tcpdump -C cost more or less than the whole, or the result depends on the order of the
        // names.
        let workspace = try TestWorkspace()
        try Self.capture(0..<9_000).write(to: URL(filePath: workspace.file("whole.pcap")))
        try FileManager.default.createDirectory(atPath: workspace.file("parts"), withIntermediateDirectories: false)
        for (index, start) in stride(from: 0, to: 9_000, by: 1_000).enumerated() {
            let name = "parts/a.pcap" + (index == 0 ? "" : "\(9 - index)")
            try Self.capture(start..<start + 1_000).write(to: URL(filePath: workspace.file(name)))
        }
        try workspace.write("parts/README.md", "what this is")
        let whole = try bill(document(workspace.run("replay @whole.pcap --json")))
        let folder = try document(workspace.run("replay @parts --json"))
        #expect(try bill(folder) == whole && whole["packets"] == 1_286)
        #expect((folder["interfaces"] as? [Any])?.count == 1 && (folder["transitions"] as? [Any])?.isEmpty == true)
        let notes = try #require(folder["notes"] as? [String])
        #expect(notes.contains { $0.hasPrefix("9 files as one capture") && $0.contains("a.pcap, a.pcap8") })
        #expect(notes.contains { $0.contains("README.md") } && !notes.contains { $0.contains(workspace.path) })
        let named = (0..<9).map { "@parts/a.pcap\($0 == 0 ? "" : "\($0)")" }.joined(separator: " ")
        #expect(try bill(document(workspace.run("replay \(named) --json"))) == whole)
    }

    @Test func overlappingCapturesAreRefused() throws {
        // Broken: two captures of the same hour are placed one after the other, or a folder is "a directory, at byte
        // 0".
        let workspace = try TestWorkspace()
        try Self.capture(0..<900).write(to: URL(filePath: workspace.file("a.pcap")))
        try Self.capture(600..<1_500).write(to: URL(filePath: workspace.file("b.pcap")))
        try Self.capture(1_600..<1_900, linkType: 101).write(to: URL(filePath: workspace.file("c.pcap")))
        let both = workspace.run("replay @b.pcap @a.pcap")
        #expect(
            both.code == .badInput && both.errors.contains("b.pcap begins 294 s before a.pcap ends"), "\(both.errors)")
        // Another link type is accepted: every interface keeps its own.
        let mixed = try document(workspace.run("replay @a.pcap @c.pcap --json"))
        #expect((mixed["capture"] as? [String: Any])?["link_types"] as? [Int] == [1, 101])
        try FileManager.default.createDirectory(atPath: workspace.file("empty"), withIntermediateDirectories: false)
        #expect(workspace.run("replay @empty").errors.contains("contains no capture"))
        #expect(workspace.run("replay @a.pcap -").code == .usage)
        // If one of several files is truncated, the others are still read, and the warning names the file.
        try Self.capture(0..<500).dropLast(3).write(to: URL(filePath: workspace.file("cut.pcap")))
        let cut = workspace.run("replay @cut.pcap @b.pcap --json")
        #expect(
            cut.errors.contains("cut.pcap: the file ends inside a record") && cut.output.contains("\"packets\": 200,"))
    }

    @Test func writtenScenarioIsReported() throws {
        // Broken: a request for a scenario file prints a table and does not mention the file.
        let workspace = try TestWorkspace()
        try Self.capture(0..<300).write(to: URL(filePath: workspace.file("a.pcap")))
        let outcome = workspace.run("replay @a.pcap --to-scenario @world.yaml")
        #expect(outcome.code == .ok && outcome.output.isEmpty)
        #expect(
            outcome.errors.contains("world.yaml: 26 messages up and 0 down")
                && outcome.errors.contains("next: deadzone run"), "\(outcome.errors)")
        #expect(try workspace.text("world.yaml").hasPrefix("# yaml-language-server: $schema="))
        #expect(workspace.run("replay @a.pcap --to-scenario @world.yaml --force -q").errors.isEmpty)
        #expect(workspace.run("replay @a.pcap --to-scenario @world.yaml --force -v").output.contains("Radio energy on"))
        #expect(workspace.run("run @world.yaml -q").code == .ok)
    }

    @Test func brokerIsNotThePhone() throws {
        // Broken: if both ends are behind one router, the MQTT server is taken for the phone.
        var file = PcapWriter()
        func add(_ from: UInt16, _ to: UInt16, _ source: [UInt8], _ destination: [UInt8], _ second: UInt64) {
            let packet = PacketBytes.ipv4(PacketBytes.tcp(from, to, payload: [1]), from: source, to: destination)
            file.add(PacketBytes.ethernet(packet), at: second * 1_000_000_000)
        }
        let (client, broker): ([UInt8], [UInt8]) = ([192, 168, 0, 1], [10, 10, 10, 1])
        for second: UInt64 in 1...4 {
            add(1_883, 2_400, broker, client, 2 * second)
            add(2_400, 1_883, client, broker, 2 * second + 1)
        }
        let workspace = try TestWorkspace()
        try Data(file.bytes).write(to: URL(filePath: workspace.file("mqtt.pcap")))
        let replay = try document(workspace.run("replay @mqtt.pcap --json"))
        #expect((replay["direction"] as? [String: Any])?["device"] as? [String] == ["192.168.0.1"])
        #expect((replay["flows"] as? [[String: Any]])?.first?["remote"] as? String == "10.10.10.1:1883")
    }

    @Test func severalSimulationsInOneFileAreReported() throws {
        // Broken: the energies of several simulated radios are added without a note.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        #expect(workspace.run("run @a.yaml -q --exit-zero --replicas 1 --format pcapng --out @out").code == .ok)
        let both = workspace.run("replay @out/packets.pcapng")
        #expect(
            both.code == .ok && both.output.replacing(/\s+/, with: " ").contains("simulated radios are in this file"))
        let one = workspace.run("run @a.yaml -q --exit-zero --replicas 1 --strategy eager --format pcapng --out @one")
        // `eager` stays on the network that is gone, so its file has one radio.
        let alone = workspace.run("replay @one/packets.pcapng")
        #expect(one.code == .ok && alone.code == .ok && !alone.output.contains("simulated radios"), "\(alone.output)")
    }
}
