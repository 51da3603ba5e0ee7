import DeadzoneCommand
import Foundation
import Testing

struct ReplayVerbTests {
    /// Creates a pcap file of raw IP packets from their times in seconds, sizes in bytes, and directions.
    private static func pcap(_ packets: [(at: Double, bytes: Int, isUp: Bool)]) -> Data {
        var data = Data()
        func add<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        for number in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 65_535, 101] as [UInt32] { add(number) }
        for packet in packets {
            add(UInt32(packet.at))
            add(UInt32((packet.at * 1e6).rounded()) % 1_000_000)
            add(UInt32(28))
            add(UInt32(packet.bytes))
            let (phone, server): ([UInt8], [UInt8]) = ([10, 0, 0, 2], [192, 0, 2, 1])
            let length = UInt16(packet.bytes)
            data.append(contentsOf: [0x45, 0, UInt8(length >> 8), UInt8(length & 255), 0, 0, 0x40, 0, 64, 17, 0, 0])
            data.append(contentsOf: packet.isUp ? phone + server : server + phone)
            let ports: [UInt8] = packet.isUp ? [0xC3, 0x50, 0x23, 0x28] : [0x23, 0x28, 0xC3, 0x50]
            data.append(contentsOf: ports + [UInt8((length - 20) >> 8), UInt8((length - 20) & 255), 0, 0])
        }
        return data
    }

    private func radio(_ line: String, _ workspace: TestWorkspace) throws -> (
        joules: Double, states: [String: [Double]]
    ) {
        let outcome = workspace.run(line)
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let radio = try #require(document["radio"] as? [String: Any])
        var states: [String: [Double]] = [:]
        for state in radio["states"] as? [[String: Any]] ?? [] {
            let numbers = ["count", "seconds", "joules"].map { (state[$0] as? NSNumber)?.doubleValue ?? -1 }
            states[state["state"] as? String ?? ""] = numbers
        }
        return ((radio["joules"] as? NSNumber)?.doubleValue ?? -1, states)
    }

    /// Broken: between a file and its energy bill, packets lose bytes, their time or their direction.
    @Test func `files reproduce the worked examples`() throws {
        let workspace = try TestWorkspace()
        try Self.pcap([(0.5, 100, true)]).write(to: URL(filePath: workspace.file("one.pcap")))
        try Self.pcap([(1, 100, true), (1.05, 1_400, false), (1.3, 1_400, false)])
            .write(to: URL(filePath: workspace.file("three.pcap")))
        let line = "--profile lte-att-2012-aro --device 10.0.0.2 --from 0 --until 20 --json"
        let one = try radio("replay @one.pcap --rules aro " + line, workspace)
        #expect(abs(one.joules - 11.937874) < 1e-6)
        #expect(one.states.values.reduce(0) { $0 + $1[0] } == 7)
        let three = try radio("replay @three.pcap --rules aro " + line, workspace)
        #expect(abs(three.joules - 13.979423) < 1e-6)
        #expect(three.states["active"].map { $0[0] } == 2)
        // Idle 9.32 s at 19.954 mW, promotion 0.26 s, active 0.05 s, tails 0.2 s, 0.04 s and 10.13 s, and 100 bytes up
        // and 2800 down at 3507.12 and 415.76 nJ.
        let physical = try radio("replay @three.pcap " + line, workspace)
        let idle: Double = 9.32 * 0.0199546875
        let bits: Double = 100 * 3507.12e-9 + 2800 * 415.76e-9
        let parts: [Double] = [idle, 0.3146, 0.06, 0.24, 0.04488, 11.05183, bits]
        let sum = parts.reduce(0, +)
        #expect(abs(physical.joules - sum) < 1e-6)
    }

    /// Broken: the second thread loses packets, or an excluded interface leaves gaps in the batches.
    @Test func `one thread or two, the same bytes`() throws {
        let workspace = try TestWorkspace()
        var packets: [(at: Double, bytes: Int, isUp: Bool)] = []
        for index in 0..<20_000 {
            let bytes: Int = 60 + index % 999
            packets.append((Double(index) / 7, bytes, index % 3 == 0))
        }
        try Self.pcap(packets).write(to: URL(filePath: workspace.file("many.pcap")))
        let line = "replay @many.pcap --device 10.0.0.2 --json --jobs"
        let one = workspace.run("\(line) 1")
        #expect(one.code == .ok && one.output.contains("\"packets\": 20000"))
        #expect(workspace.run("\(line) 2").output == one.output)
    }

    /// A capture of TCP segments of the phone's port, each of which carries data, opens the connection or confirms.
    private static func tcp(
        _ segments: [(at: Double, port: UInt16, isUp: Bool, flags: UInt8, sequence: UInt32, payload: Int)]
    ) -> Data {
        var data = Data()
        func add<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        for number in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 65_535, 101] as [UInt32] { add(number) }
        for segment in segments {
            let length = UInt16(40 + segment.payload)
            add(UInt32(segment.at))
            add(UInt32((segment.at * 1e6).rounded()) % 1_000_000)
            add(UInt32(40))
            add(UInt32(length))
            let (phone, server): ([UInt8], [UInt8]) = ([10, 0, 0, 2], [192, 0, 2, 1])
            let own: [UInt8] = [UInt8(segment.port >> 8), UInt8(segment.port & 255)]
            data.append(contentsOf: [0x45, 0, UInt8(length >> 8), UInt8(length & 255), 0, 0, 0x40, 0, 64, 6, 0, 0])
            data.append(contentsOf: segment.isUp ? phone + server : server + phone)
            data.append(contentsOf: segment.isUp ? own + [0x23, 0x28] : [0x23, 0x28] + own)
            for number in [segment.sequence, 1] { add(number.byteSwapped) }
            data.append(contentsOf: [0x50, segment.flags, 0xFF, 0xFF, 0, 0, 0, 0])
        }
        return data
    }

    /// Broken: a silence that ends with a new connection is no dead zone of the scenario.
    @Test(arguments: [(20, true), (200, true), (600, false)] as [(Int, Bool)])
    func `a silence after retransmissions becomes a dead zone`(seconds: Int, isDeadZone: Bool) throws {
        let workspace = try TestWorkspace()
        let end = 5.3 + Double(seconds)
        let (syn, answer, ack) = (UInt8(0x02), UInt8(0x12), UInt8(0x10))
        try Self.tcp([
            (1, 50_000, true, syn, 100, 0), (1.05, 50_000, false, answer, 100, 0), (1.1, 50_000, true, ack, 101, 0),
            (1.2, 50_000, true, ack, 101, 200), (1.25, 50_000, false, ack, 101, 300),
            (5, 50_000, true, ack, 301, 200), (5.3, 50_000, true, ack, 301, 200),
            (end, 50_001, true, syn, 900, 0), (end + 0.05, 50_001, false, answer, 900, 0),
            (end + 0.1, 50_001, true, ack, 901, 0), (end + 0.2, 50_001, true, ack, 901, 200),
            (end + 0.25, 50_001, false, ack, 901, 300),
        ]).write(to: URL(filePath: workspace.file("gap.pcap")))
        let outcome = workspace.run("replay @gap.pcap --device 10.0.0.2 --to-scenario @gap.yaml --json")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let text = try workspace.text("gap.yaml")
        #expect(text.contains("dead-zone:") == isDeadZone, "\(text)")
    }

    /// Broken: what-if creates a scenario that `run` refuses, or loses messages of the capture.
    @Test func `a capture becomes a scenario`() throws {
        let workspace = try TestWorkspace()
        var packets: [(at: Double, bytes: Int, isUp: Bool)] = []
        for index in 0..<12 {
            let asked = Double(index * 5 + 1)
            packets.append((at: asked, bytes: 200 + 10 * index, isUp: true))
            packets.append((at: asked + 0.125, bytes: 900, isUp: false))
        }
        try Self.pcap(packets).write(to: URL(filePath: workspace.file("chat.pcap")))
        try workspace.write("clients.yaml", "calm: {strategy: patient, ping: 5m}\neager: {strategy: eager}\n")
        let outcome = workspace.run(
            "replay @chat.pcap --device 10.0.0.2 --strategies @clients.yaml --to-scenario @chat.yaml --json")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let whatIf = try #require(document["what_if"] as? [String: Any])
        #expect((whatIf["strategies"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["calm", "eager"])
        // Each distinct size is one point of the table, so that the scenario has the sizes of the capture.
        let table = try #require(try workspace.text("chat.yaml").split(separator: "\n").first { $0.contains("table:") })
        #expect(table.ranges(of: "B]").count == 12, "\(table)")
        let run = workspace.run("run @chat.yaml --json")
        #expect(run.code == .ok, "\(run.errors)")
        #expect(run.output.contains("\"delivery.up.sent\": 12") && run.output.contains("\"delivery.down.sent\": 12"))
    }

    /// Broken: a preset that `fit --to-preset` writes is refused, or a wrong file is answered with escaped line ends.
    @Test func `a preset is compared as one strategy`() throws {
        let workspace = try TestWorkspace()
        try Self.pcap([(at: 1, bytes: 200, isUp: true), (at: 1.5, bytes: 900, isUp: false)]).write(
            to: URL(filePath: workspace.file("chat.pcap")))
        try workspace.write(
            "my client.yaml",
            "version: 1\nstrategy: composed\nabout: >-\n  Settings of a client.\nbackoff:\n  base: 2s\n# the end\n")
        let call = "replay @chat.pcap --device 10.0.0.2 --strategies "
        let outcome = workspace.run(call + "@my\u{a0}client.yaml --to-scenario @chat.yaml --json")
        #expect(outcome.code == .ok && outcome.output.contains("\"name\": \"my client\""), "\(outcome.errors)")
        #expect(try workspace.text("chat.yaml").contains("\n      base: 2s\n"))
        #expect(workspace.run("lint @chat.yaml").code == .ok)
        try workspace.write("wrong.yaml", "a: {strategy: nonsense}\nb: 7\n")
        let wrong = workspace.run(call + "@wrong.yaml")
        #expect(wrong.code == .badInput && wrong.errors.contains("nonsense"), "\(wrong.errors)")
        #expect(!wrong.errors.contains("\\u{a}") && wrong.errors.contains("fit --to-preset"), "\(wrong.errors)")
    }

    /// Broken: the replay of simulated packets gives another energy, or their file is not a valid capture.
    @Test func `the packets of a run reproduce its energy`() throws {
        let workspace = try TestWorkspace()
        let scenario = """
            version: 1
            name: There and back
            duration: 20m
            replicas: 1
            phone: {battery: 15.4Wh, radios: {cellular: lte-verizon-2021}}
            traffic: {down: {every: 40s, arrivals: poisson, size: 300B}}
            strategies:
              calm: {strategy: patient, ping: 5m}

            """
        try workspace.write("back.yaml", scenario)
        let run = workspace.run("run @back.yaml --json --format json,pcapng --out @out")
        #expect(run.code == .ok, "\(run.errors)")
        let result = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let strategy = try #require((result["strategies"] as? [[String: Any]])?.first)
        let simulated = try #require((strategy["metrics"] as? [String: Any])?["battery.joules"] as? NSNumber)
            .doubleValue
        let again = try radio("replay @out/packets.pcapng --from 0 --until 1200 --json", workspace)
        #expect(abs(again.joules / simulated - 1) < 0.01, "\(again.joules) of \(simulated)")
        #expect(simulated > 10)
    }
}
