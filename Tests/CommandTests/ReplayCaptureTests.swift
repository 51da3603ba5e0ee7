import DeadzoneHost
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCommand

struct ReplayCaptureTests {
    private static func capture(_ times: [(milliseconds: UInt64, bytes: Int, isUp: Bool)]) -> [UInt8] {
        var file = PcapWriter(linkType: 101)
        for (milliseconds, bytes, isUp) in times {
            let payload = [UInt8](repeating: 0, count: bytes - 28)
            let packet =
                isUp
                ? PacketBytes.ipv4(PacketBytes.udp(50_000, 443, payload: payload))
                : PacketBytes.ipv4(
                    PacketBytes.udp(443, 50_000, payload: payload), from: PacketBytes.server, to: PacketBytes.phone)
            file.add(packet, at: milliseconds * 1_000_000)
        }
        return file.bytes
    }

    private func run(_ bytes: [UInt8], _ flags: String) throws -> TestWorkspace.Outcome {
        let workspace = try TestWorkspace()
        try Data(bytes).write(to: URL(filePath: workspace.file("a.pcap")))
        return workspace.run("replay @a.pcap " + flags)
    }

    private func radio(_ bytes: [UInt8], _ flags: String) throws -> (
        joules: Double, states: [String: (Int, Double, Double)]
    ) {
        let outcome = try run(bytes, "--json " + flags)
        try #require(outcome.code == .ok, "\(outcome.errors)")
        let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let radio = try #require(document?["radio"] as? [String: Any])
        var states: [String: (Int, Double, Double)] = [:]
        for state in radio["states"] as? [[String: Any]] ?? [] {
            states[state["state"] as? String ?? ""] = (
                state["count"] as? Int ?? -1, state["seconds"] as? Double ?? -1, state["joules"] as? Double ?? -1
            )
        }
        return (radio["joules"] as? Double ?? -1, states)
    }

    @Test func equalsTheEnergiesOfARO() throws {
        // Broken: the joules in the JSON differ from those of Video Optimizer for the same file.
        let aro = "--rules aro --profile lte-att-2012-aro --from 0 --until 20"
        let single = try radio(Self.capture([(500, 100, true)]), aro)
        #expect(abs(single.joules - 11.937874) < 1e-6, "\(single)")
        #expect(abs((single.states["promotion"]?.2 ?? 0) - 0.3146) < 1e-6)
        #expect(abs((single.states["long_drx"]?.2 ?? 0) - 10.91) < 1e-6)
        #expect(abs((single.states["idle"]?.2 ?? 0) - 0.570834) < 1e-6)
        let burst = try radio(Self.capture([(1_000, 100, true), (1_050, 1_400, false), (1_300, 1_400, false)]), aro)
        #expect(abs(burst.joules - 13.979423) < 1e-6, "\(burst)")
        #expect(burst.states["active"]?.0 == 2 && burst.states["long_drx"].map { abs($0.1 - 10.13) < 1e-9 } == true)
    }

    @Test func anEmptyCaptureIsAResult() throws {
        // Broken: an empty capture is reported as an error.
        let outcome = try run(PcapWriter().bytes, "--json")
        #expect(outcome.code == .ok && outcome.errors == "")
        #expect(outcome.output.contains("\"packets\": 0,") && outcome.output.contains("\"first_s\": null"))
    }

    @Test func truncatedCaptureGivesAResultAndAWarning() throws {
        // Broken: a truncated file is a failure, or counts as complete.
        let bytes = Self.capture([(0, 100, true), (10, 100, false)])
        let outcome = try run(Array(bytes.dropLast()), "--json")
        #expect(outcome.code == .ok)
        #expect(outcome.errors.hasPrefix("warning: ") && outcome.errors.contains("at byte 140"))
        #expect(
            outcome.output.contains(
                "\"error\": \"the file ends inside a record: 115 of 116 bytes are there, at byte 140\""))
        #expect(outcome.output.contains("\"packets\": 1,"))
        let quiet = try run(Array(bytes.dropLast()), "-q")
        #expect(quiet.errors == "")
    }

    @Test func unreadableFileIsBadInput() throws {
        // Broken: a script takes a text file for an empty capture.
        for bytes in [
            [], Array("GET / HTTP/1.1\r\n".utf8), [0x28, 0xb5, 0x2f, 0xfd], Array(PcapWriter().bytes.prefix(20)),
        ] {
            let outcome = try run(bytes, "--json")
            #expect(outcome.code == .badInput)
            #expect(outcome.output.contains("deadzone/errors/1") && outcome.output.contains("E0430"))
        }
    }

    @Test func messagesBeyondTheLimitAreNoted() throws {
        // Broken: the scenario of a long capture lacks its end, and no note tells it.
        let turns = (0..<100_003).map { (milliseconds: UInt64($0) * 1_000, bytes: 100, isUp: $0 % 2 == 0) }
        let outcome = try run(Self.capture(turns), "--to-scenario @a.yaml")
        #expect(outcome.code == .ok && outcome.errors.contains("3 messages after the limit are left out"))
    }

    @Test(arguments: [
        ("--device 10.0.0.300", "E0306"), ("--filter host(www.example.org)", "E0306"), ("--filter tcp[", "E0306"),
        ("--from yesterday", "E0306"), ("--until +1", "E0306"), ("--profile lte-nowhere", "E0310"),
        ("--rules aro --profile nr-sa-low-tmobile-2021", "E0311"), ("--rules fast", "E0306"),
    ])
    func refusesInvalidFlags(_ flags: String, _ code: String) throws {
        // Broken: a flag with a meaningless value is accepted.
        let outcome = try run(Self.capture([(0, 100, true)]), flags)
        #expect(outcome.code == .usage && outcome.errors.contains("error[\(code)]"), "\(outcome.errors)")
    }

    @Test func deviceFlagDecidesTheDirections() throws {
        // Broken: `--device` is ignored, and the directions are reversed.
        let bytes = Self.capture([(0, 100, true), (10, 200, false), (20, 200, false)])
        #expect(try run(bytes, "--json").output.contains("\"up_bytes\": 100,"))
        let told = try run(bytes, "--json --device 192.0.2.1")
        #expect(told.output.contains("\"up_bytes\": 400,") && told.output.contains("\"by\": \"device\""))
    }
}
